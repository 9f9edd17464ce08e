"""The memory blocks in the prompt: where each stands, and for whom."""

import pytest

from ai_assistant.agent.attention import layers
from ai_assistant.core.readers import OPEN
from ai_assistant.memory.blocks.status_block import FADES_AFTER
from tests.unit.agent.prompt.prompting import (
    ALICE,
    BOB,
    changed,
    on_stage,
    part,
    prompted,
    rows,
    section,
    whole,
)


@pytest.fixture
def stage():
    """A captain with something in each of the shared blocks."""
    stage = on_stage()
    stage.world.enter(BOB)
    game = {"writer": "game", "at": 1.0}
    changed(stage, "shared_social", "add_line", content="The bridge is out.", **game)
    changed(stage, "shared_social", "add_line", content="Bob pays.", readers=BOB.id, **game)
    talk = {"participants": ["Al", "Bo"], "topic": "the fire"}
    changed(stage, "shared_social", "record_group_interaction", **talk, **game)
    changed(stage, "global_knowledge", "set_lore", text="Founded long ago.", writer="game")
    changed(stage, "global_knowledge", "add_line", content="The tower fell.", **game)
    changed(stage, "global_knowledge", "set_location", name="Market", description="Busy.", **game)
    changed(stage, "status", "set_status", fields={"emotion": "calm"}, writer="game",
            at=stage.clock.now())  # fmt: skip
    changed(stage, "custom_block", "add_line", "guild", content="Meet at dawn.", **game)
    return stage


def test_each_block_has_its_component(stage):
    """Status with the character, what many share in the component of knowledge."""
    stage.world.body = {"health": 87, "position": [1, 2]}
    turn = prompted(stage)
    assert section(turn, "status") == "## How you are\nPosition: 1, 2\nHealth: 87\nYou feel calm."
    assert rows(turn, "status")[0]["engagement"] == "in conversation"
    told = part(turn, layers.KNOWLEDGE)
    said = ("Founded long ago.", "The tower fell.", "Market", "The bridge is out.", "the fire",
            'guild: "Meet at dawn."')  # fmt: skip
    for words in said:
        assert words in told


def test_a_feeling_fades(stage):
    """An emotion of an hour ago is over; one that was just named shows."""
    changed(stage, "status", "set_status", fields={"emotion": "angry"}, writer="npc",
            at=stage.clock.now())  # fmt: skip
    assert "You feel angry." in whole(prompted(stage))
    stage.clock.advance(FADES_AFTER + 1)
    assert "angry" not in whole(prompted(stage))


def test_who_is_here_knows_what_they_talked_of(stage):
    """A talk is worth telling to somebody who was not there."""
    at = stage.clock.now() - 7200
    for names in (["Alice", "Bob"], ["Alice", "Carol"]):
        changed(stage, "shared_social", "record_group_interaction", participants=names,
                topic=f"tales of {names[1]}", at=at, writer="game")  # fmt: skip
    told = section(prompted(stage), "social")
    assert "tales of Bob" not in told
    assert 'Alice and Carol talked with you this morning: "tales of Carol"' in told


def test_news_have_a_day_and_no_hour(stage):
    """What is kept of them is a date; at noon no morning becomes an afternoon."""
    at = stage.clock.now() - 86_400
    for text, when in (("The mill burned.", at), ("The mill stands.", at + 86_400)):
        changed(stage, "global_knowledge", "add_line", content=text, at=when, writer="game")
    told = section(prompted(stage), "world")
    assert '- yesterday: "The mill burned."\n- today: "The mill stands."' in told


def test_a_talk_that_is_shown_is_not_told_again(stage):
    """Its lines stand in the conversation; what it was about is told once they left it."""
    for who, words in ((ALICE, "I saw the ghost at the mill."), (BOB, "What did it want?")):
        stage.model.say("Hm.")
        stage.ask(who, words)
    stage.world.leave(BOB)
    assert "What did it want?" in whole(prompted(stage))
    assert "talked with you" in section(prompted(stage), "social")  # that of the fire alone
    assert section(prompted(stage), "social").count("talked with you") == 1


def test_what_some_may_read_is_for_them_alone(stage):
    """A fact with readers is in the prompt of a turn that only they hear."""
    assert "Bob pays." not in whole(prompted(stage))
    turn = prompted(stage, kind="whisper", who=BOB)
    assert "Bob pays." in whole(turn)
    assert turn.ceiling == BOB.id


def test_open_blocks_sink_no_ceiling(stage):
    """What everybody knows leaves a public turn public."""
    assert prompted(stage, who=ALICE).ceiling == OPEN


def test_a_long_map_gives_way_to_lore_to_the_place_where_it_is_and_to_news(stage):
    """The places that stay are the last, and the present one is the last of them."""
    for number in range(20):
        changed(
            stage, "global_knowledge", "set_location",
            name=f"Place {number}", description="Far. " * 20, at=1.0, writer="game",
        )  # fmt: skip
    changed(
        stage, "global_knowledge", "set_location",
        name=stage.world.place_name, description="Here.", at=1.0, writer="game",
    )  # fmt: skip
    told = part(prompted(stage), layers.KNOWLEDGE)
    assert "Market" not in told
    assert told.index("Founded") < told.index("Place 19") < told.index("Here.")
    assert told.index("Here.") < told.index("The bridge is out.")


def test_long_lore_is_told_to_the_end_of_a_sentence(stage):
    """What has no room is left out; what is told of it makes sense."""
    lore = " ".join(f"The king has {number} crowns." for number in range(90))
    changed(stage, "global_knowledge", "set_lore", text=lore, writer="game")
    told = part(prompted(stage), layers.KNOWLEDGE)
    assert 'crowns."' in told
    assert "89 crowns" not in told


def test_a_small_prompt_loses_knowledge_before_the_question(stage):
    """Blocks give way by the table, newest events last; no request is over its budget."""
    for number in range(15):
        changed(
            stage, "global_knowledge", "add_line",
            content=f"Event {number} " + "e" * 250, at=1.0, writer="game",
        )  # fmt: skip
    stage.mind.config = type(stage.mind.config)({"max_context_tokens": 1000})
    turn = prompted(stage)
    assert "What of the dragon?" in whole(turn)
    assert sum(len(one.content) for one in turn.prompt.messages) <= 4000


def test_what_cannot_be_drawn_is_left_out(stage):
    """One unreadable block is reported, and all the others are in the prompt."""
    hidden = stage.store.read

    def read(part, key=""):
        state = hidden(part, key)
        return state | {"lore": "x", "recent_events": ["plain"]} if "lore" in state else state

    stage.store.read = read
    told = whole(prompted(stage))
    assert "The bridge is out." in told
    assert "Meet at dawn." in told
    assert "What everybody knows" not in told
    ((where, error),) = stage.errors
    assert where == "prompt: the blocks of 'world'"
    assert isinstance(error, TypeError)
