"""The budget: nothing ever passes it, and what gives way first is what the table says."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.agent import contexts
from ai_assistant.agent.opening import begin
from ai_assistant.agent.prompt.build import build_prompt
from ai_assistant.agent.prompt.component import new_component
from ai_assistant.agent.prompt.draft import CUT, Draft, Line, Section
from ai_assistant.agent.prompt.fitting import (
    GIVES_WAY,
    TOKEN_BUDGETS,
    fitted,
    room_of,
    tools_size,
)
from ai_assistant.agent.prompt.results import request_messages, size
from ai_assistant.agent.prompt.window import drop_least, lines_of, newest
from ai_assistant.contracts import Message, ToolCall
from ai_assistant.testing.model import run
from tests.unit.agent.prompting import (
    ALICE,
    BOB,
    changed,
    conversation,
    crowded,
    on_stage,
    part,
    prompted,
    shown,
    whole,
)
from tests.unit.agent.prompting import size as prompt_size


def taken(turn):
    """The characters of the next request, tools included."""
    return size(request_messages(turn)) + tools_size(turn)


def counts(turn):
    """How many lines each component shows."""
    told = shown(turn)
    return {
        "stream": len(conversation(turn)),
        "memories": told.count("The dragon"),
        "entity": told.count('"observation"'),
        "notebook": told.count('"note"'),
        "learned": told.count('"fact"'),
    }


SITUATIONS = st.fixed_dictionaries(
    {
        "tokens": st.integers(1000, 20_000),
        "per_char": st.floats(0.1, 1.0),
        "lines": st.lists(st.integers(0, 30_000), max_size=70),
        "event": st.integers(0, 200_000),
        "persona": st.integers(0, 5000),
        "results": st.lists(st.integers(0, 50_000), max_size=6),
        "component": st.integers(0, 1500),
        "budget": st.none() | st.integers(1000, 9000),
    }
)


@given(SITUATIONS)
def test_any_history_fits(given):
    """Whatever was said, noted and looked up, in whatever length, the request fits its budget."""
    stage = on_stage(max_context_tokens=given["tokens"])
    stage.mind.tokens_per_char = given["per_char"]
    stage.mind.persona = {"name": "Sera", "personality": "p" * given["persona"]}
    if given["component"]:
        made = new_component([], "1200", "mood", "x" * given["component"])
        changed(stage, "prompt", "put_component", component=made)
    for length in given["lines"]:
        stage.overhear(BOB, "c" * length)
    turn = begin(stage.mind, [stage.hear(ALICE, "e" * given["event"])], "turn0")
    turn.context = replace(turn.context, token_budget=given["budget"])
    run(build_prompt(turn))
    assert prompt_size(turn) + tools_size(turn) <= room_of(turn)
    for at, length in enumerate(given["results"]):
        call = ToolCall(f"c{at}", "recall_memories", {"query": "q" * (length // 4)})
        turn.transcript.append(Message("assistant", "", tool_calls=(call,)))
        turn.transcript.append(Message("tool", "r" * length, tool_call_id=call.id, component=7000))
    assert taken(turn) <= room_of(turn)
    assert turn.offered()
    answered = {one.tool_call_id for one in request_messages(turn) if one.role == "tool"}
    asked = {call.id for one in request_messages(turn) for call in one.tool_calls}
    assert answered == asked


def test_a_message_larger_than_the_window_is_cut_in_its_middle():
    """Its beginning and its end are there, with a mark between them."""
    stage = on_stage(max_context_tokens=1500)
    turn = prompted(stage, "Listen! " + "blah " * 20_000 + "What do you say?")
    asked = part(turn, contexts.EVENT)
    assert "Listen!" in asked
    assert CUT in asked
    assert "What do you say?" in asked
    assert asked.endswith("one of: say, emote, whisper.")
    assert taken(turn) <= room_of(turn)


def test_what_must_be_there_is_there():
    """A small budget leaves instructions, persona and question whole."""
    turn = prompted(crowded(max_context_tokens=2000))
    roomy = prompted(crowded(max_context_tokens=100_000))
    assert turn.prompt[:2] == roomy.prompt[:2]
    assert "What of the dragon?" in part(turn, contexts.EVENT)
    assert part(turn, contexts.EVENT).endswith("whisper.")
    assert taken(turn) <= room_of(turn)


def test_nothing_gives_way_where_there_is_room():
    """With a large budget everything is shown, up to the lengths of its components."""
    found = counts(prompted(crowded(max_context_tokens=100_000)))
    assert found == {"stream": 30, "memories": 6, "entity": 8, "notebook": 12, "learned": 12}


def drafted():
    """A draft in which every component of the table has more than it keeps at first."""
    keys = dict.fromkeys(key for key, _, _ in GIVES_WAY if key != "stream")
    rows = [{"text": "x" * 200}] * 14
    return Draft(
        before=[Section(key, 1000, list(rows), key) for key in keys],
        window=[Line({"says": "x" * 200}, False, 5) for _ in range(24)],
        after=[Section("event", 6000, [{"says": "Well?"}], "Answer this", role="user")],
    )


def rows_of(draft):
    return {"stream": len(draft.window)} | {one.key: len(one.rows) for one in draft.before}


def test_components_give_way_in_the_order_of_the_table():
    """The smaller the room, the further down the table, and never further than needed."""
    kept = rows_of(drafted())
    steps = [kept]
    for key, how, number in GIVES_WAY:
        if how in ("drop older", "keep"):
            kept = {**kept, key: min(kept[key], number)}
            steps.append(kept)
    seen = []
    for room in range(drafted().size(), 500, -200):
        draft = drafted()
        fitted(draft, 10**9, room)
        assert draft.size() <= room
        if (found := rows_of(draft)) not in seen:
            seen.append(found)
    thinning = [one for one in seen if 20 < one["stream"] < 24]
    assert thinning == seen[1 : 1 + len(thinning)]
    assert [one for one in seen if one not in thinning] == list(map(dict, unique(steps)))


def unique(found):
    return dict.fromkeys(tuple(one.items()) for one in found)


def test_no_component_takes_all_the_room():
    """Each has a share of the budget, even where everything would fit."""
    draft = drafted()
    fitted(draft, 16_000, 10**9)
    for key, share in TOKEN_BUDGETS.items():
        spent = sum(len(one.text) for one in draft.sections(key))
        assert spent <= share * 16_000
    assert sum(len(one.message().content) for one in draft.window) <= 0.45 * 16_000


def test_the_newest_of_a_conversation_stay():
    """What is cut from a conversation is its beginning, and from the rest what is oldest."""
    turn = prompted(crowded(max_context_tokens=4000))
    spoken = part(turn, contexts.CONVERSATION)
    assert "line 0." not in spoken
    assert "Hm." in spoken
    assert "fact 0 " not in shown(turn)


# -- the conversation


def line(text, importance=5, exchange="", own=False):
    return Line({"says": text}, own, importance, exchange)


def texts(lines):
    return [one.row["says"] for one in lines]


def test_least_important_goes_first():
    """Of the older lines the least important go, of equals the oldest; the newest are safe."""
    lines = [line("a", 5), line("b", 3), line("c", 8), line("d", 3), line("e", 1)]
    assert texts(drop_least(lines, 1, 1)) == ["a", "c", "d", "e"]
    assert texts(drop_least(lines, 1000, 2)) == ["d", "e"]


def test_question_and_answer_go_together():
    """An exchange is as important as its weightier half, and never torn."""
    lines = [line("q", 2, "t1"), line("a", 6, "t1", own=True), line("b", 4), line("z")]
    assert texts(drop_least(lines, 1, 1)) == ["q", "a", "z"]
    lines = [line("q", 2, "t1"), line("b", 4), line("a", 6, "t1", own=True), line("z")]
    assert texts(drop_least(lines, 1000, 2)) == ["q", "a", "z"]
    assert texts(newest(lines, 2)) == ["z"]


def test_a_reply_belongs_to_what_was_answered():
    """In the stream, a reply and the line before it of the same turn make one exchange."""
    stage = on_stage(max_context_tokens=100_000)
    stage.overhear(BOB, "By the way.")
    stage.model.say("Aye.")
    stage.ask(ALICE, "Hello.")
    stage.model.call("wait")
    stage.ask(ALICE, "Hm.")
    lines = lines_of(stage.store.read("stream")["entries"])
    assert [bool(one.exchange) for one in lines] == [False, True, True, False]
    assert lines[1].exchange == lines[2].exchange


# -- tools


def test_tools_count():
    """The descriptions of the tools are part of the budget, and of the utilisation."""
    stage = on_stage(max_context_tokens=8000)
    with_tools = prompted(stage).utilisation
    stage.mind.config.values["disabled_tools"] = ["recall_memories", "inspect_location"]
    assert prompted(stage).utilisation < with_tools


def test_tools_that_do_not_fit_are_not_offered():
    """With little room the last tools go, and speech after everything else; none is half told."""
    roomy = [tool.name for tool in prompted(on_stage()).offered()]
    turn = prompted(on_stage(max_context_tokens=1000))
    names = [tool.name for tool in turn.offered()]
    assert "say" in names
    assert len(names) < len(roomy)
    assert turn.withheld == set(roomy) - set(names)
    assert tools_size(turn) <= 0.5 * room_of(turn)


# -- utilisation


def test_utilisation_is_what_it_would_take():
    """It tells how full the prompt was before anything gave way."""
    small, large = (prompted(crowded(max_context_tokens=tokens)) for tokens in (3000, 60_000))
    assert small.utilisation > 1
    assert large.utilisation == pytest.approx(
        (prompt_size(large) + tools_size(large)) / room_of(large), rel=0.01
    )


def test_the_model_feels_the_pressure():
    """From seventy percent on a line of the section `Now` says so, and before it none does."""
    assert "token_pressure" not in whole(prompted(on_stage()))
    stage = crowded()
    full = prompted(stage).utilisation * 16_000
    stage.mind.config.values["max_context_tokens"] = int(full / 0.8)
    assert '{"token_pressure": "warning", "used": "80%"}' in shown(prompted(stage))
    stage.mind.config.values["max_context_tokens"] = int(full / 0.9)
    assert '{"token_pressure": "danger"' in shown(prompted(stage))


# -- what the tools said


def stuffed(stage, *lengths):
    """A turn with results of these lengths."""
    turn = prompted(stage)
    for at, length in enumerate(lengths):
        call = ToolCall(f"c{at}", "recall_memories", {"query": "cat"})
        turn.transcript.append(Message("assistant", "", tool_calls=(call,)))
        turn.transcript.append(Message("tool", "r" * length, tool_call_id=call.id, component=7000))
    return turn


def test_results_that_fit_are_whole():
    """As long as there is room nothing of them is cut."""
    turn = stuffed(on_stage(), 300, 300)
    assert request_messages(turn) == (*turn.prompt, *turn.transcript)


def test_results_are_cut_before_the_conversation_goes():
    """A huge result is shortened, and every line of the conversation stays."""
    turn = stuffed(crowded(max_context_tokens=9000), 60_000)
    messages = request_messages(turn)
    assert messages[: len(turn.prompt)] == turn.prompt
    assert CUT in messages[-1].content
    assert taken(turn) <= room_of(turn)


def test_the_oldest_steps_go_last_of_all():
    """A turn of endless calls keeps its newest step, each call with its result."""
    turn = prompted(on_stage(max_context_tokens=1000))
    for at in range(80):
        call = ToolCall(f"c{at}", "recall_memories", {"query": "q" * 500})
        turn.transcript.append(Message("assistant", "", tool_calls=(call,)))
        turn.transcript.append(Message("tool", "r", tool_call_id=call.id, component=7000))
    messages = request_messages(turn)
    assert taken(turn) <= room_of(turn)
    assert messages[-1].tool_call_id == "c79"
    ids = [call.id for one in messages for call in one.tool_calls]
    assert ids == [one.tool_call_id for one in messages if one.role == "tool"]
    assert 0 < len(ids) < 80


def test_a_context_may_have_a_smaller_budget():
    """The budget of a context type narrows that of the assistant, and never widens it."""
    turn = prompted(on_stage(max_context_tokens=4000))
    assert room_of(turn) == 16_000
    for budget, room in ((2000, 8000), (9000, 16_000)):
        turn.context = replace(turn.context, token_budget=budget)
        assert room_of(turn) == room
