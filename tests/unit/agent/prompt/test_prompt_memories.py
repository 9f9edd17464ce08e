"""What the prompt recalls, and what it keeps at hand: each only where it may be read."""

import re
from dataclasses import replace

import pytest

from ai_assistant.agent.attention import layers
from ai_assistant.agent.prompt.build import build_prompt
from ai_assistant.agent.prompt.partner import TRAITS
from ai_assistant.agent.turn.opening import begin
from ai_assistant.core.contracts import Change, Commit, MemoryRow
from ai_assistant.core.readers import OPEN
from ai_assistant.core.times import DAY
from ai_assistant.memory.inner.journal import GAVE_UP
from ai_assistant.memory.policy import RoleMemory
from ai_assistant.memory.talk.working import key_of
from ai_assistant.planning.goals import new_goal
from ai_assistant.roleplay.play import Play
from ai_assistant.testing import people
from ai_assistant.testing.scripted_model import run
from tests.unit.agent.prompt.prompting import (
    ALICE,
    BOB,
    changed,
    conversation,
    on_stage,
    part,
    prompted,
    remembered,
    rows,
    section,
    shown,
    whole,
)


@pytest.fixture
def stage():
    """Alice stands before the captain."""
    return on_stage()


# -- memories


def test_what_the_window_shows_is_not_repeated(stage):
    """A line that stands in the conversation is not recalled as well."""
    stage.model.say("I saw the dragon.")
    stage.ask(ALICE, "Did you see the dragon?")
    turn = prompted(stage)
    assert "dragon" in part(turn, layers.CONVERSATION)
    assert "dragon" not in part(turn, layers.MEMORIES)


def test_what_left_the_window_is_recalled(stage):
    """As soon as a line is no longer shown it can be remembered."""
    stage.overhear(BOB, "The dragon is called Smoke.")
    for number in range(200):
        stage.overhear(BOB, f"Talk of the weather, and of the weather again {number}.")
        if number % 40 == 0:
            stage.model.call("wait")
            stage.ask(ALICE, "Hm.")
    turn = prompted(stage, "What is the dragon called?")
    assert "Smoke" not in section(turn, "stream") + section(turn, "summary")
    assert "Smoke" in section(turn, "memories")


def test_a_full_window_hides_no_memory(stage):
    """However much of the window fits the question, what lies beyond it is still found."""
    remembered(stage, MemoryRow("The dragon is called Smoke."))
    for number in range(30):
        stage.overhear(BOB, f"dragon {number}")
    stage.model.call("wait")
    stage.ask(ALICE, "Hm.")
    assert "Smoke" in shown(prompted(stage, "dragon?"))


def test_what_is_hardly_believed_is_not_recalled(stage):
    """Rows of little trust stay out of the prompt, at the limit they are in."""
    remembered(stage, MemoryRow("The dragon is blue.", trust=0.49))
    remembered(stage, MemoryRow("The dragon is red.", trust=0.5))
    recalled = shown(prompted(stage))
    assert "red" in recalled
    assert "blue" not in recalled


def test_bookkeeping_does_not_come_to_mind(stage):
    """Whom it met, and that a stranger is a friend now, its profiles say better."""
    stage.model.text("Well met.")
    stage.ask(BOB, "I am Bob the dragon.")
    stage.mind.save(Commit(at=0.0, changes=[Change("journal", "", "add_journal_entry", {
        "content": "Bob met the dragon.", "source_type": "direct", "at": 0.0, "readers": OPEN,
        "tags": ["meeting"], "author": BOB.id})]))  # fmt: skip
    stage.mind.save(Commit(at=0.0, changes=[Change("journal", "", "add_journal_entry", {
        "content": "Gave up a goal: Follow Bob. He met a dragon.", "source_type": "observation",
        "at": 0.0, "readers": OPEN, "tags": ["goal", GAVE_UP], "author": BOB.id})]))  # fmt: skip
    told = section(prompted(stage, "Have you met Bob?"), "memories")
    assert "Bob met the dragon." in told
    assert "Met Bob at" not in told
    assert "Gave up" not in told


def test_recall_knows_source_and_day(stage):
    """A memory says who said it and when."""
    remembered(stage, MemoryRow("The dragon is red.", author_name="Bob", learned_at=86_400.0 * 365))
    turn = prompted(stage)
    assert rows(turn, "memories") == [
        {"on": "1971-01-01", "who": "Bob", "kind": "utterance", "text": "The dragon is red."}
    ]
    assert '- 55 years ago, Bob said: "The dragon is red."' in section(turn, "memories")


def test_nothing_is_recalled_to_fill_a_quota(stage):
    """Small talk brings nothing to mind, however much there is; a question what fits it."""
    told = ["day of rain", "day of sun", "good bread", "market", "smith and his geese", "river"]
    remembered(stage, *(MemoryRow(f"Of the {told[n % 6]}, number {n}.") for n in range(90)))
    remembered(stage, MemoryRow("The bridge fell into the water at midnight."))
    for line in ("Good day!", "How are you today?", "Come on, please.", "Really? Tell me more."):
        assert section(prompted(stage, line), "memories") == ""
    found = rows(prompted(stage, "When did the bridge fall?"), "memories")
    assert [one["text"] for one in found] == ["The bridge fell into the water at midnight."]


def test_nothing_is_told_twice(stage):
    """What is known of somebody, noted, in the window or the summary is not recalled as well."""
    common = {"at": 0.0, "author": ALICE.id, "readers": OPEN}
    changed(stage, "profile", "add_entity_observation", ALICE.id, entity_id=ALICE.id,
            content="Alice saw the dragon.", source="direct", **common)  # fmt: skip
    changed(stage, "notebook", "append", content="Beware of the dragon.", **common)
    stage.mind.role = RoleMemory(chat_history=True, history_tokens=200)
    for number in range(14):
        stage.model.text(f"The dragon number {number}, I see.")
        stage.ask(ALICE, f"I counted a dragon, and it was number {number} of them.")
    turn = prompted(stage, "What of the dragon?")
    words = whole(turn)
    for one in ("Alice saw the dragon.", "Beware of the dragon.", "number 0 of", "number 13 of"):
        assert words.count(one) == 1, one


def test_own_words_come_to_mind_by_themselves_only(stage):
    """A line of its own that was said beside what is asked is no memory of it."""
    remembered(
        stage,
        MemoryRow("Who knows the way to the silver mine?", author=BOB.id, author_name="Bob"),
        MemoryRow("I could not say, my friend.", kind="own_words"),
        MemoryRow("The silver mine lies north.", kind="own_words"),
    )
    found = rows(prompted(stage, "Where is the silver mine?"), "memories")
    told = {one["text"] for one in found}
    assert "I could not say, my friend." not in told
    assert "The silver mine lies north." in told


def of_bob(stage, words, readers=OPEN, key=BOB.id):
    """Let the captain have noted something about Bob."""
    changed(stage, "profile", "create_entity_profile", key, name="Bob", entity_type="player",
            at=0.0)  # fmt: skip
    changed(stage, "profile", "add_entity_observation", key, entity_id=key, content=words,
            source="direct", at=0.0, author=key, readers=readers)  # fmt: skip


@pytest.mark.parametrize("present", [True, False])
def test_who_is_spoken_of_comes_to_mind(stage, present):
    """What is held on somebody is there when they are named, as far as it may be known here."""
    of_bob(stage, "Is a baker by trade.")
    of_bob(stage, "Hides gold.", BOB.id)
    if present:
        stage.world.enter(BOB)
    turn = prompted(stage, "Tell me everything about Bob!")
    assert ("of Bob" in section(turn, "memories")) is not present  # beside his name, then
    assert whole(turn).count("Is a baker by trade.") == 1
    assert "Hides gold." not in whole(prompted(stage, "Tell me everything about Bob!"))
    assert "baker" not in section(prompted(stage, "Hello."), "memories")


def test_a_note_does_not_come_to_mind_beside_the_fact_made_of_it(stage):
    """What a night cites has served where its fact is told; until then it comes to mind."""
    note = MemoryRow("Alice said her cat is ill.", kind="observation", subject=ALICE.id)
    remembered(stage, note)
    assert "her cat is ill" in whole(prompted(stage, "How is my ill cat?"))
    (row,) = stage.store.rows.find({}, 9)
    trait = {"entity_id": ALICE.id, "type": "pet", "value": "Has an ill cat.", "source": "staff"}
    changed(stage, "profile", "create_entity_profile", ALICE.id, name="Alice",
            entity_type="player", at=0.0)  # fmt: skip
    changed(stage, "profile", "add_attribute", ALICE.id, **trait, at=0.0, evidence=[row.id])
    assert "her cat is ill" not in whole(prompted(stage, "How is my ill cat?"))


def test_a_goal_brings_its_memories_to_mind(stage):
    """Unasked, what fits the goal at hand is recalled."""
    remembered(
        stage,
        MemoryRow("The smith has iron for the bridge."),
        MemoryRow("Geese hiss.", learned_at=1e9),
    )
    goal = {**new_goal("g0", "Get iron for the bridge", at=0.0, readers=OPEN)}
    turn = begin(stage.mind, [], "t", "tick_autonomous", goal=goal)
    run(build_prompt(turn))
    assert [one["text"] for one in rows(turn, "memories")] == ["The smith has iron for the bridge."]


def test_a_day_of_the_story_is_found(stage):
    """Asked about a day, what happened on it comes first."""
    stage.mind.plays = lambda session: Play("s1", day=6)
    for day in (3, 4, 5):
        remembered(stage, MemoryRow(f"We met the {day} ravens.", session="s1", game_day=day))
    for line, day in (("What happened on day 3?", 3), ("What happened yesterday?", 5)):
        event = replace(stage.hear(ALICE, line), session="s1", game_day=6)
        turn = begin(stage.mind, [event], "t")
        run(build_prompt(turn))
        assert rows(turn, "memories")[0]["text"] == f"We met the {day} ravens."
        then = {3: "day 3, three days ago", 5: "day 5, yesterday"}[day]
        assert then in section(turn, "memories")


def test_a_day_that_nobody_lived_is_named_as_such(stage):
    """So that no model makes up what happened then; a statement asks nothing."""
    stage.mind.plays = lambda session: Play("s1", day=6)
    remembered(stage, MemoryRow("We met ravens.", session="s1", game_day=2))
    for line, note in (
        ("What happened on day 9?", ["There was no day 9 yet: it is day 6 of the story."]),
        ("What happened on day 4?", ["You remember nothing of day 4: it is day 6 of the story."]),
        ("What happened on day 2?", []),
        ("On day 9 we shall rest.", []),
    ):
        event = replace(stage.hear(ALICE, line), session="s1", game_day=6)
        turn = begin(stage.mind, [event], "t")
        run(build_prompt(turn))
        assert [row["note"] for row in rows(turn, "memories") if "note" in row] == note


def test_a_day_whose_lines_are_in_sight_was_lived(stage):
    """They are no memories yet, or stand in the talk already; that a day began is none of it."""
    stage.mind.plays = lambda session: Play("s1", day=6)
    dawn = {"state": "day"}
    for day in (4, 5):
        row = MemoryRow(f"It is day {day} now", session="s1", game_day=day, meta=dawn)
        remembered(stage, row)
    said = replace(stage.world.event(BOB, "The bell is cracked."), session="s1", game_day=5)
    stage.mind.heard.append(said)
    for line, count in (("What happened on day 5?", 0), ("What happened on day 4?", 1)):
        event = replace(stage.hear(ALICE, line), session="s1", game_day=6)
        turn = begin(stage.mind, [event], "t")
        run(build_prompt(turn))
        assert sum("note" in row for row in rows(turn, "memories")) == count


def test_a_scene_shows_no_date_of_the_calendar(stage):
    """Neither of what happened in it, nor of what is remembered of the game; lines bear its day."""
    stage.mind.plays = lambda session: Play("s1", day=6)
    remembered(
        stage,
        MemoryRow("The raven is black.", learned_at=1e9),
        MemoryRow("The raven croaks.", session="s1", game_day=5, learned_at=1e9),
    )
    old = replace(stage.world.event(BOB, "It is late.", at=1e9), session="s1", game_day=5)
    stage.mind.heard.append(old)
    event = replace(stage.hear(ALICE, "What of the raven?"), session="s1", game_day=6)
    turn = begin(stage.mind, [event], "t")
    run(build_prompt(turn))
    told = whole(turn)
    assert "outside of the story: " in told
    assert "day 5, yesterday: " in told
    assert "Day 5 of the story." in told
    given = told + str([section.rows for section in turn.prompt.sections])
    assert "2001" not in given
    assert stage.world.scene().time not in given


def test_how_far_it_trusts_is_configured(stage):
    """The limit is an option of the assistant."""
    remembered(stage, MemoryRow("The dragon is blue.", trust=0.4))
    assert "blue" not in shown(prompted(stage))
    stage.mind.config.values["min_source_trust"] = 0.3
    assert "blue" in shown(prompted(stage))


# -- what is kept at hand


def kept(stage, readers=OPEN):
    """Write into the notebook and learn a fact, under a label."""
    common = {"at": 0.0, "readers": readers, "author": ALICE.id}
    changed(stage, "notebook", "append", content=f"note for {readers}", **common)
    for kind in ("fact", "pattern"):
        content = f"{kind} for {readers}"
        changed(stage, "session", "add_session_memory", memory_type=kind, content=content, **common)


def test_notebook_and_session_are_at_hand(stage):
    """Each stands under its own heading, a line for each, before what changes with every turn."""
    kept(stage)
    turn = prompted(stage)
    lines = whole(turn).splitlines()
    facts = ['- "fact for *"', '- "pattern for *"']
    at = lines.index("## What you learned")
    assert lines[at + 1 : at + 3] == facts
    assert lines[at + 4 : at + 6] == ["## Memory", '- "note for *"']
    assert lines.index("## Memory") < lines.index("## Now")


def test_what_is_kept_is_shown_to_its_readers(stage):
    """A private line is there for its reader alone, and makes the turn as private."""
    stage.world.enter(BOB)
    kept(stage, ALICE.id)
    public, private = prompted(stage), prompted(stage, "Psst.", "whisper")
    assert "for e-alice" not in shown(public)
    assert public.ceiling == OPEN
    assert shown(private).count("for e-alice") == 3
    assert private.ceiling == ALICE.id
    assert "for e-alice" not in shown(prompted(stage, "Psst.", "whisper", BOB))


def test_a_role_without_notebook_sees_none(stage):
    """What is switched off for a role is not in its prompt either."""
    kept(stage)
    stage.mind.role = RoleMemory(memory_tool=False, chat_history=True)
    assert "note for" not in shown(prompted(stage))


# -- the one talked to


def test_traits_come_before_observations(stage):
    """What was concluded is shown where it may be read, its "tomorrow" with the day it was told."""
    changed(
        stage,
        "profile",
        "create_entity_profile",
        ALICE.id,
        name="Alice",
        entity_type="player",
        at=0.0,
    )
    profile = stage.store.state["profile", ALICE.id] = stage.store.read("profile", ALICE.id)
    common = {"type": "trait", "source": "consolidation", "created": "2026-01-01T00:00:00Z"}
    profile["attributes"] += [
        {**common, "value": "brave", "readers": OPEN},
        {**common, "value": "leaves tomorrow", "readers": OPEN},
        {**common, "value": "afraid of spiders", "readers": BOB.id},
        {**common, "value": "of no label"},
    ]
    turn = prompted(stage)
    about = section(turn, "entity")
    assert {"trait": "brave", "type": "trait", "on": "2026-01-01"} in rows(turn, "entity")
    assert '- "brave"' in about
    assert 'ago: "leaves tomorrow"' in about
    assert "spiders" not in about
    assert "of no label" not in about


def talk_with(stage, who, **values):
    """A conversation as it is stored."""
    talk = stage.store.read("working", who.id)
    stage.store.state["working", who.id] = {**talk, "entity_id": who.id, **values}


def test_a_trait_says_what_was_before_and_on_whose_word_it_is(stage):
    """Hearsay is called that, and what changed is told with its past, where that may be read.

    What is only told with more words now has no past of its own.
    """
    known = {"type": "home", "source": "consolidation", "created": "2026-01-01T00:00:00Z"}
    known |= {"author": ALICE.id, "readers": OPEN}
    past = {"value": "Alice lives in Oakvale", "until": "2026-01-01T00:00:00Z", "author": ALICE.id}
    said_shorter = {**past, "value": "Alice has a cat"}
    profile = stage.store.read("profile", ALICE.id)
    profile["attributes"] = [
        {**known, "value": "Alice lives in Riverton", "basis": "own", "was": [past]},
        {**known, "value": "Alice owes the miller", "basis": "told", "was": []},
        {**known, "value": "Alice has had an old cat", "basis": "own", "was": [said_shorter]},
    ]
    stage.store.state["profile", ALICE.id] = profile
    text = section(prompted(stage), "entity")
    assert '"Alice has had an old cat"' in text
    assert "Alice has a cat" not in text
    assert '"Alice lives in Riverton" (before: "Alice lives in Oakvale")' in text
    assert 'as others told you: "Alice owes the miller"' in text


def test_traits_that_matter_now_are_shown(stage):
    """Those that fit what is said come before newer ones."""
    changed(stage, "profile", "create_entity_profile", ALICE.id, name="Alice",
            entity_type="player", at=0.0)  # fmt: skip
    for number in range(30):
        value = "Alice fears the dragon." if number == 0 else f"Alice likes stone {number}."
        changed(stage, "profile", "add_attribute", ALICE.id, entity_id=ALICE.id, type="fact",
                value=value, source="staff", at=0.0)  # fmt: skip
    told = section(prompted(stage, "What of the dragon?"), "entity").splitlines()[1:]
    assert told[0] == '- "Alice fears the dragon."'
    assert told[1] == '- "Alice likes stone 29."'
    assert len(told) == TRAITS


def test_others_have_one_line_each(stage):
    """Who is there beside the one talked to: how they stand, and one thing that matters now."""
    stage.world.enter(BOB)
    for words in ("Bob has a boat.", "Bob saw a dragon.", "Bob hates fish."):
        of_bob(stage, words)
    told = section(prompted(stage, "What of the dragon?"), "seen").splitlines()
    (line,) = [one for one in told if one.startswith("- Bob")]
    assert "Bob saw a dragon." in line
    assert "boat" not in line


def test_one_never_met_is_known_by_what_was_told(stage):
    """What others told of them is at hand where they come in, although they never spoke."""
    stage.world.enter(BOB)
    profile = stage.store.read("profile", BOB.id)
    heard = {"content": "Bob owns the mill.", "source": "told", "timestamp": "2026-01-01T00:00:00Z"}
    profile["observations"] = [heard | {"author": ALICE.id, "readers": OPEN}]
    stage.store.state["profile", BOB.id] = profile
    told = section(prompted(stage), "seen").splitlines()
    (line,) = [one for one in told if one.startswith("- Bob")]
    assert "Bob owns the mill." in line


def test_who_only_watches_comes_after_those_who_are_known(stage):
    """An owner who looks on is not the first of the company, however old their character is."""
    owner, wren = people("Owner", "Wren")
    stage.world.enter(owner, wren)
    changed(stage, "profile", "add_entity_observation", wren.id, entity_id=wren.id, at=0.0,
            content="Wren is looking for work.", readers=OPEN, source="direct",
            author=wren.id)  # fmt: skip
    lines = section(prompted(stage), "seen").splitlines()
    names = [name for line in lines for name in ("Alice", "Owner", "Wren") if f"- {name}" in line]
    assert names == ["Alice", "Wren", "Owner"]


def test_what_is_told_in_confidence_says_so(stage):
    """A secret is marked as one, and a slander is not the one thing told of who stands by."""
    stage.world.enter(BOB)
    of_alice = {"entity_id": ALICE.id, "source": "direct", "at": 0.0, "author": ALICE.id}
    changed(stage, "profile", "create_entity_profile", ALICE.id, name="Alice",
            entity_type="player", at=0.0)  # fmt: skip
    for words, readers in (("Alice has a boat.", OPEN), ("Alice robbed the mill.", ALICE.id)):
        changed(stage, "profile", "add_entity_observation", ALICE.id, content=words,
                readers=readers, **of_alice)  # fmt: skip
    of_bob(stage, "Bob has a mule.")
    of_bob(stage, "Bob cheats at dice.", ALICE.id)
    turn = prompted(stage, "Psst.", "whisper")
    about = section(turn, "entity")
    assert 'in confidence: "Alice robbed the mill."' in about
    assert 'in confidence: "Alice has a boat."' not in about
    assert "Bob has a mule." in section(turn, "seen")
    assert "cheats" not in section(turn, "seen")


def test_a_promise_with_a_time_tells_how_long_it_is_until_then(stage):
    """By the game's clock, and the most pressing first, wherever promises are told."""
    stage.world.enter(ALICE)
    stage.model.calls(
        ("promise", {"to": "p1", "what": "sing at dusk", "deadline_hours": 5}),
        ("promise", {"to": "p1", "what": "mend the bell"}),
    ).text("I will.")
    stage.ask(ALICE, "Will you sing at dusk? And the bell is cracked.")
    assert 'You promised: "sing at dusk" (due in 5 hours)' in section(prompted(stage), "entity")
    stage.world.seconds += 4.5 * 3600
    about = section(prompted(stage), "entity")
    assert 'You promised: "sing at dusk" (due in 30 minutes)\nYou promised: "mend' in about
    stage.world.seconds += 2.5 * 3600
    unasked = begin(stage.mind, [], "t9", "tick_autonomous")
    run(build_prompt(unasked))
    goals = dict(unasked.prompt.parts)["goals"].content
    assert 'You promised Alice: "sing at dusk" (overdue by 2 hours)' in goals


def test_a_promise_for_another_day_tells_which(stage):
    """Where the game's clock shows: tomorrow with its part, and the day after."""
    stage.world.enter(ALICE)
    stage.world.seconds = 18 * 3600
    stage.model.calls(
        ("promise", {"to": "p1", "what": "call you", "deadline_hours": 13}),
        ("promise", {"to": "p1", "what": "mend the bell", "deadline_hours": 40}),
    ).text("I will.")
    stage.ask(ALICE, "Call me tomorrow at seven? And the bell is cracked.")
    about = section(prompted(stage), "entity")
    assert '"call you" (due in 13 hours, tomorrow morning)' in about
    assert '"mend the bell" (due in 40 hours, the day after tomorrow)' in about


def test_when_the_two_met_stands_beside_how_they_stand(stage):
    """From the second day on, in words: who is a stranger by feeling need not be a new one."""
    days = (
        ("", ""),
        ("You last spoke yesterday", "You met yesterday"),
        ("You met two days ago and last spoke yesterday", "You met two days ago."),
    )
    for before, after in days:
        assert before in section(prompted(stage), "entity")
        stage.model.text("Aye.")
        stage.ask(ALICE, "Good day, captain.")
        about = section(prompted(stage), "entity")
        assert after in about if after else "You " not in about
        stage.clock.advance(DAY)
        stage.world.seconds += DAY


def test_a_promise_of_another_day_says_of_which(stage):
    """Its "tomorrow" is read by the day on which it was given, wherever promises are told."""
    stage.world.enter(ALICE)
    stage.model.call("promise", to="p1", what="bring eggs tomorrow").text("I will.")
    stage.ask(ALICE, "Will you bring eggs tomorrow?")
    told = '"bring eggs tomorrow"'
    assert f"You promised: {told}" in section(prompted(stage), "entity")
    stage.world.seconds += DAY
    stage.clock.advance(DAY)
    about = section(prompted(stage), "entity")
    since = re.search(r"You promised (yesterday \w+|last night): ", about)[1]
    assert f"You promised {since}: {told}" in about
    by_bob = prompted(stage, "What of Alice?", who=BOB)
    assert f"You promised Alice {since}: {told}" in section(by_bob, "memories")
    unasked = begin(stage.mind, [], "t9", "tick_autonomous")
    run(build_prompt(unasked))
    assert f"You promised Alice {since}: {told}" in dict(unasked.prompt.parts)["goals"].content


def test_what_is_kept_at_hand_says_of_which_day_it_is(stage):
    """Only where its words name a time: all else holds on any day."""
    for fact in ("The fair is tomorrow.", "The miller is deaf."):
        stage.model.call("add_session_memory", memory_type="fact", content=fact).text("Aye.")
        stage.ask(ALICE, f"Know that {fact}")
    stage.clock.advance(DAY)
    stage.world.seconds += DAY
    told = section(prompted(stage), "learned").splitlines()
    assert told[1].endswith(': "The fair is tomorrow."')
    assert told[1].startswith(("- yesterday", "- last night"))
    assert told[2] == '- "The miller is deaf."'


def test_a_word_for_somebody_absent_is_in_mind_when_they_come(stage):
    """It is kept as a promise to them, until it is told."""
    stage.world.enter(ALICE)
    stage.world.game.append(BOB)
    stage.model.call("promise", to="Bob", what="tell him that Alice waits at the mill")
    stage.model.text("I shall tell him.")
    stage.ask(ALICE, "Tell Bob that I wait at the mill.")
    stage.world.leave(ALICE)
    stage.world.enter(BOB)
    told = 'You promised: "tell him that Alice waits at the mill"'
    assert told in section(prompted(stage, who=BOB), "entity")
    stage.model.call("promise", to="p1", what="Alice waits", done=True)
    stage.model.text("Alice waits at the mill.")
    stage.ask(BOB, "Good evening!")
    assert told not in section(prompted(stage, who=BOB), "entity")


def test_open_ends_are_known(stage):
    """A topic that was given, promises and what was never answered are there; no list of words."""
    context = {"mentioned_items": ["a map"], "unresolved_questions": ["Where is it?"]}
    promised = [{"action": "fetch the map", "priority": 1}]
    talk_with(stage, ALICE, topic="the map", pending_actions=promised, context=context)
    turn = prompted(stage)
    about = section(turn, "entity")
    assert rows(turn, "entity")[0]["promised"] == ["fetch the map"]
    assert 'You promised: "fetch the map"' in about
    assert 'Not answered yet: "Where is it?"' in about
    assert "You talk about" not in about
    assert "a map" not in about
    talk_with(stage, ALICE, topic="the map", topic_given=True)
    assert 'You talk about "the map".' in section(prompted(stage), "entity")


def promised_to(stage, who, what, readers=OPEN):
    """Let the captain have promised something."""
    key = key_of(who.id, readers)
    begin = {"entity_id": who.id, "readers": readers, "at": 0.0}
    changed(stage, "working", "start_conversation", key, **begin)
    changed(stage, "working", "add_pending_action", key, action=what, priority=5, at=0.0)


def test_a_promise_stands_beside_what_it_is_about(stage):
    """Who is asked about somebody knows what it promised them, though another one asks."""
    of_bob(stage, "Saw a cart without lamps.")
    promised_to(stage, BOB, "keep his name out of it")
    told = section(prompted(stage, "What did Bob tell you?"), "memories")
    assert '- You promised Bob: "keep his name out of it"' in told
    assert "keep his name" not in whole(prompted(stage, "Good day."))
    remembered(stage, MemoryRow("The barge carries salt.", author=BOB.id, author_name="Bob"))
    assert "keep his name" in whole(prompted(stage, "What does the barge carry?"))


def test_what_is_owed_to_anybody_present_is_known(stage):
    """An open promise to somebody else is in mind for whoever speaks, never a whispered one."""
    stage.world.enter(BOB)
    stage.model.say("Welcome.")
    stage.ask(BOB, "Good evening.")
    promised_to(stage, BOB, "ask every guest for Tom")
    promised_to(stage, BOB, "hide the letter", BOB.id)
    told = section(prompted(stage, "I am new here."), "memories")
    assert told.count('- You promised Bob: "ask every guest for Tom"') == 1
    assert "the letter" not in whole(prompted(stage, "I am new here."))
    stage.world.leave(BOB)
    assert "ask every guest" not in whole(prompted(stage, "I am new here."))


def test_a_promise_of_secrecy_stands_beside_the_secret(stage):
    """Alone with whom confided it: where the secret is told, so is what was promised, else not."""
    of_bob(stage, "Likes tea.", key=ALICE.id)
    promised_to(stage, ALICE, "tell nobody of the debt", ALICE.id)
    assert "tell nobody" not in whole(prompted(stage, "Good day."))
    of_bob(stage, "Owes forty silver.", ALICE.id, ALICE.id)
    turn = prompted(stage, "Good day.")
    assert "forty silver" in whole(turn)
    assert whole(turn).count("tell nobody of the debt") == 1
    assert turn.ceiling == ALICE.id
    stage.world.enter(BOB)
    assert "debt" not in whole(prompted(stage, "Good day."))


def test_no_real_secret_stands_in_a_story(stage):
    """Who plays plays with people: what they confided, and what they are owed, is out of mind."""
    promised_to(stage, ALICE, "mend the boat")
    of_bob(stage, "Owes forty silver.", ALICE.id, ALICE.id)
    stage.mind.plays = lambda session: Play(session="s1", fiction=True)
    played = whole(prompted(stage, "The witch, good dame!"))
    assert "forty silver" not in played
    assert "mend the boat" not in played


def test_what_mattered_comes_before_what_is_newer(stage):
    """Where nothing of it is spoken of, a murder is shown before the weather."""
    of_bob(stage, "Alice saw the murder.", key=ALICE.id)
    for number in range(20):
        of_bob(stage, f"Alice likes stone {number}.", key=ALICE.id)
    told = section(prompted(stage, "Good day."), "entity")
    assert "Alice saw the murder." in told
    assert "stone 19" in told


def test_an_answered_question_is_not_open(stage):
    """Whatever was said to it, a question that was answered is no open end."""
    stage.model.text("I do not know, and who could?")
    stage.ask(ALICE, "Where is the map?")
    assert "Not answered yet" not in whole(prompted(stage))


def test_the_summary_stands_where_the_turns_were(stage):
    """What a model put together stands right before the conversation, which goes on as it was. It
    is not told as long as all that it was made of stands there.
    """
    stage.model.say("Aye.")
    stage.ask(ALICE, "Hello there.")
    entry = stage.store.read("stream")["entries"][0]
    covered = [{name: entry[name] for name in ("id", "timestamp")}]
    talk_with(stage, ALICE, summary="They\ngreeted.", summed=covered, messages=[])
    assert "greeted" not in whole(prompted(stage))
    gone = {"id": "long ago", "timestamp": entry["timestamp"]}
    talk_with(stage, ALICE, summed=[gone, *covered])
    turn = prompted(stage)
    assert section(turn, "summary") == "## Conversation Summary\n- They\n- greeted."
    keys = [key for key, _ in turn.prompt.parts]
    assert keys.index("stream") == keys.index("summary") + 1
    assert "Aye." in section(turn, "stream")
    assert whole(turn).count("Hello there.") == 1


def test_others_do_not_see_the_summary(stage):
    """It belongs to the conversation with one person."""
    stage.world.enter(BOB)
    talk_with(stage, ALICE, summary="They greeted.")
    assert "They greeted." in whole(prompted(stage))
    assert "They greeted." not in whole(prompted(stage, who=BOB))


def test_a_talk_of_several_begins_alike_for_each_of_them(stage):
    """Whoever of them is answered, the summary is the same: providers know the beginning again."""
    stage.world.enter(BOB)
    for who, summary in ((ALICE, "They asked for the mill."), (BOB, "They bought a net.")):
        stage.model.say("Aye.")
        stage.ask(who, f"Good day from {who.name}.")
        talk_with(stage, who, summary=summary)
    first, second = (prompted(stage, who=who).prompt.messages[0].content for who in (ALICE, BOB))
    assert first == second
    assert "- (With Alice:)\n  - They asked for the mill.\n- (With Bob:)\n  - They bought" in first


def test_history_may_be_off(stage):
    """A role without chat history sees no earlier turns and no summary; memory stays."""
    stage.model.say("Aye.")
    stage.ask(ALICE, "The dragon is red.")
    talk_with(stage, ALICE, summary="They greeted.")
    stage.mind.role = RoleMemory(chat_history=False)
    turn = prompted(stage)
    assert conversation(turn) == []
    assert "They greeted." not in whole(turn)
    assert "The dragon is red." in part(turn, layers.MEMORIES)


def test_who_one_is_does_not_come_to_mind_as_a_memory(stage):
    """The card of a story stands above, as the persona: it is told once."""
    told = "Hunts the red dragon of the marsh."
    for kind, comes in (("fact", True), ("character_card", False)):
        stage.store.memories.clear()
        stage.mind.recall.forget(range(1, 99))
        stage.mind.save(Commit(at=0.0, rows=[MemoryRow(told, kind=kind)]))
        turn = prompted(stage, "Tell me of the red dragon in the marsh.")
        assert (told in whole(turn)) is comes
