"""Outages of a model's server, over a real socket; the table is `docs/faults.md`."""

import json
import queue
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from django.core import checks
from django.test import override_settings

from ai_assistant.agent.attention.budget import FREE
from ai_assistant.api import overview
from ai_assistant.core.errors import BudgetExhausted
from ai_assistant.core.model_records import Message, ModelRequest
from ai_assistant.game.identity import entity_id
from ai_assistant.game.log import report
from ai_assistant.language import language_of
from ai_assistant.llm.breaker import CallEnding, Unavailable
from ai_assistant.llm.bridge import Bridge
from ai_assistant.runtime.outage_watch import OutageWatch
from ai_assistant.runtime.service import SERVICE
from ai_assistant.testing.fake_openai import FakeOpenAI
from tests.evennia.living import CommandTestCase

TABLE = (Path(__file__).resolve().parents[2] / "docs/faults.md").read_text()
EXCUSES = language_of("en").excuses


def row_of(test):
    """Return what the table promises of a test's outage: (what staff see, what is charged)."""
    (row,) = re.findall(rf"^\| O\d+ \|.*::{test}` \|$", TABLE, re.MULTILINE)
    *_, seen, _log, charged, _test = [cell.strip() for cell in row.strip("|").split("|")]
    return seen, charged


class OutageTestCase(CommandTestCase):
    """Marrek thinks by a profile of a server; Alice asks, and Bea the builder looks on."""

    def setUp(self):
        super().setUp()
        self.fake = self.enterContext(FakeOpenAI())
        self.calls = queue.Queue()
        self.alice = self.a_player("Alice")
        self.marrek = None

    def tearDown(self):
        SERVICE.stop()
        self.logged()
        super().tearDown()

    def build(self):
        """The real bridge and client, brought back to this thread by hand."""
        shared = super().build()
        outages = OutageWatch(self.clock, shared.profiles)
        bridge = Bridge(self.hand_over, note=outages.note)
        return replace(shared, outages=outages, bridge=bridge)

    def hand_over(self, call, *args):
        """Keep a call for this thread."""
        self.calls.put((call, args))

    def begin(self, url="", others=(), **options):
        """Let the game begin with a profile of that server, and with others."""
        entry = {"base_url": url or self.fake.url, "model": "small", **options}
        self.enterContext(override_settings(AI_ASSISTANT_LLM={"default": entry, **dict(others)}))
        self.marrek = self.an_assistant()

        async def at_once(seconds):
            pass

        self.resident(self.marrek).mind.pause = at_once
        self.logged()
        self.screen(self.builder)

    def asks(self, line="say Marrek, hello!", character=None):
        """Let Alice ask, wait for the end of the turn, and return what she then saw of him."""
        self.screen(self.alice)
        self.does(self.alice, line)
        resident = self.resident(character or self.marrek)
        while resident.turn_id:
            call, args = self.calls.get(timeout=60)
            call(*args)
            self.steps.run()
        return [
            seen for seen in self.screen(self.alice) if seen.startswith(resident_name(resident))
        ]

    def told(self):
        """Return what staff who are online were told of it."""
        return [line for line in self.screen(self.builder) if "model profile" in line]

    def log(self):
        """Return our lines of the server's log."""
        return [line for line in self.logged() if "ai_assistant: " in line]


def resident_name(resident):
    return resident.script.obj.key


class TestTable(OutageTestCase):
    """Each row: what Alice sees, what Bea sees, the log, and the bill."""

    def suffers(self, url="", fault="", options=None, **given):
        """Let the profile fail in that way; Alice asks aloud and in a whisper, and then again."""
        self.cause, self.charged = row_of(self._testMethodName)
        self.begin(url, **(options or {}))
        if fault:
            self.fake.fault(fault, times=99, **given)
        (line,) = self.asks()
        assert line.removeprefix("Marrek ") in EXCUSES["gestures"]
        (line,) = self.asks("whisper Marrek = And what do you say?")
        assert re.fullmatch(r'Marrek whispers: "(.*)"', line)[1] in EXCUSES["words"]
        (told,) = self.told()
        (logged,) = self.log()
        (banner,) = overview.outages()
        for text in (told, logged, banner):
            assert "'default' fails" in text
            assert self.cause in text
            assert "Next: " in text
        assert self.cause in self.ai("/status marrek")
        assert self.cause in self.ai("")
        self.is_charged()

    def is_charged(self):
        """The ledger has what the table says."""
        calls, tokens = SERVICE.shared.budget.spent(entity_id(self.marrek))
        sent = [len(json.dumps(request["body"])) for request in self.fake.requests]
        bounds = {
            "nothing": (0, 0),
            "the prompt": (sum(sent) // 8, sum(sent) // 2),
            "the reservation": (sum(sent), sum(sent) + 4000 * len(sent)),
            "what the server says": (1, sum(sent) // 2),
        }
        least, most = bounds[self.charged]
        assert least <= tokens <= most
        assert calls == (0 if self.charged == "nothing" else len(sent))

    def is_over(self):
        """Once the server answers, so does Marrek, and that is told once, to the same people."""
        self.fake.reset()
        self.clock.advance(200)
        assert self.asks() == ['Marrek says, "You said: say Marrek, hello!"'] or self.asks()
        for texts in (self.told(), self.log()):
            (text,) = texts
            assert "'default' answers again, after 3 minutes." in text
        assert overview.outages() == ()

    def test_no_such_host(self):
        """A host that nobody knows."""
        self.suffers("http://no-such-host.invalid/v1")

    def test_connection_refused(self):
        """A port where nobody listens."""
        self.suffers("http://127.0.0.1:9/v1")

    def test_no_tls(self):
        """Plain HTTP behind an https address."""
        self.suffers(self.fake.url.replace("http://", "https://"))

    def test_key_refused(self):
        """After it nobody asks for ten minutes; the first cause stays."""
        self.suffers(fault="401")
        assert len(self.fake.requests) == 1
        assert "refused the key" in self.resident(self.marrek).last_error

    def test_account_empty(self):
        """As a refused key."""
        self.suffers(fault="402")

    def test_wrong_address(self):
        """Or a model that the server does not have."""
        self.suffers(fault="404")
        self.is_over()

    def test_too_many_requests(self):
        """Asked for twice, since it passes."""
        self.suffers(fault="429")

    def test_server_error(self):
        """Asked for twice, since it passes."""
        self.suffers(fault="500")
        self.is_over()

    def test_timeout(self):
        """Nothing comes."""
        self.suffers(fault="hang", options={"timeout": 1.0})
        self.is_over()

    def test_body_cut_short(self):
        """Half an answer is none."""
        self.suffers(fault="cut")
        self.is_over()

    def test_empty_answer(self):
        """No words, no calls."""
        self.suffers(fault="empty")
        self.is_over()

    def test_no_json(self):
        """A page of some proxy."""
        self.suffers(fault="html")
        self.is_over()


class TestLongOutage(OutageTestCase):
    def test_told_once_however_many_ask(self):
        """Twenty questions, twenty excuses, one line to staff and log; players are told nothing."""
        self.begin("http://127.0.0.1:9/v1")
        seen = [self.asks() for _ in range(20)]
        assert all(len(lines) == 1 for lines in seen)
        assert all(line != after for line, after in pairwise(seen))
        assert len(self.told()) == len(self.log()) == 1
        assert not [line for line in self.screen(self.alice) if "profile" in line]
        assert SERVICE.shared.budget.spent("") == (0, 0)

    def test_a_call_on_trial_is_no_outage(self):
        """What staff try out before the game uses it alarms nobody."""
        self.begin()
        other = replace(SERVICE.shared.profiles["default"], model="another")
        self.fake.fault("404")
        request, ended = ModelRequest((Message("user", "Hello"),)), []
        SERVICE.shared.bridge.complete(other, request).addErrback(ended.append)
        while not ended:
            call, args = self.calls.get(timeout=60)
            call(*args)
        assert ended[0].check(Unavailable)
        assert self.told() == []

    def test_the_offline_model_stands_in(self):
        """Its answer is heard, costs nothing, is counted apart, and `ai/why` tells of it."""
        self.enterContext(override_settings(AI_ASSISTANT_FALLBACK="offline"))
        self.begin()
        self.fake.fault("404", times=9)
        self.model.text("Good day to you.")
        assert self.asks() == ['Marrek says, "Good day to you."']
        assert "The offline model stands in." in self.told()[0]
        assert SERVICE.shared.budget.spent("") == (0, 0)
        assert SERVICE.shared.budget.spent(f"{entity_id(self.marrek)}{FREE}")[0] == 1
        why = self.ai("/why marrek")
        assert "the offline model stood in: The model's server of 'default' does not know" in why
        assert next(overview.glances())[0].row.free == 1
        assert next(overview.glances())[0].row.calls == 0

    def test_it_stands_in_for_those_words_alone(self):
        """What the server minds is shown to it no more, and it answers the others again."""
        self.enterContext(override_settings(AI_ASSISTANT_FALLBACK="offline"))
        self.begin()
        self.fake.fault("403")
        self.model.text("Good day to you.")
        assert self.asks("say Marrek, vile words!") == ['Marrek says, "Good day to you."']
        self.fake.call("say", text="A cold one.")
        assert self.asks("say Marrek, what a day!") == ['Marrek says, "A cold one."']
        assert "vile words" not in json.dumps(self.fake.requests[-1]["body"])

    def test_what_the_offline_model_took_is_told_as_its_turn_has_it(self):
        """Apart from what counts, in the table of all and of one alone."""
        self.enterContext(override_settings(AI_ASSISTANT_FALLBACK="offline"))
        self.begin()
        self.fake.fault("404", times=9)
        self.model.say("Good day to you.")
        self.asks()
        row = next(overview.glances())[0].row
        assert (row.calls, row.tokens, row.free, row.free_tokens) == (0, 0, 1, 110)
        assert "1 step, $0.00, 0.0 s, 110 tokens" in self.ai("/why marrek")
        assert "0 +110" in self.ai("")
        assert "at no cost: calls 1, tokens 110" in self.ai("/status marrek")


class TestWrongProfile(OutageTestCase):
    WRONG = "AI_ASSISTANT_LLM['bad']['provider'] must be one of"

    def setUp(self):
        super().setUp()
        self.begin(others={"bad": {"provider": "nobody"}}.items())

    def test_it_stops_nobody_else(self):
        """Who has another profile talks; who has this one makes excuses, and `ai` says why."""
        (line,) = self.asks()
        assert line.startswith('Marrek says, "')
        elara = self.an_assistant("Elara", llm_profile="bad")
        (line,) = self.asks("say Elara, hello!", elara)
        assert line.removeprefix("Elara ") in EXCUSES["gestures"]
        assert self.WRONG in self.ai("")
        assert self.WRONG in self.ai("/status elara")
        assert self.WRONG not in self.ai("/status marrek")

    def test_a_failed_call_is_one_line_of_the_log(self):
        """By night there may be many, and where it was asked tells the owner nothing."""
        self.logged()
        for problem in (Unavailable(CallEnding.NETWORK, "Nobody there."), BudgetExhausted()):
            report("sleep", problem)
        assert self.logged() == [
            "ai_assistant: sleep: Nobody there.",
            f"ai_assistant: sleep: {BudgetExhausted()}",
        ]

    def test_the_log_and_the_check_say_so(self):
        """At a reload the log names it once, and so does ``evennia check``; nothing is refused."""
        SERVICE.stop()
        SERVICE.__init__(**self.ties())
        assert SERVICE.shared.profiles["bad"].problem
        assert SERVICE.shared.profiles["default"].problem == ""
        assert len([line for line in self.log() if self.WRONG in line]) >= 1
        found = [it for it in checks.run_checks() if it.id and it.id.startswith("ai_assistant")]
        (warning,) = found
        assert self.WRONG in warning.msg
        assert not warning.is_serious()
