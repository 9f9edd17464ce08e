"""The REST API about an assistant as a whole: cards, lore, what was asked of models, its end."""

import base64
import json

from ai_assistant.api import card_exchange
from ai_assistant.api.whole import mind_files
from ai_assistant.models import AssistantEvent, Memory
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
        read = card_exchange.read_bytes(json.dumps(BOOK).encode(), "isle.json")
        card_exchange.import_book(read)
        (entry,) = self.data("GET", "lore/")["Isle"]
        assert (entry["when"], entry["content"]) == ("ferry", "It leaks.")
        (fired,) = self.data("GET", self.one("lore/?words=Where is the ferry?"))["fired"]
        assert "ferry" in fired["why"]
        assert self.data("GET", self.one("lore/?words=Hello"))["fired"] == []
        assert self.data("DELETE", "lore/isle/") == {"deleted": "Isle"}
        self.refusal(404, "DELETE", "lore/isle/")


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
