"""Metrics: what Prometheus reads, who may, and that the board draws what there is."""

import json
import re
from dataclasses import replace
from pathlib import Path

from django.test import Client, override_settings
from prometheus_client.parser import text_string_to_metric_families
from twisted.internet.task import Clock

from ai_assistant.api import lifecycle
from ai_assistant.api.game_state import health
from ai_assistant.core.errors import ModelTimeout, StoreError
from ai_assistant.core.times import iso
from ai_assistant.game.reactor_lateness import ReactorProbe
from ai_assistant.models import ModelSpending
from ai_assistant.runtime.outage_watch import misconfigured
from ai_assistant.runtime.service import SERVICE
from ai_assistant.workers.long_work import CHAPTERS, LONG_WORK, NIGHTS
from ai_assistant.workers.worker_queue import WorkerQueue
from tests.evennia.pages import PagesTestCase

DOCS = Path(__file__).parents[2] / "docs"
BOARD, PAGE = DOCS / "grafana.json", DOCS / "metrics.md"


@override_settings(AI_ASSISTANT_METRICS_TOKEN="sesame")
class TestMetrics(PagesTestCase):
    def answer(self, token="sesame", **headers):
        """Ask as Prometheus does, which is logged in nowhere."""
        bearer = {"Authorization": f"Bearer {token}"} if token else {}
        return Client().get("/ai/metrics", headers=bearer | headers)

    def samples(self):
        """Return {name: [(labels, value)]} of all that is told."""
        told = {}
        for family in text_string_to_metric_families(self.answer().content.decode()):
            for sample in family.samples:
                told.setdefault(sample.name, []).append((sample.labels, sample.value))
        return told

    def with_workers(self):
        """Return a queue for workers, which the game has from now on."""
        queue = WorkerQueue(self.clock, None, None, self.steps, None)
        SERVICE._shared = replace(SERVICE.shared, workers=queue)
        return queue

    def test_it_is_off_until_a_token_is_set(self):
        """Without the setting nobody reads it, and the answer says which one."""
        with override_settings(AI_ASSISTANT_METRICS_TOKEN=""):
            answer = self.answer()
            assert answer.status_code == 404
            assert b"AI_ASSISTANT_METRICS_TOKEN" in answer.content
            assert self.answer(token="").status_code == 404

    def test_a_wrong_token_is_refused(self):
        """Nor does it help to say that one sits at the machine itself."""
        for token in ("", "sesam", "sesame ", "sésame"):
            assert self.answer(token, **{"X-Forwarded-For": "127.0.0.1"}).status_code == 401
        assert self.asked == 0

    def test_a_turn_is_counted(self):
        """Turns, spending and memories are those of the assistants, by number and name."""
        self.model.say("Ropes and nails.")
        self.does(self.char1, "say Marrek, what do you sell?")
        SERVICE.shared.budget.count_free(self.resident(self.marrek).id, 70)
        told = self.samples()
        outcomes = {labels["outcome"] for labels, _ in told["ai_assistant_turns_total"]}
        assert outcomes == {"answered"}
        assert {labels["name"] for labels, _ in told["ai_assistant_turns_total"]} == {"Marrek"}
        assert told["ai_assistant_assistants"] == [({"state": "listening"}, 1.0)]
        assert told["ai_assistant_queue_lines"] == [({}, 0.0)]
        assert told["ai_assistant_calls_cap"] == [({}, 50_000.0)]
        assert told["ai_assistant_free_tokens_today"] == [({}, 70.0)]

    def test_money_of_today(self):
        """What calls cost by published prices is summed up, and begins anew with the day."""
        row = {"day": iso(self.clock.now())[:10], "assistant": "e1", "payer": "", "job": "chat"}
        for profile, price in (("default", 0.25), ("other", 0.5)):
            ModelSpending.objects.create(
                **row, profile=profile, calls=1, tokens=9, price=price, unpriced=0
            )
        assert self.samples()["ai_assistant_dollars_today"] == [({}, 0.75)]
        self.clock.advance(86_400)
        assert self.samples()["ai_assistant_dollars_today"] == [({}, 0.0)]

    def test_errors_by_cause(self):
        """Calls that brought nothing are told apart by why."""
        profile = SERVICE.shared.profiles["default"]
        for error in (ModelTimeout(), ModelTimeout(), misconfigured(profile), None):
            SERVICE.shared.outages.note(profile, error)
        assert "default" in str(self.logged())
        told = self.samples()["ai_assistant_failed_calls_total"]
        assert {labels["cause"]: count for labels, count in told} == {"timeout": 2, "settings": 1}

    def test_nights_and_workers(self):
        """A night is under way; what is done, failed, and asked of workers is counted."""
        self.resident(self.marrek).sleeper.begin()
        LONG_WORK.done(CHAPTERS)
        LONG_WORK.failed(NIGHTS, StoreError())
        self.with_workers().counts["here"] = 2
        told = self.samples()
        work = {tuple(labels.values()): count for labels, count in told["ai_assistant_long_work"]}
        assert {key: count for key, count in work.items() if count} == {
            (NIGHTS, "under way"): 1,
            (NIGHTS, "failed"): 1,
            (CHAPTERS, "done"): 1,
        }
        asked = told["ai_assistant_worker_questions_total"]
        assert asked == [({"by": "workers"}, 0.0), ({"by": "here"}, 2.0)]
        assert told["ai_assistant_worker_questions_waiting"] == [({}, 0.0)]

    def test_how_late_the_game_is(self):
        """A step of the reactor that takes long is seen, here and in the health of the game."""
        clock = Clock()
        probe = ReactorProbe(clock)
        probe.start()
        for step in (*[0.5] * 58, 1.75, 0.25):
            clock.advance(step)
        assert probe.lateness() == (0.0, 1.25)
        probe.stop()
        clock.advance(9)
        assert probe.lateness() == (0.0, 1.25)
        told = self.samples()["ai_assistant_reactor_lateness_seconds"]
        assert [labels for labels, _ in told] == [{"quantile": "0.5"}, {"quantile": "0.99"}]
        assert "loop is late by" in " ".join(str(health().figures).split())

    def test_words_of_players_are_in_no_figure(self):
        """A metric holds counts, never what was said."""
        self.model.say("I shall look for it.")
        self.does(self.char1, "say Marrek, the xylophone is under the bridge.")
        assert b"xylophone" not in self.answer().content

    def test_the_board_draws_what_there_is(self):
        """Each metric of the board that docs bring is told by the game."""
        lifecycle.stop(self.marrek)
        drawn = set(re.findall(r"ai_assistant_\w+", BOARD.read_text("utf-8")))
        families = text_string_to_metric_families(self.answer().content.decode())
        names = {family.name for family in families}
        assert drawn
        assert {name.removesuffix("_total") for name in drawn} <= names
        assert all(panel["title"] for panel in json.loads(BOARD.read_text("utf-8"))["panels"])

    def test_the_page_names_what_there_is(self):
        """Each metric of the game stands in its page, and no other."""
        self.with_workers()
        families = text_string_to_metric_families(self.answer().content.decode())
        ending = {"counter": "_total", "gauge": ""}
        names = {family.name + ending[family.type] for family in families}
        rows = re.findall(r"^\| (`ai_assistant_.*?) \|", PAGE.read_text("utf-8"), re.MULTILINE)
        assert set(re.findall(r"`(ai_assistant_\w+)", " ".join(rows))) == names
