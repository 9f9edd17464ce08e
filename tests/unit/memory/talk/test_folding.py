"""Folding: it always succeeds, stays small, and doing it twice is doing it once."""

import copy

from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.memory.talk import folding
from ai_assistant.memory.talk.folding import (
    MAX_RECORD,
    MOST_FOLDED,
    SHORTENED,
    close,
    fold_talk,
    replace_summary,
    summary_of,
    take_lines_back,
    to_summarise,
)
from ai_assistant.memory.talk.working import WORKING

MESSAGES = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.text("abc", max_size=3),
            "role": st.sampled_from(["user", "assistant"]),
            "content": st.one_of(
                st.text(max_size=60), st.just("x" * 9000), st.just("\n- assistant: \n")
            ),
            "timestamp": st.just("1970-01-01T00:00:00Z"),
            "author": st.just(""),
        }
    ),
    max_size=60,
)


def talk_of(messages, summary=""):
    return {**WORKING.empty(), "messages": messages, "summary": summary}


@given(MESSAGES, st.integers(0, 30))
def test_folding_twice_is_folding_once(messages, keep):
    """Whatever was said, the second time changes nothing."""
    talk = talk_of(messages)
    fold_talk(talk, at=0.0, keep=keep)
    once = copy.deepcopy(talk)
    fold_talk(talk, at=9.0, keep=keep)
    assert talk == once


@given(MESSAGES, st.integers(0, 30))
def test_a_summary_stays_small(messages, keep):
    """Each line that has words is there, none is long, and the whole fits."""
    talk = talk_of(messages)
    fold_talk(talk, at=0.0, keep=keep)
    lines = talk["summary"].split("\n") if talk["summary"] else []
    gone = messages[: len(messages) - len(talk["messages"])]
    assert len(lines) == len(talk["summed"]) == sum(bool(one["content"].split()) for one in gone)
    a_line = len("\n- assistant: ") + SHORTENED
    assert len(talk["summary"]) <= MAX_RECORD + MOST_FOLDED * a_line
    assert all(line.startswith(("- user: ", "- assistant: ")) for line in lines)
    assert len(talk["messages"]) <= keep


def test_a_line_is_folded_with_all_its_words():
    """The fact stands at its end as often as not; only where all are long are the oldest cut."""
    said = "word " * 100 + "Oakvale."
    talk = talk_of([{"id": "", "role": "user", "content": said} for _ in range(20)])
    fold_talk(talk, at=0.0)
    assert talk["summary"].count("Oakvale.") == 20
    talk["messages"] = [{"id": "", "role": "user", "content": said} for _ in range(20)]
    fold_talk(talk, at=0.0)
    lines = talk["summary"].split("\n")
    assert [line.endswith("Oakvale.") for line in lines] == sorted(
        "Oakvale" in one for one in lines
    )
    assert 20 < talk["summary"].count("Oakvale.") < 40


def test_an_exchange_is_folded_whole():
    """No answer stays behind the question that left."""
    roles = ["user", "assistant", "assistant", "user", "assistant"]
    talk = talk_of([{"id": "", "role": role, "content": f"{n}"} for n, role in enumerate(roles)])
    fold_talk(talk, at=0.0, keep=4)
    assert [one["content"] for one in talk["messages"]] == ["3", "4"]


def test_the_oldest_lines_give_way():
    """Of more than anybody could read the oldest go, and how many is known."""
    several = range(MOST_FOLDED + 7)
    talk = talk_of([{"id": f"e{n}", "role": "user", "content": f"{n} " + "x" * 150}
                    for n in several])  # fmt: skip
    fold_talk(talk, at=0.0, keep=0)
    assert talk["summary"].startswith("- user: 7 ")
    assert f"- user: {several[-1]} {'x' * 100}" in talk["summary"]
    assert (talk["older"], len(talk["summed"])) == (7, MOST_FOLDED)


def test_a_model_gets_all_lines_of_a_closed_talk():
    """Sixty lines of an evening are sixty lines to put together, and those that it then covers."""
    talk = talk_of([{"id": f"e{n}", "role": "user", "content": f"{n} " + "words are here " * 8,
                     "timestamp": "1970-01-01T00:00:00Z"} for n in range(60)])  # fmt: skip
    close(talk, at=0.0)
    assert [line.split()[2] for line in to_summarise(talk)[1]] == [str(n) for n in range(60)]
    assert folding.record_of(talk) == ([], [])
    version = folding.version_of(talk)
    replace_summary(talk, expected=version, summary="- They counted.")
    record, covered = folding.record_of(talk)
    assert record == ["- They counted."]
    assert [one["id"] for one in covered] == [f"e{n}" for n in range(60)]
    assert not list(folding.unsummarised(talk))


def test_few_lines_are_not_worth_a_model():
    """Only from five folded lines on is a model asked, with what it made of the older ones."""
    talk = talk_of(
        [{"id": "", "role": "user", "content": f"word {n}"} for n in range(6)], "Before."
    )
    fold_talk(talk, at=0.0, keep=2)
    assert to_summarise(talk)[1] == []
    fold_talk(talk, at=0.0, keep=0)
    prior, lines = to_summarise(talk)
    assert (prior, len(lines)) == ("Before.", 6)


def test_a_summary_is_replaced_only_where_nothing_changed():
    """What a model made of a talk that went on meanwhile is dropped."""
    talk = talk_of([{"id": "", "role": "user", "content": f"word {n}"} for n in range(6)])
    fold_talk(talk, at=0.0, keep=0)
    version = folding.version_of(talk)
    talk["messages"] = [{"id": "", "role": "user", "content": "And more."}]
    fold_talk(talk, at=0.0, keep=0)
    before = talk["summary"]
    replace_summary(talk, expected=version, summary="They counted words.")
    assert talk["summary"] == before
    replace_summary(talk, expected=folding.version_of(talk), summary="They counted words.")
    assert talk["summary"] == "They counted words."
    assert to_summarise(talk)[1] == []


def test_what_a_model_put_together_survives_later_folds():
    """However much is said later, it begins the summary, and the next model is shown it."""
    talk = talk_of([{"id": "", "role": "user", "content": f"word {n}"} for n in range(6)])
    fold_talk(talk, at=0.0, keep=0)
    record = "- user: asked for a sword\n- assistant: promised one by Friday"
    replace_summary(talk, expected=folding.version_of(talk), summary=record)
    for again in range(3):
        talk["messages"] = [
            {"id": "", "role": "user", "content": f"{again} {n} " + "x" * 100} for n in range(21)
        ]
        fold_talk(talk, at=0.0, keep=0)
        assert talk["summary"].startswith(f"{record}\n")
        assert f"- user: {again} 20 " in talk["summary"]
        prior, lines = to_summarise(talk)
        assert prior == record
        assert record not in "\n".join(lines)


def test_a_closed_talk_keeps_its_summary():
    """Everything is folded; topic and open questions are over."""
    talk = talk_of([{"id": "e1", "role": "assistant", "content": "Farewell."}])
    talk["topic"] = "ships"
    talk["context"] = {"mentioned_items": ["mast"], "unresolved_questions": ["Where?"]}
    close(talk, at=0.0)
    assert (talk["topic"], talk["messages"], talk["summary"]) == ("", [], "- assistant: Farewell.")
    assert talk["context"] == {"mentioned_items": [], "unresolved_questions": []}


def test_a_summary_is_told_with_names():
    """Whoever reads it sees who said what."""
    said = [("user", "Ahoy."), ("assistant", "Ahoy: you?")]
    talk = talk_of([{"id": "", "role": role, "content": words} for role, words in said])
    fold_talk(talk, at=0.0)
    assert summary_of(talk, "Alice", "You") == "Alice: Ahoy.\nYou: Ahoy: you?"


def test_taking_back_finds_the_line_in_an_older_state():
    """Where only the newest folded lines have ids, the one that is meant goes, and no other."""
    said = [f"line {number}" for number in range(5)]
    talk = talk_of([{"id": one, "role": "user", "content": one, "timestamp": ""} for one in said])
    fold_talk(talk, at=0.0)
    talk["summed"] = talk["summed"][-2:]
    take_lines_back(talk, ids=["line 3"])
    assert talk["summary"].split("\n") == [f"- user: {one}" for one in said if one != "line 3"]
    assert [mark["id"] for mark in talk["summed"]] == ["line 4"]
