"""The budget: nothing ever passes it, and what gives way first is what the table says."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.agent.attention import layers
from ai_assistant.agent.prompt.build import build_prompt
from ai_assistant.agent.prompt.chat_lines import ChatLine
from ai_assistant.agent.prompt.component import new_component
from ai_assistant.agent.prompt.draft import PromptDraft, Row, Section, length_of
from ai_assistant.agent.prompt.fitting import (
    cap_components,
    fitted,
    request_messages,
    room_of,
    tools_size,
)
from ai_assistant.agent.prompt.measures import PER_CHAR
from ai_assistant.agent.prompt.prompt_wording import CUT
from ai_assistant.agent.prompt.section_table import SECTIONS, giving_way
from ai_assistant.agent.turn.kits import offered
from ai_assistant.agent.turn.opening import begin
from ai_assistant.core.model_records import Message, ToolCall
from ai_assistant.testing.scripted_model import run
from tests.unit.agent.prompt.prompting import (
    ALICE,
    BOB,
    changed,
    crowded,
    on_stage,
    part,
    prompted,
    section,
)
from tests.unit.agent.prompt.prompting import size as prompt_size


def taken(turn):
    """The characters of the next request, tools included."""
    return sum(map(length_of, request_messages(turn, tools_size(turn)))) + tools_size(turn)


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
    assert offered(turn)
    answered = {
        one.tool_call_id for one in request_messages(turn, tools_size(turn)) if one.role == "tool"
    }
    asked = {call.id for one in request_messages(turn, tools_size(turn)) for call in one.tool_calls}
    assert answered == asked


def test_a_message_larger_than_the_window_is_cut_in_its_middle():
    """Its beginning and its end are there, with a mark between them."""
    stage = on_stage(max_context_tokens=1500)
    turn = prompted(stage, "Listen! " + "blah " * 20_000 + "What do you say?")
    asked = part(turn, layers.EVENT)
    assert "Listen!" in asked
    assert CUT in asked
    assert "What do you say?" in asked
    assert asked.startswith("## What happens now\nAlice: Listen!")
    assert taken(turn) <= room_of(turn)


def test_what_must_be_there_is_there():
    """A small budget leaves instructions, persona and question whole."""
    turn = prompted(crowded(max_context_tokens=2000))
    roomy = prompted(crowded(max_context_tokens=100_000))
    for key in ("instructions", "persona", "event"):
        assert section(turn, key) == section(roomy, key)
    assert section(turn, "event").endswith("Alice: What of the dragon?")
    assert taken(turn) <= room_of(turn)


MOST_TOKENS = {
    key: next(kind.most for kind in SECTIONS if kind.key == key)
    for key in giving_way(SECTIONS)
    if key != "stream"
}


def drafted():
    """A draft in which every component of the table has more than it keeps at first."""
    made = [Section([Row("x" * 200)] * 40, key, key=key) for key in MOST_TOKENS]
    asked = Section([Row("Well?")], key="event", component=6000, role="user", place="tail")
    heard = {"turn_id": "", "content": "x", "event_type": "external"}
    return PromptDraft([*made, asked], [ChatLine(heard, "x" * 200, "Alice") for _ in range(24)])


def rows_of(draft):
    """How many rows each key has."""
    return {section.key: len(section.rows) for section in draft.sections}


def test_no_component_takes_all_the_room():
    """Each has its own most, even where everything would fit."""
    draft = drafted()
    cap_components(draft, SECTIONS)
    for key, tokens in MOST_TOKENS.items():
        spent = sum(len(one.text) for one in draft.sections if one.key == key)
        assert tokens / PER_CHAR * 0.6 < spent <= tokens / PER_CHAR, key


def test_components_give_way_in_the_order_of_the_table():
    """Each to half, one after the other, then to nothing; never further than needed."""
    order = [*MOST_TOKENS]
    whole = drafted()
    cap_components(whole, SECTIONS)
    first = rows_of(whole)
    for room in range(whole.size(), 900, -997):
        draft = drafted()
        cap_components(draft, SECTIONS)
        fitted(draft, room, SECTIONS)
        assert draft.size() <= room
        kept = [rows_of(draft)[key] / first[key] for key in order]
        assert max(kept[:1]) <= min((one for one in kept if one), default=0) + 0.7
        if min(kept) > 0.45:  # some are still whole: those are the last ones of the table
            halved = [one < 0.95 for one in kept]
            assert halved == sorted(halved, reverse=True), kept


def test_the_newest_of_a_conversation_stay():
    """What is cut from a conversation is its beginning."""
    stage = crowded(max_context_tokens=4000)
    stage.mind.tokens_per_char = 0.25
    turn = prompted(stage)
    spoken = section(turn, "stream")
    assert "line 0." not in spoken
    assert "line 11.2" in spoken
    assert "Alice: Hm." in spoken


# -- tools


def test_tools_count():
    """The descriptions of the tools are part of the budget, and of the utilisation."""
    stage = on_stage(max_context_tokens=8000)
    with_tools = prompted(stage).prompt.utilisation
    stage.mind.config.values["disabled_tools"] = ["recall", "look"]
    assert prompted(stage).prompt.utilisation < with_tools


def test_tools_that_do_not_fit_are_not_offered():
    """With little room the last tools go, and speech after everything else; none is half told."""
    roomy = [tool.name for tool in offered(prompted(on_stage()))]
    turn = prompted(on_stage(max_context_tokens=1000))
    names = [tool.name for tool in offered(turn)]
    assert {"emote", "whisper"} <= set(names)
    assert len(names) < len(roomy)
    assert turn.tools_left_out == set(roomy) - set(names)
    assert tools_size(turn) <= 0.5 * room_of(turn)


# -- utilisation


def test_utilisation_is_what_it_would_take():
    """It tells how full the prompt was before anything gave way."""
    small, large = (prompted(crowded(max_context_tokens=tokens)) for tokens in (2500, 60_000))
    assert small.prompt.utilisation > 1
    assert large.prompt.utilisation == pytest.approx(
        (prompt_size(large) + tools_size(large)) / room_of(large), rel=0.01
    )


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
    assert request_messages(turn, tools_size(turn)) == (*turn.prompt.messages, *turn.transcript)


def test_results_are_cut_before_the_conversation_goes():
    """A huge result is shortened, and every line of the conversation stays."""
    turn = stuffed(crowded(max_context_tokens=12_000), 60_000)
    messages = request_messages(turn, tools_size(turn))
    assert messages[: len(turn.prompt.messages)] == turn.prompt.messages
    assert CUT in messages[-1].content
    assert taken(turn) <= room_of(turn)


def test_the_oldest_steps_go_last_of_all():
    """A turn of endless calls keeps its newest step, each call with its result."""
    turn = prompted(on_stage(max_context_tokens=1000))
    for at in range(80):
        call = ToolCall(f"c{at}", "recall_memories", {"query": "q" * 500})
        turn.transcript.append(Message("assistant", "", tool_calls=(call,)))
        turn.transcript.append(Message("tool", "r", tool_call_id=call.id, component=7000))
    messages = request_messages(turn, tools_size(turn))
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
