"""Sleep in the game: who wakes whom and when, what others see, and what the command tells."""

from dataclasses import replace

from twisted.internet.defer import Deferred

from ai_assistant.agent.keeping.closing import flush
from ai_assistant.api import staging
from ai_assistant.api.forgetting import forget_item
from ai_assistant.commands.staff.ai import CmdAI
from ai_assistant.commands.staff.aisleep import CmdAISleep
from ai_assistant.game.identity import entity_id
from ai_assistant.memory.inner.sleep_state import COMPACTING, DREAMING
from ai_assistant.models import PendingEvent
from ai_assistant.roleplay.scene import GAME
from ai_assistant.runtime.service import SERVICE
from ai_assistant.sleep.night import STAGES, work_is_done
from ai_assistant.storage import Container
from ai_assistant.storage.scene_rows import as_of
from ai_assistant.testing import TableReader
from tests.evennia.living import CommandTestCase

FACTS = (
    "I live in Oakvale.",
    "I work as a smith.",
    "I have a dog named Rex.",
    "I hate spiders.",
    "My sister is called Mara.",
)
NOTES = (
    "Alice lives in Oakvale",
    "Alice works as a smith",
    "Alice has a dog named Rex",
    "Alice hates spiders",
    "Alice's sister is called Mara",
)
"""The same as a model notes it."""
MOVED = "I moved to Brambleford."
TABLE = {
    **{line: one.replace("Alice", "{who}", 1) for line, one in zip(FACTS, NOTES, strict=True)},
    MOVED: {"fact": "{who} lives in Brambleford", "replaces": [NOTES[0]]},
}
"""What the model that reads the night makes of lines."""
TABLE |= {f"Marrek, listen. {line}": told for line, told in TABLE.items()}
TABLE |= {note: note for note in NOTES}


class SleepTestCase(CommandTestCase):
    def build(self):
        """Let the night be read by a table; all else is scripted."""
        shared = super().build()
        return replace(shared, offline=TableReader(TABLE, others=self.model))

    def setUp(self):
        super().setUp()
        self.alice, self.bob = self.a_player("Alice"), self.a_player("Bob")
        self.marrek = self.an_assistant()
        self.home = self.resident(self.marrek)

    def sleeps(self, **options):
        """Let it fall asleep, and do no work yet."""
        self.home.sleeper.begin(**options)

    def beat(self):
        """Let its heart beat once, and everything that follows."""
        SERVICE.tick(self.home.id)
        self.steps.run()

    def tells(self, one, lines):
        """Let somebody say these lines in the room, to nobody in particular."""
        for line in lines:
            self.does(one, f"say {line}")

    def staff(self, args):
        """Return what the command `aisleep` answers."""
        return self.types(CmdAISleep, args)


class TestWaking(SleepTestCase):
    def test_name_wakes_a_dreamer(self):
        """Who calls a dreaming character by name is answered."""
        self.sleeps()
        self.into_the_dream()
        self.model.say("Who calls?")
        self.does(self.alice, "say Marrek, wake up!")
        assert "Marrek wakes up." in self.screen(self.bob)
        assert 'Marrek says, "Who calls?"' in "\n".join(self.screen(self.alice))

    def into_the_dream(self):
        """Go on to the second phase, and no further."""
        while self.home.mind.phase == COMPACTING:
            self.run_piece()
        assert self.home.mind.phase == DREAMING

    def run_piece(self):
        """Do one piece of the night's work."""
        piece = Deferred.fromCoroutine(self.home.sleeper.piece())
        self.steps.run()
        assert piece.called

    def test_call_while_sorting_waits_for_the_morning(self):
        """In the first phase nobody wakes it; the line is on disk and answered afterwards."""
        self.sleeps()
        self.does(self.alice, "say Marrek, are you there?")
        assert self.home.mind.phase == COMPACTING
        assert PendingEvent.objects.count() == 1
        self.model.say("Good morning.")
        self.beat()
        assert self.home.mind.phase == ""
        assert 'Marrek says, "Good morning."' in "\n".join(self.screen(self.alice))

    def test_talk_among_others_lets_it_sleep(self):
        """What is not meant for it wakes nobody, and is remembered."""
        self.sleeps()
        self.into_the_dream()
        self.does(self.alice, "say Bob, let us go.")
        assert self.home.mind.phase == DREAMING
        assert [event.content for event in self.home.mind.heard] == ["Bob, let us go."]

    def test_alarm_wakes_it(self):
        """A cry of alarm wakes it though nobody names it."""
        self.sleeps()
        self.into_the_dream()
        self.does(self.alice, "say Fire! Fire in the stables!")
        assert self.home.mind.phase == ""

    def test_thanks_for_help_wakes_nobody(self):
        """A word of alarm in passing talk is no alarm."""
        self.sleeps()
        self.into_the_dream()
        self.does(self.alice, "say Bob, thank you for your help!")
        assert self.home.mind.phase == DREAMING

    def test_touch_wakes_it(self):
        """A gesture towards it wakes it."""
        self.sleeps()
        self.into_the_dream()
        self.model.say("Hm?")
        self.does(self.alice, "pose shakes Marrek by the shoulder.")
        assert self.home.mind.phase == ""

    def test_visitors_see_it_sleep(self):
        """Whoever looks at a sleeper is told so, and the room sees it fall asleep."""
        self.sleeps()
        assert "Marrek falls asleep." in self.screen(self.bob)
        assert "Marrek is asleep." in self.marrek.return_appearance(self.bob)
        self.home.sleeper.end()
        self.beat()
        assert "asleep" not in self.marrek.return_appearance(self.bob)

    def test_why_says_that_it_slept_through_a_line(self):
        """One that it would have answered awake, and that does not call it."""
        self.model.say("Aye.")
        self.does(self.alice, "say Marrek, good night.")
        self.sleeps()
        self.into_the_dream()
        self.does(self.alice, "say The moon is up.")
        assert self.home.mind.phase == DREAMING
        told = self.types(CmdAI, "/why marrek").partition("Not answered")[2]
        assert "The moon is up.: goes on with the one it talks with; it was asleep" in told

    def test_staff_are_told_once_that_it_sleeps_or_wakes(self):
        """By the room where they are with it, else by the command."""
        for room in (self.inn, self.street):
            self.builder.location = room
            assert self.staff("/now marrek").count("falls asleep") == 1
            self.beat()
            assert self.home.mind.phase == ""
            self.sleeps()
            self.into_the_dream()
            told = self.staff("/wake marrek")
            assert told.count("wakes up") + told.count("is awake") == 1

    def test_a_night_ends_with_its_work(self):
        """Put to sleep without hours, it wakes once everything is done."""
        self.sleeps()
        self.beat()
        self.beat()
        assert self.home.mind.phase == ""
        assert self.home.mind.store.read("sleep")["nights"][-1]["woken_by"] == "done"

    def test_a_reload_goes_on_with_the_night(self):
        """After a restart it sleeps on where it was."""
        self.sleeps()
        self.into_the_dream()
        SERVICE.suspend(self.home.id)
        SERVICE.residents.clear()
        self.home = SERVICE.register(self.marrek, self.marrek.assistant_script)
        self.steps.run()
        assert self.home.mind.phase == DREAMING
        self.beat()
        self.beat()
        assert self.home.mind.phase == ""

    def test_a_reload_after_the_last_piece(self):
        """Put to rest for it, it writes nothing any more; it wakes once it is taken up again."""
        self.sleeps()
        SERVICE.tick(self.home.id)
        while not work_is_done(self.home.mind.store.read("sleep")):
            self.steps.waiting.popleft()()
        SERVICE.suspend(self.home.id)
        self.steps.run()
        assert self.home.mind.phase == DREAMING
        self.home = SERVICE.register(self.marrek, self.marrek.assistant_script)
        self.steps.run()
        self.beat()
        assert self.home.mind.phase == ""


class TestFailure(SleepTestCase):
    def test_a_piece_that_fails_waits_for_the_next_heartbeat(self):
        """Three failures leave a stage for the night; the others are done, and it wakes."""
        broken = {"name": "Nobody", "observations": 7}
        self.marrek.attributes.add("e-broken", broken, category="entity_profiles")
        self.sleeps()
        self.beat()
        failed = self.home.mind.store.read("sleep")["stage"]
        self.beat()
        assert self.home.mind.store.read("sleep")["stage"] == failed
        told = self.types(CmdAI, "/health")
        of = f"({failed} of {len(STAGES)} stages)"
        assert f"nights: 1 under way {of}, 0 done and 2 failed today; the last:" in told
        for _ in range(8):
            self.clock.advance(3600)
            self.beat()
        assert self.home.mind.phase == ""
        assert "nights: 0 under way, 1 done and" in self.types(CmdAI, "/health")
        assert "turn of Marrek" in "".join(self.logged())


class TestHours(SleepTestCase):
    def test_it_keeps_its_hours(self):
        """In its hours it falls asleep once it is quiet, and wakes when they are over."""
        hour = self.clock.now() / 3600 % 24
        self.staff(f"/schedule marrek = {hour:.2f} for 2 real")
        self.home = self.resident(self.marrek)
        self.beat()
        assert self.home.mind.phase == ""
        self.clock.advance(600)
        self.beat()
        assert self.home.mind.phase == DREAMING
        self.clock.advance(7200)
        self.beat()
        assert self.home.mind.phase == ""

    def test_woken_in_its_hours_it_stays_up(self):
        """Staff wake it for the rest of its hours; a cry of alarm for some minutes."""
        hour = self.clock.now() / 3600 % 24
        self.staff(f"/schedule marrek = {hour:.2f} for 2 real")
        self.home = self.resident(self.marrek)
        self.clock.advance(600)
        self.beat()
        assert self.home.mind.phase == DREAMING
        self.does(self.alice, "say Fire!")
        self.beat()
        assert self.home.mind.phase == ""
        self.clock.advance(600)
        self.beat()
        assert self.home.mind.phase == DREAMING
        assert "wakes up" in self.staff("/wake marrek")
        self.clock.advance(600)
        self.beat()
        assert self.home.mind.phase == ""

    def test_bad_hours_are_refused(self):
        """A schedule that nobody understands changes nothing, and says what fits."""
        assert "23 for 6" in self.staff("/schedule marrek = at night")
        told = self.staff("/schedule marrek = 30 for 6")
        assert "The hour at which it falls asleep: a number from 0 to 23.99, not '30'." in told
        assert "hours that it sleeps" in self.staff("/schedule marrek = 3 for 60").lower()
        assert "none" in self.staff(" marrek")


class TestNight(SleepTestCase):
    def a_night(self):
        """Sleep through a whole night."""
        self.clock.advance(60)
        self.staff("/now marrek")
        self.beat()
        self.beat()
        assert self.home.mind.phase == ""

    def test_what_was_overheard_is_known_in_the_morning(self):
        """Five facts told in the room become traits, and the report tells of them."""
        self.tells(self.alice, FACTS)
        self.a_night()
        traits = self.marrek.profiles.get_entity_profile(self.alice)["attributes"]
        assert "Alice lives in Oakvale" in [one["value"] for one in traits]
        report = self.staff("/report marrek")
        assert "Alice has a dog named Rex" in report
        assert "private" not in report

    def test_old_days_are_folded_by_themselves(self):
        """What was said in another season of the game is one line a day, and staff read so."""
        staging.set_scene_day(GAME, 3)
        self.tells(self.alice, ["The mill burns.", "The well is dry."])
        flush(self.home.mind)
        staging.set_scene_day(GAME, 99)
        self.tells(self.alice, ["It rains today.", "Hm.", "So it is."])
        self.a_night()
        store = self.home.mind.store
        (summary,) = store.rows.find({"kind": "day_summary"}, 9)
        assert summary.content == "Day 3: Alice: The mill burns. / Alice: The well is dry."
        assert summary.id in self.home.mind.recall.index
        assert len(self.talk(store)) == 3
        assert self.known_on(3) == ["The mill burns.", "The well is dry."]
        assert "made 1 summary of an old day" in self.staff("/report Marrek")
        self.staff("/undo Marrek")
        assert store.rows.find({"kind": "day_summary"}, 9) == []
        assert len(self.talk(store)) == 5
        assert self.known_on(3) == ["The mill burns.", "The well is dry."]

    def known_on(self, day):
        """What Alice had said by the end of a day, as Marrek knew it then."""
        rows = as_of(Container(GAME, entity_id(self.marrek)), day=day)
        return [row.content for row in rows if row.author == entity_id(self.alice)]

    def talk(self, store):
        return [row.content for row in store.rows.find({"kind": "utterance"}, 9)]

    def test_a_second_night_writes_nothing(self):
        """What was worked through is not worked through again."""
        self.tells(self.alice, FACTS)
        self.a_night()
        before = self.marrek.profiles.all()
        self.a_night()
        assert self.marrek.profiles.all() == before
        assert "without news" in self.staff("/report marrek")

    def test_a_night_is_taken_back(self):
        """Undo takes the traits back, once."""
        self.tells(self.alice, FACTS)
        self.a_night()
        assert "taken back: 5 traits gone." in self.staff("/undo marrek")
        assert self.marrek.profiles.get_entity_profile(self.alice)["attributes"] == []
        assert "taken back already" in self.staff("/undo marrek")
        assert "Taken back" in self.staff("/report marrek")

    def test_what_was_taken_back_is_learned_once_it_is_said_again(self):
        """The night after finds nothing in the old lines; told anew, it is known anew."""
        self.tells(self.alice, FACTS)
        self.a_night()
        self.staff("/undo marrek")
        self.a_night()
        assert self.known_of_alice() == []
        self.tells(self.alice, FACTS)
        self.a_night()
        assert sorted(self.known_of_alice()) == sorted(NOTES)

    def test_what_a_forgotten_line_had_replaced_holds_again(self):
        """The fact that rests on it goes, with its marks; the old home is home again."""
        self.tells(self.alice, FACTS)
        self.a_night()
        self.tells(self.alice, [MOVED, "Hm.", "So it is.", "Well.", "Yes."])
        self.a_night()
        store = self.home.mind.store
        (new,) = [row for row in store.rows.newest(30) if row.content == MOVED]
        (old,) = [row for row in store.rows.newest(30) if row.content == FACTS[0]]
        assert old.meta["replaced_by"] == new.id
        assert NOTES[0] not in self.known_of_alice()
        forget_item(self.marrek, f"#{new.id}", by=self.builder)
        self.steps.run()
        assert NOTES[0] in self.known_of_alice()
        assert "Brambleford" not in str(self.marrek.profiles.get_entity_profile(self.alice))
        assert not store.rows.by_ids([old.id])[0].meta["replaced_by"]
        found = self.home.mind.recall.index.search(old.content, 99, now=0.0, explain=True)
        assert "replaced_by" not in {hit.id: hit.why for hit in found}[old.id]

    def known_of_alice(self):
        """Return what is held on Alice."""
        profile = self.marrek.profiles.get_entity_profile(self.alice)
        return [one["value"] for one in profile["attributes"]]

    def test_lines_that_showed_a_fact_as_well_are_read_anew(self):
        """One of two lines is forgotten: the other speaks for itself in the next night."""
        self.tells(self.alice, FACTS)
        self.a_night()
        self.tells(self.alice, [FACTS[3], "Hm.", "So it is.", "Well.", "Yes."])
        self.a_night()
        first, second = sorted(
            row.id for row in self.home.mind.store.rows.newest(30) if row.content == FACTS[3]
        )
        forget_item(self.marrek, f"#{second}", by=self.builder)
        self.steps.run()
        assert NOTES[3] not in self.known_of_alice()
        self.tells(self.alice, ["Hm!", "So it was.", "Well, well.", "No."])
        self.a_night()
        assert NOTES[3] in self.known_of_alice()
        traits = self.marrek.profiles.get_entity_profile(self.alice)["attributes"]
        assert [one["evidence"] for one in traits if one["value"] == NOTES[3]] == [[first]]

    def test_nights_are_taken_back_from_the_last_on(self):
        """A night on which a later one built stays until that one is taken back."""
        self.tells(self.alice, FACTS)
        self.a_night()
        self.tells(self.bob, FACTS)
        self.a_night()
        assert "later nights back first" in self.staff("/undo marrek = 2")
        assert "5 traits" in self.staff("/undo marrek")
        assert "5 traits" in self.staff("/undo marrek = 2")

    def test_a_secret_stays_under_its_own_readers(self):
        """What was whispered becomes known under the label of the whisperer only."""
        self.does(self.bob, "say It rains again.")
        for line in FACTS:
            self.model.call("wait")
            self.does(self.alice, f"whisper Marrek = {line}")
        self.a_night()
        profile = self.marrek.profiles.get_entity_profile(self.alice)
        assert len(profile["attributes"]) == 5
        readers = {one["readers"] for one in profile["attributes"]}
        assert readers == {profile["attributes"][0]["author"]}
        assert "(private)" in self.staff("/report marrek")

    def test_open_talk_after_a_whisper_is_learned_once(self):
        """Noted in turns that had become private, it is no trait of its own, and no stale one."""
        for one in (self.bob, self.char1, self.builder):
            one.location = self.street
        self.model.call("wait")
        self.does(self.alice, "whisper Marrek = I stole the silver key.")
        for line, fact in zip(FACTS, NOTES, strict=True):
            self.told_and_noted(line, fact)
        self.a_night()
        told = self.staff("/report marrek")
        assert [told.count(fact) for fact in NOTES] == [1] * len(NOTES)
        self.told_and_noted(MOVED, "Alice moved to Brambleford")
        self.bob.location = self.inn  # alone with it, each line would be answered
        self.tells(self.alice, ["Hm.", "So it is.", "Well.", "Yes."])
        self.a_night()
        profile = self.marrek.profiles.get_entity_profile(self.alice)
        known = [one["value"] for one in profile["attributes"]]
        assert len(known) == 5
        assert {one["readers"] for one in profile["attributes"]} == {"*"}
        assert "Alice lives in Brambleford" in known
        assert NOTES[0] not in known

    def told_and_noted(self, line, fact):
        """Let Alice say this aloud, and Marrek note it as a model does, and answer."""
        note = {"entity": "p1", "observation": fact}
        self.model.call("update_entity_observation", **note).say("Noted, Alice.")
        self.does(self.alice, f"say Marrek, listen. {line}")

    def test_errors_say_what_to_do(self):
        """No night yet, no such night, awake already: each is one clear line."""
        assert "not slept yet" in self.staff("/report marrek")
        self.a_night()
        assert "On record: 1 night;" in self.staff("/report marrek = 7")
        assert "awake already" in self.staff("/wake marrek")
        self.sleeps()
        assert "asleep already" in self.staff("/now marrek")
        assert "wakes right after" in self.staff("/wake marrek")
