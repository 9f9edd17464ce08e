"""Takes: what was said in a scene is taken back, and it is as if it had never been said."""

import random
import time
from dataclasses import asdict

import pytest
from django.test import override_settings

from ai_assistant.agent.keeping.closing import flush
from ai_assistant.api import staging
from ai_assistant.api.stories import undoing
from ai_assistant.api.stories.scene_log import TAKEN_BACK
from ai_assistant.api.stories.undoing import take_back_lines
from ai_assistant.core.contracts import Change, Commit, MemoryRow
from ai_assistant.core.errors import AssistantError, StoreError
from ai_assistant.game.identity import entity_id
from ai_assistant.models import AssistantEvent, Memory, Participation, Scene, Told
from ai_assistant.runtime.service import SERVICE
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage import Container, WorldContainer
from ai_assistant.storage.history.taken_lines import PAGE
from ai_assistant.storage.scene_rows import as_of, load_played, load_scene
from ai_assistant.testing import run
from tests.evennia.test_commands_scene import SceneCommandCase
from tests.evennia.test_commit import fault, refuse


def take_back(scene, count):
    """Take lines back, and raise why that failed."""
    failed = []
    take_back_lines(scene, count).addErrback(failed.append)
    for failure in failed:
        failure.raiseException()


class TestTakes(SceneCommandCase):
    def setUp(self):
        super().setUp()
        self.clock.now = time.time  # what is later bears a later time

    def said(self, line, answer="Aye, Pia."):
        """Pia says something, and Bob answers."""
        self.model.say(answer)
        self.does(self.pia, f"say Bob, {line}")

    def knows(self, who, session=None):
        """Return all that somebody has at hand of the scene."""
        session = SCENES.of(entity_id(self.pia)).id if session is None else session
        rows = Container(session, entity_id(who)).find(limit=100)
        return " / ".join(row.content for row in rows)

    def stream(self):
        """Return what Bob's stream holds."""
        entries = self.resident(self.bob).mind.store.read("stream")["entries"]
        return " / ".join(entry["content"] for entry in entries)

    def feeling(self):
        """Return how Bob stands to Pia."""
        profile = self.resident(self.bob).mind.store.read("profile", entity_id(self.pia))
        return profile["relationship"]["favorability"]

    def test_the_last_line_is_taken_back(self):
        """First Bob's answer, then what Pia said: neither remembers it, and no record shows it."""
        scene = self.playing()
        self.said("the gate is open.")
        assert "takes back the last line" in self.scene("/undo")
        assert "Aye, Pia" not in self.knows(self.pia) + self.knows(self.bob) + self.stream()
        assert "gate is open" in self.knows(self.bob)
        assert "gate is open" in self.stream()
        self.scene("/undo")
        for told in (self.knows(self.pia), self.knows(self.bob), self.stream()):
            assert "gate" not in told
        assert "gate" not in self.aiscene("/why sword") + self.aiscene("/recap sword")
        assert "Pia takes back 1 line" in self.aiscene("/world sword = 20")
        assert load_played(scene.id).messages == 0
        assert "No line stands" in self.scene("/undo")

    def test_a_line_is_named_by_its_words(self):
        """That one goes, and all since; one that is none, or might be several, is asked for."""
        self.playing()
        for line in ("the gate is open.", "the well is dry.", "the mill is shut."):
            self.said(line)
        assert "no line with these words" in self.scene("/undo dragons")
        assert "Which of them" in self.scene("/undo aye")
        assert "takes back the last 4 lines" in self.scene("/undo The Well")
        assert "gate is open" in self.knows(self.bob)
        for told in (self.knows(self.pia), self.knows(self.bob)):
            assert not {"well", "mill"} & {*told.split()}

    def test_one_of_two_lines_of_a_moment(self):
        """However fast it was said, the last line is the last, and it alone goes."""
        scene = self.playing()
        self.said("the gate is open.")
        Participation.objects.filter(session=scene.id).update(at=self.clock.now())
        self.scene("/undo")
        assert "Aye, Pia" not in self.knows(self.bob) + self.stream()
        assert "gate is open" in self.knows(self.bob)
        assert "gate is open" in self.stream()

    def test_an_old_line_is_looked_up_in_slices(self):
        """Much was remembered since: the game goes on meanwhile, and then it goes all at once."""
        scene = self.playing()
        vessa = self.an_assistant("Vessa")
        self.said("the gate is open.")
        before = WorldContainer(scene.id).participations(9)[-1]["row"]
        rows = [MemoryRow(f"Rain on day {day}.", "fact") for day in range(3 * PAGE)]
        staging.keep_rows(entity_id(vessa), "", rows)
        told = []
        take_back_lines(scene.id, row=before).addCallback(told.append)
        self.steps.waiting.popleft()()
        assert not told
        assert "gate is open" in self.stream()
        self.steps.run()
        assert told[0][1] == 2
        assert "gate is open" not in self.knows(self.bob) + self.stream()
        stands = Memory.objects.filter(container=entity_id(vessa), archived_at__isnull=True)
        assert stands.count() == len(rows)

    def test_bob_speaks_without_it(self):
        """No prompt of his holds what was taken back: neither the talk nor what is recalled."""
        self.playing()
        self.said("the password is herring.")
        self.scene("/undo 2")
        self.said("what is the password?", "I know of none.")
        assert "herring" not in self.model.shown()

    def test_the_story_stands_as_it_did(self):
        """Place, day, things and values since are undone; what was before stands, and is news."""
        scene = self.playing()
        self.scene("/set thing = the sword: tavern")
        self.said("let us go.")
        for line in ("/set location = lair", "/day 6", "/set weather = rain", "/take sword"):
            self.scene(line)
        self.said("we are there.")
        row = WorldContainer(scene.id).participations(9)[-1]["row"]
        told = self.aiscene(f"/undo sword = #{row}")
        assert "Taken back: 4 lines. The Sword (running), day 5 at tavern: Pia, Bob" in told
        now = load_scene(scene.id)
        assert (now.scene, now.day, now.flags) == ("tavern", 5, {})
        assert now.things == {"the sword": "tavern"}
        assert now == SCENES.get(scene.id)
        assert "lair" not in self.knows(self.bob)
        self.said("the gate is open.")
        assert "the sword is at tavern" in self.knows(self.bob)
        assert "lair" not in self.knows(self.bob)

    def test_what_was_learnt_with_it_is_news_again(self):
        """The map stays where it lies; who learnt of it with a line that went learns it anew."""
        self.playing()
        self.scene("/set location = lair")
        self.scene("/set thing = the map: mill")
        self.said("mind your head.")
        assert "map is at mill" in self.knows(self.bob)
        self.scene("/undo 2")
        assert "map is at mill" not in self.knows(self.bob)
        assert "moved from tavern to lair" in self.knows(self.bob)
        self.said("mind your feet.")
        assert "map is at mill" in self.knows(self.bob)

    def test_who_stood_by_forgets_it_too(self):
        """A bystander's memory of the game goes with the line, and so does what it passed on."""
        self.playing()
        vessa = self.an_assistant("Vessa")
        self.model.say("Good day.")
        self.does(self.pia, "say Vessa, the gate is open.")
        assert "gate is open" in self.knows(vessa, "")
        row = Container("", entity_id(vessa)).find(where={"author_name": "Pia"}, limit=1)[0]
        hearer = self.an_assistant("Wren", self.street)
        staging.keep_rows(entity_id(hearer), "", [row])
        self.scene("/undo 2")
        assert "gate is open" not in self.knows(vessa, "")

    def test_a_late_hearer_brings_nothing_back(self):
        """What was overheard and not saved by then is settled first; nobody keeps it later."""
        scene = self.playing()
        self.scene("/join sword", self.quinn)
        self.does(self.pia, "say Quinn, the gate is open.")
        before = Participation.objects.filter(session=scene.id).count()
        self.scene("/undo")
        self.model.say("Aye.")
        self.does(self.pia, "say Bob, good evening.")
        assert "gate" not in self.knows(self.bob) + self.knows(self.quinn) + self.stream()
        assert Participation.objects.filter(session=scene.id).count() == before + 2

    def test_who_joined_since_stays(self):
        """With plot and card, and finds the scene as it stands now."""
        self.playing()
        self.said("let us go.")
        self.scene("/set location = lair")
        self.scene("/join sword", self.quinn)
        self.scene("/undo 2")
        assert SCENES.of(entity_id(self.quinn)).scene == "tavern"
        found = self.knows(self.quinn)
        assert "as it was when you joined: tavern" in found
        assert "lair" not in found

    def test_folded_days_are_summed_up_without_it(self):
        """A summary that stands for a line which goes is made anew of the others."""
        scene = self.playing()
        self.said("the gate is open.")
        self.said("the bridge is out.")
        row = WorldContainer(scene.id).participations(2)[-1]["row"]
        self.scene("/day 9")
        self.aiscene("/fold sword = Bob before 9")
        assert "bridge" in self.knows(self.bob)
        self.aiscene(f"/undo sword = #{row}")
        assert "gate is open" in self.knows(self.bob)
        assert "bridge" not in self.knows(self.bob)
        past = as_of(Container(scene.id, entity_id(self.bob)), day=9)
        assert "bridge" not in " ".join(one.content for one in past)

    def test_the_log_keeps_it(self):
        """Nothing is deleted: rows stay out of use, and the log says who took what back."""
        self.playing()
        self.said("the gate is open.")
        count = Memory.objects.count()
        self.aiscene("/undo sword = 2")
        assert Memory.objects.count() == count + 1  # and that it was done
        assert Memory.objects.filter(content__contains="gate is open").count() >= 3
        for record in AssistantEvent.objects.filter(type=TAKEN_BACK):
            assert (record.data["lines"], record.data["by"]) == (2, self.char1.key)
        assert "taken back: 2 lines" in self.aiscene("/log sword")

    def test_feelings_go_along(self):
        """Where a scene is no fiction, what words did to them is undone."""
        self.scene("/create The Sword")
        self.scene("/invite Bob")
        self.scene("/set fiction = off")
        self.scene("/start")
        before = self.feeling()
        self.said("you are the best of friends!")
        event = WorldContainer(SCENES.of(entity_id(self.pia)).id).participations(2)[-1]["event"]
        felt = {"delta": 0.02, "reason": "kind words", "event": event, "at": self.clock.now()}
        change = Change(
            "profile", entity_id(self.pia), "update_relationship", felt | {"author": "x"}
        )
        self.resident(self.bob).mind.save(Commit(at=self.clock.now(), changes=[change]))
        assert self.feeling() > before
        self.scene("/undo 2")
        assert self.feeling() == before

    def test_who_may_and_when(self):
        """Whoever leads it, while it runs, and while nobody thinks of an answer."""
        scene = self.playing()
        self.scene("/join sword", self.quinn)
        assert "Only Pia may" in self.scene("/undo", self.quinn)
        for line in ("/undo sword = #1", "/undo sword = 0", "/undo sword = 500", "/undo 0"):
            assert any(told in self.aiscene(line) for told in ("From 1", "How many", "that runs"))
        self.said("the gate is open.")
        self.scene("/stop")
        assert "in a scene that runs" in self.aiscene(f"/undo {scene.title}")

    def test_all_of_it_or_nothing(self):
        """Where the database refuses in the middle, everything is as before."""
        scene = self.playing()
        self.said("the gate is open.")
        told = list(Told.objects.values_list("character", "told"))
        failing = undoing.untell
        vars(undoing)["untell"] = self.refuse
        try:
            with pytest.raises(RuntimeError):
                take_back(scene.id, 2)
        finally:
            vars(undoing)["untell"] = failing
        assert "gate is open" in self.knows(self.bob)
        assert "gate is open" in self.stream()
        assert list(Told.objects.values_list("character", "told")) == told
        assert "gate is open" in self.aiscene("/why sword")

    def test_minds_are_never_ahead_of_the_disk(self):
        """At whichever statement the database refuses, minds hold what stands on disk."""
        scene = self.playing()
        self.scene("/set thing = the sword: tavern")
        self.said("the bridge is out.")
        stands, number = True, 0
        while stands:
            number += 1
            with fault(number, refuse):
                try:
                    take_back(scene.id, 2)
                except StoreError:
                    pass
                else:
                    stands = False
            assert SCENES.get(scene.id) == load_scene(scene.id)
            assert stands == ("bridge is out" in self.stream()) == self.recalls("bridge")
        assert number > 50
        assert any("following the disk" in line for line in self.logged())

    def recalls(self, word):
        """Does Bob find anything by that word?"""
        recall = self.resident(self.bob).mind.recall
        found = run(recall.search(word, 5, now=self.clock.now(), allow=lambda _: True))
        return any(word in one.row.content for one in found)

    def test_a_scene_changed_from_outside_leaves_minds_as_they_are(self):
        """What is not written is not known either: memory is never ahead of the disk."""
        scene = self.playing()
        self.said("the gate is open.")
        Scene.objects.filter(session=scene.id).update(title="Another")
        with pytest.raises(AssistantError, match="changed from outside"):
            take_back(scene.id, 2)
        assert "gate is open" in self.stream()
        assert "gate is open" in self.knows(self.bob)

    @staticmethod
    def refuse(*args):
        raise RuntimeError("refused")

    @override_settings(AI_ASSISTANT_LINES_PER_MINUTE=0)  # a quick machine plays faster than a hand
    def test_it_is_as_if_it_had_never_been(self):
        """Whatever was played after a line and with it, taking it back leaves what was before."""
        self.an_assistant("Vessa")  # who overhears it
        for seed in range(8):
            with self.subTest(seed=seed):
                self.played_and_undone(random.Random(seed))

    def played_and_undone(self, luck):
        """Play something by lot, then more that is taken back, and compare."""
        self.playing()
        self.scene("/join sword", self.quinn)
        self.scene("/set thing = the lamp: Pia")
        for _ in range(luck.randrange(5)):
            self.step(luck)
        before, newest = self.everything(), self.newest()
        self.line(luck)
        for _ in range(luck.randrange(8)):
            self.step(luck)
        world = WorldContainer(SCENES.of(entity_id(self.pia)).id)
        first = min(row["row"] for row in world.participations(99) if row["row"] > newest)
        self.aiscene(f"/undo sword = #{first}")
        assert self.everything() == before
        self.scene("/stop")
        Scene.objects.update(title="Played")

    def step(self, luck):
        """Let something happen that is no line, or one."""
        sets = [f"/set {name} = {{}}" for name in ("location", "weather", "quest", "time")]
        acts = ("/day {}", "/set thing = rope: {}", "/think {}", "/take lamp", "/put lamp")
        acts = (*acts, *sets, "/give lamp = Bob")
        act = luck.choice((*acts, "", "", "", ""))
        if act:
            self.scene(act.format(luck.randrange(2, 9)))
        else:
            self.line(luck)

    def line(self, luck):
        """Let somebody say something, to one of the others or to all."""
        words = f"I count {luck.randrange(1000)} geese."
        to = ("say Bob,", "say Quinn,", "whisper bob =", "pose counts", "say")
        for _ in range(9):
            self.model.say(f"So many? {luck.randrange(1000)}!")
        self.does(self.pia, f"{luck.choice(to)} {words}")
        self.model.replies.clear()

    def newest(self):
        return max(Memory.objects.values_list("pk", flat=True))

    def everything(self):
        """Return all that anybody has at hand, how the story stands, and what Bob has heard."""
        session = SCENES.of(entity_id(self.pia)).id
        for resident in SERVICE.residents.values():
            flush(resident.mind)
        rows = Memory.objects.filter(archived_at=None).exclude(kind="scene_step")
        fields = ("session", "container", "kind", "content", "game_day", "location")
        scene = asdict(load_scene(session)) | {"played_at": 0}
        played = asdict(load_played(session))
        return sorted(rows.values_list(*fields)), scene, played, self.stream()
