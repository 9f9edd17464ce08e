"""A new tool: what it is, it says itself, and nothing else has to know its name."""

import pytest

from ai_assistant.memory.blocks.old_blocks import LAYOUT, THREE
from ai_assistant.memory.policy import RoleMemory
from ai_assistant.roleplay.play import Play
from ai_assistant.testing import Stage, people
from ai_assistant.tools import tool

(ALICE,) = people("Alice")
RULE = "What the stars foretell, read before you promise anything."


def made(needs="", **options):
    """Return a stage whose character has one tool more, which is in the plain kit."""

    @tool(kit="plain", alone=True, reads=True, needs=needs, rule=RULE)
    def read_stars(turn):
        """Read what the stars foretell."""
        return {"omen": "rain"}

    stage = Stage(**options)
    stage.world.enter(ALICE)
    stage.mind.registry.add(read_stars)
    return stage


def asked(stage):
    """Ask something; returns whether the tool was shown, and its rule told."""
    stage.model.say("Who knows.")
    stage.ask(ALICE, "What will be?")
    told = stage.model.shown()
    assert (RULE in told) == ("read_stars" in stage.model.offered())
    return RULE in told


def test_it_is_shown_with_its_rule_and_leads_on():
    """From the decorator alone: the kit, the instructions, and another step after it."""
    stage = made()
    stage.model.call("read_stars").call("read_stars").say("It will rain.")
    stage.ask(ALICE, "What will be?")
    assert "read_stars" in stage.model.offered()
    assert [speech.text for speech, _ in stage.world.deliveries] == ["It will rain."]
    assert asked(stage)


def test_what_only_reads_is_there_in_a_play():
    """It leaves no mark, so nobody has to list it for scenes."""
    stage = made()
    stage.mind.plays = lambda session: Play(fiction=True)
    assert asked(stage)


@pytest.mark.parametrize(
    ("need", "without"),
    [
        ("solitude", {}),
        ("delegates", {"sub_agents_enabled": False}),
        ("six_blocks", {LAYOUT: THREE}),
        ("memories", {"memory_enabled": False}),
        ("past", {"memory_enabled": False}),
    ],
)
def test_it_is_not_there_without_what_it_needs(need, without):
    """Neither shown nor told of; and there where the need is met."""
    assert not asked(made(need, **without))
    if need != "solitude":
        assert asked(made(need, sub_agents_enabled=True))


def test_a_role_without_a_notebook_lacks_it():
    """The role decides that, per assistant."""
    stage = made("notebook")
    assert asked(stage)
    stage.mind.role = RoleMemory(memory_tool=False)
    assert not asked(stage)


def test_solitude_is_a_turn_that_answers_nobody():
    """On its own it sees what it may do alone."""
    stage = made("solitude")
    stage.model.call("wait")
    stage.turn(context_type="tick_autonomous")
    assert "read_stars" in stage.model.offered()
