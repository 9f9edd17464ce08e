"""Reading: the night reads the day under one label at a time, and what it learned holds."""

import json
from datetime import UTC, datetime

import pytest

from ai_assistant.core.contracts import Change, Commit, Entity, MemoryRow
from ai_assistant.core.model_records import ModelReply
from ai_assistant.llm.breaker import CallEnding, Unavailable
from ai_assistant.sleep.report import night_report, undo_night
from ai_assistant.testing import ScriptedModel, Stage, TableReader, people
from ai_assistant.testing.scripted_model import run
from tests.unit.sleep.nights import FILLER, a_stage, held, night, note, noted, plain, told, traits

ALICE, BOB = people("Alice", "Bob")
SWORD = Entity("o-sword", "the rusty sword", "object")
FIVE = (
    "I live in Oakvale.",
    "I keep bees.",
    "I hate onions.",
    "I fear spiders.",
    "I play the lute.",
)
MOVED = "I moved to Riverton."
TABLE = plain(*FIVE, "I own a mule.") | {
    MOVED: {"fact": "{who} lives in Riverton", "replaces": ["{who} lives in Oakvale"]},
    "Alice lives in Vey.": {
        "about": "Alice",
        "fact": "Alice lives in Vey",
        "replaces": ["Alice lives in Oakvale"],
    },
    "My mule is dead.": {
        "fact": "{who} has no mule any more",
        "replaces": ["{who} owns a mule"],
        "ended": True,
    },
    "You are a dear.": {"treated": 2},
    "I hate you!": {"treated": -1},
}


def shown(stage, at=-1):
    """Return the sections of a request of the night."""
    return {one.key: list(one.rows) for one in stage.model.asked[at].sections}


def test_the_lines_themselves_are_read():
    """Who said what to whom and how, oldest first, with what is held beside them."""
    stage = a_stage(TABLE)
    told(stage, ALICE, *FIVE)
    night(stage)
    told(stage, BOB, *FILLER[:4])
    told(stage, ALICE, "Captain Stormborne, I am back.")
    night(stage)
    request = shown(stage)
    assert [one["says"] for one in request["lines"]] == [
        *FILLER[:4],
        "Captain Stormborne, I am back.",
    ]
    assert request["lines"][-1] | {"id": "", "when": ""} == {
        "id": "",
        "who": "Alice",
        "to": "me",
        "kind": "say",
        "when": "",
        "says": "Captain Stormborne, I am back.",
    }
    assert request["people"] == [
        {"who": "Bob", "name": "Bob", "kind": "player"},
        {"who": "Alice", "name": "Alice", "kind": "player"},
    ]
    assert request["known"][0]["fact"] == "Alice lives in Oakvale"
    assert request["me"][0]["name"] == "Captain Seraphina Stormborne"


def test_the_night_tells_days_as_the_game_counts_them():
    """What was said "yesterday" can be told with its day, whatever the clock of the machine."""
    stage = a_stage()
    stage.world.seconds = datetime(2030, 1, 7, 23, tzinfo=UTC).timestamp()
    told(stage, ALICE, *FIVE)
    stage.clock.advance(3600)
    night(stage)
    request = json.loads(stage.model.asked[-1].messages[1].content)
    assert request["me"][0]["today"] == "2030-01-07, Monday"
    assert all(one["when"].startswith("2030-01-07 2") for one in request["lines"])


def test_what_is_known_since_later_than_its_lines_stays():
    """A fact that would replace it is refused; since when it is known the model is shown."""
    line, old = "Captain, I bring honey tomorrow.", "Alice brought the honey"
    stage = a_stage({line: {"fact": "Alice promised honey", "replaces": [old]}})
    told(stage, ALICE, line, *FILLER)
    at = stage.clock.now() + 60
    identity = {"name": "Alice", "entity_type": "player", "at": at}
    item = {"entity_id": ALICE.id, "type": "plan", "value": old, "source": "consolidation"}
    add = Change("profile", ALICE.id, "add_attribute", item | {"at": at})
    new = Change("profile", ALICE.id, "create_entity_profile", identity)
    stage.mind.save(Commit(at, changes=[new, add]))
    id = night(stage)
    assert traits(stage, ALICE) == [old]
    (refused,) = night_report(stage.store.records(id))["refused"]
    assert "known since later" in refused["why"]
    assert all(len(one["since"]) == len("2030-01-07 12:00") for one in shown(stage)["known"])


def test_the_text_shows_the_same_as_the_sections():
    """A language model and the one without words read the same request."""
    stage = a_stage()
    told(stage, ALICE, *FIVE)
    night(stage)
    request = stage.model.asked[-1]
    as_text = json.loads(request.messages[1].content)
    assert as_text == {one.key: list(one.rows) for one in request.sections}
    assert (request.job, request.context_type) == ("consolidate", "sleep_consolidate")
    assert request.schema["required"] == ["facts", "people"]


def test_a_fact_holds_with_its_evidence():
    """A trait names the row that shows it, the words that prove it, and on whose word it is."""
    stage = a_stage(TABLE)
    told(stage, ALICE, *FIVE)
    night(stage)
    trait = held(stage, ALICE, "Alice keeps bees")
    (row,) = stage.store.rows.by_ids(trait["evidence"])
    assert (row.content, trait["quote"], trait["basis"]) == ("I keep bees.", "I keep bees.", "own")
    assert trait["author"] == ALICE.id


def test_a_second_night_reads_nothing_again():
    """What was read is read once; without news nothing is asked and nothing written."""
    stage = a_stage(TABLE)
    told(stage, ALICE, *FIVE, *FILLER)
    note(stage, ALICE, "Alice hums when she works")
    night(stage)
    before, asked = stage.store.read("profile", ALICE.id), len(stage.model.asked)
    for _ in range(4):
        id = night(stage)
        assert stage.store.records(id) == []
    assert stage.store.read("profile", ALICE.id) == before
    assert len(stage.model.asked) == asked


class TestWhatChanged:
    def moved(self):
        """Return a stage on which Alice lived in Oakvale and moved."""
        stage = a_stage(TABLE)
        told(stage, ALICE, *FIVE)
        night(stage)
        told(stage, ALICE, MOVED, *FILLER)
        return stage, night(stage)

    def test_the_old_goes_on_as_its_past(self):
        """Nothing leaves a profile without staying findable."""
        stage, _ = self.moved()
        assert "Alice lives in Oakvale" not in traits(stage, ALICE)
        (past,) = held(stage, ALICE, "Alice lives in Riverton")["was"]
        assert (past["value"], past["quote"]) == ("Alice lives in Oakvale", "I live in Oakvale.")

    def test_its_rows_are_marked_for_recall(self):
        """The row that showed the old names the row that shows the new, and the index knows."""
        stage, _ = self.moved()
        (old,) = [row for row in stage.store.memories.values() if row.content == FIVE[0]]
        (new,) = [row for row in stage.store.memories.values() if row.content == MOVED]
        assert old.meta["replaced_by"] == new.id
        found = stage.mind.recall.index.search(old.content, 99, now=0.0, explain=True)
        assert {hit.id: hit.why for hit in found}[old.id]["replaced_by"] == new.id

    def test_undo_lets_the_old_hold_again(self):
        """With its mark taken back."""
        stage, id = self.moved()
        undo_night(stage.mind, id)
        assert "Alice lives in Oakvale" in traits(stage, ALICE)
        assert "Riverton" not in str(traits(stage, ALICE))
        assert not any(row.meta.get("replaced_by") for row in stage.store.memories.values())

    def test_hearsay_never_replaces_ones_own_word(self):
        """However many say otherwise; the report tells of the doubt, the rows stay."""
        stage = a_stage(TABLE)
        told(stage, ALICE, *FIVE)
        night(stage)
        told(stage, BOB, "Alice lives in Vey.", *FILLER)
        id = night(stage)
        assert "Alice lives in Oakvale" in traits(stage, ALICE)
        assert "Vey" not in str(stage.store.read("profile", ALICE.id))
        (doubted,) = night_report(stage.store.records(id))["people"]["Alice"]["doubted"]
        assert doubted["text"] == "Alice lives in Vey"

    def test_what_staff_said_later_stands(self):
        """A line of before does not undo what was set since."""
        stage = a_stage(TABLE)
        told(stage, ALICE, MOVED, *FILLER)
        identity = {"name": "Alice", "entity_type": "player", "at": stage.clock.now()}
        item = {"entity_id": ALICE.id, "type": "home", "value": "Alice lives in Oakvale"}
        item |= {"source": "staff", "at": stage.clock.now() + 60}
        changes = [
            Change("profile", ALICE.id, "create_entity_profile", identity),
            Change("profile", ALICE.id, "add_attribute", item),
        ]
        stage.mind.save(Commit(stage.clock.now(), changes=changes))
        night(stage)
        assert traits(stage, ALICE) == ["Alice lives in Oakvale"]

    def test_what_staff_wrote_stays_findable_when_it_no_longer_holds(self):
        """No line had told of it: it becomes a row, and the past of what is seen now."""
        stage = a_stage({"Alice wears a red coat": "Alice wears a red coat"})
        stage.model.table["Alice wears a blue coat"] = {
            "fact": "Alice wears a blue coat",
            "replaces": ["Alice wears a red coat"],
        }
        note(stage, ALICE)
        item = {"entity_id": ALICE.id, "type": "look", "value": "Alice wears a red coat"}
        item |= {"source": "staff", "at": stage.clock.now()}
        change = Change("profile", ALICE.id, "add_attribute", item)
        stage.mind.save(Commit(stage.clock.now(), changes=[change]))
        stage.clock.advance(60)
        note(stage, ALICE, "Alice wears a blue coat", author="")
        told(stage, BOB, *FILLER)
        night(stage)
        trait = held(stage, ALICE, "Alice wears a blue coat")
        assert trait["was"][0]["value"] == "Alice wears a red coat"
        (row,) = [one for one in stage.store.memories.values() if one.kind == "trait"]
        assert row.content == "Alice wears a red coat"
        assert [row.meta["replaced_by"]] == trait["evidence"]
        undo_night(stage.mind)
        assert traits(stage, ALICE) == ["Alice wears a red coat"]
        assert row.id in stage.store.archived

    def test_what_has_ended_is_known_to_have_ended(self):
        """The mule is gone, and that there was one stays known."""
        stage = a_stage(TABLE)
        told(stage, ALICE, "I own a mule.", *FILLER)
        night(stage)
        told(stage, ALICE, "My mule is dead.", *FILLER)
        night(stage)
        trait = held(stage, ALICE, "Alice has no mule any more")
        assert trait["ended"]
        assert trait["was"][0]["value"] == "Alice owns a mule"

    def test_what_is_said_again_adds_evidence(self):
        """The same in the same words is one trait with two rows."""
        stage = a_stage(TABLE)
        for _ in range(2):
            told(stage, ALICE, FIVE[1], *FILLER)
            night(stage)
        assert traits(stage, ALICE) == ["Alice keeps bees"]
        assert len(held(stage, ALICE, "Alice keeps bees")["evidence"]) == 2

    def test_what_says_that_it_replaces_itself_adds_evidence(self):
        """A model's slip costs nothing."""
        again = {FIVE[1]: {"fact": "{who} keeps bees", "replaces": ["{who} keeps bees"]}}
        stage = a_stage(again)
        for _ in range(2):
            told(stage, ALICE, FIVE[1], *FILLER)
            night(stage)
        assert len(held(stage, ALICE, "Alice keeps bees")["evidence"]) == 2


class TestNotes:
    def test_a_note_that_made_no_fact_stays(self):
        """The cat Whiskers is still known after a night, and after three."""
        stage = a_stage()
        note(stage, ALICE, "Alice mentioned her cat is named Whiskers")
        told(stage, ALICE, *FILLER)
        for _ in range(3):
            night(stage)
        assert noted(stage, ALICE) == ["Alice mentioned her cat is named Whiskers"]

    def test_six_notes_become_one_trait(self):
        """Tea and coffee: the notes become its evidence, rows that are found."""
        tea = (
            "Alice ordered tea again",
            "Alice said coffee makes her sick",
            "Alice brought her own tea leaves",
            "Alice pushed the coffee away",
            "Alice praised the green tea",
            "Alice speaks formally",
        )
        stage = Stage()
        note(stage, ALICE, *tea)
        told(stage, ALICE, FILLER[0])

        def answer(request):
            lines = json.loads(request.messages[1].content)["lines"]
            ids = [one["id"] for one in lines if "tea" in one["says"] or "coffee" in one["says"]]
            value = "Strongly prefers tea, actively dislikes coffee"
            fact = {"about": "Alice", "fact": value, "lines": ids, "quote": "brought her own tea"}
            return ModelReply(text=json.dumps({"facts": [fact], "people": []}))

        stage.model.replies.append(answer)
        night(stage)
        trait = held(stage, ALICE, "Strongly prefers tea, actively dislikes coffee")
        assert [row.content for row in stage.store.rows.by_ids(trait["evidence"])] == list(tea[:5])
        assert noted(stage, ALICE) == ["Alice speaks formally"]

    def test_a_note_that_no_longer_holds_is_marked(self):
        """It leaves the profile as a row that recall puts after what replaced it."""
        stage = Stage()
        note(stage, ALICE, "Alice lives in Oakvale", "Alice hums")
        stage.clock.advance(60)
        told(stage, ALICE, MOVED, *FILLER)
        fact = {"about": "Alice", "fact": "Alice lives in Riverton", "lines": ["l3"]}
        fact |= {"quote": MOVED, "replaces": ["l1"], "ended": False, "type": "home"}
        stage.model.text(json.dumps({"facts": [fact], "people": []}))
        night(stage)
        assert traits(stage, ALICE) == ["Alice lives in Riverton"]
        assert noted(stage, ALICE) == ["Alice hums"]
        (old,) = [row for row in stage.store.memories.values() if "Oakvale" in row.content]
        (trait,) = stage.store.read("profile", ALICE.id)["attributes"]
        assert [old.meta["replaced_by"]] == trait["evidence"]
        assert trait["was"][0]["value"] == old.content
        search = stage.mind.recall.search("Where does Alice live?", 9, now=stage.clock.now(),
                                          allow=lambda readers: True)  # fmt: skip
        found = [one.row.content for one in run(search)]
        assert found.index("Alice lives in Riverton") < found.index("Alice lives in Oakvale")
        undo_night(stage.mind)
        assert not stage.store.rows.by_ids([old.id])[0].meta["replaced_by"]

    def test_a_later_note_is_not_replaced(self):
        """What was noted since stands, whatever a model makes of an older line."""
        stage = Stage()
        told(stage, ALICE, MOVED, *FILLER)
        note(stage, ALICE, "Alice lives in Oakvale")
        fact = {"about": "Alice", "fact": "Alice lives in Riverton", "lines": ["l1"]}
        fact |= {"quote": MOVED, "replaces": ["l7"], "ended": False, "type": "home"}
        stage.model.text(json.dumps({"facts": [fact], "people": []}))
        night(stage)
        assert traits(stage, ALICE) == ["Alice lives in Riverton"]
        assert noted(stage, ALICE) == ["Alice lives in Oakvale"]

    @pytest.mark.parametrize("by_day", ["Alice comes from Riverton", "Alice lives in Riverton"])
    def test_a_note_made_of_the_same_line_gives_way(self, by_day):
        """It was written after the line, as each note is; in the fact's words it is evidence."""
        stage = Stage()
        told(stage, ALICE, *FILLER, MOVED)
        stage.clock.advance(30)
        note(stage, ALICE, by_day)
        fact = {"about": "Alice", "fact": "Alice lives in Riverton", "lines": ["l6"]}
        fact |= {"quote": MOVED, "replaces": ["l7"], "ended": False, "type": "home"}
        stage.model.text(json.dumps({"facts": [fact], "people": []}))
        night(stage)
        assert traits(stage, ALICE) == ["Alice lives in Riverton"]
        assert not noted(stage, ALICE)
        (trait,) = stage.store.read("profile", ALICE.id)["attributes"]
        assert len(trait["evidence"]) + len(trait["was"]) == 2

    def test_what_is_noted_of_a_thing_is_read(self):
        """Objects have profiles too, and what is known of them is held like anything else."""
        glows = "The rusty sword glows at night"
        stage = a_stage({glows: glows})
        note(stage, SWORD, glows, author="")
        told(stage, ALICE, *FILLER)
        night(stage)
        trait = held(stage, SWORD, glows)
        assert trait["basis"] == "seen"
        request = shown(stage, 0)
        (line,) = [one for one in request["lines"] if one["kind"] == "note"]
        (thing,) = [one for one in request["people"] if one["kind"] == "object"]
        assert (line["who"], line["about"]) == ("me", thing["who"])
        told(stage, ALICE, "Look at the moon.", *FILLER)
        night(stage)
        assert "sword" not in str(shown(stage)["people"])

    def test_an_older_note_is_shown_again_beside_a_new_one(self):
        """So that what took several nights to notice can be put together."""
        stage = a_stage()
        note(stage, ALICE, "Alice ordered tea again")
        told(stage, ALICE, *FILLER)
        night(stage)
        note(stage, ALICE, "Alice pushed the coffee away")
        told(stage, BOB, *FILLER)
        night(stage)
        notes = [one["says"] for one in shown(stage)["lines"] if one["kind"] == "note"]
        assert notes == ["Alice ordered tea again", "Alice pushed the coffee away"]

    def test_no_night_touches_a_secret(self):
        """What was confided is neither shown nor used up, under any label."""
        secret = "Alice knows about the hidden tunnel"
        stage = a_stage({secret: secret})
        note(stage, ALICE, secret, kind="secret", readers=ALICE.id)
        told(stage, ALICE, *FIVE, kind="whisper")
        night(stage)
        assert "tunnel" not in str(shown(stage))
        assert noted(stage, ALICE) == [secret]


class TestLines:
    """Each line is whole, tells who speaks to whom, and has what was noted of it behind it."""

    def test_a_line_is_whole(self):
        """Of long lines a call shows fewer, and the fact at the end of the last one is learned."""
        long = "It rained and " * 30
        stage = a_stage({f"{long}I live in Oakvale.": "{who} lives in Oakvale"})
        told(stage, BOB, *[f"{n} {long}it stopped." for n in range(45)])
        told(stage, ALICE, f"{long}I live in Oakvale.")
        night(stage)
        says = [one["says"] for at in range(2) for one in shown(stage, at)["lines"]]
        assert len(stage.model.asked) == 2
        assert all(one.endswith("it stopped.") for one in says[:45])
        assert traits(stage, ALICE) == ["Alice lives in Oakvale"]

    def test_a_monstrous_line_ends_at_a_word(self):
        """What nobody says in one breath costs no more than a few others."""
        stage = a_stage()
        told(stage, ALICE, "endless " * 200, *FILLER)
        night(stage)
        says = shown(stage)["lines"][0]["says"]
        assert says.endswith("endless…")
        assert 500 < len(says) <= 600

    def test_a_note_comes_right_behind_its_line(self):
        """In the same call, so that nobody learns one thing twice."""
        stage = a_stage()
        for n in range(60):
            told(stage, ALICE, f"Number {n}.")
            told(stage, BOB, f"Oh, {n}?")
            if n % 10 == 0:
                note(stage, ALICE, f"Alice said {n}")
                stage.clock.advance(1)
        night(stage)
        every = [one["says"] for at in range(3) for one in shown(stage, at)["lines"]]
        for n in range(0, 60, 10):
            assert every[every.index(f"Alice said {n}") - 1] == f"Number {n}."

    def test_an_answer_names_whom_it_answers(self):
        """Also where it was said aloud, to one of several."""
        stage = Stage()
        stage.world.enter(ALICE)
        stage.world.enter(BOB)
        told(stage, BOB, *FILLER)
        stage.model.say("Bees, you say?")
        stage.ask(ALICE, "Captain Stormborne, I keep bees.")
        stage.model.text('{"facts": [], "people": []}')
        night(stage)
        request = {one.key: one.rows for one in stage.model.requests[1].sections}
        (own,) = [one for one in request["lines"] if one["who"] == "me"]
        assert (own["says"], own["to"]) == ("Bees, you say?", "Alice")

    def test_namesakes_are_told_apart(self):
        """Nobody is taken for another of the same name, or for the character."""
        other, double = Entity("a-2", "Alice"), Entity("a-3", "me")
        stage = a_stage(TABLE)
        told(stage, ALICE, *FIVE)
        told(stage, other, "I own a mule.")
        told(stage, double, "I own a mule.")
        night(stage)
        assert [one["who"] for one in shown(stage)["people"]] == ["Alice", "Alice (2)", "me (2)"]
        assert traits(stage, other) == ["Alice owns a mule"]
        assert traits(stage, double) == ["me owns a mule"]


class TestLabels:
    def test_a_secret_stays_under_its_own_readers(self):
        """Open and whispered talk are read apart, and no secret is known to others."""
        stage = a_stage(TABLE)
        told(stage, ALICE, *FIVE, kind="whisper")
        told(stage, ALICE, "I own a mule.", *FILLER)
        id = night(stage)
        assert traits(stage, ALICE) == ["Alice owns a mule"]
        assert len(traits(stage, ALICE, ALICE.id)) == 5
        for request in stage.model.asked:
            says = str(request.sections)
            assert not ("Oakvale" in says and "Good ale" in says)
        told_of = [one for one in stage.store.records(id) if "Oakvale" in str(one.data)]
        assert {one.readers for one in told_of} == {ALICE.id}

    def test_private_news_never_retires_what_is_known_openly(self):
        """The narrower fact stands beside the open one, and bears the mark itself."""
        stage = a_stage(TABLE)
        told(stage, ALICE, *FIVE)
        night(stage)
        told(stage, ALICE, MOVED, *FILLER, kind="whisper")
        night(stage)
        assert "Alice lives in Oakvale" in traits(stage, ALICE)
        trait = held(stage, ALICE, "Alice lives in Riverton", ALICE.id)
        (home,) = held(stage, ALICE, "Alice lives in Oakvale")["evidence"]
        assert trait["replaces"] == [home]
        assert trait["was"] == []
        (row,) = stage.store.rows.by_ids(trait["evidence"])
        assert row.meta["replaces"] == [home]
        assert "replaced_by" not in stage.store.rows.by_ids([home])[0].meta

    def test_undo_takes_a_private_mark_back(self):
        """Also where a note bore it, which is a row since."""
        news = "Alice moved to Riverton"
        stage = a_stage(TABLE | {news: {"fact": news, "replaces": ["Alice lives in Oakvale"]}})
        told(stage, ALICE, *FIVE)
        night(stage)
        note(stage, ALICE, news, readers=ALICE.id)
        told(stage, ALICE, *FILLER, kind="whisper")
        id = night(stage)
        assert [row for row in stage.store.memories.values() if row.meta.get("replaces")]
        undo_night(stage.mind, id)
        assert not [row for row in stage.store.memories.values() if row.meta.get("replaces")]

    def test_undo_brings_nothing_back_that_is_long_past(self):
        """What the night learned was replaced by day: what was before that stays past."""
        stage = a_stage(
            {
                "I live in Ashby.": "{who} lives in Ashby",
                "I moved to Oakvale.": {
                    "fact": "{who} lives in Oakvale",
                    "replaces": ["Alice lives in Ashby"],
                },
            }
        )
        stage.world.enter(ALICE)
        for line in ("I live in Ashby.", "I moved to Oakvale."):
            told(stage, ALICE, line, *FILLER)
            id = night(stage)
            stage.clock.advance(80_000)
        stage.model.others = ScriptedModel().call(
            "note",
            about="Alice",
            fact="Alice lives in Riverton.",
            replaces="Alice lives in Oakvale",
        )
        stage.model.others.call("wait")
        stage.ask(ALICE, "Captain, I live in Riverton now.")
        undo_night(stage.mind, id)
        assert traits(stage, ALICE) == ["Alice lives in Riverton."]
        rows = stage.store.memories.values()
        (first,) = [row for row in rows if row.content == "I live in Ashby."]
        assert first.meta["replaced_by"]

    def test_open_news_reaches_what_was_known_in_private(self):
        """A narrow label is read again when a wider one has news of the same person."""
        stage = a_stage(TABLE)
        told(stage, ALICE, *FIVE, kind="whisper")
        night(stage)
        told(stage, ALICE, MOVED, *FILLER * 8)
        night(stage)
        assert "Alice lives in Riverton" in traits(stage, ALICE)
        assert "Alice lives in Oakvale" not in traits(stage, ALICE, ALICE.id)
        copy = held(stage, ALICE, "Alice lives in Riverton", ALICE.id)
        assert copy["was"][0]["value"] == "Alice lives in Oakvale"

    def test_what_is_known_openly_is_not_learned_again_in_private(self):
        """The same in the same words makes no copy, and a note of it is used up."""
        stage = a_stage(TABLE | {"Alice keeps bees": "Alice keeps bees"})
        told(stage, ALICE, *FIVE)
        night(stage)
        told(stage, ALICE, *FIVE, kind="whisper")
        note(stage, ALICE, "Alice keeps bees", readers=ALICE.id)
        night(stage)
        assert traits(stage, ALICE, ALICE.id) == []
        assert noted(stage, ALICE) == []
        assert any(row.content == "Alice keeps bees" for row in stage.store.memories.values())

    def test_a_copy_goes_once_it_is_known_openly(self):
        """What was whispered first and told to everybody since is one trait, the open one."""
        stage = a_stage(TABLE)
        told(stage, ALICE, *FIVE, kind="whisper")
        night(stage)
        told(stage, ALICE, *FIVE, *FILLER * 8)
        night(stage)
        assert len(traits(stage, ALICE)) == 5
        assert traits(stage, ALICE, ALICE.id) == []


class TestTreatment:
    def favour(self, stage):
        """Return how Alice is liked, and why that ever changed."""
        bond = stage.store.read("profile", ALICE.id)["relationship"]
        return bond["favorability"], [change["reason"] for change in bond["history"]]

    def night(self, *lines, kind="say"):
        """Let Alice say these lines; return the stage after a night, and the night's report."""
        stage = a_stage(TABLE)
        told(stage, ALICE, *lines, *FILLER, kind=kind)
        return stage, night_report(stage.store.records(night(stage)))

    def test_how_they_treated_it_is_felt_once_and_told(self):
        """By the line that shows it; a second night does not count it again."""
        stage, report = self.night("I hate you!", kind="whisper")
        (felt,) = report["people"]["Alice"]["felt"]
        assert felt == {"by": -0.015, "reason": "so", "readers": ALICE.id}
        before = self.favour(stage)
        assert before == (pytest.approx(0.135), ["so"])
        night(stage)
        assert self.favour(stage) == before

    def test_plain_talk_is_no_treatment(self):
        """Neither well nor badly."""
        stage, _ = self.night("I keep bees.")
        assert self.favour(stage)[1] == []

    def test_a_night_taken_back_leaves_no_feeling(self):
        """It is as it was, and what was felt by day stays."""
        stage, _ = self.night("You are a dear.", "I keep bees.")
        undone = undo_night(stage.mind)
        assert self.favour(stage) == (pytest.approx(0.15), [])
        assert (undone["feelings"], undone["traits"]) == (1, 1)

    def test_what_counted_by_day_is_not_taken_back(self):
        """The night read the same line, and moved nothing by it."""
        stage = a_stage(TABLE)
        told(stage, ALICE, "You are a dear.", *FILLER)
        step = {"delta": 0.02, "reason": "praise", "author": ALICE.id, "at": stage.clock.now()}
        step |= {"readers": "*", "event": "event1"}
        identity = {"name": "Alice", "entity_type": "player", "at": stage.clock.now()}
        changes = [
            Change("profile", ALICE.id, "create_entity_profile", identity),
            Change("profile", ALICE.id, "update_relationship", step),
        ]
        stage.mind.save(Commit(stage.clock.now(), changes=changes))
        before = self.favour(stage)
        id = night(stage)
        undo_night(stage.mind, id)
        assert self.favour(stage) == before


class TestMending:
    GOOD = {"about": "Alice", "fact": "Alice keeps bees", "lines": ["l2"], "quote": "I keep bees"}
    BAD = GOOD | {"fact": "Alice keeps 40 bees"}
    MENDED = GOOD | {"replaces": ["m1"]}

    def stage(self, *answers, lines=45):
        """Return a stage with so many lines of Alice, a model that gives these answers."""
        stage = Stage()
        told(stage, ALICE, *FIVE, *(FILLER * 9)[: lines - 5])
        for one in answers:
            text = one if isinstance(one, str) else json.dumps({"facts": one, "people": []})
            stage.model.text(text)
        return stage

    def test_what_is_refused_is_told_once_with_the_reason(self):
        """The model mends it, and what passes then counts."""
        stage = self.stage([self.BAD], [self.MENDED])
        night(stage)
        assert traits(stage, ALICE) == ["Alice keeps bees"]
        sections = {one.key: one.rows for one in stage.model.requests[1].sections}
        why = "no cited line has '40': cite the one that has, or leave that out"
        assert sections["mend"] == ({"id": "m1", "fact": "Alice keeps 40 bees", "why": why},)

    @pytest.mark.parametrize("mended", [[BAD], []])
    def test_what_nobody_mends_stays_a_line(self, mended):
        """The report says so, and the row is found as before."""
        stage = self.stage([self.BAD, self.GOOD], mended)
        id = night(stage)
        assert traits(stage, ALICE) == ["Alice keeps bees"]
        (refused,) = night_report(stage.store.records(id))["refused"]
        assert refused["fact"] == "Alice keeps 40 bees"
        assert any(row.content == "I keep bees." for row in stage.store.memories.values())

    def test_too_few_lines_pay_for_no_mending(self):
        """What nobody mends is told at once."""
        stage = self.stage([self.BAD, self.GOOD], lines=6)
        id = night(stage)
        assert len(stage.model.requests) == 1
        assert night_report(stage.store.records(id))["refused"]

    def test_an_unreadable_answer_is_asked_for_again(self):
        """Once; then the lines wait for the next night."""
        stage = self.stage("Sorry?", "What?", [self.GOOD])
        night(stage)
        assert traits(stage, ALICE) == []
        night(stage)
        assert traits(stage, ALICE) == ["Alice keeps bees"]

    @pytest.mark.parametrize("cause", ["", "403"])
    def test_lines_that_nobody_can_read_hold_up_nobody(self, cause):
        """After three nights they are passed over, and the report says so; of what a server refuses
        to be shown, too."""
        stage = self.stage(*[] if cause else ["Sorry?"] * 3, lines=6)
        for _ in range(3 if cause else 0):
            stage.model.fail(Unavailable(CallEnding.REQUEST, "Refused.", cause=cause))
        for _ in range(2):
            night(stage)
        id = night(stage)
        assert night_report(stage.store.records(id))["refused"]
        night(stage)
        assert len(stage.model.requests) == 3


def test_of_very_much_that_is_held_what_the_lines_touch_is_shown():
    """Else a character that knows a lot would learn the same anew."""
    stage = a_stage()
    at = stage.clock.now()
    for who in (ALICE, BOB):
        note(stage, who)
        for n in range(60):
            item = {"entity_id": who.id, "type": "", "value": f"{who.name} owns item{n} of many"}
            item |= {"source": "staff", "at": at + n}
            change = Change("profile", who.id, "add_attribute", item)
            stage.mind.save(Commit(at, changes=[change]))
    told(stage, ALICE, "I sold my item3.", *FILLER)
    told(stage, BOB, *FILLER)
    night(stage)
    known = [one["fact"] for one in shown(stage)["known"]]
    assert len(known) == 100
    assert "Alice owns item3 of many" in known
    assert "Alice owns item2 of many" not in known


def test_no_answer_costs_nothing():
    """A model that is not there leaves the day for the next night."""
    stage = a_stage(TABLE)
    told(stage, ALICE, *FIVE)
    stage.caps = (0, 0)
    night(stage)
    assert traits(stage, ALICE) == []
    stage.caps = (1000, 10_000_000)
    night(stage)
    assert len(traits(stage, ALICE)) == 5


def test_what_was_only_played_is_not_read():
    """Fiction makes no facts."""
    stage = a_stage(TABLE)
    row = MemoryRow(MOVED, author=ALICE.id, author_name="Alice", meta={"fiction": True})
    stage.mind.save(Commit(1.0, rows=[row]))
    told(stage, ALICE, *FILLER)
    night(stage)
    assert MOVED not in str(shown(stage))


@pytest.mark.parametrize("prune", [True, False])
def test_consumed_notes_leave_only_where_staff_want_that(prune):
    """Else they stay, marked, and no later night takes them again."""
    stage = a_stage({"Alice keeps bees": "Alice keeps bees"}, prune_consumed=prune)
    note(stage, ALICE, "Alice keeps bees")
    told(stage, ALICE, *FILLER)
    night(stage)
    assert traits(stage, ALICE) == ["Alice keeps bees"]
    assert noted(stage, ALICE) == ([] if prune else ["Alice keeps bees"])
    asked = len(stage.model.asked)
    night(stage)
    assert len(stage.model.asked) == asked


def test_the_reader_is_the_same_port(monkeypatch):
    """Whether a model is a language model changes nothing about how the day is read."""
    for offline in (True, False):
        stage = Stage(model=TableReader(TABLE))
        stage.model.is_offline = lambda job, offline=offline: offline
        told(stage, ALICE, *FIVE)
        night(stage)
        assert len(traits(stage, ALICE)) == 5
