"""The REST API about an assistant as a whole: cards, lore, what was asked of models, its end."""

import base64
import json
from unittest.mock import patch

from ai_assistant.api.whole import mind_files, whole_exchange
from ai_assistant.game.identity import entity_id
from ai_assistant.models import AssistantEvent, Memory
from ai_assistant.web.rest.api_gate import ApiView
from ai_assistant.web.rest.api_shelf import WHOLE_FILE
from ai_assistant.web.rest.api_tokens import make_token
from tests.evennia.test_rest import RestTestCase

CARD = {"name": "Elara", "description": "A ferrywoman.", "personality": "calm"}
BOOK = {"name": "Isle", "entries": [{"keys": ["ferry"], "content": "It leaks."}]}


class TestCards(RestTestCase):
    def test_a_card_makes_an_assistant(self):
        """In the room that was named, of its maker's; a lorebook makes none."""
        sent = {"card": CARD, "room": self.inn.pk}
        made = self.data("POST", "assistants/cards/", sent)
        assert (made["name"], made["room"]) == ("Elara", self.inn.pk)
        self.steps.run()
        assert "Elara already" in self.refusal(400, "POST", "assistants/cards/", sent)
        sent["card"] = BOOK
        assert "is a lorebook" in self.refusal(400, "POST", "assistants/cards/", sent)
        assert sorted(self.names()) == ["Elara", "Marrek"]

    def test_a_card_becomes_the_persona(self):
        """The name in the world stays, and it is on record."""
        assert self.data("POST", self.one("card/"), {"card": CARD})["name"] == "Marrek"
        fields = self.data("GET", self.one("persona/"))["fields"]
        assert "ferrywoman" in json.dumps(fields)
        assert AssistantEvent.objects.filter(type="CardImported").count() == 1

    def test_lore_is_read_tried_and_deleted(self):
        """What words would bring to mind, as `ai/lore` tells it."""
        assert self.data("POST", "lore/", {"book": BOOK}) == {"kept": "Isle"}
        assert "is a card" in self.refusal(400, "POST", "lore/", {"book": CARD})
        (entry,) = self.data("GET", "lore/")["Isle"]
        assert (entry["when"], entry["content"]) == ("ferry", "It leaks.")
        (fired,) = self.data("GET", self.one("lore/?words=Where is the ferry?"))["fired"]
        assert "ferry" in fired["why"]
        assert self.data("GET", self.one("lore/?words=Hello"))["fired"] == []
        assert self.data("DELETE", "lore/isle/") == {"deleted": "Isle"}
        self.refusal(404, "DELETE", "lore/isle/")

    def test_an_entry_is_read_and_written_field_by_field(self):
        """Of a lorebook of the world and of a card, as `ai/lore` does; each change on record."""
        self.data("POST", "lore/", {"book": BOOK})
        self.data("POST", self.one("card/"), {"card": {**CARD, "character_book": BOOK}})
        (own, of_world) = self.data("GET", self.one("lore/"))["entries"]
        addresses = {f"lore/isle/entries/{of_world['key']}/", self.one(f"lore/{own['key']}/")}
        for address in addresses:
            assert self.data("GET", address)["content"] == "It leaks."
            sent = {"fields": {"keys": "boat, raft", "constant": "on"}}
            made = self.data("PATCH", address, sent)
            assert (made["keys"], made["constant"]) == (["boat", "raft"], True)
            told = self.refusal(400, "PATCH", address, {"fields": {"depth": "deep"}})
            assert "whole number" in told
        self.refusal(404, "GET", "lore/isle/entries/none/")
        self.refusal(404, "PATCH", self.one("lore/none/"), {"fields": {"name": "x"}})
        assert [row["when"] for row in self.data("GET", self.one("lore/"))["entries"]] == [
            "always",
            "always",
        ]

    def test_the_latest_change_of_a_lorebook_is_told_and_taken_back(self):
        """A deletion too; what was never there has none."""
        self.data("POST", "lore/", {"book": BOOK})
        self.data("DELETE", "lore/isle/")
        log = self.data("GET", "lore/isle/log/")
        assert [(one["what"], one["by"]) for one in log] == [
            ("deleted", self.account.key),
            ("written", self.account.key),
        ]
        assert self.data("POST", "lore/isle/undo/") == {"undone": "Isle"}
        assert "Isle" in self.data("GET", "lore/")
        assert self.data("GET", "lore/mill/log/") == []
        self.refusal(404, "POST", "lore/mill/undo/")


class TestAllOfIt(RestTestCase):
    def test_a_whole_assistant_goes_out_by_a_job(self):
        """As the file that `ai/import` reads, with its memories; and it is on record who did it."""
        self.data("POST", self.one("announcements/"), {"text": "The bridge is out."})
        result = self.outcome("POST", self.one("whole/"))["result"]
        whole = mind_files.unpacked(base64.b64decode(result["file"]))
        assert (result["name"], whole["name"]) == ("marrek.gz", "Marrek")
        assert "The bridge is out." in json.dumps(whole["rows"])
        (exported,) = AssistantEvent.objects.filter(type="AssistantExported")
        assert exported.data["by"] == self.account.key

    def test_who_may_not_edit_it_exports_nothing(self):
        """Its confidences are in the file: the `edit` lock decides, as it does in the game."""
        self.marrek.locks.add("edit:false()")
        self.account.is_superuser = False
        self.account.save()
        self.refusal(403, "POST", self.one("whole/"))

    def exported(self):
        """Return the bytes of Marrek's file."""
        return mind_files.packed(whole_exchange.exported_whole(self.marrek))

    def send_file(self, data, room=None, **options):
        """Send a file that is to come into a room, the inn unless another is given."""
        options.setdefault("content_type", "application/gzip")
        address = f"assistants/whole/?room={(room or self.inn).pk}"
        return self.send("POST", address, data, **options)

    def refused(self, status, data, **options):
        """Return the sentence with which a file is refused."""
        answer = self.send_file(data, **options)
        assert answer.status_code == status, answer.content.decode()
        return answer.json()["error"]["message"]

    def come_of(self, answer):
        """Return what came of the job with which a request was answered."""
        assert answer.status_code == 202, answer.content.decode()
        self.steps.run()
        return self.data("GET", f"jobs/{answer.json()['data']['job']}/")

    def test_a_whole_assistant_comes_in_by_a_job(self):
        """In the room that was named, of its maker's, with its memories, a second one of its name;
        it is on record who did it."""
        self.data("POST", self.one("announcements/"), {"text": "The bridge is out."})
        made = self.come_of(self.send_file(self.exported()))["result"]
        assert (made["name"], made["room"]) == ("Marrek 2", self.inn.pk)
        knows = Memory.objects.filter(container=made["id"]).values_list("content", flat=True)
        assert "The bridge is out." in [*knows]
        (imported,) = AssistantEvent.objects.filter(type="AssistantImported")
        assert imported.data["by"] == self.account.key

    def test_the_job_says_how_far_it_is(self):
        """So many of its memories are there."""
        me, count = entity_id(self.marrek), 60
        Memory.objects.bulk_create(
            Memory(container=me, content=f"Barrel {number} is empty.", learned_at=float(number))
            for number in range(count)
        )
        job = self.send_file(self.exported()).json()["data"]
        told = list[dict]()
        while (now := self.data("GET", f"jobs/{job['job']}/"))["state"] == "running":
            told.append(now.get("progress"))
            self.steps.waiting.popleft()()
        assert told[0] is None
        done = [far["done"] for far in told if far]
        assert done == sorted(done)
        assert 0 < done[0] < done[-1] == count
        assert {far["of"] for far in told if far} == {count}

    def test_a_file_too_large_is_told_what_to_do_instead(self):
        """Whether it says so beforehand or not; no other endpoint reads more for it."""
        large = bytes(WHOLE_FILE.most + 1)
        assert "evennia ai_import" in self.refused(413, large)
        with patch.object(ApiView, "initial", lambda *args, **named: None):
            assert "16,000,000 bytes are read" in self.refused(413, large)
        self.refusal(413, "POST", self.one("goals/"), bytes(1_000_001))
        assert self.names() == ["Marrek"]

    def test_what_is_no_such_file_makes_nobody(self):
        """Nothing at all, another kind of content, a card, a damaged file, no room."""
        assert "no JSON" in self.come_of(self.send_file(b""))["error"]
        self.refused(415, self.exported(), content_type="application/json")
        self.refusal(415, "POST", self.one("goals/"), b"x", content_type="application/gzip")
        card = json.dumps(CARD).encode()
        assert "no whole assistant" in self.come_of(self.send_file(card))["error"]
        assert "cut off" in self.come_of(self.send_file(self.exported()[:-40]))["error"]
        assert "is no room" in self.refused(400, self.exported(), room=self.builder)
        with patch.object(whole_exchange, "MOST_LIVE", -1):
            assert "evennia ai_import" in self.come_of(self.send_file(self.exported()))["error"]
        assert self.names() == ["Marrek"]

    def test_only_admins_bring_one_in(self):
        """It holds what others said in confidence: a Builder makes assistants of cards alone."""
        builder = make_token(self.builder.account, "mine")
        assert "Only Admins" in self.refused(403, self.exported(), token=builder)


class TestWhatWasAsked(RestTestCase):
    def test_a_model_call_is_opened(self):
        """From the list to what was sent and answered."""
        self.model.say("Good day.")
        self.does(self.builder, "say Hello, Marrek!")
        (row,) = self.data("GET", self.one("calls/"))
        opened = self.data("GET", self.one(f"calls/{row['number']}/"))
        assert "Good day." in opened["answer"]
        assert "Hello, Marrek!" in json.dumps(opened["parts"])
        assert opened["figures"] == row
        self.refusal(404, "GET", self.one("calls/999/"))
        self.refusal(404, "GET", self.one("calls/none/"))

    def test_tasks_are_listed(self):
        """What staff asked, and what came of it."""
        self.model.text("Nine.")
        self.outcome("POST", self.one("questions/"), {"text": "Count the barrels."})
        told = self.data("GET", self.one("tasks/"))
        assert told["under_way"] == told["delegates"] == []
        (last,) = told["last"]
        assert last["task"] == "Count the barrels."

    def test_a_block_is_shown_and_limited(self):
        """As stored and as its model sees it; a private one is somebody's."""
        social = self.one("blocks/shared_social/")
        self.data("PATCH", social, {"field": "fact", "text": "The bridge is out."})
        assert "The bridge is out." in self.data("GET", social)["visible"]
        assert self.data("POST", f"{social}limit/", {"limit": 900})["limit"] == 900
        self.refusal(400, "POST", f"{social}limit/", {"limit": 1})
        self.refusal(400, "GET", self.one("blocks/private/"))
        self.refusal(404, "GET", self.one("blocks/none/"))

    def test_the_map_agrees_with_the_rooms(self):
        """What was written is told."""
        self.inn.tags.add("place", category="ai_assistant")
        told = self.data("POST", "world/sync/")
        assert {*told} == {"written", "removed"}


class TestItsEnd(RestTestCase):
    def setUp(self):
        super().setUp()
        self.model.say("Good day.")
        self.does(self.builder, "say Hello, Marrek! I keep eels.")

    def test_somebody_is_forgotten_everywhere(self):
        """By whoever gives the whole name; what others said is left."""
        address = "people/bea/"
        assert "sure=Bea" in self.refusal(400, "DELETE", f"{address}?sure=bea")
        job = self.outcome("DELETE", f"{address}?sure=Bea&scope=own")
        assert job["state"] == "done"
        assert not Memory.objects.filter(content__contains="eels").exists()
        self.refusal(404, "DELETE", "people/nobody/?sure=Nobody")

    def test_it_begins_anew(self):
        """What it remembers goes; who it is stays."""
        assert "sure=Marrek" in self.refusal(
            400, "POST", self.one("reset/"), {"scope": "memory", "sure": "m"}
        )
        self.data("POST", self.one("reset/"), {"scope": "memory", "sure": "Marrek"})
        assert self.data("GET", self.one("people/")) == []
        assert self.data("GET", self.one("persona/"))["fields"]["name"] == "Marrek"

    def test_it_is_released(self):
        """Its mind rests, and it is no assistant any more."""
        told = self.data("POST", self.one("release/"), {"keep": True, "sure": "Marrek"})
        assert told["released"] == "Marrek"
        self.refusal(404, "GET", self.one())
        assert self.marrek.pk
