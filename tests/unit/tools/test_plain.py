"""The plain tools: what a talk shows, in a person's words."""

import json
from dataclasses import asdict

import pytest

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.core.contracts import Change, Commit, Entity, MemoryRow
from ai_assistant.core.readers import OPEN
from ai_assistant.core.times import DAY
from ai_assistant.memory.policy import RoleMemory
from ai_assistant.memory.redaction import redact
from ai_assistant.memory.talk.working import key_of
from ai_assistant.memory.wipe import Wipe
from ai_assistant.roleplay.play import Play
from ai_assistant.testing import SERA, Stage, people

ALICE, BOB, CAROL = people("Alice", "Bob", "Carol")
IDOL = Entity("e-idol", "stone idol", "object")


@pytest.fixture
def stage():
    """Alice and Bob before the captain; a lantern lies here, a cellar is next door."""
    made = Stage()
    made.world.lay_out(room1=["cellar"], cellar=["room1", "vault"], vault=["cellar"])
    made.world.enter(ALICE, BOB)
    made.world.lay("lantern")
    made.world.lay("anvil", takable=False)
    made.world.place_exit("stairs", "cellar")
    return made


def told(stage, name, kind="say", by=ALICE, **arguments):
    """Return what the model reads after one call of a tool."""
    stage.model.call(name, **arguments).call("wait")
    stage.ask(by, "Well?", kind)
    content = [one.content for one in stage.model.requests[-1].messages if one.role == "tool"][-1]
    return json.loads(content)


def known(stage, who, *steps):
    """Let something be known of somebody."""
    identity = {"name": who.name, "entity_type": who.kind, "at": 0.0}
    changes = [("create_entity_profile", identity), *steps]
    stage.mind.save(Commit(0.0, changes=[Change("profile", who.id, *one) for one in changes]))


def observation(who, text, readers=OPEN):
    item = {"entity_id": who.id, "content": text, "source": "told", "at": 0.0}
    return ("add_entity_observation", item | {"readers": readers, "told_by": "Bob"})


# -- acts


def test_taking_and_putting_down(stage):
    """What was taken is carried, and may be put down again."""
    assert told(stage, "take", item="the lantern")["took"] == "You took the lantern."
    assert told(stage, "put_down", item="lantern")["put_down"] == "You put down the lantern."
    assert stage.world.deeds == ["take lantern", "put down lantern"]


@pytest.mark.parametrize(
    ("name", "arguments", "why"),
    [
        ("take", {"item": "anvil"}, "You cannot pick up the anvil."),
        ("take", {"item": "crown"}, "There is no item 'crown' here."),
        ("put_down", {"item": "lantern"}, "You do not carry the lantern."),
        ("give", {"item": "lantern", "to": "Alice"}, "You do not carry the lantern."),
    ],
)
def test_what_cannot_be_handled_has_a_reason(stage, name, arguments, why):
    """The game's own word, and nothing happened."""
    found = told(stage, name, **arguments)
    assert not found["ok"]
    assert why in found["error"]
    assert stage.world.deeds == []


def test_what_was_taken_may_be_given(stage):
    """Fetch and hand over, by names, in one answer."""
    fetch = [("take", {"item": "lantern"}), ("give", {"item": "lantern", "to": "alice"})]
    stage.model.calls(*fetch).text("Here it is.")
    stage.ask(ALICE, "The lantern, please!")
    assert stage.world.deeds == ["take lantern", "give lantern to Alice"]


@pytest.mark.parametrize("to", ["x1", "stairs", "the cellar"])
def test_moving_through_a_way_out(stage, to):
    """By its handle, its name, or where it leads."""
    assert told(stage, "move", to=to)["moved"] == "You went stairs."
    assert stage.world.place == "cellar"


def test_moving_to_a_place_further_off_sets_out(stage):
    """It is walked as soon as the talk is over."""
    assert told(stage, "move", to="the vault")["set_out"] == "You set out for the vault."
    (goal,) = stage.store.read("goals")["goals"]
    assert (goal["kind"], goal["about"]["place"]) == ("visit", "vault")


@pytest.mark.parametrize("to", ["Bob", "p2"])
def test_moving_after_somebody_follows(stage, to):
    """Whoever is here is followed from now on."""
    moved = told(stage, "move", to=to)["set_out"]
    assert moved == "You follow Bob from now on, until you move to 'here'."
    (goal,) = stage.store.read("goals")["goals"]
    assert (goal["kind"], goal["about"]["who"]) == ("follow", BOB.id)


@pytest.mark.parametrize("where", ["here", "stay here"])
def test_following_ends_where_it_stays(stage, where):
    """One act, in the words that the act before it named."""
    told(stage, "move", to="Bob")
    assert told(stage, "move", to=where)["set_out"] == "You stay here. Given up: Follow Bob."
    assert [one["status"] for one in stage.store.read("goals")["goals"]] == ["dropped"]


@pytest.mark.parametrize("where", ["the inn", "The Inn", "inn"])
def test_who_is_there_already_is_told_so(stage, where):
    """Its own place is no unknown one."""
    told(stage, "move", to="the vault")
    moved = told(stage, "move", to=where)["set_out"]
    assert moved == "You are already there. Given up: Go to the vault."


def test_an_errand_ends_the_one_before_it(stage):
    """Nobody is pulled back by whom they followed, and no errand is forgotten without a word."""
    told(stage, "move", to="Bob")
    moved = told(stage, "move", to="the vault")["set_out"]
    assert moved == "You set out for the vault. Given up: Follow Bob."
    moved = told(stage, "move", to="Bob")["set_out"]
    assert moved.endswith("Given up: Go to the vault.")
    found = [one["status"] for one in stage.store.read("goals")["goals"]]
    assert found == ["dropped", "dropped", "active"]


def test_who_walks_off_follows_no_more(stage):
    """The one followed stays behind: that ends it. Where they went ahead, it goes on."""
    stage.world.put(BOB, "room1")
    told(stage, "move", to="Bob")
    moved = told(stage, "move", to="stairs")["moved"]
    assert moved == "You went stairs. Given up: Follow Bob."


@pytest.mark.parametrize("to", ["stairs", "here", "the vault"])
def test_who_is_sent_away_before_others_follows_no_more(stage, to):
    """Asked to in private, where nobody else heard of it; nobody here is told."""
    stage.world.put(ALICE, "room1")
    told(stage, "move", kind="whisper", to="Alice")
    assert "Given up" not in str(told(stage, "move", by=BOB, to=to))
    assert stage.store.read("goals")["goals"][0]["status"] == "dropped"


def test_who_goes_after_somebody_follows_still(stage):
    """To go the same way is no farewell."""
    told(stage, "move", to="Bob")
    stage.world.put(BOB, "cellar")
    assert told(stage, "move", to="stairs")["moved"] == "You went stairs."
    assert [one["status"] for one in stage.store.read("goals")["goals"]] == ["active"]


def test_moving_to_somebody_elsewhere_goes_there(stage):
    """Whoever is not here is looked for."""
    stage.world.put(CAROL, "vault")
    assert told(stage, "move", to="Carol")["set_out"] == "You set out for Carol."
    (goal,) = stage.store.read("goals")["goals"]
    assert (goal["kind"], goal["about"]["who"]) == ("visit", CAROL.id)


@pytest.mark.parametrize(("to", "taken"), [("Bob", "follow"), ("the vault", "visit")])
def test_who_is_to_stay_does_not_walk_off(to, taken):
    """What an owner takes away no other tool brings back; a way that is seen stays open."""
    stage = Stage(disabled_tools=[taken])
    stage.world.lay_out(room1=["cellar"], cellar=["room1", "vault"], vault=["cellar"])
    stage.world.enter(ALICE, BOB)
    stage.world.place_exit("stairs", "cellar")
    assert "keep to your place" in told(stage, "move", to=to)["error"]
    assert stage.store.read("goals")["goals"] == []
    assert told(stage, "move", to="stairs")["ok"]


def test_nowhere_is_told_with_what_is_near(stage):
    """The refusal says where it could go."""
    found = told(stage, "move", to="the moon")
    assert "You know no 'the moon' near here. You know: the cellar, the vault." in found["error"]


# -- to note


def test_news_of_the_world_is_found_again(stage):
    """A note about nobody comes back by its words."""
    told(stage, "note", fact="The old bridge is closed.")
    found, *_ = told(stage, "recall", words="bridge")["memories"]
    assert (found["text"], found["who"]) == ("The old bridge is closed.", "Alice")


@pytest.mark.parametrize("about", ["Bob", "p2", "Carol", "lantern"])
def test_a_note_is_about_anybody_or_anything(stage, about):
    """Here or not, person or thing: it is on record for the next time."""
    stage.world.game.append(CAROL)
    found = told(stage, "note", about=about, fact="Owns an old mill.")
    assert found["noted"] == "Owns an old mill."
    name = found["about"]
    again = told(stage, "recall", who=name)
    assert again["about"]["noted"] == ["Owns an old mill. (so Alice said)"]


def profile_of(stage, who):
    return stage.store.read("profile", who.id)


def test_a_note_takes_the_place_of_what_is_so_no_more(stage):
    """The new is known with the old as its past, and recall puts the old row after the new one."""
    told(stage, "note", about="Alice", fact="Owes six silver.")
    found = told(
        stage, "note", about="Alice", fact="Owes eight silver.", replaces="Owes six silver"
    )
    assert found["replaced"] == ["Owes six silver."]
    assert profile_of(stage, ALICE)["observations"] == []
    (trait,) = profile_of(stage, ALICE)["attributes"]
    assert (trait["value"], trait["basis"]) == ("Owes eight silver.", "own")
    rows = {one.content: one for one in stage.store.memories.values()}
    old, new = rows["Owes six silver."], rows["Owes eight silver."]
    assert trait["evidence"] == [new.id]
    assert trait["was"][0] | {"evidence": [old.id]} == trait["was"][0]
    assert old.meta["replaced_by"] == new.id
    found = stage.mind.recall.index.search(old.content, 99, now=0.0, explain=True)
    assert {hit.id: hit.why for hit in found}[old.id]["replaced_by"] == new.id


def test_what_is_known_already_takes_the_past_of_what_it_replaces(stage):
    """And stands once."""
    told(stage, "note", about="Alice", fact="Owes six silver.")
    told(stage, "note", about="Alice", fact="Owes eight silver.", replaces="Owes six silver")
    told(stage, "note", about="Alice", fact="Has a debt of six.")
    told(stage, "note", about="Alice", fact="Owes eight silver.", replaces="Has a debt of six")
    (trait,) = profile_of(stage, ALICE)["attributes"]
    assert [past["value"] for past in trait["was"]] == ["Owes six silver.", "Has a debt of six."]
    assert profile_of(stage, ALICE)["observations"] == []


def test_what_a_forgotten_note_had_replaced_holds_again(stage):
    """With its mark gone; forgetting another row leaves both as they are."""
    told(stage, "note", about="Alice", fact="Owes six silver.")
    told(stage, "note", about="Alice", fact="Owes eight silver.", replaces="Owes six silver")
    (new,) = profile_of(stage, ALICE)["attributes"][0]["evidence"]
    (old,) = profile_of(stage, ALICE)["attributes"][0]["was"][0]["evidence"]
    (first,) = [id for id, row in stage.store.memories.items() if row.content == "Well?"][:1]
    for gone, value, mark in ((first, "Owes eight silver.", new), (new, "Owes six silver.", 0)):
        wipe, profile = Wipe(gone={gone}), profile_of(stage, ALICE)
        redact(profile, **(wipe.plan(profile, PARTS["profile"].empty()) or {"edits": {}}))
        assert [trait["value"] for trait in profile["attributes"]] == [value]
        row = asdict(stage.store.rows.by_ids([old])[0]) | {"supersedes": None}
        assert wipe.row(row)["meta"]["replaced_by"] == mark


def test_a_note_takes_the_place_of_a_trait(stage):
    """What a night made of lines gives way as well, and its lines are marked."""
    stage.mind.save(Commit(0.0, rows=[MemoryRow("I live in Oxmoor.", author=ALICE.id)]))
    (row,) = stage.store.memories.values()
    trait = {"type": "home", "value": "Lives in Oxmoor.", "source": "consolidation", "at": 0.0}
    trait |= {"entity_id": ALICE.id, "readers": OPEN, "evidence": [row.id]}
    known(stage, ALICE, ("add_attribute", trait))
    told(stage, "note", about="Alice", fact="Moved to Brambleford.", replaces="Lives in Oxmoor.")
    (trait,) = profile_of(stage, ALICE)["attributes"]
    assert (trait["value"], trait["was"][0]["value"]) == (
        "Moved to Brambleford.",
        "Lives in Oxmoor.",
    )
    assert [stage.store.rows.by_ids([row.id])[0].meta["replaced_by"]] == trait["evidence"]


@pytest.mark.parametrize(
    ("old", "by", "kind", "why"),
    [
        (observation(ALICE, "Owes six silver."), ALICE, "whisper", "nothing: others were told"),
        (observation(ALICE, "Owes a boat."), ALICE, "say", "nothing: no one thing"),
        (
            ("add_entity_observation", observation(ALICE, "Owes six silver.")[1]
             | {"source": "direct", "author": ALICE.id}),
            BOB, "say", "nothing: you have that from a better source",
        ),
        (
            ("add_attribute", {"type": "debt", "value": "Owes six silver.", "source": "staff",
                               "entity_id": ALICE.id, "at": 0.0, "readers": OPEN}),
            ALICE, "say", "nothing: no one thing",
        ),
    ],
    ids=["others know it", "other words", "hearsay", "staff"],
)  # fmt: skip
def test_what_a_note_may_not_replace_stays(stage, old, by, kind, why):
    """Under another label, from a better source, by staff, or simply not found: both stand."""
    known(stage, ALICE, old)
    words = "Owes six silver."
    found = told(stage, "note", kind, by, about="Alice", fact="Owes nothing.", replaces=words)
    assert found["replaced"].startswith(why)
    profile = profile_of(stage, ALICE)
    assert len([*profile["observations"], *profile["attributes"]]) == 2


@pytest.mark.parametrize(
    ("fact", "kept"),
    [("Zork owes silver.", "Zork owes silver."), ("Owes silver.", "Zork: Owes silver.")],
)
def test_of_whom_it_only_heard_a_note_is_kept_without_a_profile(stage, fact, kept):
    """A sister in another town is worth a memory: it bears her name, and the teller's word."""
    assert told(stage, "note", about="Zork", fact=fact)["noted"] == kept
    (row,) = (row for row in stage.store.rows.find({}, 9) if row.kind == "fact")
    assert (row.content, row.subject, row.author) == (kept, "", ALICE.id)
    assert len(stage.store.keys("profile")) == 1


@pytest.mark.parametrize("given", [{"about": "p9"}, {"about": "Zork", "replaces": "Owes copper."}])
def test_a_note_needs_somebody_known_where_it_means_one(stage, given):
    """A handle that stands for nothing, or old words of somebody unknown: nothing is kept."""
    error = told(stage, "note", fact="Owes silver.", **given)["error"]
    assert f"There is no thing '{given['about']}' here" in error
    assert not [row for row in stage.store.rows.find({}, 9) if row.kind == "fact"]


def test_whom_a_question_names_is_found(stage):
    """What is held on somebody comes with it, present or absent, and best what was asked for."""
    stage.world.game.append(CAROL)
    notes = ["Has a cat.", "Owns a blue boat.", "Hums."]
    known(stage, CAROL, *(observation(CAROL, one) for one in notes))
    found = told(stage, "recall", words="what do you know of Carol's boat?")["about"]
    assert found["name"] == "Carol"
    assert found["noted"][0] == "Owns a blue boat. (so Bob said)"
    assert len(found["noted"]) == 3


def test_promises_and_the_last_talk_come_with_a_person(stage):
    """Recalling somebody brings what it owes them."""
    told(stage, "promise", to="Alice", what="find the ring")
    found = told(stage, "recall", who="Alice")["about"]
    assert found["promised"] == ["find the ring"]
    assert found["to_you"] == "stranger"
    assert found["last_met"]
    stage.clock.advance(2 * DAY)
    later = told(stage, "recall", who="Alice")["about"]
    assert later["promised"] == ["find the ring (so you said two days ago)"]


def test_of_somebody_never_met_nothing_is_held(stage):
    """That says so, and memories are looked for all the same."""
    stage.mind.save(Commit(0.0, rows=[MemoryRow("Carol sank a ship.", author_name="Bob")]))
    stage.world.game.append(CAROL)
    found = told(stage, "recall", who="Carol")
    assert found["about"] == {"name": "Carol", "to_you": "never met"}
    assert [one["text"] for one in found["memories"]] == ["Carol sank a ship."]


def test_an_unknown_name_is_looked_for_as_a_word(stage):
    """Nobody of that name: then what was said of it."""
    stage.mind.save(Commit(0.0, rows=[MemoryRow("Zork sleeps under the hill.")]))
    found = told(stage, "recall", who="Zork")
    assert "about" not in found
    assert [one["text"] for one in found["memories"]] == ["Zork sleeps under the hill."]


def test_what_was_confided_is_recalled_before_nobody_else(stage):
    """Bob's whisper about Carol stays with Bob."""
    stage.world.game.append(CAROL)
    known(stage, CAROL, observation(CAROL, "Hides gold.", BOB.id), observation(CAROL, "Hums."))
    assert told(stage, "recall", who="Carol")["about"]["noted"] == ["Hums. (so Bob said)"]
    private = told(stage, "recall", "whisper", BOB, who="Carol")["about"]["noted"]
    assert "Hides gold. (so Bob said)" in private


def test_what_does_not_fit_is_not_recalled(stage):
    """One common word is no memory of it: then there is nothing about that."""
    rows = [MemoryRow(f"Alice has a red lantern number {n}.", author_name="Bob") for n in range(9)]
    rows.append(MemoryRow("The lantern of the mill burned down.", author_name="Bob"))
    stage.mind.save(Commit(0.0, rows=rows))
    found = told(stage, "recall", words="wedding guests arrive from Oxmoor with lantern")
    assert (found["memories"], found["message"]) == (
        [],
        "Nothing comes to mind: say so, or ask somebody.",
    )


def test_of_whom_nothing_is_known_that_is_said(stage):
    """By name, with what to do; a handle that nobody has names those who are there."""
    found = told(stage, "recall", who="Zork")
    assert found["message"] == ("Nothing comes to mind of Zork: say so, or ask somebody.")
    assert "You see: p1 Alice" in told(stage, "recall", who="p9")["error"]
    known(stage, ALICE, observation(ALICE, "Has a boat."))
    found = told(stage, "recall", who="Alice")
    assert (found["about"]["noted"], "message" in found) == (["Has a boat. (so Bob said)"], False)


def test_what_a_note_returns_is_said_in_words(stage):
    """How they stand now, and no figure."""
    found = told(stage, "note", about="Alice", fact="Alice helped with the roof.", feeling=2)
    assert found["to_you"] == "stranger"
    assert not [value for value in found.values() if isinstance(value, int | float) and value != 1]


def test_what_stands_in_the_talk_is_not_recalled(stage):
    """A line before its eyes is no memory."""
    stage.model.call("wait")
    stage.ask(ALICE, "My brother Tom has a blue boat.")
    assert told(stage, "recall", words="brother blue boat")["memories"] == []
    stage.mind.role = RoleMemory(chat_history=True, history_tokens=3)
    found = told(stage, "recall", words="brother blue boat")["memories"]
    assert "My brother Tom has a blue boat." in [one["text"] for one in found]


def test_a_note_is_recalled_once(stage):
    """What is noted about somebody is not told again as a memory."""
    told(stage, "note", about="Bob", fact="Owns an old mill.")
    found = told(stage, "recall", who="Bob", words="mill")
    assert found["about"]["noted"] == ["Owns an old mill. (so Alice said)"]
    assert found["memories"] == []


def test_own_words_are_recalled_as_own(stage):
    """They are nobody else's, whoever they answered."""
    source = {"author": BOB.id, "author_name": "Bob", "chain": [], "trust": 0.5}
    row = MemoryRow("The dragon sleeps.", kind="own_words", author_name="Seraphina",
                    meta={"told": [source]})  # fmt: skip
    stage.mind.save(Commit(0.0, rows=[row]))
    (found,) = told(stage, "recall", words="dragon sleeps")["memories"]
    assert found["who"] == "you"
    assert "heard_from" not in found


def test_recalling_nothing_in_particular_is_refused(stage):
    """It is told what it could look for."""
    assert "Say what to look for" in told(stage, "recall")["error"]


def test_a_recalled_day_is_that_of_the_story(stage):
    """What was lived through in a scene bears its day, and no date of the real world."""
    row = MemoryRow("The king fell.", session="s1", game_day=6, author_name="Bob")
    stage.mind.save(Commit(0.0, rows=[row]))
    stage.mind.plays = lambda session: Play("s1", day=7)
    (found,) = told(stage, "recall", words="king")["memories"]
    assert (found["when"], found["day"]) == ("yesterday", 6)


# -- days of a story, places, and other conditions


@pytest.fixture
def story(stage):
    """Three days of a scene, two lines each, in the tavern and at the mill; today is the fifth."""
    rows = [
        MemoryRow(
            f"The {thing} was stolen on day {day}.", session="s1", game_day=day, author=BOB.id,
            author_name="Bob", location=place, learned_at=day * 10.0,
            meta={"speaker": BOB.id, "participants": [BOB.id, SERA.id]},
        )
        for day in (1, 2, 4) for thing, place in (("bell", "tavern"), ("rope", "old mill"))
    ]  # fmt: skip
    stage.mind.save(Commit(0.0, rows=[*rows, MemoryRow("The bell was stolen.", game_day=4)]))
    stage.mind.plays = lambda session: Play("s1", day=5, places={"old mill": "valley"})
    return stage


def days_of(found):
    return [memory["day"] for memory in found["memories"]]


@pytest.mark.parametrize("name", ["recall", "recall_memories", "search_episodic_memory"])
def test_days_and_a_place_narrow_a_search(story, name):
    """Both days are meant with it, a place with all that lies in it; the game has no such days."""
    words = {"words" if name == "recall" else "query": "bell"}
    found = told(story, name, since_day=2, until_day=4, **words)
    assert sorted(set(days_of(found))) == [2, 4]
    assert days_of(told(story, name, since_day=4, place="the tavern", **words)) == [4]
    assert set(days_of(told(story, name, place="valley", **words))) == {1, 2, 4}
    assert "rope" in told(story, name, place="mill", until_day=1, **words)["memories"][0]["text"]


def test_a_day_alone_can_be_recalled(story):
    """All of it, whatever it was about."""
    assert days_of(told(story, "recall", since_day=2, until_day=2)) == [2, 2]
    assert "Day 3 comes after day 2" in told(story, "recall", since_day=3, until_day=2)["error"]


def test_a_model_filters_by_printed_names(story):
    """Those of scenes, with names for ids; an unknown one is refused, with those that there are."""
    only = "gameDay >= 2, participants = Bob, isSpeaker = false, location = tavern"
    assert days_of(told(story, "recall_memories", query="bell", only=only)) == [4, 2]
    later = {"since_day": 3, "only": "game_day <= 5"}
    assert {*days_of(told(story, "recall_memories", query="bell", **later))} == {4}
    away = {"place": "tavern", "only": "location = mill"}
    assert days_of(told(story, "recall_memories", query="bell", **away)) == []
    refused = told(story, "recall_memories", query="bell", only="mood = sad")
    assert refused["ok"] is False
    assert "no field 'mood'" in refused["error"]
    assert "gameDay" in refused["error"]
    assert "write it as" in told(story, "recall_memories", query="bell", only="on day 3")["error"]
    for field in ("participants", "speaker"):
        refused = told(story, "search_episodic_memory", query="bell", only=f"{field} = Zed")
        assert refused["ok"] is False
        assert "no person 'Zed' here. You see: " in refused["error"]
        assert "Bob" in refused["error"]
    own = told(
        story, "recall_memories", query="bell", only="participants = Seraphina, speaker = Bob"
    )
    assert set(days_of(own)) == {1, 2, 4}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("bell on day 9", "There was no day 9 yet: it is day 5 of the story."),
        ("bell ten days ago", "That was before the story began: it is day 5 of it."),
        ("bell on day 3", "You remember nothing of day 3: it is day 5 of the story."),
    ],
)
def test_days_that_were_not_are_answered_as_such(story, words, message):
    """A day that has not come, one before the first, and one of which nothing is kept."""
    assert told(story, "recall", words=words)["message"] == message


def test_story_days_are_counted_back(story):
    """`days_back` counts days of the story there: all rows are of one minute."""
    found = told(story, "search_episodic_memory", query="bell", days_back=1)
    assert set(days_of(found)) == {4}


# -- to promise


def test_a_promise_is_struck_off_in_other_words(stage):
    """A part of it is enough, where only one holds it."""
    key = key_of(ALICE.id, OPEN)
    told(stage, "promise", to="Alice", what="Find the silver ring")
    told(stage, "promise", to="p1", what="Ask Bob about the boat")
    found = told(stage, "promise", to="Alice", what="the silver ring", done=True)
    assert found["done"] == "Find the silver ring"
    (left,) = stage.store.read("working", key)["pending_actions"]
    assert left["action"] == "Ask Bob about the boat"


def test_a_promise_to_somebody_only_heard_of_waits_for_them(stage):
    """It is kept under the name as said, and comes first once who bears it speaks."""
    for errand in ("sweep", "mend the net", "paint the door"):
        told(stage, "add_goal", description=errand)
    found = told(stage, "promise", to="Bjorn", what="tell him that the boat is ready")
    assert found["waits_for"] == "Bjorn"
    bjorn = Entity("e-bjorn", "Bjorn", "player")
    stage.world.enter(bjorn)
    stage.model.say("Your boat is ready.")
    stage.ask(bjorn, "Good evening!")
    line = f'- {found["goal_id"]}: "Bjorn: tell him that the boat is ready" (waits for Bjorn)'
    assert line in stage.model.shown()


def test_an_unclear_promise_is_asked_back(stage):
    """What it noted is named."""
    told(stage, "promise", to="Alice", what="find the ring")
    found = told(stage, "promise", to="Alice", what="find the cat", done="yes")
    assert "You noted: find the ring." in found["error"]


# -- to ask, to speak


def test_what_is_unknown_is_told(stage):
    """A call is not spoilt by an argument too many."""
    found = told(stage, "take", item="lantern", carefully=True, reasoning="Why not.")
    assert (found["took"], found["ignored"]) == ("You took the lantern.", ["carefully"])
