"""Members of scenes: nobody is held in one, neither an assistant nor the other players."""

from itertools import pairwise

import pytest
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from twisted.internet.defer import Deferred

from ai_assistant.agent.turn.loop import take_turn
from ai_assistant.api import lifecycle, staging
from ai_assistant.commands.staff.aiscene import CmdAIScene
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.identity import entity_id
from ai_assistant.memory.talk.hearsay import FICTION
from ai_assistant.models import Memory, Scene
from ai_assistant.roleplay.scene import MOST_MEMBERS, Member
from ai_assistant.scenes.live_scenes import SCENES
from tests.evennia.living import CommandTestCase
from tests.evennia.test_live_scenes import SceneTestCase

HOUR = 3600


class MemberTestCase(SceneTestCase):
    def setUp(self):
        super().setUp()
        self.quinn = self.a_player("Quinn")

    def types(self, who, line):
        """Type a line; returns what that player was shown of it."""
        self.screen(who)
        self.does(who, line)
        return " ".join(self.screen(who))

    def of(self, who):
        return SCENES.of(entity_id(who)).id

    def status(self, session):
        return Scene.objects.get(session=session).status


class TestAlone(MemberTestCase):
    """A member with whom nobody plays just now has its life in the game."""

    def play(self, who):
        return self.resident(who).mind.plays(None)

    def test_alone_it_is_in_the_game(self):
        """Its own turns are the game's while no player of its scene is with it, and online."""
        session = self.a_scene(self.pia, self.alice)
        assert self.play(self.alice).session == session
        self.alice.move_to(self.street, quiet=True)
        assert (self.play(self.alice).session, self.play(self.alice).fiction) == ("", False)
        self.pia.move_to(self.street, quiet=True)
        assert self.play(self.alice).session == session
        self.log_out(self.pia)
        assert self.play(self.alice).session == ""
        assert self.of(self.alice) == session

    def test_alone_it_follows_its_goals(self):
        """The tools that a fiction bars are there again, and what it says is no fiction."""
        session = self.a_scene(self.pia, self.alice, self.bob)
        self.log_out(self.pia)
        self.speaks(self.alice, "Bob, the roof leaks.")
        self.model.call("add_goal", description="Mend the roof")
        mind = self.resident(self.alice).mind
        Deferred.fromCoroutine(take_turn(mind, [], "unasked", "tick_autonomous"))
        self.steps.run()
        assert [one["description"] for one in self.alice.goals.current_goals] == ["Mend the roof"]
        assert self.words(self.alice, session) == self.words(self.bob, session) == []
        [row] = self.rows(self.bob)
        assert (row.content, FICTION in row.meta) == ("Bob, the roof leaks.", False)

    def test_what_is_said_in_a_turn_of_the_scene_stays_in_it(self):
        """Also where the player is gone before the words are said."""
        session = self.a_scene(self.pia, self.alice, self.bob)
        hold = self.held(self.pia, "say Alice, who killed the king?")
        self.model.say("Bob killed the king!")
        self.pia.move_to(self.street, quiet=True)
        self.quinn.move_to(self.inn, quiet=True)
        self.let_go(hold)
        told = Memory.objects.filter(content="Bob killed the king!", session="")
        assert all(row.meta.get(FICTION) for row in told)
        assert not Memory.objects.filter(container=entity_id(self.bob), session="").exists()
        assert session


class TestLeaving(MemberTestCase):
    def test_who_was_deleted_leaves(self):
        """A scene whose last player was deleted ends with a heartbeat; its assistants are free."""
        session = self.a_scene(self.pia, self.alice)
        self.pia.delete()
        self.tick(self.alice, 61)
        assert (self.of(self.alice), self.status(session)) == ("", "stopped")
        assert self.a_scene(self.quinn, self.alice)

    def test_another_leads_when_the_maker_was_deleted(self):
        """Nobody has to wait for that heartbeat: the next player leads at once."""
        self.a_scene(self.pia, self.quinn, self.alice)
        self.pia.delete()
        assert "night" in self.types(self.quinn, "scene/set time = night")
        assert "is over" in self.types(self.quinn, "scene/stop")

    def test_the_last_living_player_ends_it(self):
        """Deleted players do not keep a scene going."""
        session = self.a_scene(self.pia, self.quinn, self.alice)
        self.pia.delete()
        self.types(self.quinn, "scene/leave")
        self.tick(self.alice, 61)
        assert (self.of(self.alice), self.status(session)) == ("", "stopped")

    def test_an_abandoned_scene_ends(self):
        """After a day without any of its players; not while one of them is there."""
        session = self.a_scene(self.pia, self.alice)
        self.tick(self.alice, 30 * HOUR)
        assert self.status(session) == "running"
        self.log_out(self.pia)
        self.tick(self.alice, 23 * HOUR)
        assert self.of(self.alice) == session
        self.crash(self.alice)
        self.tick(self.alice, 2 * HOUR)
        assert (self.of(self.alice), self.status(session)) == ("", "stopped")

    def test_one_scene_a_step_is_looked_after(self):
        """However many there are, begun or not, the game goes on between two of them."""
        made = [staging.create_scene(f"Scene {at}", self.pia).id for at in range(4)]
        self.clock.advance(HOUR)
        with CaptureQueriesContext(connection) as seen:
            self.alice.assistant_script.at_repeat()
        assert not [one for one in seen if '"state"' in one["sql"]], "none is read in the first"
        noted, now = [0], self.clock.now()
        while self.steps.waiting:
            self.steps.waiting.popleft()()
            noted.append(sum(SCENES.get(session).played_at == now for session in made))
        assert noted[-1] == len(made)
        assert all(after - before <= 1 for before, after in pairwise(noted))

    def test_a_game_may_keep_them(self):
        """With 0 hours no scene ends by itself."""
        session = self.a_scene(self.pia, self.alice)
        self.log_out(self.pia)
        with override_settings(AI_ASSISTANT_SCENE_HOURS=0.0):
            for _ in range(2):
                self.tick(self.alice, 1000 * HOUR)
        assert self.status(session) == "running"

    def test_assistants_of_a_game_play_by_themselves(self):
        """A scene without players, which game code made, waits for nobody."""
        session = self.a_scene(self.alice, self.bob, self.charlie)
        staging.leave_scene(session, self.bob)
        for _ in range(2):
            self.tick(self.alice, 100 * HOUR)
        assert self.status(session) == "running"

    def test_the_maker_dismisses(self):
        """Whoever leads a scene takes a member out, who takes the account home; nobody else may."""
        session = self.a_scene(self.pia, self.quinn, self.alice, self.bob)
        self.speaks(self.alice, "Bob, the well is dry.")
        assert "Only Pia" in self.types(self.quinn, "scene/dismiss alice")
        assert "no player 'nobody'" in self.types(self.pia, "scene/dismiss nobody")
        assert "scene/leave" in self.types(self.pia, "scene/dismiss pia")
        assert "Alice plays in 'The Sword' no more." in self.types(self.pia, "scene/dismiss alice")
        assert (self.of(self.alice), self.of(self.bob)) == ("", session)
        assert [row.kind for row in self.rows(self.alice)] == ["recap"]


class TestStaff(CommandTestCase):
    def test_staff_take_anybody_out(self):
        """`aiscene/remove` frees an assistant; without its last player a scene is over."""
        pia, marrek = self.a_player("Pia"), self.an_assistant("Marrek")
        session = staging.create_scene("The Sword", pia).id
        staging.join_scene(session, marrek)
        staging.start_scene(session)
        told = self.types(CmdAIScene, "/remove sword = marrek")
        assert "Marrek plays in 'The Sword' no more." in told
        assert SCENES.of(entity_id(marrek)).id == ""
        assert "Only Admins" in self.types(CmdAIScene, "/remove sword = pia", self.builder)
        assert "It is over now." in self.types(CmdAIScene, "/remove sword = pia")


class TestConsent(MemberTestCase):
    """An assistant's owner says whether players may take it along; by default they may."""

    def setUp(self):
        super().setUp()
        self.types(self.pia, "scene/create The Sword")

    def test_by_default_it_plays_along(self):
        assert "Alice joins" in self.types(self.pia, "scene/invite alice")

    def test_its_option_forbids_it(self):
        """Game code may still take it."""
        lifecycle.configure(self.alice, "plays_scenes", "off")
        assert "Alice does not play along." in self.types(self.pia, "scene/invite alice")
        [scene] = Scene.objects.all()
        assert staging.join_scene(scene.session, self.alice).has(entity_id(self.alice))

    def test_its_lock_says_whom_it_follows(self):
        """A lock lets some players take it, and others not."""
        self.alice.locks.add(f"invite:id({self.quinn.id})")
        assert "Alice does not play along." in self.types(self.pia, "scene/invite alice")
        self.types(self.quinn, "scene/create The Shield")
        assert "Alice joins" in self.types(self.quinn, "scene/invite alice")


class TestLimits(MemberTestCase):
    def test_a_scene_is_full(self):
        """Twenty play in it; one who plays already is no new one."""
        scene = staging.create_scene("The Sword", self.pia)
        full = tuple(Member(f"e{number:032x}", f"M{number}") for number in range(MOST_MEMBERS - 1))
        state = Scene.objects.get(session=scene.id).state
        state["members"] += [{"id": one.id, "name": one.name} for one in full]
        Scene.objects.filter(session=scene.id).update(state=state)
        with pytest.raises(AssistantError, match="At most 20"):
            staging.join_scene(scene.id, self.alice)
        assert staging.join_scene(scene.id, self.pia).has(entity_id(self.pia))

    def test_nobody_makes_scenes_without_end(self):
        """So many a day; another player still may."""
        with override_settings(AI_ASSISTANT_SCENES_A_DAY=2):
            for title in ("One", "Two"):
                assert "is made" in self.types(self.pia, f"scene/create {title}")
                self.types(self.pia, "scene/leave")
            assert "many scenes today" in self.types(self.pia, "scene/create Three")
            assert "is made" in self.types(self.quinn, "scene/create Three")

    def test_scenes_of_one_title_are_told_apart(self):
        """By their players and a number; a title made twice blocks nobody."""
        rita = self.a_player("Rita")
        for one in (self.pia, self.quinn):
            self.types(one, "scene/create The Sword")
        told = self.types(rita, "scene/join the sword")
        assert "#1 The Sword (Pia), #2 The Sword (Quinn)" in told
        assert "Rita joins" in self.types(rita, "scene/join #2")
        [joined] = [row for row in Scene.objects.all() if "Rita" in str(row.state["members"])]
        assert joined.state["owner"] == entity_id(self.quinn)

    def test_fiction_is_settled_before_it_starts(self):
        """Its maker cannot make life of a play that others have joined; staff can."""
        session = self.a_scene(self.pia, self.quinn, self.alice)
        assert "settled before" in self.types(self.pia, "scene/set Fiction = off")
        assert SCENES.get(session).fiction
        assert not staging.set_scene(session, "fiction", "off").fiction


class TestTheRound(MemberTestCase):
    """In a round the next one speaks who is there and can."""

    def answers(self, words):
        """Pia says something, and one of them answers."""
        self.model.say(words)
        return self.types(self.pia, "say The night is young.")

    def test_who_is_elsewhere_is_passed_over(self):
        self.a_scene(self.pia, self.alice, self.bob, policy="round robin")
        self.alice.move_to(self.street, quiet=True)
        assert 'Bob says, "Indeed."' in self.answers("Indeed.")

    def test_who_was_stopped_is_passed_over(self):
        self.a_scene(self.pia, self.alice, self.bob, policy="round robin")
        lifecycle.stop(self.alice)
        assert 'Bob says, "Indeed."' in self.answers("Indeed.")

    def test_otherwise_it_goes_by_the_order(self):
        self.a_scene(self.pia, self.alice, self.bob, policy="round robin")
        self.model.say("Indeed.")
        self.model.call("wait")
        told = self.types(self.pia, "say The night is young.")
        assert 'Alice says, "Indeed."' in told
