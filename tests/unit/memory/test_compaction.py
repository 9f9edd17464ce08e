"""Folding: it always succeeds, stays small, and doing it twice is doing it once."""

import copy

from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.memory import compaction
from ai_assistant.memory.compaction import MAX_SUMMARY, close, fold, replace_summary, to_summarise
from ai_assistant.memory.working import empty_conversation

MESSAGES = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.text("abc", max_size=3),
            "role": st.sampled_from(["user", "assistant"]),
            "content": st.one_of(st.text(max_size=60), st.just("x" * 9000), st.just("\n- I: \n")),
            "timestamp": st.just("1970-01-01T00:00:00Z"),
            "author": st.just(""),
        }
    ),
    max_size=60,
)


def talk_of(messages, summary=""):
    return {**empty_conversation(), "messages": messages, "summary": summary}


@given(MESSAGES, st.integers(0, 30))
def test_folding_twice_is_folding_once(messages, keep):
    """Whatever was said, the second time changes nothing."""
    talk = talk_of(messages)
    fold(talk, at=0.0, keep=keep)
    once = copy.deepcopy(talk)
    fold(talk, at=9.0, keep=keep)
    assert talk == once


@given(MESSAGES, st.integers(0, 30))
def test_a_summary_stays_small_and_repeats_nothing(messages, keep):
    """No line is there twice, none is long, and the whole fits."""
    talk = talk_of(messages)
    fold(talk, at=0.0, keep=keep)
    lines = talk["summary"].split("\n") if talk["summary"] else []
    assert len(lines) == len(set(lines))
    assert len(talk["summary"]) <= MAX_SUMMARY
    assert all(line.startswith(("- They: ", "- I: ")) for line in lines)
    assert len(talk["messages"]) == min(keep, len(messages))


def test_what_was_folded_before_is_not_added_again():
    """The same words said once more make no second line."""
    talk = talk_of([{"id": "e1", "role": "user", "content": "Ahoy!"}], "- They: Ahoy!\n- I: Aye.")
    fold(talk, at=0.0, keep=0)
    assert talk["summary"] == "- They: Ahoy!\n- I: Aye."


def test_the_oldest_lines_give_way():
    """A summary that is full loses its beginning."""
    talk = talk_of([{"id": "", "role": "user", "content": f"{n} " + "x" * 150} for n in range(40)])
    fold(talk, at=0.0, keep=0)
    assert talk["summary"].startswith("- They: 2")
    assert f"- They: 39 {'x' * 100}" in talk["summary"]


def test_few_lines_are_not_worth_a_model():
    """Only from five folded lines on is a model asked, with what it made of the older ones."""
    talk = talk_of(
        [{"id": "", "role": "user", "content": f"word {n}"} for n in range(6)], "Before."
    )
    fold(talk, at=0.0, keep=2)
    assert to_summarise(talk)[1] == []
    fold(talk, at=0.0, keep=0)
    prior, lines = to_summarise(talk)
    assert (prior, len(lines)) == ("Before.", 6)


def test_a_summary_is_replaced_only_where_nothing_changed():
    """What a model made of a talk that went on meanwhile is dropped."""
    talk = talk_of([{"id": "", "role": "user", "content": f"word {n}"} for n in range(6)])
    fold(talk, at=0.0, keep=0)
    version = compaction.version_of(talk)
    talk["messages"] = [{"id": "", "role": "user", "content": "And more."}]
    fold(talk, at=0.0, keep=0)
    before = talk["summary"]
    replace_summary(talk, expected=version, summary="They counted words.")
    assert talk["summary"] == before
    replace_summary(talk, expected=compaction.version_of(talk), summary="They counted words.")
    assert talk["summary"] == "They counted words."
    assert to_summarise(talk)[1] == []


def test_what_a_model_put_together_survives_later_folds():
    """However much is said later, it begins the summary, and the next model is shown it."""
    talk = talk_of([{"id": "", "role": "user", "content": f"word {n}"} for n in range(6)])
    fold(talk, at=0.0, keep=0)
    record = "- They: asked for a sword\n- I: promised one by Friday"
    replace_summary(talk, expected=compaction.version_of(talk), summary=record)
    for again in range(3):
        talk["messages"] = [
            {"id": "", "role": "user", "content": f"{again} {n} " + "x" * 100} for n in range(21)
        ]
        fold(talk, at=0.0, keep=0)
        assert talk["summary"].startswith(f"{record}\n")
        assert f"- They: {again} 20 " in talk["summary"]
        prior, lines = to_summarise(talk)
        assert prior == record
        assert record not in "\n".join(lines)


def test_a_closed_talk_keeps_its_summary():
    """Everything is folded; topic and open questions are over."""
    talk = talk_of([{"id": "e1", "role": "assistant", "content": "Farewell."}])
    talk["topic"] = "ships"
    talk["context"] = {"mentioned_items": ["mast"], "unresolved_questions": ["Where?"]}
    close(talk, at=0.0)
    assert (talk["topic"], talk["messages"], talk["summary"]) == ("", [], "- I: Farewell.")
    assert talk["context"] == {"mentioned_items": [], "unresolved_questions": []}
