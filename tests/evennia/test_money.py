"""What was spent: added up by day as calls are written, on its page and by command."""

import html
import re
import time

from django.db import connection
from django.test import override_settings

from ai_assistant.api import forgetting
from ai_assistant.api.desk.money import LISTED
from ai_assistant.core.times import iso
from ai_assistant.models import ModelCall, ModelSpending, Usage
from ai_assistant.storage.calls.call_rows import NewCall, insert_calls
from tests.evennia.pages import PagesTestCase


class TestMoney(PagesTestCase):
    def setUp(self):
        super().setUp()
        self.char1.sessions.get()[0].protocol_flags["SCREENHEIGHT"] = {0: 10_000}

    def hello(self, words="Hello!", who=None):
        """Let somebody ask Marrek, whose model answers."""
        self.model.say("Good day.")
        self.does(who or self.builder, f"say Marrek, {words}")
        self.tick(self.marrek)

    def test_a_call_is_added_to_its_day(self):
        """Two of one player are one row; another player has a row of its own."""
        self.hello()
        self.hello("Is the ferry in?")
        self.hello("And now?", self.a_player("Cid"))
        rows = ModelSpending.objects.order_by("-calls").values_list("calls", "job", "profile")
        assert [*rows] == [(2, "chat", "offline"), (1, "chat", "offline")]

    def test_the_page_and_the_command_tell_the_same(self):
        """By character, player, job and profile, and the caps."""
        self.hello()
        page, told = self.get("money"), self.ai("/money")
        assert '<tr><th scope="row">a turn</th>' in page
        assert "chat" in told
        for words in ("Marrek", "Bea", "offline", "The whole game", "may have cost"):
            assert words.lower() in page.lower(), words
            assert words.lower() in told.lower(), words
        assert "spending-data" in page

    def test_a_row_leads_to_what_it_is_made_of(self):
        """A day's to its turns, a character's to its page as well, a player's by character."""
        self.hello()
        self.builder.account.at_post_create_character(self.builder)
        page = self.get("money")
        links = html.unescape(" ".join(re.findall(r'href="([^"]*)"', page))).split()
        today = ModelSpending.objects.get().day
        asked = (f"assistant={self.marrek.pk}", "who=Bea", f"until={today}")
        lists = [
            next(link for link in links if link.startswith(self.address("turns")) and one in link)
            for one in asked
        ]
        assert self.address("talk") in links
        for link in lists:
            assert "Good day." in self.browser().get(link).content.decode()
        self.builder.account.delete()
        assert "who=Bea" not in html.unescape(self.get("money"))

    def test_guests_who_left_are_one_row(self):
        """Their accounts are gone, and with them their names."""
        for name in ("Guest7", "Guest8"):
            guest = self.a_player(name)
            self.hello(who=guest)
            guest.account.delete()
        assert "guests who left  2 " in self.ai("/money")
        assert "of 100,000,000" in self.get("money")

    def test_those_who_spent_least_stand_on_further_pages(self):
        """On each the others are added up; by page and by command, with their caps."""
        day, owners = iso(time.time())[:10], [f"e{n}" for n in range(LISTED)]
        for calls, who in ((900, owners), (1, [self.resident(self.marrek).id])):
            spent = {"day": day, "calls": calls, "tokens": calls}
            ModelSpending.objects.bulk_create(ModelSpending(assistant=one, **spent) for one in who)
            Usage.objects.bulk_create(Usage(owner=one, **spent) for one in who)
        first = self.get("money")
        (query,) = re.findall(r'href="([^"]*)">Further', first)
        last = self.browser().get(self.address("money") + html.unescape(query)).content.decode()
        assert "Marrek" not in first
        assert last.count(">Marrek<") == 2
        assert "all others" in last
        assert "Further" not in last
        assert "Marrek" not in self.ai("/money")
        assert self.ai("/money 30 2").count("Marrek") == 2

    def test_figures_stay_when_the_calls_go(self):
        """Where no call is kept, or it is forgotten, what it took stays added up."""
        with override_settings(AI_ASSISTANT_CALL_DAYS=0):
            self.hello()
        assert not ModelCall.objects.exists()
        self.hello()
        forgetting.forget_person(self.builder, by="test")
        self.steps.run()
        assert sum(ModelSpending.objects.values_list("calls", flat=True)) == 2

    def test_what_has_no_price_is_told_as_that(self):
        """Dollars of those that are known, and how many are not; PostgreSQL adds no truths."""
        sent = []

        def watched(execute, sql, params, many, context):
            sent.extend(params or ())
            return execute(sql, params, many, context)

        with connection.execute_wrapper(watched):
            for price in (0.25, 0.5, None):
                row = ModelCall(
                    assistant="e1", at=time.time(), job="chat", profile="p", price=price
                )
                insert_calls([NewCall(row)], keep=False)
        assert "$0.75 + 1 unpriced" in self.ai("/money 1")
        assert not [value for value in sent if isinstance(value, bool)]

    def test_nothing_spent(self):
        assert "No model call of these days" in self.get("money")
        assert "No model call of the last 7 days" in self.ai("/money 7")

    def test_days_that_cannot_be(self):
        """A word, none, and too many are refused, on the page too."""
        for days in ("many", "0", "4000"):
            told = self.ai(f"/money {days}")
            assert "From 1 to" in told or "How many? Give a number from 1 on" in told
            assert self.browser().get(self.address("money"), {"days": days}).status_code == 400

    def test_profiles_with_their_prices(self):
        """As published where it is known, and else as unknown."""
        profiles = {"cheap": {"provider": "openai", "model": "gpt-4o-mini"}}
        keys = {"cheap": "sk-1"}
        with override_settings(AI_ASSISTANT_LLM=profiles, AI_ASSISTANT_KEYS=keys):
            told, page = self.ai("/money"), self.get("money")
        assert "gpt-4o-mini (openai)" in told
        assert "128,000" in told
        assert "128000" in page
