"""The REST API: who is let in, what it answers, and that nothing goes around the commands."""

import json
from contextlib import contextmanager

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import URLResolver, get_resolver
from evennia.objects.objects import DefaultRoom
from evennia.server.models import ServerConfig
from evennia.utils.create import create_object
from rest_framework.schemas.openapi import SchemaGenerator
from twisted.internet.defer import Deferred

from ai_assistant import blocks
from ai_assistant.api.forgetting import forget_person
from ai_assistant.api.turns.opened_calls import calls_in_turn
from ai_assistant.models import ApiToken, AssistantEvent
from ai_assistant.web.rest import api_gate
from ai_assistant.web.rest.api_routes import ENDPOINTS
from ai_assistant.web.rest.api_tokens import make_token
from ai_assistant.web.rest.openapi import FILE, as_text, document
from tests.evennia.living import broken_database
from tests.evennia.pages import PagesTestCase

BASE = "/ai/api/"


@contextmanager
def broken_game(resident):
    """Within, a running mind is broken in a way that nobody thought of."""
    store = resident.mind.store

    class Broken:
        """Stands in for the store."""

        def __getattr__(self, name):
            raise RuntimeError("secret of the inside")

    resident.mind.store = Broken()
    yield
    resident.mind.store = store


class RestTestCase(PagesTestCase):
    """A program with a token of Ada's, who is an Admin."""

    def setUp(self):
        super().setUp()
        switched_on = override_settings(AI_ASSISTANT_API=True)
        switched_on.enable()
        self.addCleanup(switched_on.disable)
        api_gate.Requests.cache.clear()
        self.token = make_token(self.account, "tests")

    def send(self, method, address, sent=None, token=None, **options):
        """Send a request; returns the answer."""
        header = {"HTTP_AUTHORIZATION": f"Bearer {token or self.token}"}
        if sent is not None:
            options["data"] = sent if isinstance(sent, str | bytes) else json.dumps(sent)
        if method != "GET":
            options.setdefault("content_type", "application/json")
        client = Client(raise_request_exception=False)
        return client.generic(method, BASE + address, **options, **header)

    def data(self, method, address, sent=None, **options):
        """Return what a request brings, which is answered well."""
        answer = self.send(method, address, sent, **options)
        assert answer.status_code < 300, answer.content.decode()
        return answer.json()["data"]

    def refusal(self, status, method, address, sent=None, **options):
        """Return the sentence with which a request is refused."""
        answer = self.send(method, address, sent, **options)
        assert answer.status_code == status, answer.content.decode()
        told = answer.json()["error"]["message"]
        assert told
        return told

    def one(self, rest=""):
        """Return the address of something about Marrek."""
        return f"assistants/{self.marrek.pk}/{rest}"

    def outcome(self, method, address, sent=None):
        """Return what comes of a job."""
        answer = self.send(method, address, sent)
        assert answer.status_code == 202, answer.content.decode()
        self.steps.run()
        return self.data("GET", f"jobs/{answer.json()['data']['job']}/")


class TestTheWayIn(RestTestCase):
    def test_it_is_off_until_it_is_switched_on(self):
        """Off, there is nothing at its addresses, for nobody."""
        with override_settings(AI_ASSISTANT_API=False):
            assert "nothing here" in self.refusal(404, "GET", "assistants/")

    def test_a_stranger_is_asked_for_a_token(self):
        """Without one, or with a wrong one, nothing is said but that."""
        answer = Client().get(f"{BASE}assistants/")
        assert answer.status_code == 401
        assert answer["WWW-Authenticate"] == "Bearer"
        assert "not good" in self.refusal(401, "GET", "assistants/", token="aia_guess")

    def test_passwords_and_the_games_defaults_open_nothing(self):
        """Whatever the game has set for its own API, ours goes by its own."""
        anybody = {"DEFAULT_PERMISSION_CLASSES": [], "DEFAULT_THROTTLE_CLASSES": []}
        with override_settings(REST_FRAMEWORK=anybody):
            answer = Client().get(f"{BASE}assistants/", HTTP_AUTHORIZATION="Basic QWRhOnB3")
        assert answer.status_code == 401

    def test_who_is_logged_in_on_the_site_needs_no_token(self):
        """A session is as good; what changes something needs the site's own form as well."""
        browser = self.browser(enforce_csrf_checks=True)
        assert browser.get(f"{BASE}assistants/").status_code == 200
        assert browser.post(f"{BASE}{self.one('stop/')}").status_code == 403

    def test_a_token_ends(self):
        """It runs out, is revoked, and falls with its account."""
        self.data("GET", "assistants/")
        ApiToken.objects.update(until=1.0)
        self.refusal(401, "GET", "assistants/")
        ApiToken.objects.update(until=1e11)
        self.account.is_active = False
        self.account.save()
        self.refusal(401, "GET", "assistants/")
        self.account.is_active = True
        self.account.save()
        ServerConfig.objects.conf("server_bans", [("ada", "", None, "", "")])  # as by `ban ada`
        self.refusal(401, "GET", "assistants/")
        ServerConfig.objects.conf("server_bans", delete=True)
        self.data("GET", "assistants/")
        ApiToken.objects.all().delete()
        self.refusal(401, "GET", "assistants/")

    def test_a_token_for_reading_changes_nothing(self):
        """It sees all that its account may see."""
        reads = make_token(self.account, "reads", may_write=False)
        self.data("GET", self.one(), token=reads)
        assert "only read" in self.refusal(403, "POST", self.one("stop/"), token=reads)

    def test_players_and_builders_may_what_their_commands_let_them(self):
        """A player sees nothing, a Builder no prompt; a lock counts for a Builder too."""
        player = make_token(self.a_player("Cid").account, "mine")
        assert "Only Builders" in self.refusal(403, "GET", self.one(), token=player)
        builder = make_token(self.builder.account, "mine")
        self.data("GET", self.one(), token=builder)
        assert "Only Admins" in self.refusal(403, "POST", self.one("stop/"), token=builder)
        address = self.one("persona/")
        change = {"role": "king"}
        assert "may not change" in self.refusal(403, "PATCH", address, change, token=builder)
        self.marrek.locks.add(f"edit:id({self.builder.pk})")
        self.builder.account.characters.add(self.builder)
        assert self.data("PATCH", address, change, token=builder)["fields"]["role"] == "king"

    def test_so_many_requests_a_minute(self):
        """The next is told how long to wait; guessed tokens are counted by address."""
        with override_settings(AI_ASSISTANT_API_REQUESTS_PER_MINUTE=2):
            for _ in range(2):
                self.data("GET", "assistants/")
            answer = self.send("GET", "assistants/")
        assert answer.status_code == 429
        assert int(answer["Retry-After"]) > 0
        for _ in range(20):
            self.refusal(401, "GET", "assistants/", token="aia_guess")
        fresh = make_token(self.account, "fresh")
        with CaptureQueriesContext(connection) as asked:
            self.refusal(429, "GET", "assistants/", token="aia_guess")
            self.refusal(429, "GET", "assistants/", token=fresh)  # which may be one more guess
        assert not any("ai_assistant" in query["sql"] for query in asked.captured_queries)
        api_gate.Requests.cache.delete(f"requests.{self.account.pk}")
        self.data("GET", "assistants/")  # it was good before

    def test_bad_input_is_told_in_a_sentence(self):
        """What is no JSON, too deep, too much, unknown, missing or out of bounds is a 400."""
        goals = self.one("goals/")
        for sent, told in (
            ("{", "no JSON"),
            ("[1]", "no JSON object"),
            ('{"a":' * 60 + "1" + "}" * 60, "nested"),
            ({}, "description: This field is required."),
            ({"description": "x", "colour": "red"}, "colour: There is no such field"),
            ({"description": "x", "priority": "huge"}, "priority:"),
            ({"description": ["x"]}, "description:"),
            ({"description": "x", "parent_id": "goal_9"}, "There is no goal 'goal_9'"),
        ):
            assert told in self.refusal(400, "POST", goals, sent)
        self.refusal(413, "POST", goals, json.dumps({"description": "x" * 1_000_001}))
        self.refusal(415, "POST", goals, "a=b", content_type="text/plain")
        self.refusal(400, "GET", self.one("memories/?limit=many"))
        self.refusal(400, "POST", self.one("publications/"), {"number": 10**20})
        self.refusal(405, "PUT", goals)
        assert self.marrek.goals.current_goals == []

    def test_what_is_unknown_is_a_404(self):
        """Be it an assistant, a thing of its, or an address."""
        for address in ("assistants/999999/", "assistants/nobody/", "nothing/at/all"):
            self.refusal(404, "GET", address)
        for rest in ("goals/goal_9/", "memories/99/", "people/nobody/", "turns/gone/", "nights/x/"):
            self.refusal(404, "GET", self.one(rest))
        self.refusal(404, "GET", f"assistants/{self.builder.pk}/")
        self.refusal(404, "GET", "jobs/none/")

    def test_a_database_that_refuses_is_a_503(self):
        """So a program knows that it may try once more."""
        with broken_database("INSERT", "ai_assistant_event", passing=True):
            self.refusal(503, "POST", self.one("goals/"), {"description": "Sleep"})

    def test_a_mistake_of_ours_is_told_as_one(self):
        """It is JSON as well, and names nothing of the inside; the log has it."""
        with broken_game(self.resident(self.marrek)):
            told = self.refusal(500, "GET", self.one("goals/"))
        assert told == "That failed; the server's log says why."
        assert "secret of the inside" in "".join(self.logged())


class TestWhatItDoes(RestTestCase):
    def audit(self):
        """Return the type of the last record."""
        told = AssistantEvent.objects.exclude(type="StateChanged").order_by("-id")
        return told.first().type

    def test_the_life_of_an_assistant(self):
        """Made, looked at, stopped, started, silenced, and deleted by its whole name."""
        made = self.data("POST", "assistants/", {"name": "Tansy", "room": self.inn.pk})
        self.steps.run()
        address = f"assistants/{made['number']}/"
        assert self.audit() == "AssistantCreated"
        assert self.data("GET", "assistants/tansy/")["id"] == made["id"]
        assert self.data("POST", f"{address}stop/")["state"] == "stopped"
        assert self.data("POST", f"{address}start/")["enabled"] is True
        assert self.data("POST", f"{address}quiet/", {"quiet": True})["quiet"] is True
        assert self.data("GET", address)["silence"] == "one"
        assert len(self.data("GET", "assistants/")["assistants"]) == 2
        assert "sure=Tansy" in self.refusal(400, "DELETE", f"{address}?sure=Marrek")
        assert self.data("DELETE", f"{address}?sure=Tansy") == {"deleted": "Tansy"}
        assert AssistantEvent.objects.get(type="AssistantArchived").data["by"] == "Ada"
        assert self.names() == ["Marrek"]

    def test_what_cannot_be_made(self):
        """A name that is taken, and a place that is no room; nothing is made then."""
        taken = {"name": "marrek", "room": self.inn.pk}
        assert "named marrek already" in self.refusal(400, "POST", "assistants/", taken)
        nowhere = {"name": "Tansy", "room": self.builder.pk}
        assert "is no room" in self.refusal(400, "POST", "assistants/", nowhere)
        create_object(DefaultRoom, key=self.inn.key, nohome=True)
        twice = {"name": "Tansy", "room": self.inn.key}
        assert f"one of {self.inn.dbref}" in self.refusal(400, "POST", "assistants/", twice)
        assert self.names() == ["Marrek"]

    def test_a_room_is_meant_by_its_name_or_its_number(self):
        """As people write them: no list tells a program, or the page, the numbers of rooms."""
        for name, room in (("Tansy", self.inn.key.upper()), ("Wren", self.inn.dbref)):
            made = self.data("POST", "assistants/", {"name": name, "room": room})
            assert made["room"] == self.inn.pk
            self.steps.run()

    def test_settings_and_persona(self):
        """Set as by command, with the same words of refusal, and on record."""
        value = {"key": "tick_rate", "value": "30"}
        assert self.data("PATCH", self.one("config/"), value)["value"] == 30
        assert self.audit() == "ConfigurationChanged"
        assert self.data("GET", self.one("config/"))["tick_rate"]["source"] == "this character"
        self.refusal(400, "PATCH", self.one("config/"), {"key": "tick_rate", "value": "soon"})
        self.refusal(400, "PATCH", self.one("config/"), {"key": "nothing", "value": "1"})
        persona = {"role": "ferryman", "sayings": ["Aye.", "Mind the step."]}
        fields = self.data("PATCH", self.one("persona/"), persona)["fields"]
        assert fields["sayings"] == ["Aye.", "Mind the step."]
        assert "sayings" not in self.data("PATCH", self.one("persona/"), {"sayings": []})["fields"]
        assert self.data("GET", self.one("card/"))["data"]["name"] == "Marrek"

    def test_goals_and_projects(self):
        """A goal with a subtask, changed and dropped; a project through its life."""
        goal = self.data("POST", self.one("goals/"), {"description": "Build a tavern"})
        assert self.audit() == "GoalCreated"
        part = {"description": "Find a carpenter", "parent_id": goal["id"]}
        part = self.data("POST", self.one("goals/"), part)
        assert self.data("GET", self.one("goals/"))["next"] == [part["id"]]
        address = self.one(f"goals/{part['id']}/")
        assert self.data("PATCH", address, {"progress": 50})["progress"] == 50
        assert self.data("GET", self.one(f"goals/{goal['id']}/"))["subtasks"] == [part["id"]]
        assert self.data("GET", self.one("agenda/"))[0]["what"] == "awake"
        assert self.data("PATCH", address, {"status": "dropped"})["status"] == "dropped"
        self.data("POST", self.one("projects/"), {"project": "ferry", "summary": "A new ferry"})
        change = {"action": "update", "text": "Planks are here."}
        self.data("PATCH", self.one("projects/ferry/"), change)
        self.data("PATCH", self.one("projects/ferry/"), {"action": "complete", "text": "It floats"})
        assert self.audit() == "ProjectCompleted"
        self.refusal(404, "PATCH", self.one("projects/none/"), change)

    def test_memory_is_searched_corrected_and_forgotten(self):
        """What takes long answers with a job, which ends as the command does."""
        fact = self.data("POST", self.one("announcements/"), {"text": "The bridge is out."})
        found = self.data("GET", self.one("memories/?q=bridge"))
        assert found[0]["content"] == "The bridge is out."
        assert found[0]["why"]
        number = fact["ref"].removeprefix("#")
        job = self.outcome("PATCH", self.one(f"memories/{number}/"), {"text": "The bridge is up."})
        assert job["result"]["before"] == "The bridge is out."
        number = job["result"]["ref"].removeprefix("#")
        late = {"text": "The bridge is new.", "was": "The bridge is out."}  # as it was chosen
        self.refusal(404, "PATCH", self.one(f"memories/{number}/"), late)
        job = self.outcome("DELETE", self.one(f"memories/{number}/"))
        assert job["state"] == "done"
        assert job["result"]["forgotten"]["memories"] >= 1
        self.refusal(404, "GET", self.one(f"memories/{number}/"))

    def test_people_and_feelings(self):
        """Whom it knows, and how that is set; both ways at once are refused."""
        self.model.say("Good day.")
        self.does(self.builder, "say Hello, Marrek!")
        (bea,) = self.data("GET", self.one("people/"))
        assert bea["name"] == "Bea"
        favor = {"favorability": 0.9, "reason": "saved his boat"}
        self.data("PATCH", self.one("people/Bea/"), favor)
        profile = self.data("GET", self.one(f"people/{bea['id']}/"))["profile"]
        assert profile["relationship"]["favorability"] == pytest.approx(0.9)
        self.refusal(400, "PATCH", self.one("people/bea/"), favor | {"change": 0.1})

    def test_turns_and_the_record(self):
        """The list, one of them, why, and the log page by page."""
        self.model.say("Good day.")
        self.does(self.builder, "say Hello, Marrek!")
        (row,) = self.data("GET", self.one("turns/"))
        turn = self.data("GET", self.one(f"turns/{row['id']}/"))
        assert turn["record"]["speech"] == "Good day."
        assert self.account.key in turn["heard"][0]["overheard"]
        assert self.data("GET", self.one("why/"))["turns"][0]["id"] == row["id"]
        assert self.data("GET", "turns/?kind=unanswered") == []
        log = self.data("GET", self.one("records/?limit=1"))
        older = self.data("GET", self.one(f"records/?before={log[0]['record']}"))
        assert older[0]["number"] == log[0]["number"] - 1
        for rest in ("history/", "journal/", "session/", "notebook/", "blocks/", "nights/"):
            self.data("GET", self.one(rest))

    def test_turns_memories_and_talk_are_read_on(self):
        """Some at a time, from the last that was seen; and only where the newest come first."""
        self.model.say("Good day.").say("Aye.").say("No.")
        for line in ("Hello, Marrek!", "Marrek, is it late?", "Marrek, is it early?"):
            self.does(self.builder, f"say {line}")
        for address in ("turns/", self.one("turns/")):
            whole = self.data("GET", address)
            assert [row["words"] for row in whole] == ["No.", "Aye.", "Good day."]
            first = self.data("GET", f"{address}?limit=2")
            rest = self.data("GET", f"{address}?limit=2&before={first[-1]['record']}")
            assert first + rest == whole
            self.refusal(400, "GET", f"{address}?before=9&order=cost")
        whole = self.data("GET", self.one("history/"))
        newest = self.data("GET", self.one("history/?limit=2"))
        seen = f"history/?before={newest[0]['timestamp']}&line={newest[0]['id']}"
        assert self.data("GET", self.one(seen)) + newest == whole
        whole = self.data("GET", self.one("memories/"))
        first = self.data("GET", self.one("memories/?limit=4"))
        last = first[-1]["ref"].removeprefix("#")
        assert first + self.data("GET", self.one(f"memories/?before={last}")) == whole
        self.refusal(400, "GET", self.one("memories/?before=9&q=late"))

    def test_turns_are_narrowed_as_on_the_page(self):
        """By word, mark and day."""
        self.model.say("Good day.")
        self.does(self.builder, "say Hello, Marrek!")
        (turn,) = self.data("GET", "turns/")
        self.data("POST", self.one("tries/marks/"), {"turn": turn["id"], "good": True})
        for which in ("word=hello", "mark=good", "mark=marked", "until=2999-01-01"):
            assert [row["id"] for row in self.data("GET", f"turns/?{which}")] == [turn["id"]]
        for which in ("word=ferry", "mark=bad", "since=2999-01-01"):
            assert self.data("GET", f"turns/?{which}") == []
        self.refusal(400, "GET", "turns/?since=soon")

    def test_what_was_done_to_its_blocks_is_on_record(self):
        """Among all else, by its number among those of blocks, as in the file of the log."""
        self.marrek.goals.add_goal("Find planks.")
        blocks.change_persona(self.marrek, {"role": "ferryman"}, by="Ada")
        self.marrek.goals.add_goal("Find nails.")
        newer, block, older = self.data("GET", self.one("records/?limit=3"))
        assert [newer["type"], block["type"], older["type"]] == [
            *("GoalCreated", "BlockChanged", "GoalCreated")
        ]
        assert block["data"]["by"] == "Ada"
        assert block["number"].startswith("b")
        assert self.data("GET", self.one("records/?type=BlockChanged"))[0] == block
        rest = self.data("GET", self.one(f"records/?before={block['record']}&limit=1"))
        assert rest == [older]

    def test_what_only_says_that_states_changed_is_asked_for(self):
        """By its type; of a status not even that, it is in the past of its block alone."""
        self.model.call("update_emotion", emotion="proud")
        self.model.say("Good day.")
        self.does(self.builder, "say Hello, Marrek!")
        log = self.data("GET", self.one("records/"))
        assert blocks.set_status(self.marrek, health=50)
        assert self.data("GET", self.one("records/")) == log
        told = [(record["type"], record["data"].get("label")) for record in log]
        assert "StateChanged" not in dict(told)
        assert ("BlockChanged", "status") not in told
        (last,) = self.data("GET", self.one("records/?limit=1"))
        (older,) = self.data("GET", self.one(f"records/?limit=1&before={last['record']}"))
        assert [last, older] == log[:2]
        asked = self.data("GET", self.one("records/?type=StateChanged"))
        told = self.data("GET", self.one("audit/"))
        own = [moment["name"] for moment in told if not moment["name"].startswith("b")]
        assert [str(record["number"]) for record in asked] == own != []
        assert all("block status" not in moment["parts"] for moment in told)
        versions = self.data("GET", self.one("blocks/status/versions/"))
        assert [version["did"] for version in versions] == ["set_status", "feel"]

    def test_the_prompt_is_previewed(self):
        """Part by part, as the model would be sent it."""
        self.model.say("Good day.")
        self.does(self.builder, "say Hello, Marrek!")
        seen = self.data("GET", self.one("workbench/preview/?who=Bea&words=Where+to?"))
        assert any("Where to?" in message["text"] for message in seen["messages"])
        assert seen["tokens"] > 0
        (asked,) = (one for one in seen["components"] if one["is_terminal"])
        assert asked["component"] == "event"
        assert "Where to?" in asked["text"]
        named = [one["component"] for one in seen["components"]]
        assert named[0] == "system_prompt"
        assert {"character_context", "conversation"} <= {*named}
        assert seen["model"]
        unasked = self.data("GET", self.one("workbench/preview/?who=Marrek"))
        (asked,) = (one for one in unasked["components"] if one["is_terminal"])
        assert "Bea" not in asked["text"]

    def test_a_question_is_a_job(self):
        """It answers at once with a job; the answer of the model comes with that."""
        self.model.hold = hold = Deferred()
        self.model.text("A ferryman.")
        answer = self.send("POST", self.one("questions/"), {"text": "Who are you?"})
        assert answer.status_code == 202
        job = f"jobs/{answer.json()['data']['job']}/"
        assert self.data("GET", job)["state"] == "running"
        self.let_go(hold)
        assert self.data("GET", job)["result"]["text"] == "A ferryman."
        other = make_token(self.builder.account, "mine")
        self.refusal(404, "GET", job, token=other)

    def test_what_came_of_a_job_goes_with_what_is_forgotten(self):
        self.model.text("Bea has a secret.")
        job = self.send("POST", self.one("questions/"), {"text": "Who is she?"}).json()["data"]
        assert "secret" in self.data("GET", f"jobs/{job['job']}/")["result"]["text"]
        forget_person(self.builder, by=self.char1)
        self.steps.run()
        self.refusal(404, "GET", f"jobs/{job['job']}/")

    def test_what_fails_later_says_so(self):
        """A job that fails has the sentence of the command."""
        goal = self.marrek.goals.add_goal("Rest")
        self.marrek.goals.update_goal(goal, status="completed")
        self.refusal(400, "POST", self.one(f"goals/{goal}/decompose/"))

    def test_a_block_is_edited(self):
        """As `aiblock/edit` does; of an unknown one it says which there are, and a view is none."""
        change = {"field": "fact", "text": "The bridge is out."}
        told = self.data("PATCH", self.one("blocks/shared_social/"), change)
        assert "The bridge is out." in told["told"]
        told = self.refusal(404, "PATCH", self.one("blocks/none/"), change)
        assert "global_knowledge" in told
        self.refusal(400, "PATCH", self.one("blocks/tasks/"), change)

    def test_a_block_is_made_shared_and_deleted(self):
        """Of one alone or shared, as `aiblock` does."""
        tansy = self.an_assistant("Tansy")
        made = self.data("POST", self.one("blocks/"), {"block": "watch", "shared": True})
        assert made == {"block": "watch", "shared_by": ["Marrek"]}
        joined = self.data("POST", f"assistants/{tansy.pk}/blocks/watch/join/")
        assert joined["shared_by"] == ["Marrek", "Tansy"]
        self.data("POST", self.one("blocks/watch/leave/"))
        self.refusal(400, "POST", self.one("blocks/watch/leave/"))
        self.data("DELETE", f"assistants/{tansy.pk}/blocks/watch/")
        assert "watch" not in self.data("GET", f"assistants/{tansy.pk}/blocks/")

    def test_a_block_has_versions_and_an_undo(self):
        """Each names who wrote it; a view has none."""
        address = self.one("blocks/shared_social/")
        for text in ("The bridge is out.", "The mill stands."):
            self.data("PATCH", address, {"field": "fact", "text": text})
        newest = self.data("GET", f"{address}versions/")[0]
        assert newest["by"] == self.account.key
        assert self.data("POST", f"{address}undo/")["version"] == newest["version"] - 1
        facts = self.data("GET", self.one("blocks/"))["shared"]["shared_social"]
        assert "mill" not in json.dumps(facts)
        self.refusal(400, "GET", self.one("blocks/tasks/versions/"))
        self.refusal(404, "GET", self.one("blocks/none/versions/"))

    def test_the_world(self):
        """News, lore and places, as `aiworld` tells them."""
        self.data("POST", "world/news/", {"text": "The tower fell."})
        self.data("PATCH", "world/lore/", {"text": "A land of eels."})
        self.data("PATCH", "world/places/The mill/", {"description": "It burnt down."})
        known = self.data("PATCH", "world/places/The mill/", {"coordinates": [3, 14]})
        assert known["lore"] == "A land of eels."
        assert known["recent_events"][0]["content"] == "The tower fell."
        assert known["locations"][0]["description"] == "It burnt down."
        assert self.data("DELETE", "world/places/The mill/")["locations"] == []
        self.refusal(404, "DELETE", "world/places/The mill/")
        self.refusal(400, "PATCH", "world/places/The mill/", {})

    def test_the_emergency_stop(self):
        """Triggered and cleared, with a reason."""
        stopped = self.data("POST", self.one("execution/stop/"), {"reason": "noise"})
        assert stopped["is_stopped"]
        assert "noise" in stopped["state"]["emergency stop"]
        assert "Emergency stop of Marrek" in "".join(self.logged())
        assert not self.data("POST", self.one("execution/clear/"))["is_stopped"]
        self.refusal(400, "POST", self.one("execution/clear/"))
        assert not self.data("GET", self.one("execution/"))["is_stopped"]

    def test_the_past(self):
        """The moments, the states at one of them, and how two differ."""
        for words in ("Find planks.", "Find nails."):
            self.marrek.goals.add_goal(words)
        then, first = self.data("GET", self.one("audit/?limit=2"))
        past = self.data("GET", self.one(f"audit/at/?moment={first['name']}&part=goals"))
        assert [goal["description"] for goal in past["states"]["goals"]["goals"]] == [
            "Find planks."
        ]
        two = f"moment={first['name']}&then={then['name']}"
        changes = self.data("GET", self.one(f"audit/compare/?{two}"))["changes"]
        assert "Find nails." in "".join(changes)
        blocks.change_persona(self.marrek, {"role": "smith"}, by="Ada")
        (last,) = self.data("GET", self.one("audit/?limit=1"))
        past = self.data("GET", self.one(f"audit/at/?moment={last['name']}&part=block"))
        assert past["states"]["block persona"]["role"] == "smith"
        self.refusal(400, "GET", self.one("audit/at/?moment=soon"))

    def test_a_directors_note(self):
        """It is given for a term, listed, and taken back."""
        made = self.data("POST", self.one("notes/"), {"text": "Be brief.", "term": "3 turns"})
        assert (made["content"], made["turns"], made["by"]) == ("Be brief.", 3, self.account.key)
        assert self.data("GET", self.one("notes/")) == [made]
        self.data("DELETE", self.one(f"notes/{made['id']}/"))
        self.refusal(404, "DELETE", self.one("notes/1/"))
        self.refusal(400, "POST", self.one("notes/"), {"text": "x", "term": "for ever"})

    def test_a_scene_is_led(self):
        """It is made, filled, runs, and is told of; players are members by their names, too."""
        scene = self.data("POST", "scenes/", {"title": "The Wake"})["scene"]
        self.refusal(400, "POST", f"scenes/{scene}/start/")
        self.data("POST", f"scenes/{scene}/members/", {"who": "Marrek"})
        dan = self.a_player("Dan")
        self.data("POST", f"scenes/{scene}/members/", {"who": "dan"})
        self.refusal(404, "POST", f"scenes/{scene}/members/", {"who": "Nobody"})
        self.data("PATCH", f"scenes/{scene}/", {"name": "weather", "value": "rain"})
        started = self.data("POST", f"scenes/{scene}/start/")
        assert started["state"] == "running"
        assert [one["name"] for one in started["members"]] == ["Marrek", "Dan"]
        self.model.say("So it is.")
        self.does(dan, "say Marrek, the mill burns!")
        assert self.data("POST", f"scenes/{scene}/day/", {"day": 3})["day"] == 3
        assert self.data("GET", f"scenes/{scene}/")["values"]["weather"] == "rain"
        lines = self.data("GET", f"scenes/{scene}/lines/")["messages"]
        assert any("the mill burns" in line["content"] for line in lines)
        known = self.data("GET", f"scenes/{scene}/memories/?who=Marrek")["containers"][0]
        assert any("the mill burns" in one["content"] for one in known["memories"])
        left = self.data("DELETE", f"scenes/{scene}/members/Dan/")
        assert left["state"] == "over"
        assert [one["scene"] for one in self.data("GET", "scenes/")] == ["game", scene]
        self.refusal(404, "GET", "scenes/none/")

    def test_who_may_not_change_somebody_does_not_cast_them(self):
        scene = self.data("POST", "scenes/", {"title": "The Wake"})["scene"]
        self.marrek.locks.add("edit:false()")
        self.refusal(403, "POST", f"scenes/{scene}/members/", {"who": "Marrek"})

    def test_it_is_tried_out(self):
        """In the sandbox, by a call made again and by marked turns; nothing of it is remembered."""
        self.model.say("A fine day.")
        self.does(self.a_player("Dan"), "say Marrek, how is the day?")
        turn = self.data("GET", self.one("turns/"))[0]["id"]
        mark = {"turn": turn, "good": False, "wanted": "It rains."}
        self.data("POST", self.one("tries/marks/"), mark)
        assert self.data("GET", self.one("tries/marks/"))[0]["wanted"] == "It rains."
        self.marrek.locks.add("edit:false()")  # which keeps nobody from trying
        kept = AssistantEvent.objects.count()
        said = self.done("tries/sandbox/", {"who": "Dan", "words": "And now?"}, "It pours.")
        assert said[0]["answer"]["text"] == "It pours."
        assert [one["words"] for one in self.data("GET", self.one("tries/sandbox/"))] == [
            "And now?"
        ]
        (call,) = calls_in_turn(self.marrek, turn).result
        again = self.done("tries/again/", {"call": call.number, "today": True}, "It snows.")
        assert again["calls_before"][0].startswith("say (text: A fine day.), because: ")
        assert again["after"]["text"] == "It snows."
        (checked,) = self.done("tries/check/", {"persona": "role: smith"}, "It rains.")
        assert checked["answer"]["text"] == "It rains."
        assert AssistantEvent.objects.count() == kept
        self.marrek.locks.add("edit:perm(Admin)")
        assert self.data("DELETE", self.one(f"tries/marks/{turn}/")) == []

    def done(self, address, sent, answer):
        """Begin a job, let a model answer, and return what came of it."""
        self.model.text(answer)
        begun = self.data("POST", self.one(address), sent)
        self.steps.run()
        ended = self.data("GET", f"jobs/{begun['job']}/")
        assert ended["state"] == "done", ended
        return ended["result"]

    def test_a_draft_writes_nothing(self):
        """It is a job; what is liked of it is set by another request."""
        drafted = '{"role": "ferryman", "sayings": ["Mind the step."]}'
        made = self.done("drafts/", {"sentence": "a ferryman"}, drafted)
        assert made["fields"]["role"] == "ferryman"
        assert self.data("GET", self.one("persona/"))["fields"].get("role") != "ferryman"

    def test_money_health_and_settings(self):
        """As the pages show them; no key is among the settings."""
        assert len(self.data("GET", "money/?days=3")["days"]) == 3
        figures = dict(self.data("GET", "health/")["figures"])
        assert figures["assistants that run"] == "1"
        (row,) = self.data("GET", "settings/?q=api_requests")
        assert row["name"] == "AI_ASSISTANT_API_REQUESTS_PER_MINUTE"
        self.refusal(400, "GET", "money/?days=9000")

    def test_sleep(self):
        """Put to sleep and woken."""
        self.data("POST", self.one("sleep/"), {"asleep": True})
        self.data("POST", self.one("sleep/"), {"asleep": False})

    def test_few_queries(self):
        """As many for one assistant as for many."""
        counts = []
        for number in (0, 8):
            for other in range(number):
                self.an_assistant(f"Twin{other}", self.street)
            self.data("GET", "assistants/")
            with CaptureQueriesContext(connection) as queries:
                self.data("GET", "assistants/")
            counts.append(len(queries))
        assert counts[0] == counts[1] <= 25


class TestTokens(RestTestCase):
    def test_made_listed_and_revoked_by_command(self):
        """It is shown once, never kept or logged, and good until it is revoked."""
        ApiToken.objects.all().delete()
        told = self.ai("/token backup = 30")
        assert "The API is off" not in told
        secret = told.split()[-1]
        self.data("GET", "assistants/", token=secret)
        assert secret not in "".join(self.logged())
        assert secret not in str(list(ApiToken.objects.values()))
        listed = self.ai("/token")
        assert "backup" in listed
        assert secret not in listed
        assert "good for nothing" in self.ai("/token backup = revoke")
        self.refusal(401, "GET", "assistants/", token=secret)

    def test_what_no_token_is_made_of(self):
        """No name, one that is taken, too many days, nonsense."""
        assert "named tests already" in self.ai("/token tests")
        assert "1 to 366 days" in self.ai("/token other = 4000")
        assert "Usage" in self.ai("/token other = soon")
        assert "at most" in self.ai(f"/token {'x' * 80}")
        assert ApiToken.objects.count() == 1

    def test_everybody_has_their_own(self):
        """A Builder neither sees nor revokes those of others; an Admin does."""
        assert "no tokens" in self.ai("/token", self.builder)
        assert "no tokens" in self.ai("/token = all", self.builder)
        self.ai("/token tests = read", self.builder)
        assert "Ada" not in self.ai("/token = all", self.builder)
        for line in ("/token = all", "/token all"):
            assert "Bea" in self.ai(line)
        assert "Which of them" in self.ai("/token tests = revoke")
        assert "good for nothing" in self.ai("/token Bea:tests = revoke")
        assert ApiToken.objects.count() == 1


class TestTheDescription(RestTestCase):
    def test_it_is_what_the_endpoints_are(self):
        """The file that ships says what there is; `make openapi` writes it."""
        assert FILE.read_text() == as_text()
        call_command("ai_openapi", check=True)

    def test_each_route_is_described(self):
        """No address is there that it does not name, and the reverse."""
        described = {
            address.lstrip("/").replace("{", "<str:").replace("}", ">")
            for address in document()["paths"]
        }
        (pages,) = (one for one in get_resolver().url_patterns if str(one.pattern) == "ai/")
        (api,) = (one for one in pages.url_patterns if isinstance(one, URLResolver))
        routes = {str(one.pattern) for one in api.url_patterns if str(one.pattern)}
        assert routes == described

    def test_each_has_a_name_of_its_own_and_says_what_it_is_for(self):
        """So a client that is made of it can be read."""
        paths = document()["paths"].values()
        told = [operation for path in paths for operation in path.values()]
        assert len({one["operationId"] for one in told}) == len(told) == len(ENDPOINTS)
        assert all(one["summary"].endswith(".") for one in told)

    def test_evennias_own_description_goes_on_working(self):
        """It walks every route, and ours are none of its business."""
        described = SchemaGenerator().get_schema(public=True)["paths"]
        assert not [path for path in described if "assistants" in path]
