"""Chapters as they are told: by a model where there is one, else as they were said."""

import json
import time
from dataclasses import replace
from functools import partial

from django.test import override_settings
from twisted.internet.defer import Deferred, succeed

from ai_assistant.api import staging
from ai_assistant.core.errors import ModelTimeout
from ai_assistant.core.model_records import ModelReply, TokenUsage
from ai_assistant.game.identity import entity_id
from ai_assistant.models import ModelQuestion
from ai_assistant.roleplay.scene import GAME
from ai_assistant.runtime.embedder import read_profiles
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage import Container, WorldContainer
from ai_assistant.storage.calls.question_rows import keep_answer, take_question
from ai_assistant.storage.scene_rows import load_scene, save_scene
from ai_assistant.workers.questions import answer_text, question_from
from ai_assistant.workers.worker_queue import WorkerQueue
from tests.evennia.test_commands_scene import SceneCommandCase


def softened(text, speaker, hearers):
    """A moderation that replaces one word and drops lines with another."""
    return None if "gallows" in text else text.replace("damned", "blessed")


TOLD = "Pia told Bob that the gate is open."


class TestChaptersTold(SceneCommandCase):
    def setUp(self):
        super().setUp()
        self.later = 0.0
        self.clock.now = lambda: time.time() + self.later  # what is later bears a later time
        self.session = self.playing().id
        self.lives_a_day()
        self.resident(self.bob).mind.model.is_offline = lambda job: False

    def lives_a_day(self):
        for line in ("the gate is open.", "somebody took the lantern from the mill."):
            self.model.say("I shall look for it behind the mill.")
            self.does(self.pia, f"say Bob, {line}")

    def hire(self):
        """Let a worker that is there at once answer from now on; returns the queue for it."""

        def defer(key, lock):
            asked.append(question_from(take_question(key, self.clock.now()))[1])
            keep_answer(key, answer_text(self.model.replies.popleft()))

        asked, model = [], self.resident(self.bob).mind.model
        beside = lambda work, *args: succeed(work(*args))  # noqa: E731
        queue = WorkerQueue(self.clock, defer, beside, self.steps, lambda profile, error: None)
        profile, here = read_profiles()["default"], model.complete
        model.complete = lambda request: queue.answer(profile, request, partial(here, request))
        return asked

    def own(self, who, **where):
        return Container(self.session, entity_id(who)).known_to_meet(
            where=where, readers=None, limit=50
        )

    def follows_the_clock(self):
        """Let the scene have the game's day, which is the fifth, for a minute."""
        staging.set_scene_day(GAME, 5)
        self.scene("/day 0")
        self.passes(61)

    def answers(self, who, text=TOLD, line="gate"):
        """Let a model tell somebody's day by the line with a word."""
        known = [row for row in self.own(who) if line in row.content and row.kind != "chapter"]
        rows = [row.id for row in known if row.game_day == known[0].game_day]
        told = {"sentences": [{"text": text, "from": rows}]}
        usage = TokenUsage(90, 9, known=True)
        self.model.replies.append(ModelReply(text=json.dumps(told), usage=usage))

    def passes(self, seconds):
        """Let time go by until Bob's next heartbeat."""
        self.later += seconds
        self.tick(self.bob)

    def ends(self, *texts, by="/day 6"):
        """Let the day end; Pia's chapter and Bob's are asked for."""
        for who, text in zip((self.pia, self.bob), texts, strict=True):
            self.answers(who, text)
        return self.scene(by)

    def test_a_day_is_told_in_sentences(self):
        """To the player in place of the lines; each has it as a memory that names its lines."""
        told = self.ends(TOLD, "Bob heard that the gate is open.")
        assert "Previously, on day 5:" in told
        assert TOLD in told
        assert "I shall look" not in told.split("Previously")[1]
        for who in (self.pia, self.bob):
            (row,) = self.own(who, kind="chapter")
            assert row.parents
            assert Container(self.session, entity_id(who)).rows(row.parents)
        assert "in short: Bob heard" not in self.scene("/recap")
        assert f"Day 5 in short: {TOLD}" in self.scene("/recap")

    def test_a_worker_tells_what_the_game_would_have_told(self):
        """The same chapter, but for its day and the numbers of its lines; no question is left."""
        self.ends(TOLD, "Bob heard that the gate is open.")
        self.lives_a_day()
        asked = self.hire()
        self.ends(TOLD, "Bob heard that the gate is open.", by="/day 7")
        assert [WorkerQueue.takes(request) for request in asked] == [True, True]
        for who in (self.pia, self.bob):
            later, first = self.own(who, kind="chapter")
            texts = [[one["text"] for one in row.meta["sentences"]] for row in (first, later)]
            assert texts[0] == texts[1] != []
            same = ("content", "kind", "session", "readers", "location", "importance", "trust")
            for name in same:
                assert getattr(first, name) == getattr(later, name)
        assert not ModelQuestion.objects.exists()

    def test_the_last_player_who_leaves_is_told_as_well(self):
        """With them the scene ends: each has the chapter of its last day, as if it was stopped."""
        told = self.ends(TOLD, "Bob heard that the gate is open.", by="/leave")
        assert "is over; scene/recap" in told
        assert TOLD in told
        assert [len(self.own(who, kind="chapter")) for who in (self.pia, self.bob)] == [1, 1]

    def test_a_day_that_goes_by_with_the_clock_is_told_too(self):
        """A scene that follows the game's days: once the next has come, the recap has it, once."""
        self.follows_the_clock()
        staging.set_scene_day(GAME, 6)
        for who in (self.pia, self.bob):
            self.answers(who)
        calls = len(self.model.requests)
        for _ in range(2):
            self.passes(61)
        assert f"Day 5 in short: {TOLD}" in self.scene("/recap")
        assert len(self.own(self.bob, kind="chapter")) == 1
        assert len(self.model.requests) == calls + 2

    def test_without_a_model_the_clock_ends_a_day_as_a_command_does(self):
        """Players are told the day and what they remember of the one before; the world knows it."""
        self.resident(self.bob).mind.model.is_offline = lambda job: True
        self.follows_the_clock()
        staging.set_scene_day(GAME, 6)
        self.screen(self.pia)
        self.passes(61)
        told = "\n".join(self.screen(self.pia))
        assert "It is day 6 in 'The Sword'." in told
        assert "Pia: Bob, the gate is open." in told.split("on day 5:")[1]
        (dawn,) = WorldContainer(self.session).find(where={"game_day": 6}, limit=5)
        assert dawn.content.startswith("It is day 6 now")
        self.passes(61)
        assert not self.screen(self.pia)

    def test_a_day_that_goes_by_as_soon_as_a_scene_follows_the_clock_is_told(self):
        """Before anybody looked after it, and whatever day it was at before."""
        self.resident(self.bob).mind.model.is_offline = lambda job: True
        self.scene("/day 20")
        staging.set_scene_day(GAME, 5)
        self.scene("/day 0")
        staging.set_scene_day(GAME, 6)
        self.screen(self.pia)
        self.passes(61)
        assert "\n".join(self.screen(self.pia)).count("It is day 6 in 'The Sword'.") == 1

    def test_a_day_is_told_though_the_scene_was_changed_from_outside(self):
        """What a shell wrote into it meanwhile costs one look at it, and not the day."""
        self.resident(self.bob).mind.model.is_offline = lambda job: True
        self.follows_the_clock()
        staging.set_scene_day(GAME, 6)
        scene = load_scene(self.session)
        save_scene(replace(scene, quest="the key"), [], {}, before=scene)
        self.screen(self.pia)
        for _ in range(3):
            self.passes(61)
        assert "\n".join(self.screen(self.pia)).count("It is day 6 in 'The Sword'.") == 1
        assert "changed from outside" in "".join(self.logged())

    def test_a_day_that_went_by_while_the_server_was_down_is_told(self):
        """Memory of the process is gone; the record of the scene says which day was the last."""
        self.resident(self.bob).mind.model.is_offline = lambda job: True
        self.follows_the_clock()
        staging.set_scene_day(GAME, 7)
        SCENES.reset()
        self.screen(self.pia)
        for _ in range(2):
            self.passes(61)
        told = "\n".join(self.screen(self.pia))
        assert told.count("It is day 7 in 'The Sword'.") == 1
        assert "Pia: Bob, the gate is open." in told.split("on day 5:")[1]

    def test_who_speaks_first_after_a_restart_hides_no_day(self):
        """The record knew the last day before that; a line that is kept late begins no day."""
        self.resident(self.bob).mind.model.is_offline = lambda job: True
        staging.set_scene_day(GAME, 5)
        self.scene("/day 0")
        staging.set_scene_day(GAME, 7)
        SCENES.reset()
        self.model.say("Good morning.")
        self.does(self.pia, "say Good morning, Bob.")
        self.screen(self.pia)
        self.passes(61)
        assert "It is day 7 in 'The Sword'." in "\n".join(self.screen(self.pia))
        old = WorldContainer(self.session).find(where={"game_day": 5}, limit=1)
        SCENES.save(SCENES.get(self.session), [replace(old[0], id=0)])
        SCENES.reset()
        self.passes(61)
        assert "It is day 7" not in "\n".join(self.screen(self.pia))

    def test_what_was_told_of_a_day_is_not_told_again(self):
        """Neither at the end of a scene nor of another day, where nothing was said since."""
        self.resident(self.bob).mind.model.is_offline = lambda job: True
        assert "Pia: Bob, the gate is open." in self.scene("/day 6").split("on day 5:")[1]
        assert "Previously" not in self.scene("/day 7")
        self.model.say("I heard it, too.")
        self.does(self.pia, "say Bob, the bell of the mill has rung.")
        told = self.scene("/stop")
        assert "Pia: Bob, the bell of the mill has rung." in told.split("on day 7:")[1]
        assert "gate is open" not in told

    def test_a_scene_that_was_left_idle_is_told_too(self):
        """It ends while nobody looks; each has its last day, Bob also in what he takes home."""
        self.log_out(self.pia)
        for who in (self.pia, self.bob):
            self.answers(who)
        for _ in range(2):
            self.passes(30 * 3600)
        assert SCENES.get(self.session).is_over
        assert [len(self.own(who, kind="chapter")) for who in (self.pia, self.bob)] == [1, 1]

    def test_who_comes_later_reads_their_own(self):
        """A chapter is made of what that one has: Quinn, who was not there, has none."""
        self.ends(TOLD, TOLD)
        assert "Previously" not in self.scene("/join sword", self.quinn)

    def test_where_it_fails_the_lines_are_told(self):
        """No answer, one that is none, or one that names who was not there."""
        self.model.replies += [ModelTimeout(), ModelReply(text="Once upon a time.")]
        assert "Pia: Bob, the gate is open." in self.scene("/day 6")
        assert not self.own(self.pia, kind="chapter")
        failed = "0 under way, 0 done and 2 failed today; the last: Nothing of what the model told"
        assert f"chapters of scenes: {failed}" in self.ai("/health")
        self.scene("/day 5")
        self.model.replies.clear()
        assert "Pia: Bob, the gate" in self.ends("It was in 1812.", "It was in 1812.")

    def test_nobody_is_asked_who_is_to_be_quiet(self):
        """Staff silenced Bob: the lines themselves are told, and no call is made."""
        self.ai("/quiet bob")
        calls = len(self.model.requests)
        assert "Pia: Bob, the gate is open." in self.scene("/day 6")
        assert len(self.model.requests) == calls

    def test_what_is_thought_of_as_all_are_silenced_is_not_told(self):
        """Of an answer that was under way no word is told or kept; the lines are told."""
        for who in (self.bob, self.pia):  # hers is held up
            self.answers(who)
        self.model.hold = hold = Deferred()
        self.scene("/day 6")
        self.ai("/quiet all")
        self.screens.clear()
        hold.callback(None)
        self.steps.run()
        (told,) = self.screen(self.pia)
        assert "Pia: Bob, the gate is open." in told
        assert not self.own(self.pia, kind="chapter")

    @override_settings(AI_ASSISTANT_MODERATION=f"{__name__}.softened")
    def test_moderation_sees_it_before_a_player_does(self):
        """A sentence is told in the words that the game allows, or not at all."""
        told = self.ends(f"{TOLD[:-1]}, damned.", "Bob heard of the gallows.")
        assert "the gate is open, blessed." in told
        assert "damned" not in told
        assert "gallows" not in "\n".join(row.content for row in self.own(self.bob))

    def test_lines_that_go_take_it_along(self):
        """What is taken back, or was heard by nobody, is in no chapter."""
        self.ends(TOLD, TOLD)
        assert self.own(self.bob, kind="chapter")
        row = WorldContainer(self.session).participations(9)[-1]["row"]
        self.aiscene(f"/undo sword = #{row}")
        assert not self.own(self.pia, kind="chapter")
        assert not self.own(self.bob, kind="chapter")

    def test_what_was_taken_back_meanwhile_is_not_told(self):
        """While the model thinks the line goes; its answer is dropped."""
        for who in (self.bob, self.pia):  # hers is held up
            self.answers(who)
        self.model.hold = hold = Deferred()
        self.scene("/day 6")
        assert "takes back" in self.scene("/undo 4")
        hold.callback(None)
        self.steps.run()
        assert not self.own(self.pia, kind="chapter")

    def test_the_account_that_goes_home_has_them(self):
        """Once the scene is over Bob remembers it in the model's sentences, not the lines."""
        self.ends(TOLD, "Bob heard that the gate is open.", by="/stop")
        homes = Container("", entity_id(self.bob)).known_to_meet(
            where={"kind": "recap"}, readers=None, limit=5
        )
        assert [row.content for row in homes] == [
            "When we played the scene The Sword: Bob heard that the gate is open."
        ]

    def test_nobody_waits_without_a_model(self):
        """By rules it is told with the line itself, and no call is made."""
        self.resident(self.bob).mind.model.is_offline = lambda job: True
        calls = len(self.model.requests)
        assert "Pia: Bob, the gate is open." in self.scene("/day 6")
        assert len(self.model.requests) == calls
        assert SCENES.of(entity_id(self.pia)).day == 6
