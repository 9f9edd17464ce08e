"""The pages about stories: who took part in which line and why, corrections, and lorebooks."""

import html
import json
import re
from dataclasses import replace
from urllib.parse import parse_qsl, quote, unquote

from django.core.files.uploadedfile import SimpleUploadedFile

from ai_assistant.api import staging
from ai_assistant.api.card_exchange import put_card, read_bytes
from ai_assistant.api.lore_books import card_book
from ai_assistant.commands.staff.aiscene import CmdAIScene
from ai_assistant.models import AssistantEvent, Memory, Participation
from ai_assistant.roleplay.lorebook.entry_fields import FIELDS, as_typed, entry_values
from ai_assistant.roleplay.takes import UNDONE
from ai_assistant.storage.lorebooks import world_book
from ai_assistant.web.stories import SCENES_SHOWN
from tests.evennia.pages import PagesTestCase

CARD = {"name": "Elara", "description": "A ferrywoman.", "personality": "calm"}


class TestScenePages(PagesTestCase):
    def setUp(self):
        super().setUp()
        self.model.say("Aye, the ford is deep.")
        self.does(self.builder, "say Hello, Marrek! Is the ford deep?")
        self.event = Participation.objects.order_by("pk").first().event

    def test_who_took_part_and_why(self):
        """Each line with who spoke, who took part by which rule, and the transcript."""
        assert "the game itself" in self.get("scenes")
        page = self.get("scene")
        why = "called by name, 95% sure"
        for words in ("Is the ford deep?", "took part", why, "Transcript", "spoke", "Marrek"):
            assert words in page

    def test_a_guest_who_left_keeps_the_name(self):
        """At what they said, and over their column."""
        guest = self.a_player("Guest7")
        self.model.say("Deep enough.")
        self.does(guest, "say Marrek, how deep?")
        guest.delete()
        page = self.get("scene")
        assert page.count("Guest7") > 1
        assert "somebody gone" not in page

    def test_one_line_and_what_each_has_of_it(self):
        """A correction is asked about first, then made, audited, and shown."""
        page = self.get("scene", query={"line": self.event})
        assert "What each has of that line" in page
        own = self.resident(self.marrek).id
        row = Memory.objects.get(container=own, content__contains="ford deep?", archived_at=None)
        fields = {"row": row.pk, "text": "Bea asked whether the ford is safe."}
        assert "ford is safe" in self.correct(**fields).content.decode()
        assert not Memory.objects.filter(content__contains="ford is safe").exists()
        self.correct(**fields, sure="yes")
        assert Memory.objects.filter(container=own, content__contains="ford is safe").exists()
        assert AssistantEvent.objects.filter(type="Edited").exists()

    def correct(self, **fields):
        """Send what somebody should remember of the game itself."""
        address = self.address("edit_world", what="scene_memory")
        return self.browser().post(address, {"scene": "game"} | fields)

    def put_right(self, who, **fields):
        """Send who took part in the line."""
        address = self.address("edit_world", what="who_took_part")
        fields |= {"scene": "", "line": self.event, "who": who}
        return self.browser().post(address, fields)

    def test_who_took_part_is_put_right(self):
        """Asked about first, memory by memory; then whoever took no part has forgotten it."""
        own = Memory.objects.filter(
            container=self.resident(self.marrek).id,
            content__contains="ford deep?",
            archived_at=None,
        )
        address = self.address("edit_world", what="who_took_part")
        form = self.browser().get(address, {"scene": "", "line": self.event}).content.decode()
        assert "Is the ford deep?" in form
        assert 'value="Marrek"' in form
        asked = self.put_right("").content.decode()
        assert "forgotten" in asked
        assert own.exists()
        assert "everybody" not in asked
        self.put_right("", sure="yes")
        assert not own.exists()
        assert "put right by staff" not in self.get("scene", query={"line": self.event})
        self.put_right("marrek", sure="yes")
        assert own.exists()
        assert "put right by staff" in self.get("scene", query={"line": self.event})
        log = AssistantEvent.objects.filter(type="ParticipantsCorrected")
        assert log.latest("pk").data["by"] == self.account.key

    def test_who_took_part_goes_by_the_lock_of_each(self):
        """Whom one may not change keeps what it has; nobody and nothing new is refused in words."""
        self.marrek.locks.add("edit:false()")
        refused = self.put_right("", sure="yes")
        assert "may not change Marrek" in refused.content.decode()
        assert refused.status_code == 403
        for who, told in (("Marrek", "Nothing was changed"), ("Nemo", "no character")):
            assert told in self.put_right(who).content.decode()

    def test_what_there_is_not_is_said(self):
        """No such scene, line or row; and no words."""
        browser, address = self.browser(), self.address("scene")
        for query in ({"scene": "none"}, {"line": "none"}):
            assert browser.get(address, query).status_code == 404
        for fields in ({"row": "999999", "text": "x"}, {"row": "x", "text": "x"}, {}):
            assert self.correct(**fields, sure="yes").status_code == 400

    def test_who_missed_a_line_and_why(self):
        """Not there yet, gone by then, or out of hearing; by page and by command."""
        scene = staging.create_scene("The Feast", self.builder)
        staging.join_scene(scene.id, self.marrek)
        staging.start_scene(scene.id)
        self.model.say("Aye.")
        self.does(self.builder, "say Marrek, is the ale good?")
        tansy = self.an_assistant("Tansy")
        staging.join_scene(scene.id, tansy)
        assert "missed by: Tansy (had not joined yet)" in self.types(CmdAIScene, "/why the feast")
        self.does(tansy, "say Good evening, all.")
        page = self.get("scene", query={"scene": scene.id})
        assert "<small>had not joined yet</small>" in page

    def test_the_rules_of_a_scene_are_sentences(self):
        """And the game itself, which is no play, has none."""
        scene = staging.create_scene("The Feast", self.char1)
        staging.set_scene(scene.id, "policy", "free")
        page = self.get("scene", query={"scene": scene.id})
        assert "answered by whoever wants to." in page
        assert "<dt>Place" not in page
        staging.set_scene(scene.id, "location", "the hall")
        assert "<dt>Place</dt><dd>the hall" in self.get("scene", query={"scene": scene.id})
        assert "policy" not in page
        assert "<dt>Rules" not in self.get("scene")

    def test_a_long_scene_is_paged(self):
        """Thirty lines a page, the newest first."""
        made = Participation.objects.first()
        Participation.objects.bulk_create(
            Participation(event=f"x{n}", row=0, at=n, speaker=made.speaker, by="rules")
            for n in range(60)
        )
        newest = self.get("scene")
        assert "Newest lines" not in newest
        second = self.get("scene", query=self.led_to("Older lines", newest))
        first = self.get("scene", query=self.led_to("Older lines", second))
        assert "Is the ford deep?" in first
        assert "Older lines" not in first
        assert self.led_to("Newest lines", first) == {"scene": ""}

    def led_to(self, words, page):
        """Return what a link of a page asks for."""
        (query,) = re.findall(rf'href="[^"?]*\?([^"]*)"[^>]*>{words}', page)
        return dict(parse_qsl(html.unescape(query), keep_blank_values=True))

    def test_a_line_is_shown_among_those_before_it(self):
        """Also from a turn's page that answered it, however much was said since."""
        Participation.objects.bulk_create(
            Participation(event=f"x{n}", row=0, at=n, speaker="", by="rules") for n in range(60)
        )
        (turn,) = AssistantEvent.objects.filter(type="TurnCompleted")
        query = self.led_to("in its scene", self.get("turn", turn=turn.turn_id))
        assert query == {"scene": "", "line": self.event}
        page = self.get("scene", query=query)
        assert "Is the ford deep?" in page.partition("Who took part in what")[2]
        assert "Newest lines" in page

    def test_a_line_that_was_taken_back_has_no_place_to_lead_to(self):
        """The turn is told of without a link."""
        Participation.objects.update(by=UNDONE)
        (turn,) = AssistantEvent.objects.filter(type="TurnCompleted")
        assert "in its scene" not in self.get("turn", turn=turn.turn_id)

    def test_a_long_list_of_scenes_is_paged(self):
        """Fifty a page, in the order of the command."""
        for n in range(SCENES_SHOWN):
            staging.create_scene(f"The Feast {n}", by="Ada")
        first = self.get("scenes")
        assert first.count("The Feast") == SCENES_SHOWN - 1
        last = self.get("scenes", query=self.led_to("Newer scenes", first))
        assert f"The Feast {SCENES_SHOWN - 1}" in last
        assert self.led_to("Older scenes", last) == {"page": "1"}
        assert "Newer scenes" not in last


class TestLorePage(PagesTestCase):
    def upload(self, data, **fields):
        """Send a file as a lorebook."""
        file = SimpleUploadedFile("isle.json", json.dumps(data).encode())
        return self.browser().post(
            self.address("upload_book"), {"card": file, **fields}, follow=True
        )

    def test_a_book_is_uploaded_and_deleted(self):
        """Once that was ticked, and once that was asked about; all assistants read it meanwhile."""
        book = {"name": "Isle", "entries": [{"keys": ["ferry"], "content": "It leaks."}]}
        assert "tick that" in self.upload(book).content.decode()
        assert "is a card" in self.upload(CARD, sure="yes").content.decode()
        assert "know the lorebook Isle now" in self.upload(book, sure="yes").content.decode()
        page = self.get("lore", query={"assistant": self.marrek.pk, "words": "the ferry"})
        assert "It leaks." in page
        assert "drop_book" in self.get("lore")
        drop = self.address("edit_world", what="drop_book")
        assert "1 entry" in self.browser().post(drop, {"book": "Isle"}).content.decode()
        self.browser().post(drop, {"book": "Isle", "sure": "yes"})
        assert "It leaks." not in self.get("lore")

    def test_a_book_that_was_deleted_by_mistake_comes_back(self):
        """Who did what to it stands on the page and in the game, and the latest is taken back."""
        book = {"name": "Isle", "entries": [{"keys": ["ferry"], "content": "It leaks."}]}
        self.upload(book, sure="yes")
        self.upload({**book, "entries": []}, sure="yes")
        self.browser().post(self.address("edit_world", what="drop_book"),
                            {"book": "Isle", "sure": "yes"})  # fmt: skip
        page = self.get("lore")
        assert page.count(f'<td data-label="By">{self.account.key}</td>') == 3
        assert page.count("undo_book") == 1
        undo = self.address("edit_world", what="undo_book")
        assert "no such lorebook" in self.browser().post(undo, {"book": "isle"}).content.decode()
        self.browser().post(undo, {"book": "isle", "sure": "yes"})
        assert "It is empty." in self.get("lore")
        log = self.ai("/lore = log")
        assert log.index("taken back") < log.index("deleted") < log.index("written")
        assert "taken back" in self.ai("/lore = undo Isle")
        assert "It is empty." not in self.get("lore")
        assert "Nothing older is known" in self.ai("/lore = undo mill")

    def test_an_entry_is_edited_field_by_field(self):
        """The form holds all that it has; only what is another is asked about, and written."""
        book = {"name": "Isle", "entries": [{"keys": ["ferry"], "content": "It leaks.", "id": 1}]}
        self.upload(book, sure="yes")
        address = self.address("edit_world", what="lore_entry")
        [entry] = world_book("Isle").entries
        assert f"{address}?book=Isle&amp;entry={quote(entry.key)}" in self.get("lore")
        about = {"book": "Isle", "entry": entry.key}
        form = self.browser().get(address, about).content.decode()
        assert all(f'name="{field}"' in form for field in FIELDS)
        asked = {name: as_typed(value) for name, value in entry_values(entry).items()}
        sent = {**asked, **about, "keys": "boat, raft", "constant": "on", "case_sensitive": ""}
        sent = {name: value for name, value in sent.items() if value not in ("off", "")}
        page = self.browser().post(address, sent).content.decode()
        assert "boat, raft" in page
        assert page.count('data-label="Then"') == 2
        assert self.browser().post(address, sent | {"sure": "yes"}).status_code == 302
        wanted = replace(entry, keys=("boat", "raft"), constant=True)
        assert world_book("Isle").entries == (wanted,)

    def test_an_entry_of_a_card_is_edited_as_well(self):
        """By page and by command, where its lock lets one; the world's stand beside it."""
        book = {"entries": [{"keys": ["mill"], "content": "It grinds.", "name": "The mill"}]}
        put_card(read_bytes(json.dumps({**CARD, "character_book": book}).encode(), ""), self.marrek)
        self.upload(
            {"name": "Isle", "entries": [{"keys": ["ferry"], "content": "It leaks."}]}, sure="yes"
        )
        query = {"assistant": self.marrek.pk}
        page = self.get("lore", query=query)
        address, change = self.address("edit", what="lore_entry"), "edit/lore_entry/?book=Isle"
        ((entry, back),) = re.findall(rf'{address}\?entry=([^"&]+)&amp;back=([^"]+)"', page)
        assert change in page
        form = self.browser().get(address, {"entry": unquote(entry)}).content.decode()
        assert "It grinds." in form
        (now,) = card_book(self.marrek).entries
        typed = {name: as_typed(value) for name, value in entry_values(now).items()}
        sent = {name: words for name, words in typed.items() if words != "off"}
        sent |= {"entry": unquote(entry), "content": "It burnt.", "sure": "yes"}
        done = self.browser().post(address, sent | {"back": unquote(back)})
        assert done["Location"].endswith(f"lore/?assistant={self.marrek.pk}")
        assert "It burnt." in self.get("lore", query=query)
        assert "content It burnt." in " ".join(self.ai("/lore marrek = show: the mill").split())
        self.ai("/lore marrek = edit: the mill: content: It stands.")
        assert card_book(self.marrek).entries[0].content == "It stands."
        self.marrek.locks.add("edit:false()")
        assert "may not change" in self.ai("/lore marrek = edit: the mill: content: Gone.")
        assert self.browser().post(address, sent).status_code == 403
        assert address not in self.get("lore", query=query)

    def test_nothing_yet(self):
        """It says how one comes in, and asks whose mind is meant."""
        assert "ai/import" in self.get("lore")
        assert "Choose an assistant" in self.get("lore", query={"words": "cat"})

    def test_what_would_come_to_mind(self):
        """Of one assistant: what it reads, and what some words bring up."""
        query = {"assistant": self.marrek.pk, "words": "the old mill"}
        page = self.get("lore", query=query)
        assert "What would come to mind" in page
        assert "Nothing." in page
