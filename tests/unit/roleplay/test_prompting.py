"""A scene in the prompt: its facts and day, its plot, its own lines, and where memories stand."""

from dataclasses import replace

import pytest

from ai_assistant.agent.prompt.build import build_prompt
from ai_assistant.agent.turn.opening import begin
from ai_assistant.core.contracts import Change, Commit, MemoryRow
from ai_assistant.core.owner_text import clean_owned
from ai_assistant.roleplay.permanent import role_rows
from ai_assistant.roleplay.play import Play, play_of
from ai_assistant.roleplay.scene import Member, SceneState
from ai_assistant.testing import Stage, people
from ai_assistant.testing.scripted_model import run
from ai_assistant.tools import BUILTIN

(ALICE,) = people("Alice")
LIFE = ("notebook", "six_blocks", "past", "agenda")
"""What tools need of the game that a scene need not inherit."""
FACTS = {"currentScene": "dragon_lair", "gameDay": 6}


@pytest.fixture
def stage():
    """Alice stands before the captain; both play in the scene s1."""
    stage = Stage()
    stage.world.enter(ALICE)
    return stage


def play(stage, **values):
    """Let the captain be in the scene s1, of which this is known."""
    stage.mind.plays = lambda session: Play("s1", **{"day": 6, "facts": FACTS, **values})


def prompt(stage, text="Where is the sword?"):
    """Return the prompt of a turn that answers Alice, as one text."""
    turn = begin(stage.mind, [stage.hear(ALICE, text)], "turn0")
    run(build_prompt(turn))
    return "\n".join(message.content for message in turn.prompt.messages)


def stored(stage, *rows):
    stage.mind.save(Commit(at=0.0, rows=[*rows]))


@pytest.mark.parametrize("mark", ["{{memories}}", "{{ retrieved_memories }}", "###SUPERMEORY###"])
def test_the_place_of_memories_has_several_spellings(mark):
    """Other markers in use are taken for ours."""
    assert "{{memories}}" in clean_owned(f"You are {{name}}. {mark}", 500)


def test_facts_and_day_are_told(stage):
    """Where and when the scene plays stands in the prompt; in the game itself only the day does."""
    assert "dragon_lair" not in prompt(stage)
    play(stage)
    told = prompt(stage)
    assert "You take part in a scene: dragon_lair, day 6 of the story." in told
    assert "You are at the inn." in told
    play(stage, place="dragon_lair")
    assert "You are at the inn." not in prompt(stage)


def test_a_story_stands_before_the_game(stage):
    """While a fiction is played, the character is told so, and of the room it stands in nothing.

    But where the scene has no place of its own, which then plays in that room.
    """
    facts = {**FACTS, "activeQuest": "Find the sword"}
    play(stage, fiction=True, place="dragon_lair", facts=facts)
    told = prompt(stage)
    assert "You are acting in a story" in told
    assert "day 6 of the story; the quest: Find the sword." in told
    assert "the inn" not in told
    play(stage, fiction=True, facts={"gameDay": 6})
    assert "day 6 of the story.\nYou are at the inn." in prompt(stage)


def test_a_story_without_places_has_no_ways(stage):
    """The sword of it can be taken and handed on there; where to go, only places tell."""
    me = stage.world.me()
    members = (Member(me.id, "Sera"), Member(ALICE.id, "Alice"))
    acts = {tool.name: tool for tool in BUILTIN if tool.name in ("take", "give", "move")}
    for places, ways in (({}, False), ({"cellar": "mill"}, True)):
        scene = SceneState("s1", members=members, things={"a sword": me.id}, places=places)
        stage.mind.plays = lambda session, scene=scene: play_of(scene, 1, me.id)
        turn = begin(stage.mind, [stage.hear(ALICE, "Come!")], "turn0")
        offered = {name for name, tool in acts.items() if turn.is_offered(tool)}
        assert offered == {"take", "give"} | ({"move"} if ways else set())


def test_who_looks_around_in_a_story_sees_the_story(stage):
    """Its place and things, and who is there; the room's things and ways are none of it."""
    stage.world.place_exit("north")
    stage.world.lay("cup")
    play(stage, fiction=True, place="lair", facts={**FACTS, "things": "lair: the sword"})
    stage.model.call("look").say("Dark here.")
    stage.ask(ALICE, "What is here?")
    shown = stage.model.shown()
    assert '"place": "lair"' in shown
    assert '"things": "lair: the sword"' in shown
    assert "p1 Alice" in shown
    assert not any(thing in shown for thing in ("x1 north", "cup", "at the inn"))


def test_who_plays_is_told_from_who_stands_by(stage):
    """The frame names all who play, where and when; whoever is only there is said to watch."""
    (bob,) = people("Bob")
    stage.world.enter(bob)
    me = stage.world.me()
    facts = {**FACTS, "timeOfDay": "evening", "weather": "fog"}
    play(stage, fiction=True, facts=facts, cast=((me.id, "Sera"), (ALICE.id, "Alice")),
         members=frozenset({me.id, ALICE.id}))  # fmt: skip
    told = prompt(stage)
    assert "You are playing a scene with Alice: dragon_lair, evening of day 6 of the story." in told
    assert "Weather: fog" in told
    assert "- Alice\n- Bob (stands by, and does not play)" in told


def test_who_is_elsewhere_in_the_story_is_said_to_be(stage):
    """Whoever stands in the room and has gone to another place of the story."""
    me = stage.world.me()
    play(stage, fiction=True, cast=((me.id, "Sera"), (ALICE.id, "Alice")),
         members=frozenset({me.id, ALICE.id}), apart={ALICE.id: "the old mill"})  # fmt: skip
    assert "- Alice (elsewhere in the story: the old mill)" in prompt(stage)


def test_what_is_not_inherited_stands_nowhere(stage):
    """No facts, no notebook and no profile of the game, and no tool that looks them up."""
    common = {"at": 0.0, "readers": "*", "author": ALICE.id, "content": "The vault opens at noon."}
    fact = Change("session", "", "add_session_memory", {"memory_type": "fact", **common})
    note = Change("notebook", "", "append", common)
    seen = {"entity_id": ALICE.id, "source": "direct", **common, "content": "Alice keeps bees."}
    known = Change("profile", ALICE.id, "add_entity_observation", seen)
    stage.mind.save(Commit(at=0.0, changes=[fact, note, known]))
    play(stage)
    told = prompt(stage)
    assert (told.count("The vault opens at noon."), told.count("keeps bees")) == (2, 1)
    play(stage, inherits=False)
    told = prompt(stage)
    assert "The vault opens" not in told
    assert "bees" not in told
    turn = begin(stage.mind, [stage.hear(ALICE, "Well?")], "turn0")
    of_life = [tool for tool in BUILTIN if tool.needs in LIFE]
    assert {"read_block", "list_goals", "list_projects", "get_next_task"} < {
        one.name for one in of_life
    }
    assert not any(map(turn.is_offered, of_life))


def test_memory_switched_off_withdraws_what_recalls():
    """None of those tools is there then, listed or not; with memory they all are."""
    recalling = [tool for tool in BUILTIN if tool.needs in ("memories", "past")]
    assert {"recall", "recall_memories", "search_episodic_memory"} <= {
        one.name for one in recalling
    }
    for enabled in (True, False):
        stage = Stage(memory_enabled=enabled)
        stage.world.enter(ALICE)
        turn = begin(stage.mind, [stage.hear(ALICE, "Well?")], "turn0")
        assert {turn.is_offered(tool) for tool in recalling} == {enabled}


def test_the_plot_always_stands_there_where_it_is_included(stage):
    """With `include` it is once in the prompt whatever is asked, with `retrieve` where it fits."""
    stored(stage, MemoryRow("A dragon\nsleeps on gold.", kind="plot", session="s1"))
    play(stage, includes=True)
    assert "sleeps on gold" in prompt(stage, "Good day.")
    assert prompt(stage, "What of the dragon?").count("sleeps on gold") == 1
    play(stage)
    assert "sleeps on gold" not in prompt(stage, "Good day.")
    assert "sleeps on gold" in prompt(stage, "What of the dragon?")


def test_what_a_role_knows_always_stands_under_it(stage):
    """Whatever is asked, once, in 600 letters; another role's knowledge, and the rest, do not."""
    known = ["A guest came in with\nwet boots.", "He paid with a tin coin.", "Long. " * 100]
    scene = SceneState(
        "s1",
        members=(Member(stage.world.me().id, "Sera"), Member(ALICE.id, "Alice")),
        roles={
            "host": {"about": "You keep the inn.", "knows": known},
            "reeve": {"knows": ["The tower was locked."]},
        },
        parts={stage.world.me().id: "host", ALICE.id: "reeve"},
    )
    rows = role_rows(scene, stage.world.me().id, day=6, at=0.0)
    stored(stage, *(replace(row, session="s1") for row in rows))
    played = play_of(scene, 6, stage.world.me().id)
    stage.mind.plays = lambda session: played
    for asked in ("Good day.", "Who came in with wet boots?"):
        told = prompt(stage, asked)
        line = '- of it you know: "A guest came in with wet boots."'
        assert f"Role: host: You keep the inn.\n{line}\n- of it you know:" in told
        assert told.count("wet boots") == 1 + asked.count("wet boots")
        assert "locked" not in told
        assert "Long." not in told
    stage.mind.plays = lambda session: replace(played, role="")
    assert "of it you know" not in prompt(stage, "Good day.")


def test_who_plays_whom_is_known(stage):
    """The names of the roles, as `scene` shows them to players; who plays none has the own name."""
    names = {stage.world.me().id: "Sera", ALICE.id: "Alice", "#9": "Bob"}
    members = tuple(Member(*one) for one in names.items())
    scene = SceneState("s1", members=members, parts={ALICE.id: "reeve"})
    played = play_of(scene, 6, stage.world.me().id)
    stage.mind.plays = lambda session: played
    assert "a scene with Alice (reeve) and Bob: " in prompt(stage)


def test_an_account_of_a_scene_is_told_to_its_end(stage):
    """Where there is no room for all of it, each line has its beginning, the last one too."""
    lines = [
        f"Bob: The bell rang {n} times. Nobody in the village slept at all." for n in range(20)
    ]
    account = " / ".join([*lines, "Alice got the cellar key from Sera"])
    stored(stage, MemoryRow(f"When we played the scene The Bell: {account}"))
    told = prompt(stage, "What of the cellar key, when we played?")
    assert "The bell rang 19 times. / Alice got the cellar key from Sera" in told


def test_scenes_recall_nothing_of_each_other(stage):
    """A scene reads its own container and the game's; the game reads no scene's."""
    stored(
        stage,
        MemoryRow("The sword lies in the well.", session="s1", game_day=6),
        MemoryRow("The sword lies in the mill.", session="s2"),
        MemoryRow("The sword lies in the sea."),
    )
    for values, places in (({}, {"well", "sea"}), ({"inherits": False}, {"well"})):
        play(stage, **values)
        text = prompt(stage)
        assert {one for one in ("well", "mill", "sea") if f"lies in the {one}" in text} == places
    stage.mind.plays = lambda session: Play()
    assert "lies in the well" not in prompt(stage)


def test_fiction_offers_no_tool_that_keeps_anything(stage):
    """What is only played changes no profile, and cannot be written down."""
    play(stage, fiction=True)
    stage.model.say("Beyond the bridge.")
    stage.ask(ALICE, "Where is the sword?")
    names = {tool["function"]["name"] for tool in stage.model.requests[0].tools}
    assert {"emote", "recall"} <= names
    assert not names & {"note", "promise", "add_goal", "give", "take", "move"}
    assert stage.store.keys("profile") == []


def test_what_a_prompt_tells_anyway_is_not_recalled(stage):
    """Card and role of a scene stand there once, however near they are to the question."""
    text = "You play the role innkeeper: You keep the inn."
    stored(stage, *(MemoryRow(text, kind=kind, session="s1") for kind in ("role", "lore")))
    play(stage, facts={"role": "innkeeper: You keep the inn."})
    assert prompt(stage, "Who is the innkeeper that keeps the inn?").count(text) == 1
    stored(stage, MemoryRow("name: Seraphina, of the inn", kind="character_card", session="s1"))
    assert "of the inn" not in prompt(stage, "Who is Seraphina of the inn?").split("## What")[0]


def test_talk_of_the_game_is_told_from_that_of_a_scene(stage):
    """Where the game is inherited a line says that the scene begins; where not, none of it is."""
    stage.model.say("Over the bridge.")
    stage.ask(ALICE, "Where is the mill?")
    play(stage)
    told = prompt(stage)
    before, since = told.split("(What follows belongs to the scene. Day 6 of the story.)")
    assert "Over the bridge." in before
    assert "Alice: Where is the sword?" in since
    stage.model.say("In the lake.")
    stage.turn(replace(stage.hear(ALICE, "Where is the sword?"), session="s1"))
    assert prompt(stage, "And then?").count("(What follows belongs to the scene.") == 1
    play(stage, inherits=False)
    assert "bridge" not in prompt(stage)


def test_lines_of_a_scene_leave_the_window_with_it(stage):
    """Outside of the scene, its talk is not in the conversation any more."""
    play(stage, fiction=True)
    stage.model.say("Beyond the bridge.")
    event = stage.hear(ALICE, "Where is the sword?")
    stage.turn(event)
    assert "Beyond the bridge" in prompt(stage, "And then?")
    stage.mind.plays = lambda session: Play()
    assert "Beyond the bridge" not in prompt(stage, "And then?")
