"""Branches: a scene goes on twice from one line, and neither knows of the other."""

import time

import pytest

from ai_assistant.api import staging
from ai_assistant.api.stories import branching
from ai_assistant.api.stories.branching import branch_scene
from ai_assistant.core.contracts import Change, Commit, MemoryRow
from ai_assistant.game.identity import entity_id
from ai_assistant.models import Memory, Participation, Scene, Told
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage import Container, WorldContainer
from ai_assistant.storage.history.branched_scenes import MOST_COPIED
from ai_assistant.storage.history.past import last_number, rows_at
from ai_assistant.storage.scene_rows import as_of, load_played, load_scene
from tests.evennia.test_commands_scene import SceneCommandCase


class TestBranches(SceneCommandCase):
    """Pia and Bob play The Sword, and go another way."""

    def setUp(self):
        super().setUp()
        self.clock.now = time.time  # what is later bears a later time
        self.old = self.playing().id
        self.said("the gate is open.")
        self.scene("/set location = lair")
        self.said("the dragon sleeps.")

    def said(self, line, answer="Aye, Pia."):
        self.model.say(answer)
        self.does(self.pia, f"say Bob, {line}")

    @property
    def now(self):
        """The scene that is played now."""
        return SCENES.of(entity_id(self.pia))

    def knows(self, who, session):
        rows = Container(session, entity_id(who)).find(limit=100)
        return " / ".join(row.content for row in rows)

    def everything(self, session):
        """Return all that is stored of a scene, but for its numbers."""
        scene = load_scene(session)
        rows = Memory.objects.filter(session=session).exclude(kind="scene_step")
        names = ("container", "kind", "content", "game_day", "location", "learned_at", "trust")
        told = [known.told for known in Told.objects.filter(session=session).order_by("pk")]
        lines = Participation.objects.filter(session=session).order_by("pk")
        return (
            list(rows.order_by("pk").values_list(*names, "archived_at")),
            [len(one.get("of", ())) for one in told],
            list(lines.values_list("at", "speaker", "participants", "by")),
            (scene.day, scene.scene, scene.things, scene.members),
            load_played(session),
        )

    def test_a_story_too_long_for_one_step_is_not_branched(self):
        """The game waits for the copy: of how much, is said; nothing is changed then."""
        rows = [MemoryRow(str(number), kind="fact") for number in range(MOST_COPIED)]
        WorldContainer(self.old).record(rows)
        before = self.everything(self.old)
        assert f"More than {MOST_COPIED} memories" in self.scene("/branch Another way")
        assert self.now.id == self.old
        assert self.everything(self.old) == before

    def test_what_is_remembered_of_the_branch_is_found_step_by_step(self):
        """Thousands of made-up words stopped the game for as long as it took to look them up."""
        rows = [MemoryRow(f"The {number}th bell.", kind="fact") for number in range(60)]
        staging.keep_rows(entity_id(self.bob), self.old, rows)
        index, grown = self.resident(self.bob).mind.recall.index, []
        branch_scene(self.old, "The Other Way")
        while self.steps.waiting:
            before = len(index)
            self.steps.waiting.popleft()()
            grown.append(len(index) - before)
        assert sum(grown) >= 60
        assert max(grown) <= 20

    def test_what_is_remembered_of_the_branch_is_in_the_past_at_once(self):
        """From the moment on at which it branched; before, nobody had it."""
        bob = entity_id(self.bob)
        before = last_number(bob)
        self.scene("/branch The Other Way")
        copied = {row.id for row in Container(self.now.id, bob).find(limit=100)}

        def had(moment):
            return {row["id"] for row in rows_at(bob, moment, ["id"])}

        assert copied
        assert had(last_number(bob)) >= copied
        assert not had(before) & copied

    def test_it_goes_on_from_before_a_line(self):
        """Without the last two lines: place and knowledge as they were, and the old one stays."""
        before = self.everything(self.old)
        told = self.scene("/branch The Other Way = 2")
        assert "rests, and goes on as 'The Other Way'" in told
        new = self.now
        assert (new.title, new.scene, new.day, new.id != self.old) == (
            "The Other Way", "lair", 5, True,
        )  # fmt: skip
        for who in (self.pia, self.bob):
            assert "gate is open" in self.knows(who, new.id)
            assert "dragon sleeps" not in self.knows(who, new.id)
            assert "dragon sleeps" in self.knows(who, self.old)
        assert load_scene(self.old).status == "open"
        assert self.everything(self.old) == before

    def test_from_a_line_by_its_words(self):
        """Whoever leads the scene names the last line that stands."""
        self.scene("/branch The Other Way = gate is open")
        for who in (self.pia, self.bob):
            assert "gate is open" in self.knows(who, self.now.id)
            assert "Aye" not in self.knows(who, self.now.id)
            assert "dragon" not in self.knows(who, self.now.id)

    def test_from_a_line_of_the_record(self):
        """Staff name the last line that stands: what was changed after it goes as well."""
        first = WorldContainer(self.old).participations(9)[-2]["row"]
        told = self.aiscene(f"/branch sword = #{first}: Another Sword")
        assert "goes on as 'Another Sword'" in told
        assert "Aye" in self.knows(self.pia, self.now.id)
        assert "dragon" not in self.knows(self.pia, self.now.id)

    def test_all_of_it_is_there(self):
        """From now on: whatever there is of the one there is of the other, also of its past."""
        self.scene("/branch The Other Way")
        one, other = self.everything(self.old), self.everything(self.now.id)
        assert one == other
        known = as_of(Container(self.now.id, entity_id(self.bob)), day=5)
        assert any("gate is open" in row.content for row in known)

    def test_neither_knows_of_the_other(self):
        """What is said and taken back in the branch leaves the old scene as it was."""
        before = self.everything(self.old)
        self.scene("/branch The Other Way")
        self.said("the bridge is out.")
        assert "bridge" not in self.knows(self.bob, self.old)
        self.scene("/undo 4")
        assert "dragon" not in self.knows(self.bob, self.now.id)
        assert "gate is open" in self.knows(self.bob, self.now.id)
        assert self.everything(self.old) == before

    def test_bob_goes_on_with_what_was_said(self):
        """The talk up to there is before him, and what went is not."""
        self.scene("/branch The Other Way = 2")
        self.said("where were we?", "At the gate.")
        assert "gate is open" in self.model.shown()
        assert "dragon sleeps" not in self.model.shown()

    def test_what_was_learnt_is_news_again(self):
        """Who learnt of the map with a line that is not in the branch learns of it there anew."""
        self.scene("/set thing = the map: mill")
        self.said("mind your head.")
        assert "map is at mill" in self.knows(self.bob, self.old)
        self.scene("/branch The Other Way = 2")
        assert "map is at mill" not in self.knows(self.bob, self.now.id)
        self.said("here we are.")
        assert "map is at mill" in self.knows(self.bob, self.now.id)

    def test_the_old_one_is_played_again(self):
        """Once the branch is over; nobody begins anew, and it stays fiction."""
        self.scene("/branch The Other Way = 2")
        assert "Still in another scene: Pia, Bob" in self.aiscene("/start sword")
        self.scene("/stop")
        assert "settled before it starts" in self.scene("/set fiction = off")
        count = Memory.objects.filter(session=self.old, kind="card").count()
        self.scene("/start")
        assert self.now.id == self.old
        assert Memory.objects.filter(session=self.old, kind="card").count() == count
        self.said("and on we go.")
        assert "dragon sleeps" in self.model.shown()

    def test_who_may_and_when(self):
        """Whoever leads it, from a line that there is, under a name."""
        self.scene("/join sword", self.quinn)
        assert "Only Pia may" in self.scene("/branch Mine", self.quinn)
        assert "What is the branch called" in self.scene("/branch")
        assert "no such line" in self.scene("/branch Mine = 99")
        for row in ("#1", "#x"):
            assert "no such line" in self.aiscene(f"/branch sword = {row}: Mine")
        self.scene("/stop")
        assert "a scene that runs" in self.aiscene("/branch sword = Mine")

    def test_all_of_it_or_nothing(self):
        """Where the database refuses in the middle, everything is as before."""
        before, scenes = self.everything(self.old), Scene.objects.count()
        failing = branching.rewind
        vars(branching)["rewind"] = self.refuse
        try:
            with pytest.raises(RuntimeError):
                branch_scene(self.old, "Mine", 2)
        finally:
            vars(branching)["rewind"] = failing
        assert self.everything(self.old) == before
        assert Scene.objects.count() == scenes
        assert self.now.id == self.old
        assert self.now.is_running

    @staticmethod
    def refuse(*args):
        raise RuntimeError("refused")


class TestFeelingsInBranches(SceneCommandCase):
    """A scene that is no fiction: how Bob feels is of the way that is played."""

    def setUp(self):
        super().setUp()
        self.clock.now = time.time
        for typed in ("/create The Sword", "/invite Bob", "/set fiction = off", "/start"):
            self.scene(typed)
        self.moved("you are the best of friends!", 0.02)
        self.moved("I will bring you a pie.", -0.01)

    def moved(self, line, delta):
        """Pia says something that moves Bob by so much."""
        self.model.say("Aye, Pia.")
        self.does(self.pia, f"say Bob, {line}")
        session = SCENES.of(entity_id(self.pia)).id
        event = WorldContainer(session).participations(2)[-1]["event"]
        felt = {"event": event, "delta": delta, "reason": line}
        felt |= {"author": entity_id(self.pia), "at": time.time()}
        change = Change("profile", entity_id(self.pia), "update_relationship", felt)
        self.resident(self.bob).mind.save(Commit(at=time.time(), changes=[change]))

    def bond(self):
        """Return how Bob stands to Pia, how many changes moved him, and how often she promised."""
        profile = self.resident(self.bob).mind.store.read("profile", entity_id(self.pia))
        bond = profile["relationship"]
        return bond["favorability"], len(bond["history"]), len(bond["promises"])

    def test_they_go_along(self):
        """What lines did that are not in the branch is not felt there; what stands is."""
        felt, moves, promised = self.bond()
        assert (moves, promised) == (2, 1)
        self.scene("/branch The Other Way = 2")
        assert self.bond() == (pytest.approx(felt + 0.01), 1, 0)

    def test_neither_way_moves_the_other(self):
        """Played on, the old scene is felt as it was left, whatever the branch did."""
        before = self.bond()
        self.scene("/branch The Other Way = 2")
        self.moved("you are a liar.", -0.01)
        assert self.bond() != before
        self.scene("/stop")
        assert "'The Sword' goes on" in self.scene("/start")
        assert self.bond() == (pytest.approx(before[0]), *before[1:])

    def test_a_branch_is_taken_back_beyond_its_beginning(self):
        """Lines that the branch has from the old scene take along there what they moved."""
        before = self.bond()
        self.scene("/branch The Other Way")
        assert self.bond() == (pytest.approx(before[0]), *before[1:])
        self.scene("/undo 4")
        assert self.bond()[1:] == (0, 0)
        self.scene("/stop")
        self.scene("/start")
        assert self.bond() == (pytest.approx(before[0]), *before[1:])
