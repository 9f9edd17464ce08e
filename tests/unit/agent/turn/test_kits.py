"""Kits: a talk shows a dozen tools, always the same, and more when they are asked for."""

import json

import pytest

from ai_assistant.agent.turn.kits import CLOSED_AFTER
from ai_assistant.memory.talk.folding import STALE
from ai_assistant.memory.talk.working import key_of
from ai_assistant.roleplay.play import Play
from ai_assistant.testing import SERA, Stage, people
from ai_assistant.tools import BUILTIN, tool
from ai_assistant.tools.registry import KITS, OPENABLE

ALICE, BOB = people("Alice", "Bob")
MOST_CHARACTERS = 6000
"""1,500 tokens at four characters each."""
OPEN_KIT = [
    *("look", "move", "take", "give", "put_down", "recall", "note", "promise"),
    *("add_goal", "ask", "open_kit", "emote", "whisper"),
]
PRIVATE_KIT = [one for one in OPEN_KIT if one not in ("emote", "whisper")]


@tool()
def juggle(turn):
    """Juggle."""
    return {"done": "juggled"}


@pytest.fixture
def stage():
    made = Stage(sub_agents_enabled=True)
    made.world.enter(ALICE, BOB)
    return made


def shown(stage, kind="say", who=ALICE, **options):
    """Return the names of the tools that a turn's first request shows."""
    stage.model.call("wait")
    stage.ask(who, "Well?", kind, **options)
    return stage.model.offered()


def opening(stage, kit="planning", kind="say", who=ALICE):
    """Let a kit be opened; returns what is shown before and after."""
    stage.model.call("open_kit", kit=kit).call("wait")
    stage.ask(who, "Well?", kind)
    return stage.model.offered(-2), stage.model.offered(-1)


def test_an_open_talk_shows_fourteen_tools(stage):
    """Fixed in order, whoever asks and however often."""
    assert shown(stage) == shown(stage, who=BOB) == OPEN_KIT
    assert shown(stage, "gift") == OPEN_KIT


@pytest.mark.parametrize("kind", ["whisper", "page", "channel"])
def test_a_private_talk_shows_what_nobody_notices(stage, kind):
    """The same tools at the beginning, without those that others would see."""
    stage.world.channels["c-guild"] = {ALICE.id}
    assert shown(stage, kind, place="c-guild" if kind == "channel" else "") == PRIVATE_KIT
    assert OPEN_KIT[: len(PRIVATE_KIT)] == PRIVATE_KIT


def test_asking_others_is_shown_where_it_is_switched_on():
    """Nobody is offered to ask who has nobody to ask."""
    stage = Stage()
    stage.world.enter(ALICE)
    assert shown(stage) == [one for one in OPEN_KIT if one != "ask"]


def test_the_same_talk_sends_the_same_bytes(stage):
    """Providers charge less for a beginning that they know."""
    shown(stage)
    shown(stage)
    first, second = (json.dumps(request.tools) for request in stage.model.requests[-2:])
    assert first == second


def test_each_plain_kit_takes_less_than_1500_tokens(stage):
    """Descriptions are a person's words, and few."""
    shown(stage)
    stage.model.call("wait")
    stage.turn(context_type="tick_autonomous")
    for request in stage.model.requests:
        assert len(json.dumps(request.tools)) <= MOST_CHARACTERS
        assert len(request.tools) <= 14


def test_of_its_own_accord_it_sees_what_pursues_a_goal(stage):
    """No talk is under way: goals and waiting stand there instead of notes, fourteen in all."""
    stage.model.call("wait")
    stage.turn(context_type="tick_autonomous")
    offered = stage.model.offered()
    assert {"update_goal", "wait", "open_kit", "emote", "whisper"} <= {*offered}
    assert not {"note", "ask"} & {*offered}
    assert len(offered) <= 14


def test_of_its_own_accord_it_may_whisper(stage):
    """Where the ceiling lets one of those who are there hear it; else that tool is not shown."""
    stage.model.call("whisper", to="Bob", text="Psst.")
    stage.turn(context_type="tick_autonomous")
    ((speech, end),) = stage.world.deliveries
    assert (speech.kind, end.hearers) == ("whisper", {BOB.id})
    alone = Stage()
    alone.model.call("wait")
    alone.turn(context_type="tick_autonomous")
    assert "whisper" not in alone.model.offered()


# -- more tools


def test_an_opened_kit_is_appended(stage):
    """What stood there stays where it stood."""
    before, after = opening(stage)
    assert before == OPEN_KIT
    assert after[: len(OPEN_KIT)] == OPEN_KIT
    assert {*after} - {*before} == {one.name for one in BUILTIN if one.kit == "planning"}


def test_an_opened_kit_stays_for_the_conversation(stage):
    """Kits follow in the order in which they were opened, for that talk and no other."""
    opening(stage, "planning")
    _, after = opening(stage, "journal")
    again = shown(stage)
    assert again == after
    assert again.index("update_goal") < again.index("add_journal_entry")
    assert shown(stage, who=BOB) == OPEN_KIT
    assert shown(stage, "whisper") == PRIVATE_KIT


@pytest.mark.parametrize("silence", [CLOSED_AFTER, STALE])
def test_a_kit_is_closed_with_the_conversation(stage, silence):
    """After some minutes of silence it stays closed; what is opened then stays open."""
    opening(stage)
    stage.clock.advance(silence + 1)
    assert shown(stage) == OPEN_KIT
    before, after = opening(stage, "people")
    assert before == OPEN_KIT
    assert shown(stage) == after
    assert "update_relationship" in after


def test_a_kit_opened_in_private_stays_private(stage):
    """A whisper is another conversation."""
    _, after = opening(stage, kind="whisper")
    assert "update_goal" in after
    assert shown(stage, "whisper") == after
    assert shown(stage) == OPEN_KIT


def test_of_its_own_accord_a_kit_is_open_for_the_turn(stage):
    """There is no talk with which it could stay."""
    stage.model.call("open_kit", kit="projects").call("wait").call("wait")
    opening = stage.model.replies.popleft()
    stage.model.replies.appendleft(lambda request: stage.energy.add("turn1", 1) or opening)
    stage.turn(context_type="tick_autonomous")
    assert "create_project" in stage.model.offered()
    stage.turn(context_type="tick_autonomous")
    assert "create_project" not in stage.model.offered()


def test_the_model_is_told_what_it_may_use_now(stage):
    """Opening says what is there; opening again changes nothing."""
    stage.model.call("open_kit", kit="sleep").call("open_kit", kit="Sleep").call("wait")
    stage.ask(ALICE, "Well?")
    assert '"opened": "sleep", "tools": ["check_status"' in stage.model.shown(1)
    talk = stage.store.read("working", key_of(ALICE.id, "*"))
    assert talk["kits"] == ["sleep"]


def test_a_kit_without_tools_is_refused():
    """What the configuration forbids no kit brings back."""
    taken = [one.name for one in BUILTIN if one.kit == "sleep"]
    stage = Stage(disabled_tools=taken)
    stage.world.enter(ALICE)
    before, after = opening(stage, "sleep")
    assert before == after
    assert "nothing of that kind" in stage.model.shown()


def test_what_is_not_shown_may_be_called(stage):
    """The seeds' names stand in no plain kit, and do what they say."""
    assert "store_memory" not in OPEN_KIT
    stage.model.call("store_memory", content="The bridge is closed.").call("wait")
    stage.ask(ALICE, "Well?")
    assert any(row.content == "The bridge is closed." for row in stage.store.rows.newest(9))


def test_a_games_own_tools_are_always_shown(stage):
    """They follow the plain ones and come before what is opened."""
    stage.mind.registry.add(juggle)
    before, after = opening(stage)
    assert before == [*OPEN_KIT, "juggle"]
    assert after[: len(before)] == before


# -- what the data says


def test_every_tool_says_in_which_kit_it_is():
    """None of ours is always shown without having said so."""
    assert {one.kit for one in BUILTIN} == {*KITS} - {"game"}


def test_every_kit_can_be_opened():
    """What the tool offers is what there is."""
    (kit,) = next(one for one in BUILTIN if one.name == "open_kit").params
    assert kit.choices == tuple(OPENABLE)
    assert all(f"{name}: " in kit.description for name in OPENABLE)


@pytest.mark.parametrize("kit", OPENABLE)
def test_no_kit_is_larger_than_the_plain_ones(kit):
    """Whoever opens one does not pay for two."""
    assert sum(one.size for one in BUILTIN if one.kit == kit) <= MOST_CHARACTERS


FICTION = """
look inspect_location recall recall_memories search_episodic_memory recall_entity_profile
recall_conversation_context ask delegate_task list_delegates open_kit wait say emote whisper page
channel_say think recall_thoughts list_projects list_goals get_next_task read_block check_status
"""


def test_what_is_only_played_touches_nothing():
    """In fiction there is speech, looking and remembering, and nothing that is kept; acts are there
    where the story has things or places of its own."""
    own = ("ground", "ways")
    acts = {one.name for one in BUILTIN if one.fiction and one.acts and one.needs in own}
    assert acts == {"move", "take", "give", "put_down"}
    assert {one.name for one in BUILTIN if one.fiction} == {*FICTION.split()} | acts


@pytest.mark.parametrize(
    ("act", "arguments"),
    [("give", {"item": "bread", "to": "p1"}), ("take", {"item": "cup"}), ("move", {"to": "x1"}),
     ("put_down", {"item": "bread"}), ("visit", {"where": "x1"}), ("note", {"about": "p1"})],
)  # fmt: skip
def test_a_scene_hands_over_no_real_bread(act, arguments):
    """Acts of a fiction are words; those of the game are neither shown nor to be had."""
    stage = Stage()
    stage.world.enter(ALICE)
    stage.world.carry("bread")
    stage.world.lay("cup")
    stage.world.place_exit("north")
    stage.mind.plays = lambda session: Play("s1", fiction=True, members=frozenset({SERA.id}))
    stage.model.call(act, **arguments).say("Here, take it.")
    stage.ask(ALICE, "The bread!")
    assert act not in stage.model.offered(0)
    assert "This is only played: show it in words" in stage.model.shown(1)
    assert stage.world.deeds == []


@pytest.mark.parametrize(
    ("act", "arguments", "meant"),
    [("give", {"item": "bread", "to": "p1"}, ("bread", ALICE.id)),
     ("take", {"item": "cup"}, ("cup", "")), ("move", {"to": "north"}, ("north", "")),
     ("put_down", {"item": "bread"}, ("bread", ""))],
)  # fmt: skip
def test_an_act_in_a_story_goes_to_the_story_alone(act, arguments, meant):
    """Bread of that name in the game stays where it is, and so does whoever walks in the story.

    Therefore one that keeps its place walks there, too.
    """
    stage, done = Stage(keeps_place=True), []
    stage.world.enter(ALICE)
    stage.world.carry("bread")
    stage.world.lay("cup")
    stage.world.place_exit("north")
    members = frozenset({SERA.id})
    played = Play("s1", fiction=True, members=members, has_props=True, has_ways=True)
    stage.mind.plays = lambda session: played
    stage.mind.act_in_story = lambda *asked: done.append(asked) or "Done so."
    stage.model.call(act, **arguments).say("There.")
    stage.ask(ALICE, "The bread!")
    assert act in stage.model.offered(0)
    assert done == [("s1", act, *meant)]
    assert stage.world.deeds == []
