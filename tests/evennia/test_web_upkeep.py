"""The pages that keep a game going: its health, its settings, and how one assistant executes."""

from datetime import date

from django.db import connection
from django.test import override_settings
from twisted.internet.defer import CancelledError

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.api.doctor.checkup import CHECKS, ENDPOINT
from ai_assistant.api.game_state import game_settings
from ai_assistant.core.errors import CardError
from ai_assistant.game.stored_profiles import store_profiles
from ai_assistant.storage.gateway import GATEWAY
from ai_assistant.web.tags import LOOKED_AT, PART_MEANINGS
from ai_assistant.workers.long_work import EXPORTS, IMPORTS, LONG_WORK
from tests.evennia.pages import PagesTestCase
from tests.evennia.storehouse import sqlite_only


class TestUpkeep(PagesTestCase):
    def test_health_of_the_game(self):
        """What waits, how many rows there are, and what the doctor found; as by command."""
        page = self.get("health")
        for words in (
            "All characters can think",
            "Lines that wait",
            "Memories in the database, at most",
            "Spoken lines in the database, at most",
            "Tables of the database <small>migrations</small>",
        ):
            assert words in page
        assert "lines that wait for an answer: 0" in self.ai("/health")

    def test_every_check_of_the_doctor_is_said_in_words(self):
        """No row of the page begins with a bare id."""
        assert set(LOOKED_AT) == {*CHECKS, ENDPOINT}

    def test_every_part_of_the_state_is_explained(self):
        """The page of the audit log says what each part holds that it names."""
        assert {*PART_MEANINGS} == {*PARTS, "block", "memory"}
        self.marrek.goals.add_goal("Find planks.")
        assert "<dt>goals</dt><dd>its goals</dd>" in self.get("audit")

    def test_long_work_is_told_until_the_next_day(self):
        """How far it is, and why the last failed: on the page and by command, not what is over."""
        days = [date(2026, 5, 1)]
        LONG_WORK.__init__(today=lambda: days[-1])
        LONG_WORK.failed(EXPORTS, CardError("The folder is |rfull."))
        LONG_WORK.failed(EXPORTS, CancelledError())
        with LONG_WORK.running(IMPORTS) as first, LONG_WORK.running(IMPORTS) as second:
            first(1000, 1500)
            second(500, 1500)
            far = "2 under way (1,500 of 3,000 memories), 0 done and 0 failed today"
            for shown in (self.get("health"), self.ai("/health")):
                assert far in shown
                assert "0 done and 1 failed today; the last: The folder is /rfull." in shown
        assert "0 under way, 2 done and 0 failed today" in self.get("health")
        days.append(date(2026, 5, 2))
        assert "today" not in self.get("health") + self.ai("/health")

    def test_what_keeps_them_from_thinking_comes_first(self):
        """All being quiet is said on the page and by command."""
        self.ai("/quiet all")
        assert "told to be quiet" in self.get("health")
        assert "told to be quiet" in self.ai("/health")

    def test_the_command_tells_what_is_amiss_once_and_first(self):
        """What is in order takes one line; what is not comes before all figures."""
        keyless = {"provider": "openai", "model": "m", "key_env": "NO"}
        store_profiles({"default": {"provider": "local"}, "other": keyless})
        with override_settings(AI_ASSISTANT_IN_FLIGHT="many", AI_ASISTANT_LLM={}):
            told = self.ai("/health")
        assert told.index("problem, values: AI_ASSISTANT_IN_FLIGHT") < told.index("lines that wait")
        assert told.count("AI_ASSISTANT_IN_FLIGHT") == 1
        assert told.count("AI_ASISTANT_LLM") == 1
        assert "do: call it AI_ASSISTANT_LLM" in told
        (well,) = [line for line in told.splitlines() if line.startswith("set up well: ")]
        assert "typeclass" in well
        assert "profiles" not in well  # one of two lacks its key

    def test_a_misspelt_setting_is_told_where_everybody_is(self):
        """Whoever wonders why the offline model still answers reads it in `ai`."""
        with override_settings(AI_ASISTANT_LLM={}):
            assert "AI_ASISTANT_LLM is no setting of ours" in " ".join(self.ai("").split())

    def test_settings_say_where_they_come_from(self):
        """One of the file, one that nobody set, and one that cannot be used."""
        with override_settings(AI_ASSISTANT_LABEL="AI", AI_ASSISTANT_IN_FLIGHT="many"):
            page, told = self.get("game_settings"), self.ai("/settings label")
        assert "AI_ASSISTANT_IN_FLIGHT must be of type int" in page
        assert "Turns that may wait for a model" in page
        assert "AI_ASSISTANT_LABEL = AI (the settings)" in told
        assert "default" in self.ai("/settings label")
        assert "No setting matches" in self.get("game_settings", query={"q": "nonsense"})
        assert "ai/config <name> budget what one" in self.ai("/settings budget")

    def test_what_the_set_up_keeps_comes_first(self):
        """It goes before the settings; what can be used has no problem, what lacks its key has."""
        good, keyless = {"provider": "local"}, {"provider": "openai", "model": "m", "key_env": "NO"}
        store_profiles({"default": good, "other": keyless})
        rows = game_settings()
        assert [row.name for row in rows[:2]] == ["profile default", "profile other"]
        assert rows[0].problem == ""
        assert rows[1].value == "offline"
        assert "NO is not set" in rows[1].problem
        assert "set up" not in self.ai("/settings profile default")

    def test_no_key_is_shown(self):
        """Of profiles and keys the names alone."""
        profiles = {"mine": {"base_url": "http://h/v1", "model": "m", "api_key_env": "SECRET_ENV"}}
        with override_settings(AI_ASSISTANT_KEYS={"mine": "sk-12345"}, AI_ASSISTANT_LLM=profiles):
            shown = self.get("game_settings") + self.ai("/settings")
        assert "mine" in shown
        assert "sk-12345" not in shown

    def test_no_token_is_shown(self):
        """With that of the metrics anybody could read them: it is told only that there is one."""
        with override_settings(AI_ASSISTANT_METRICS_TOKEN="open sesame"):
            shown = self.get("game_settings") + self.ai("/settings metrics")
        assert "set, and not shown" in shown
        assert "sesame" not in shown

    @sqlite_only
    def test_our_own_short_wait_is_no_finding(self):
        """How long the game's own statements wait for the database counts, not how long ours do."""
        with GATEWAY, connection.cursor() as cursor:
            assert cursor.execute("PRAGMA busy_timeout").fetchone()[0] < 1000 < GATEWAY.usual_wait
            assert "waits only" not in self.ai("/health")

    def test_stopped_and_cleared_on_its_page(self):
        """Asked about first, then done as by command."""
        assert "max consecutive errors" in self.get("execution")
        fields = {"reason": "it insults everybody"}
        assert "it insults everybody" in self.change("emergency", **fields).content.decode()
        assert not self.resident(self.marrek).hindrance
        self.change("emergency", **fields, sure="yes")
        self.logged()
        assert self.resident(self.marrek).hindrance == "emergency_stop"
        assert "Clear the emergency stop" in self.get("execution")
        self.change("end_emergency", sure="yes")
        assert not self.resident(self.marrek).hindrance
