"""The owner's pages: who may see which, what each shows, and that it asks the game but once."""

import html
import json
import re
import time
from itertools import count
from urllib.parse import unquote

from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from ai_assistant.api import blocks, execution, lifecycle
from ai_assistant.api.desk.regression import mark_turn
from ai_assistant.api.handlers import save, store_of
from ai_assistant.api.overview import glances
from ai_assistant.api.turns.turn_list import (
    LOOKED_AT,
    READ,
    SHOWN,
    WantedTurns,
    named_assistants,
    turn_rows,
)
from ai_assistant.commands.staff.ai import CmdAI
from ai_assistant.core.contracts import Change, Commit, MemoryRow
from ai_assistant.core.errors import ModelUnavailable
from ai_assistant.core.times import DAY, iso
from ai_assistant.game.identity import entity_id
from ai_assistant.memory.inner.verdicts import VERDICTS
from ai_assistant.models import AssistantEvent, ModelCall, ModelSpending, Participation
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage.attributes import in_minds
from ai_assistant.storage.ledgers import RowBook
from ai_assistant.web.tags import told_briefly
from ai_assistant.web.views import TURNS
from tests.evennia.pages import PagesTestCase
from tests.evennia.storehouse import an_event, long_talk

PAGES = (
    *("overview", "turns", "talk", "persona", "settings", "people", "plans", "journal"),
    *("blocks", "memory", "nights", "execution", "health", "game_settings"),
    *("scenes", "scene", "lore"),
)
OF_ALL = ("overview", "turns", "scenes", "lore", "world", "money", "health", "game_settings")
FOR_EDITORS = ("calls", "prompt", "card")


class TurnsTestCase(PagesTestCase):
    """Pages in a game of many turns."""

    def with_turns(self, *bodies):
        """Let them have as many turns and records together as are looked through, in turn."""
        data = {"tokens": 9, "model_calls": [], "speech": "Ay.", "outcome": "answered"}
        keys, before = [entity_id(body) for body in bodies], AssistantEvent.objects.count()
        AssistantEvent.objects.bulk_create(
            AssistantEvent(
                assistant=keys[number % len(keys)],
                seq=10**6 + before + number,
                type="TurnCompleted",
                at=float(number),
                turn_id=f"t{number}",
                data=data | {"events": [f"heard-{number}"]},
            )
            for number in range(READ)
        )
        Participation.objects.all().delete()
        Participation.objects.bulk_create(
            Participation(event=f"heard-{number}", row=1, at=float(number))
            for number in range(READ)
        )


class TestWhoMaySee(PagesTestCase):
    def statuses(self, account):
        """Return what each page answers to somebody."""
        browser = self.browser(account)
        pages = (*PAGES, *FOR_EDITORS)
        return {name: browser.get(self.address(name)).status_code for name in pages}

    def test_strangers_log_in_first(self):
        """Whoever is not logged in is sent there, and the game is asked nothing."""
        assert set(self.statuses(AnonymousUser()).values()) == {302}
        assert self.asked == 0

    def test_players_and_guests_see_nothing(self):
        """An account without the permission is refused every page."""
        guest = self.a_player("Guest1").account
        guest.permissions.add("Guest")
        for account in (guest, self.a_player("Cid").account):
            assert set(self.statuses(account).values()) == {403}

    def test_builders_look(self):
        """They see what the commands for Builders tell, and no prompt."""
        statuses = self.statuses(self.builder.account)
        assert {name for name, status in statuses.items() if status == 200} == set(PAGES)

    def test_admins_and_the_superuser_see_all(self):
        """They see every page."""
        root = self.a_player("Root").account
        root.is_superuser = True
        root.save()
        for account in (self.account, root):
            assert set(self.statuses(account).values()) == {200}

    def test_the_game_may_say_who(self):
        """The permissions are settings."""
        with override_settings(AI_ASSISTANT_PAGE_READERS="Developer"):
            assert self.statuses(self.account)["overview"] == 403

    def test_no_such_assistant(self):
        """A number of nobody, and of somebody without a mind, lead nowhere."""
        for number in (999_999, self.builder.pk):
            page = self.browser().get(self.address("talk", number=number))
            assert page.status_code == 404


class TestWhatPagesShow(TurnsTestCase):
    def setUp(self):
        super().setUp()
        self.model.say("Good day to you.")
        self.does(self.builder, "say Hello, Marrek! My cat is called Albatross.")

    def turn(self):
        """Return the id of the last turn."""
        return self.turn_record().turn_id

    def turn_record(self):
        return AssistantEvent.objects.filter(type="TurnCompleted").last()

    def test_all_assistants(self):
        """Each stands under its room, with state, last line and spending."""
        page = self.get("overview")
        for words in ("Marrek", "The Inn", "listening", "Good day to you.", "offline"):
            assert words in page

    def test_who_is_stopped_has_a_last_line_as_well(self):
        """On the page of all, in the list by last lines, and by the API's figures of one."""
        lifecycle.stop(self.marrek)
        assert "Good day to you." in self.get("overview")
        assert next(glances())[0].last["content"] == "Good day to you."

    def test_all_assistants_in_an_order(self):
        """By room, unless another is asked for; then no room stands above, and it stays so."""
        hilda, wren = self.an_assistant("Hilda"), self.an_assistant("Wren", self.street)
        self.resident(wren).last_error = "No answer came."
        execution.silence(hilda)
        spent = ModelSpending.objects.filter(assistant=entity_id(self.marrek))
        SERVICE.shared.calls.write()
        spent.update(price=1.25)
        RowBook().spend(iso(SERVICE.shared.clock.now())[:10], [entity_id(self.marrek)], 1, 70)
        for sort, names in {
            "": "Wren Hilda Marrek",
            "name": "Hilda Marrek Wren",
            "errors": "Wren Hilda Marrek",
            "last": "Marrek Wren Hilda",
            "tokens": "Marrek Wren Hilda",
            "cost": "Marrek Wren Hilda",
            "nothing": "Wren Hilda Marrek",
        }.items():
            page = self.get("overview", query={"sort": sort})
            rows = page.partition("<tbody>")[2]
            assert sorted(("Marrek", "Hilda", "Wren"), key=rows.index) == names.split(), sort
            is_known = sort not in ("", "nothing")
            assert ('scope="rowgroup"' in page) != is_known
            assert f'?sort={sort if is_known else "room"}" hx-trigger' in page

    def test_what_the_day_cost(self):
        """In dollars, of each and of all; what nobody has the price of is said to be so."""
        SERVICE.shared.calls.write()
        spent = ModelSpending.objects.filter(assistant=entity_id(self.marrek))
        spent.update(price=1.25, unpriced=0)
        assert self.get("overview").count("$1.25") == 2
        spent.update(unpriced=1)
        assert self.get("overview").count("price unknown") == 2

    def test_what_is_above_the_list_is_the_sum_of_it(self):
        """What one took that was deleted since stands on the page of money, to which that leads."""
        hilda = self.an_assistant("Hilda")
        self.model.say("Good day.")
        self.does(self.builder, "say Hello, Hilda!")
        SERVICE.shared.calls.write()
        ModelSpending.objects.update(price=1.25, unpriced=0)
        assert "$2.50" in self.get("overview")
        lifecycle.delete(hilda)
        page = self.get("overview")
        assert "$2.50" not in page
        assert page.count("$1.25") == 2

    def test_what_one_is_at(self):
        """Whom it answers stands beside the state while it thinks."""
        resident = self.resident(self.marrek)
        resident.turn_id, resident.events = "t1", (an_event("1"),)
        assert "answers Alice" in self.get("overview")
        resident.turn_id, resident.events = "", ()

    def test_an_error_is_seen_at_once(self):
        """What failed last stands beside the state."""
        self.resident(self.marrek).last_error = "ModelError: nobody answers"
        assert "nobody answers" in self.get("overview")

    def test_nobody_yet(self):
        """An empty game says how to begin."""
        lifecycle.delete(self.marrek)
        assert "ai/create" in self.get("overview")

    def test_wrong_settings(self):
        """What is wrong with the settings stands above, with what holds instead."""
        SERVICE.__init__(**self.ties())
        with override_settings(AI_ASSISTANT_DAILY_CALLS="many"):
            page = self.get("overview")
        assert "AI_ASSISTANT_DAILY_CALLS must be of type int, not str. Until then it is" in page
        self.logged()

    def test_the_conversation_as_it_was(self):
        """Each line says who knows it, and leads to its turn."""
        page = self.get("talk")
        for words in ("My cat is called Albatross.", "Good day to you.", "known to everybody"):
            assert words in page
        assert self.address("turn", turn=self.turn()) in page

    def test_each_line_says_by_which_rule_it_was_heard(self):
        """What nobody answered tells why as well, where the owner reads the conversation."""
        self.a_player("Cid")
        self.does(self.builder, "say Cid, where have you been?")
        self.model.say("Yes?")
        self.does(self.builder, "say Marrek, good day.")
        page = " ".join(strip_tags(self.get("talk")).split())
        assert "called by name" in page
        assert "the line turns to Cid" in page.partition("where have you been?")[2]

    def test_whoever_acts_is_named_once(self):
        """Before the act, whose words begin with the name; in what is said, a name is a word."""
        self.model.say("I did.")
        self.does(self.builder, "pose bows deeply.")
        self.does(self.builder, "say Bea is my name, Marrek.")
        page = " ".join(strip_tags(self.get("talk")).split())
        assert "Bea bows deeply." in page
        assert "Bea Bea" not in page
        assert "Bea says Bea is my name, Marrek." in page

    def test_a_turn_and_all_that_decided_it(self):
        """What was answered by which rule, what was said, tools, and cost."""
        page = self.get("turn", turn=self.turn())
        for words in ("called by name", "Good day to you.", "1 model call", "could do", "Bea"):
            assert words in page

    def test_what_was_seen_of_a_turn_that_failed(self):
        """Players saw an excuse; the call that failed is counted, here, in lists and by command."""
        self.screen(self.builder)
        self.model.fail(ModelUnavailable())
        self.does(self.builder, "say Marrek, are you there?")
        (seen,) = (line for line in self.screen(self.builder) if line.startswith("Marrek "))
        page = html.unescape(self.get("turn", turn=self.turn()))
        assert f"<p>{seen.removeprefix('Marrek ')}</p><small>an excuse" in page
        assert "1 model call, 0 steps" in page
        assert page.count('<p class="note bad">') == 1
        told = self.ai("/why marrek")
        assert "1 model call, 0 steps" in told
        assert "step by step, at most 6 steps" in told
        assert f"does not remember: {seen.removeprefix('Marrek ')}" in told
        (row, _) = turn_rows(named_assistants(), WantedTurns())
        assert row.calls == 1
        gesture = seen.removeprefix("Marrek ").strip()
        listed = html.unescape(self.get("turns"))
        for shown in (listed, self.ai("/turns marrek")):
            assert f"excused itself: {gesture}" in shown

    def test_who_left_keeps_the_name_by_which_it_knew_them(self):
        """A secret of a guest's is known to that guest, not to somebody gone."""
        self.model.text("Nobody will hear of it.")
        self.does(self.builder, "whisper Marrek = I dropped the ring.")
        self.builder.delete()
        for name, query in (("talk", {}), ("memory", {}), ("memory", {"q": "ring"})):
            page = self.get(name, query=query)
            assert "known to Bea" in page
            assert "somebody gone" not in page

    def test_a_turn_tells_who_overheard_it(self):
        """Beside those who took part; `ai/why` says the same."""
        made = Participation.objects.filter(event__in=self.turn_record().data["events"])
        made.update(hearers=[entity_id(self.a_player("Cid"))])
        assert "overheard by Cid" in self.get("turn", turn=self.turn())
        assert "overheard by Cid" in self.types(CmdAI, "/why Marrek")

    def test_a_turn_tells_who_heard_the_answer(self):
        """Beside what it said, as beside what it answered."""
        Participation.objects.filter(event=f"{self.turn()}.said.1").update(
            hearers=[entity_id(self.a_player("Cid"))]
        )
        answer = self.get("turn", turn=self.turn()).partition("What it said")[2]
        assert "overheard by Cid" in answer.partition("What it recalled")[0]

    def test_who_took_part_is_told_in_plain_words(self):
        """No code says what decided it: what always does says nothing, and a doubt says so."""
        assert "took part: Bea, Marrek" in self.get("turn", turn=self.turn())
        Participation.objects.update(sure=False, by="model")
        page = self.get("turn", turn=self.turn())
        assert "took part (as a model saw it, not certain): Bea, Marrek" in page
        assert "<small>as a model saw it, not certain</small>" in self.get("scene")

    def test_a_turn_that_is_not_on_record(self):
        """It is said so."""
        page = self.browser().get(self.address("turn", turn="gone"))
        assert page.status_code == 400
        assert "no record of that turn" in page.content.decode()

    def test_the_turns_by_person_tool_and_kind(self):
        """The list can be narrowed, and names people."""
        page = self.get("turns", query={"who": "bea", "order": "cost"})
        for words in ("Good day to you.", "My cat is called Albatross.", "$0.00"):
            assert words in page
        for query in ({"who": "nobody"}, {"tool": "give"}, {"kind": "failed"}):
            assert "No such turns" in self.get("turns", query=query)

    def test_the_turns_of_some_days(self):
        """From one until another, both included; what is no day is said to be none."""
        self.with_turns(self.marrek)
        for days in ({"since": "2001-01-01"}, {"until": "1969-12-31"}):
            assert "t999" not in self.get("turns", query=days)
        first = {"since": "1970-01-01", "until": "1970-01-01"}
        with CaptureQueriesContext(connection) as asked:
            found = turn_rows(named_assistants(), WantedTurns(kind="unanswered", **first))
            found += turn_rows(named_assistants(), WantedTurns(**first))
        assert [row.id for row in found[:2]] == ["t999", "t998"]
        assert len(asked) <= 2 * 9
        page = self.get("turns", query=first)
        assert "t999" in page
        assert 'since=1970-01-01&amp;until=1970-01-01&amp;page=2">Older' in page
        refused = self.browser().get(self.address("turns"), {"since": "soon"})
        assert "A day is such as 2026-11-21, not" in refused.content.decode()

    def test_a_day_is_found_behind_all_the_records_that_are_looked_through(self):
        """Those of the days that are asked for are, not the newest."""
        old = self.turn_record()
        AssistantEvent.objects.bulk_create(
            AssistantEvent(
                assistant=old.assistant, seq=10**6 + n, type="ToolExecuted", at=old.at + 2 * DAY
            )
            for n in range(LOOKED_AT)
        )
        assert turn_rows(named_assistants(), WantedTurns()) == []
        for assistant in ("", old.assistant):
            that_day = WantedTurns(assistant=assistant, until=iso(old.at)[:10])
            assert [row.id for row in turn_rows(named_assistants(), that_day)] == [old.turn_id]

    def test_the_turns_with_a_word(self):
        """It stands in the line that was answered, or in the answer."""
        for word in ("albatross", "good DAY"):
            assert "Good day to you." in self.get("turns", query={"word": word})
        assert "No such turns" in self.get("turns", query={"word": "ferry"})

    def test_the_turns_that_staff_marked(self):
        """As good, as bad, or at all; each says which, however many came since."""
        mark_turn(self.marrek, self.turn(), good=False, by="Ada")
        self.with_turns(self.marrek)
        for mark in ("bad", "marked"):
            page = self.get("turns", query={"mark": mark})
            assert "Good day to you." in page
            assert "marked bad" in page
            assert "t999" not in page
        assert "No such turns" in self.get("turns", query={"mark": "good"})
        other = {"mark": "bad", "assistant": self.an_assistant("Hilda").pk}
        assert "No such turns" in self.get("turns", query=other)
        assert in_minds(VERDICTS, other["assistant"]) == []  # of one no others' are read
        assert len(in_minds(VERDICTS, self.marrek.pk)) == 1

    def test_the_dearest_turn_comes_first(self):
        """By its price, which those of an offline model have none of, however many their tokens."""
        self.with_turns(self.marrek)
        dear = {"job": "chat", "profile": "x", "model": "x", "milliseconds": 1, "readers": "*"}
        ModelCall.objects.create(
            assistant=entity_id(self.marrek), turn_id="t7", at=1.0, price=0.5, **dear
        )
        page = self.get("turns", query={"order": "cost"})
        first = re.search(r"turns/(t\d+)/", page)
        assert first[1] == "t7"
        assert "the most expensive</option>" in page

    def test_a_failure_is_found_behind_a_thousand_other_turns(self):
        """In some few looks, however they are asked for; without a kind the newest are listed."""
        old = self.turn_record()
        old.data["outcome"] = "failed: no answer"
        old.save()
        self.with_turns(self.marrek)
        for assistant in ("", entity_id(self.marrek)):
            with CaptureQueriesContext(connection) as asked:
                failed = WantedTurns(kind="failed", assistant=assistant)
                found = turn_rows(named_assistants(), failed)
            assert [row.id for row in found] == [old.turn_id]
            assert len(asked) <= 7
            silent = WantedTurns(kind="unanswered", assistant=assistant)
            assert [row.id for row in turn_rows(named_assistants(), silent)] == [old.turn_id]
            unasked = WantedTurns(kind="unasked", assistant=assistant)
            assert turn_rows(named_assistants(), unasked) == []
        newest = turn_rows(named_assistants(), WantedTurns())
        assert [row.id for row in newest] == [f"t{READ - 1 - n}" for n in range(SHOWN)]
        assert {row.name for row in newest} == {"Marrek"}

    def test_a_long_list_of_turns_is_paged(self):
        """Some on each page, the newest first, as far back as the command lists them."""
        self.with_turns(self.marrek)
        shown = r"turns/(t\d+)/"
        first = self.get("turns", query={"kind": "unanswered", "who": "bea", "page": "x"})
        assert "No such turns" in first
        first, last = (self.get("turns", query={"page": page}) for page in (1, SHOWN // TURNS))
        assert re.findall(shown, first) == [f"t{READ - 1 - n}" for n in range(TURNS)]
        assert "Newer turns" not in first
        assert re.findall(shown, last)[-1] == f"t{READ - SHOWN}"
        assert "Older turns" not in last
        (older,) = re.findall(r'href="\?(\S+)">Older turns', first)
        assert "page=2" in older

    def test_lines_that_nobody_answered(self):
        """Those of one assistant, with why."""
        self.does(self.char1, "say Well, well.")  # it let that pass
        self.does(self.char1, "say What a day.")
        query = {"kind": "unanswered", "assistant": self.marrek.pk}
        page = self.get("turns", query=query)
        assert "What a day." in page
        assert "not to it" in page
        lost = self.an_assistant("Lost")
        self.resident(lost).passed_over.append(self.resident(self.marrek).mind.heard[-1])
        assert "it was not kept" in self.get("turns", query=query | {"assistant": lost.pk})

    def test_a_conversation_goes_back_as_far_as_its_past(self):
        """Page by page to the first line, each once, however few lines it has at hand."""
        for at_once in (3, 70):
            talker = self.an_assistant(f"Talker {at_once}")
            long_talk(talker, 400, at_once=at_once)
            page, told = self.get("talk", number=talker.pk), []
            assert "hx-get" in page.partition('class="talk"')[2][:200]
            for _ in range(40):
                told += map(int, re.findall(r"Line (\d+) of it\.</p>", page))
                older = re.findall(r'href="\?before=([^&]+)&amp;line=([^"]+)">Older', page)
                if not older:
                    break
                before, line = map(unquote, older[0])
                query = {"before": before, "line": line}
                page = self.get("talk", number=talker.pk, query=query)
                assert "hx-get" not in page
            assert told == [*range(400)][::-1]
            assert "Nothing older is known" in page
            assert 'href="?">Newest lines' in page
        refused = self.browser().get(self.address("talk"), {"before": "soon"})
        assert "Which moment?" in refused.content.decode()

    def test_people_and_one_of_them(self):
        """Whom it knows, and what it holds about one."""
        who = self.marrek.profiles.all()
        (key,) = [key for key, one in who.items() if one["name"] == "Bea"]
        self.marrek.profiles.update_relationship(key, 0.4, "saved his boat", limit=1.0)
        page = self.get("people")
        assert "Bea" in page
        assert "graph-data" in page
        page = self.get("person", query={"who": "Bea"})
        assert "saved his boat" in page
        assert "Albatross" in page
        assert "from 0 for a stranger to 1 for an ally" in page

    def test_who_is_not_drawn_is_said(self):
        """How many the graph leaves out, that some have no curve, and how far back those go."""
        for number in range(42):
            self.marrek.profiles.update_relationship(self.a_body(f"P{number}"), 0.01, "waved")
        drawn = len(self.marrek.profiles.all()) - 40
        page = self.get("people")
        assert f"of the {drawn} further people who are not drawn" in page
        assert "The 6 dearest are drawn" in page
        graph, curves = (
            json.loads(re.search(f'id="{name}-data".*?>(.*?)</script>', page)[1])
            for name in ("graph", "feelings")
        )
        assert (len(graph["nodes"]), len(curves)) == (40, 6)
        page = self.get("person", query={"who": "P1"})
        assert "50 steps with somebody are drawn at a time" in page
        assert "dearest are drawn" not in page

    def test_what_moved_its_heart_is_told_back_to_the_first_step(self):
        """Fifty steps at a time, each once, with the curve of those; earlier than its past none."""
        told, query = [], {"who": self.builder.key}
        for number in range(120):
            move = {"delta": 0.005, "reason": f"reason {number}.", "author": "game", "kind": "game"}
            at = time.time() + number
            step = Change(
                "profile", entity_id(self.builder), "update_relationship", move | {"at": at}
            )
            save(self.marrek, Commit(at=at, changes=[step]))
        for steps in (50, 50, 20):
            page = self.get("person", query=query)
            told += map(int, re.findall(r"reason (\d+)\.", page))
            curve = json.loads(re.search(r'id="feelings-data".*?>(.*?)</script>', page)[1])
            assert len(curve[0]["points"]) == steps
            earlier = re.findall(r"before=([^\"]+)\">Earlier steps", page)
            query["before"] = unquote(*earlier) if earlier else "2001-01-01"
        assert told == [*range(120)][::-1]
        assert "is not known any more" in self.get("person", query=query)

    def test_each_answer_stands_behind_its_question(self):
        """However fast both came: within one second all questions stood before all answers."""
        for number in (1, 2):
            self.model.say(f"It is {number}.")
            self.does(self.builder, f"say Marrek, what is number {number}?")
        page = self.get("person", query={"who": "Bea"}).partition("Conversation <small>")[2]
        lines = [f"{words} {n}" for n in (1, 2) for words in ("what is number", "It is")]
        assert sorted(lines, key=page.index) == lines

    def test_a_talk_with_somebody_is_one_talk(self):
        """What was whispered stands where it was said, among what everybody may know, as such."""
        self.clock.now = count(time.time(), 2).__next__  # what is later bears a later time
        self.model.text("Nobody will hear of it.").say("Good night.")
        self.does(self.builder, "whisper Marrek = I dropped the ring.")
        self.does(self.builder, "say Good night, Marrek!")
        page = self.get("person", query={"who": "Bea"})
        told = re.findall(r"</b> ([^<]+)</p><small>.*?known to (\w+)", page)
        assert [words for words, _ in told][2:] == [
            *(
                "I dropped the ring.",
                "Nobody will hear of it.",
                "Good night, Marrek!",
                "Good night.",
            )
        ]
        assert [who for _, who in told][:3] == ["everybody", "everybody", "Bea"]

    def test_a_name_is_told_once(self):
        """Before what its bearer did, which begins with it, and not before what is about them."""
        self.model.say("Good day.")
        self.does(self.builder, "emote waves at Marrek.")
        for page in ("turns", "memory", "scene"):
            told = self.get(page)
            assert re.search(r"Bea</(b|a)> waves at Marrek\.", told), page
            assert not re.search(r"Bea</(b|a)>:? Bea", told), page
        seen = MemoryRow("Bea's sister is called Ann", "observation", author_name="Bea")
        save(self.marrek, Commit(0.0, rows=[seen]))
        told = strip_tags(self.get("memory"))
        assert "Bea Bea's" not in told
        assert "observation from Bea" in told

    def test_who_knows_is_asked_by_a_name(self):
        """What is known of somebody is named as commands name it: no page shows a lasting id."""
        self.marrek.profiles.add_entity_observation(self.builder, "keeps eels", readers="*")
        for query in ({"ref": f"o1@{entity_id(self.builder)}"}, {"ref": "o1@Bea"}):
            page = self.get("who_knows", query=query)
            assert "keeps eels" in page
            assert 'value="o1@Bea"' in page
            assert entity_id(self.builder) not in page
        (line,) = self.turn_record().data["events"]
        assert f'value="{line}"' not in self.get("who_knows", query={"ref": line})

    def test_what_it_holds_of_somebody_is_told_in_plain_words(self):
        """Where it comes from; the code by which commands name it stands last, and says so."""
        profiles = self.marrek.profiles
        profiles.add_entity_observation(self.char1, "keeps eels", readers="*")
        page = strip_tags(self.get("person", query={"who": self.char1.key}))
        told = " ".join(page.partition("keeps eels")[2].split())
        assert "heard from them, or seen" in told[:80]
        assert re.match(r".{,80}· o1 in commands", told)
        assert "direct" not in told[:80]

    def test_goals_as_a_tree(self):
        """A subtask stands inside the list of its goal."""
        top = self.marrek.goals.add_goal("Build a tavern", "high")
        self.marrek.goals.add_goal("Find a carpenter", parent_id=top)
        page = self.get("plans")
        assert re.search(r"Build a tavern.*?<ul>.*?<li.*?Find a carpenter", page, re.DOTALL)

    def test_memory_is_searched_and_says_why(self):
        """What is found stands there with its figures, in words."""
        page = self.get("memory", query={"q": "Albatross"})
        assert "My cat is called" in page
        assert "score" in page

    def test_memories_are_read_back_to_the_first(self):
        """Page by page, each once, and from there to the newest again."""
        save(self.marrek, Commit(0.0, rows=[MemoryRow(f"Memory {n}.") for n in range(50)]))
        told, query = list[int](), {}
        while query is not None:
            page = self.get("memory", query=query)
            told += map(int, re.findall(r"<code>#(\d+)</code>", page))
            older = re.search(r'href="\?before=(\d+)">Older memories', page)
            query = {"before": older[1]} if older else None
        assert told == [row.id for row in store_of(self.marrek).rows.newest(999)]
        assert 'href="?">Newest memories' in page

    def test_a_page_of_one_thing_says_where_it_belongs(self):
        """The tab that leads to it is marked, and leads back."""
        for name, tab in (("person", "people"), ("block", "blocks"), ("who_knows", "memory")):
            query = {"who": "Bea", "block": "persona"} if name != "who_knows" else {}
            marked = re.findall(r'href="(\S+)" aria-current="true"', self.get(name, query=query))
            assert marked == [self.address(tab)]

    def test_what_the_model_would_be_sent(self):
        """The prompt part by part, if somebody whom it knows spoke."""
        page = self.get("prompt", query={"who": "Bea", "words": "Where is the ferry?"})
        assert "Where is the ferry?" in page
        assert "Part by part" in page
        assert "What it is told" in page
        assert "<h3>system" not in page
        assert "there is room enough" in page

    def test_settings_can_be_looked_for(self):
        """Only options about a word are listed."""
        page = self.get("settings", query={"q": "tick"})
        assert "tick rate" in page
        assert "channels" not in page

    def test_settings_say_where_each_comes_from(self):
        """In words: this character's own, what its memory role or the game decides, a default."""
        lifecycle.configure(self.marrek, "patience", "3")
        told = re.findall(r'id="key-(\w+)".*?"From">([^<]+)<', self.get("settings"), re.DOTALL)
        assert {
            "patience": "this character",
            "chat_history": "its memory role",
            "daily_calls": "the game",
            "greets": "default",
        }.items() <= dict(told).items()

    def test_an_option_of_several_values_is_typed(self):
        """As it stands, so that to set it again changes nothing; of single values one is chosen."""
        page, before = (
            self.get("settings"),
            lifecycle.script_of(self.marrek).config["persona_order"],
        )
        pattern = r'<input name="value" value="([^"]*)"[^>]*aria-labelledby="key-persona_order"'
        (typed,) = re.findall(pattern, page)
        assert typed == ", ".join(before)
        self.change("setting", key="persona_order", value=typed, sure="yes")
        assert lifecycle.script_of(self.marrek).config["persona_order"] == before
        for choice in ("memory_role", "llm_profile", "greets", "keeps_place"):
            assert f'<select name="value" aria-labelledby="key-{choice}">' in page
        assert '<option value="AINpc"' in page

    def test_the_card_is_a_file(self):
        """It is offered for download under its name."""
        response = self.browser().get(self.address("card"))
        assert "marrek.json" in response["Content-Disposition"]
        assert b"Marrek" in response.content

    def test_places_of_the_map_have_names(self):
        """And what they are, line by line."""
        blocks.set_location("The Mill", "It burnt down.", [3, 14])
        assert re.search(r"The Mill.*It burnt down", self.get("blocks"))

    def test_nobody_reads_an_id(self):
        """No page shows the long ids by which we know people."""
        for name in ("overview", "turns", "talk", "people", "journal", "blocks", "memory"):
            text = strip_tags(self.get(name).replace("</script>", "").split("graph-data")[0])
            assert not re.search(r"\b[eac]?[0-9a-f]{32}\b", text), name


class TestHowPagesWork(TurnsTestCase):
    def test_each_page_asks_the_game_once(self):
        """All that it shows comes of one question."""
        browser = self.browser()
        for name in (*PAGES, *FOR_EDITORS):
            self.asked = 0
            browser.get(self.address(name))
            assert self.asked == 1, name

    def test_as_many_queries_for_many(self):
        """The pages of all cost the same for two as for twelve, who took as many turns."""
        browser, counts = self.browser(), list[dict]()
        bodies = [self.marrek, self.an_assistant("Tansy")]
        for more in (0, 10):
            bodies += [self.an_assistant(f"Twin{number}", self.street) for number in range(more)]
            self.with_turns(*bodies)
            counts.append({name: self.queries_of(browser, name) for name in OF_ALL})
        assert counts[0] == counts[1]
        assert max(counts[0].values()) <= 25

    def test_people_of_few_turns_cost_no_more_than_those_of_many(self):
        """The page of turns asks as often for who took part in three as in all it looks through."""
        browser = self.browser()
        self.with_turns(self.marrek)
        many = self.queries_of(browser, "turns")
        three = ["t0", "t1", "t2"]
        AssistantEvent.objects.exclude(turn_id__in=three).update(type="TickCompleted")
        assert self.queries_of(browser, "turns") == many

    def queries_of(self, browser, name):
        """Return how often a page asks the database, which was asked for before."""
        browser.get(self.address(name))
        with CaptureQueriesContext(connection) as queries:
            browser.get(self.address(name))
        return len(queries)

    def test_few_queries_a_page(self):
        """No page asks the database more than 25 times, its visitor's own rights included; and none
        writes but the web server its session: the game would have to wait for it."""
        browser = self.browser()
        for name in (*PAGES, *FOR_EDITORS):
            browser.get(self.address(name))
            with CaptureQueriesContext(connection) as queries:
                browser.get(self.address(name))
            assert len(queries) <= 25, name
            writes = re.compile("(INSERT INTO|UPDATE|DELETE FROM) (?!.django_session)")
            assert not [one["sql"] for one in queries if writes.match(one["sql"])], name

    def test_words_stay_words(self):
        """Whatever players write is shown, never run."""
        hostile = "<script>alert(1)</script><img src=x onerror=alert(2)>{{ 7|add:7 }}"
        self.model.say(f"Ha! {hostile}")
        self.does(self.builder, f"say Marrek! {hostile}")
        self.marrek.key = "<i>Marrek"
        for name in (*PAGES, "prompt"):
            query = {"q": "script", "who": "Bea" if name == "prompt" else ""}
            page = self.get(name, query=query)
            assert "<script>alert" not in page
            assert "<img src=x" not in page
            assert "<i>Marrek" not in page

    def test_nothing_comes_from_elsewhere(self):
        """No page names another site, or holds a script of its own; the policy says so too."""
        for name in (*PAGES, "prompt"):
            response = self.browser().get(self.address(name))
            page = response.content.decode()
            assert "http://" not in page
            assert "https://" not in page
            assert "onclick" not in page
            assert "script-src 'self'" in response["Content-Security-Policy"]

    def test_the_site_and_its_admin_lead_here(self):
        """The menu links the pages for those who may see them; the admin's front page too."""
        menu = f'href="{self.address("overview")}"'
        assert menu in self.browser().get("/").content.decode()
        assert menu not in self.browser(self.a_player("Cid").account).get("/").content.decode()
        self.account.is_staff = self.account.is_superuser = True
        self.account.save()
        assert "AI assistants" in self.browser().get("/admin/").content.decode()


def test_times_are_told_as_briefly_as_they_are_clear():
    """Today as such, this year's without the year; what is no time, as it stands."""
    now = 1_795_872_000.0  # 2026-11-28 13:20
    told = {
        "2026-11-28 09:15": "today 09:15",
        "2026-03-04 23:59": "4 Mar 23:59",
        "2025-12-31 13:20": "2025-12-31 13:20",
        "never": "never",
    }
    assert {whole: told_briefly(whole, now) for whole in told} == told


class TestWhatTheGameIsAsked(TurnsTestCase):
    def on_the_games_thread(self, look):
        """Note what is asked of the database meanwhile."""
        with CaptureQueriesContext(connection) as seen:
            found = super().on_the_games_thread(look)
        self.statements = " ".join(one["sql"] for one in seen)
        return found

    def test_our_tables_are_read_on_the_views_own_thread(self):
        """The game does not wait for a list of turns, the past, or the doctor."""
        self.model.say("Good day to you.")
        self.does(self.builder, "say Hello, Marrek!")
        moment = {"moment": "2100-01-01", "part": "journal"}
        for name, query in (("turns", {}), ("audit", {}), ("moment", moment), ("health", {})):
            self.get(name, query=query)
            for table in ("event", "state", "participation", "memory"):
                assert f"ai_assistant_{table}" not in self.statements, name
            assert "django_migrations" not in self.statements
