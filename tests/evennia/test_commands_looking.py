"""The command `ai`: what staff get to see and set, how they name whom they mean, and no secrets."""

import re
import time
from dataclasses import replace
from functools import partial

from django.db import connection
from django.test import override_settings

from ai_assistant.api import lifecycle
from ai_assistant.commands.staff.ai import CmdAI
from ai_assistant.core.errors import ModelUnavailable
from ai_assistant.llm.bridge import Bridge
from ai_assistant.runtime.assembly import build_shared
from tests.evennia.living import CommandTestCase
from tests.evennia.stage import HOSTILE
from tests.evennia.storehouse import long_talk

CANARY = "sk-canary-8f3b"
ENDPOINT = "canary-host"


class TestStatusAndHistory(CommandTestCase):
    def test_status(self):
        """State, queue, last turn, spending and memory are there."""
        self.an_assistant()
        self.model.say("Hello.")
        self.does(self.builder, "say Hello, Marrek!")
        told = self.ai("/status marrek")
        for words in (
            "listening",
            "calls 1 of 2000, tokens 110 of",
            "2000",
            "last turn: answered",
            "answered 1",
        ):
            assert words in told, told

    def test_last_error(self):
        """What went wrong last is told."""
        self.an_assistant()
        self.model.fail(RuntimeError("a bug"))
        self.does(self.builder, "say Hello, Marrek!")
        assert "RuntimeError: a bug" in self.ai("/status marrek")
        assert "a bug" in "".join(self.logged())

    def test_a_model_that_is_down(self):
        """The table says so and since when, until it answers again or some time has passed."""
        self.an_assistant()
        self.model.fail(ModelUnavailable("down"))
        self.does(self.builder, "say Hello, Marrek!")
        self.clock.advance(40)
        assert "listening (failed 40 seconds ago)" in " ".join(self.ai("/status marrek").split())
        assert self.ai("/status marrek").count("down") == 1
        self.clock.advance(600)
        assert "(failed" not in self.ai("")
        self.model.fail(ModelUnavailable("down"))
        self.does(self.builder, "say Are you there, Marrek?")
        assert "(failed 0" in self.ai("")
        self.model.say("Hello.")
        self.does(self.builder, "say Hello, Marrek!")
        assert "(failed" not in self.ai("")

    def test_the_inventorys_names(self):
        """`aihistory` and `aiinteract` are switches of `ai` under names of their own."""
        self.an_assistant()
        beside = self.builder
        self.model.text("I mend the boat.")
        assert "perceived nothing" in self.types(CmdAI, " marrek", cmdstring="aihistory")
        told = self.types(CmdAI, " marrek = What do you plan?", cmdstring="aiinteract")
        assert "Marrek thinks about it." in told
        assert any("I mend the boat." in line for line in (told, *self.screen(self.char1)))
        assert "I mend" not in "".join(self.screen(beside))
        told = self.ai("/why marrek")
        for words in ("answered (1 model call", "a task: the answer is", "said: I mend the boat."):
            assert words in told, told

    def test_history(self):
        """What was perceived and done is listed, oldest first, private things marked."""
        self.an_assistant()
        assert "perceived nothing" in self.ai("/history marrek")
        self.model.say("Hello.").call("whisper", to="p2", text="Hush.")
        self.does(self.builder, "say Hello, Marrek!")
        self.does(self.builder, "whisper Marrek = the gold is here")
        told = self.ai("/history marrek")
        assert told.index("Hello, Marrek!") < told.index("Hello.") < told.index("(private)")
        assert "Hello, Marrek!" not in self.ai("/history marrek = 2")

    def test_history_before_a_time(self):
        """What is not at hand any more is read from its past, and each list says how to go on."""
        marrek = self.an_assistant()
        long_talk(marrek, 200)
        line = "/history marrek = 30"
        seen = []
        while line and len(seen) < 400:
            told = " ".join(self.ai(line).split())
            seen += map(int, re.findall(r"Line (\d+) of it", told))
            older = re.search(r"ai(/history Marrek = 30 before [-\d]+ [:\d]+)", told)
            line = older and older[1]
        assert {*seen} == {*range(200)}
        assert len(seen) <= 200 + 2 * 8  # those of the same second are told once more
        assert "nothing that is still known" in self.ai("/history marrek = 30 before 1969-12-31")
        assert "Which moment?" in self.ai("/history marrek = 30 before noon")

    def test_numbers_that_are_none(self):
        """What is no number from one on is refused."""
        self.an_assistant()
        for number in ("0", "-1", "all", "²", "1.5", "9" * 5000):
            assert "Give a number" in self.ai(f"/history marrek = {number}")


class TestConfig(CommandTestCase):
    def test_shown(self):
        """All keys with their meaning, and where each comes from; one alone says what fits."""
        self.an_assistant(tick_rate=7)
        told = self.ai("/config marrek")
        assert "(from this character)" in told
        for word, source in (("calls a day", "the game"), ("notebook?", "its memory role")):
            assert f"(from {source})" in " ".join(self.ai(f"/config marrek {word}").split())
        assert "(from" not in self.ai("/config marrek asleep")
        assert "from: default" in self.ai("/config marrek sleep_enabled")
        assert "Page [1/" in told
        assert "sleep_start_hour" in self.ai("/config marrek = asleep")
        assert "takes a number from 1 to 3600" in self.ai("/config marrek = tick_rate")

    def test_by_what_they_are_about(self):
        """Options stand in groups; a word finds those of a group, a key or a meaning."""
        marrek = self.an_assistant()
        told = self.ai("/config marrek budget")
        assert "[sizes and budget]" in told
        for key in ("daily_calls", "daily_tokens", "max_context_tokens"):
            assert key in told
        assert "tick_rate" not in told
        assert "daily_calls" in self.ai("/config marrek = model calls")
        assert "daily_calls is now 9" in self.ai("/config marrek daily_calls 9")
        assert "who it is: ai/persona" in self.ai("/config marrek = role")
        assert "Did you mean autonomy_interval?" in self.ai("/config marrek autonmy_interval 9")
        assert "ai/persona Marrek = role: …" in self.ai("/config marrek role miller")
        assert marrek.assistant_script.config.values == {"daily_calls": 9}

    def test_set(self):
        """Both ways of writing it work, and `default` takes it back."""
        marrek = self.an_assistant()
        config = lambda: marrek.assistant_script.config["tick_rate"]  # noqa: E731
        assert "tick_rate is now 7" in self.ai("/config marrek = tick_rate 7")
        assert "tick_rate is now 8" in self.ai("/config marrek set tick_rate 8")
        assert "= 8" in self.ai("/config marrek show tick_rate")
        assert config() == 8
        assert "tick_rate is now 5" in self.ai("/config marrek = tick_rate default")
        told = self.ai("/config marrek = llm_profile default")
        assert "is now none. So the game chooses." in told
        assert "llm_profile is now default." in self.ai('/config marrek = llm_profile "default"')

    def test_equal_signs_in_values(self):
        """Pairs are read in either way of writing."""
        self.a_channel()
        marrek = self.an_assistant()
        for line in ("marrek = channels Public=all", "marrek set channels Public=all"):
            assert "Public=all" in self.ai(f"/config {line}")
            assert marrek.assistant_script.config["channels"] == {"Public": "all"}
            self.ai("/config marrek = channels default")

    def test_what_makes_no_sense(self):
        """Unknown keys and values that do not fit are told, and nothing is changed."""
        marrek = self.an_assistant()
        assert "no option 'speed'" in self.ai("/config marrek = speed 7")
        assert "Did you mean patience" in self.ai("/config marrek = patince")
        assert "1 to 3600" in self.ai("/config marrek = tick_rate fast")
        assert "Which assistant?" in self.ai("/config")
        assert "Which assistant?" in self.ai("/config = tick_rate 7")
        assert marrek.assistant_script.config.values == {}


class TestNames(CommandTestCase):
    def test_part_of_a_name(self):
        """A clear part is enough, in any case; so is an alias, or the number."""
        marrek = self.an_assistant("Captain Old Marrek")
        marrek.aliases.add("ferryman")
        for name in ("marrek", "OLD", "ferryman", marrek.dbref, "captain old marrek"):
            assert "Captain Old Marrek" in self.ai(f"/status {name}")

    def test_unclear_names(self):
        """Where two are meant the choices are listed; a whole name goes before a part of one."""
        self.an_assistant("Ann"), self.an_assistant("Anna")
        assert "Which of them: Ann, Anna?" in self.ai("/status an")
        assert "Ann: listening" in self.ai("/status ann")

    def test_two_of_one_name(self):
        """Namesakes are told apart by their numbers."""
        first, second = self.an_assistant("Ann"), self.an_assistant("Ben")
        second.key = "Ann"
        told = self.ai("/status ann")
        assert f"Ann ({first.dbref}), Ann ({second.dbref})" in told

    def test_words_of_the_command_in_names(self):
        """A name may hold what looks like a part of the command."""
        self.an_assistant("The set piece")
        assert "tick_rate is now 7" in self.ai("/config The set piece = tick_rate 7")
        assert "tick_rate is now 8" in self.ai("/config The set piece set tick_rate 8")
        assert "tick_rate" in self.ai("/config The set piece")

    def test_hostile_words(self):
        """Whatever is typed for a name is refused in plain words."""
        self.an_assistant()
        for line in HOSTILE:
            for switch in ("status", "stop", "config", "persona", "delete", "history"):
                told = self.ai(f"/{switch} {line}")
                assert "{speaker" not in told
                assert len(told) < 3000


@override_settings(
    AI_ASSISTANT_LLM={
        "default": {
            "provider": "openai",
            "model": "small",
            "base_url": f"http://{ENDPOINT}.invalid:1/v1",
            "headers": {"X-Team": CANARY},
        }
    },
    AI_ASSISTANT_KEYS={"default": CANARY},
)
class TestSecrets(CommandTestCase):
    def build(self):
        """The real bridge, whose results come in with the test's steps."""
        shared = build_shared()
        bridge = Bridge(
            lambda call, *args: self.steps(0, partial(call, *args)),
            in_flight=4,
            max_bytes=10_000,
        )
        self.addCleanup(bridge.stop)
        return replace(shared, bridge=bridge)

    def test_shown_to_nobody(self):
        """Neither keys nor endpoints are in any answer, in the log, or anywhere on disk."""
        marrek = self.an_assistant()
        self.does(self.builder, "say Hello, Marrek!")
        while not self.closed_or_answered():
            time.sleep(0.02)
            self.steps.run()
        told = [self.ai(line) for line in self.every_way_to_ask()]
        assert "small (openai)" in told[0]
        assert "could not be reached" in told[1]
        shown = "\n".join([*told, *self.logged(), *map(repr, self.screen(self.builder))])
        for secret in (CANARY, ENDPOINT):
            assert secret not in shown
            assert secret not in self.database()
            assert secret not in repr(self.resident(marrek))

    def closed_or_answered(self):
        return self.resident(lifecycle.all_assistants()[0]).last_report is not None

    def every_way_to_ask(self):
        return (
            "",
            "/status marrek",
            "/config marrek",
            "/config marrek = llm_profile",
            "/config marrek = llm_profile nonsense",
            "/config marrek = llm_profile default",
            "/history marrek",
            "/persona marrek",
        )

    def database(self):
        """Return all that stands in any table."""
        with connection.cursor() as cursor:
            found = []
            for table in connection.introspection.table_names(cursor):
                cursor.execute(f'SELECT * FROM "{table}"')
                found += map(repr, cursor.fetchall())
        return "\n".join(found)
