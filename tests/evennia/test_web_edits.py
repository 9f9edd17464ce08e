"""Changing an assistant in the browser: asked about first, as a command does it, and on record."""

import html
import json
from pathlib import Path
from tempfile import TemporaryDirectory

from django.contrib.messages import get_messages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import override_settings
from twisted.internet import reactor

from ai_assistant.api import lifecycle, portraits
from ai_assistant.commands.staff.aimem import CmdAIMem
from ai_assistant.game.quiet import QUIET
from ai_assistant.models import AssistantEvent, Memory
from ai_assistant.roleplay.cards import card_to_bytes, png, read_card
from ai_assistant.roleplay.cards.card_files import json_from_bytes
from ai_assistant.web.access import GAME
from tests.evennia.pages import PagesTestCase

CARD = {"name": "Elara", "description": "A moon elf.", "personality": "shy", "first_mes": "Oh."}


class TestEdits(PagesTestCase):
    def setUp(self):
        super().setUp()
        self.folder = self.enterContext(TemporaryDirectory())
        self.enterContext(override_settings(AI_ASSISTANT_CARDS=self.folder))

    def persona(self, **fields):
        """Send the form of the persona, as it was loaded just now."""
        version = lifecycle.read_persona(self.marrek).version
        return self.change("persona", version=version, **fields)

    def test_all_are_silenced_and_speak_again_from_the_first_page(self):
        """Asked about first; the page says that they are quiet, and leads back."""
        address = self.address("edit_world", what="quiet")
        assert address in self.get("overview")
        assert "quiet" in self.browser().post(address, {"quiet": "yes"}).content.decode()
        assert not QUIET.everywhere
        done = self.browser().post(address, {"quiet": "yes", "sure": "yes"}, follow=True)
        assert "All characters are quiet" in done.content.decode()
        assert QUIET.everywhere
        assert f"{address}?quiet=no" in self.get("overview")
        self.browser().post(address, {"quiet": "no", "sure": "yes"})
        assert not QUIET.everywhere

    def test_a_persona_is_changed_once_it_was_confirmed(self):
        """The first form shows before and after and changes nothing; the second does it."""
        asked = self.persona(role="ferryman", interests="riddles; eels").content.decode()
        assert "ferryman" in asked
        assert "Do it" in asked
        assert "role" not in lifecycle.read_persona(self.marrek).value
        done = self.persona(role="ferryman", interests="riddles; eels", sure="yes")
        assert done.status_code == 302
        persona = lifecycle.read_persona(self.marrek).value
        assert persona["role"] == "ferryman"
        assert persona["interests"] == ["riddles", "eels"]

    def test_of_a_list_each_stands_on_a_line_of_its_own(self):
        """As the page shows it; a semicolon within one is no end of it."""
        lore = ["The bell rang; nobody came.", "The mill burnt down, in winter."]
        self.persona(lore="\r\n".join(lore), sure="yes")
        assert lifecycle.read_persona(self.marrek).value["lore"] == lore
        assert "\n".join(lore) in html.unescape(self.get("persona"))

    def test_an_emptied_field_is_taken_out(self):
        """What is empty in the form, and was not, goes."""
        self.persona(role="ferryman", sure="yes")
        self.persona(role="", sure="yes")
        assert "role" not in lifecycle.read_persona(self.marrek).value

    def test_nobody_overwrites_a_stranger(self):
        """A persona that was changed since the form was loaded is not written."""
        version = lifecycle.read_persona(self.marrek).version
        self.persona(role="ferryman", sure="yes")
        page = self.change("persona", version=version, role="miller", sure="yes")
        assert page.status_code == 400
        assert lifecycle.read_persona(self.marrek).value["role"] == "ferryman"

    def test_a_setting(self):
        """It is set as by command, and the audit log tells."""
        assert "7" in self.change("setting", key="tick_rate", value="7").content.decode()
        self.change("setting", key="tick_rate", value="7", sure="yes")
        assert self.marrek.assistant_script.config["tick_rate"] == 7
        changed = AssistantEvent.objects.filter(type="ConfigurationChanged").latest("seq")
        assert changed.data["by"] == self.account.key

    def test_what_does_not_fit_is_refused(self):
        """With the words of the command, and the way back; nothing is changed."""
        back = f"{self.address('settings')}?q=tick"
        for key, text in (("tick_rate", "many"), ("nonsense", "1"), ("tick_rate", "")):
            page = self.change("setting", key=key, value=text, sure="yes", back=back)
            assert page.status_code == 400, (key, text)
            assert f'href="{back}"' in page.content.decode()
        elsewhere = self.change("setting", key="nonsense", back="https://example.com/")
        assert "example.com" not in elsewhere.content.decode()
        nowhere = self.change("setting", key="tick_rate", value="7", sure="yes", back="no path")
        assert nowhere.url.startswith(self.address("settings"))
        assert self.change("nonsense").status_code == 404

    def a_memory(self):
        """Return the row of something that Marrek heard."""
        self.model.say("Is it?")
        self.does(self.builder, "say Marrek, my cat is called Albatross.")
        return Memory.objects.get(content__contains="Albatross", container=self.own_id())

    def own_id(self):
        return self.resident(self.marrek).id

    def test_a_memory_is_put_right(self):
        """The new words take the place of the old."""
        ref = f"#{self.a_memory().id}"
        asked = self.change("correct", ref=ref, text="The cat is called Gull.").content.decode()
        assert "Albatross" in asked
        self.change("correct", ref=ref, text="The cat is called Gull.", sure="yes")
        assert Memory.objects.filter(content="The cat is called Gull.").exists()

    def test_a_memory_is_forgotten(self):
        """It is gone, once that was confirmed."""
        row = self.a_memory()
        self.change("forget", ref=f"#{row.id}")
        assert Memory.objects.filter(pk=row.pk).exists()
        self.change("forget", ref=f"#{row.id}", sure="yes")
        assert not Memory.objects.filter(pk=row.pk).exists()

    def test_no_page_waits_for_long_work_which_goes_on(self):
        """After some seconds each says so; what was asked for is done all the same."""
        row = self.a_memory()
        self.marrek.notebook.append("Buy eels.")
        sent = {
            "correct": {"ref": "n1", "text": "Buy pike."},
            "forget": {"ref": f"#{row.id}"},
        }
        GAME.__init__(call=self.until_time_is_up)
        for what, fields in sent.items():
            back = self.change(what, **fields, sure="yes").wsgi_request
            (told,) = get_messages(back)
            assert "goes on without this page" in str(told), what
        assert Memory.objects.filter(pk=row.pk).exists()
        self.steps.run()
        assert not Memory.objects.filter(pk=row.pk).exists()

    def until_time_is_up(self, look):
        """Look, and let no work go on until what waits for it gave up."""
        before, ends = {*reactor.getDelayedCalls()}, []
        look().addBoth(ends.append)
        (timer,) = {*reactor.getDelayedCalls()} - before
        timer.func(*timer.args, **timer.kw)
        return ends[0]

    def test_what_moved_up_meanwhile_is_not_taken_for_what_was_chosen(self):
        """The oldest line went after the page was read: its place holds another one now."""
        notebook = self.marrek.notebook
        notebook.append("Buy eels.")
        notebook.append("Sell the barge.")
        chosen = {"ref": "n1", "was": "Buy eels."}
        assert "Sell" not in self.change("forget", **chosen).content.decode()
        self.types(CmdAIMem, "/forget marrek = n1", answers=["yes"])
        for what, more in (("forget", {}), ("correct", {"text": "Buy pike."})):
            for sure in ({}, {"sure": "yes"}):
                page = self.change(what, **chosen, **more, **sure)
                assert page.status_code == 400
                assert "Something else stands in that place" in page.content.decode()
        assert [line["content"] for line in notebook.lines] == ["Sell the barge."]
        self.change("forget", ref="n1", was="Sell the barge.", sure="yes")
        assert not notebook.lines

    def test_the_page_says_what_was_chosen(self):
        """Each form holds the words that it stands beside, also a trait's and a found line's."""
        self.marrek.notebook.append("Buy eels & <pike>.")
        for name, query in (("journal", {}), ("memory", {"q": "eels"})):
            page = self.get(name, query=query)
            assert page.count('name="was" value="Buy eels &amp; &lt;pike&gt;."') == 2, name

    def upload(self, **fields):
        return self.browser().post(self.address("upload"), fields)

    def test_a_card_replaces_the_persona(self):
        """Its name in the world stays."""
        file = SimpleUploadedFile("elara.json", json.dumps(CARD).encode())
        assert self.upload(card=file, sure="yes").status_code == 302
        persona = lifecycle.read_persona(self.marrek).value
        assert "shy" in json.dumps(persona)
        imported = AssistantEvent.objects.filter(type="CardImported").latest("seq")
        assert imported.data["by"] == self.account.key

    def test_the_picture_of_a_card_is_kept_and_shown(self):
        """Without the card in it; the card goes out in it again, and it goes with its character."""
        shown = png.with_texts(png.BLANK, {"painter": b"Ada"})
        assert self.browser().get(self.address("picture")).status_code == 404
        card = SimpleUploadedFile("elara.png", card_to_bytes(read_card(CARD), shown))
        assert self.upload(card=card, sure="yes").status_code == 302
        kept = self.browser(self.builder.account).get(self.address("picture"))
        assert (kept.content, kept["Content-Type"]) == (shown, "image/png")
        assert self.address("picture") in self.get("persona")
        out = self.browser().get(self.address("card"), {"as": "png"}).content
        assert png.read_texts(out, ["painter"]) == {"painter": b"Ada"}
        assert json_from_bytes(out)["personality"] == "shy"
        self.ai("/export marrek = mine.png")
        assert png.read_texts(Path(self.folder, "mine.png").read_bytes(), ["painter"])
        file = portraits.portrait_file(self.marrek)
        lifecycle.delete(self.marrek)
        assert not file.exists()

    def test_a_file_that_is_no_card(self):
        """It is refused with the reason, and a way back to whose card it was to be."""
        file = SimpleUploadedFile("a.png", b"no picture")
        assert self.upload(card=file, sure="yes").status_code == 400
        refused = self.upload(sure="yes")
        assert refused.status_code == 400
        assert f'<a href="{self.address("talk")}">Back' in refused.content.decode()


class TestWhoMayEdit(PagesTestCase):
    def test_a_builder_may_not(self):
        """Neither ask for it nor do it."""
        for sure in ("", "yes"):
            page = self.change(
                "setting", self.builder.account, key="tick_rate", value="7", sure=sure
            )
            assert page.status_code == 403
        assert self.marrek.assistant_script.config["tick_rate"] != 7

    def test_a_card_is_read_only_for_who_may_put_it(self):
        """Nobody else is told what is wrong with the file."""
        browser = self.browser(self.builder.account)
        sent = {"card": SimpleUploadedFile("card.png", b"no picture"), "sure": "yes"}
        refused = browser.post(self.address("upload"), sent)
        assert refused.status_code == 403
        assert "Only Admins may do that." in refused.content.decode()

    def test_the_lock_counts(self):
        """An Admin whom the `edit` lock keeps out sees no forms, and changes nothing."""
        self.marrek.locks.add("edit:false()")
        assert "<textarea" not in self.get("persona")
        page = self.change("setting", key="tick_rate", value="7", sure="yes")
        assert page.status_code == 403
        assert "may not change" in page.content.decode()

    def test_the_number_of_an_account_is_no_character(self):
        """A lock that names a character by its number lets no account of that number in."""
        self.marrek.locks.add(f"edit:id({self.account.id})")
        assert self.account.id != self.char1.id
        assert self.change("setting", key="tick_rate", value="7").status_code == 403

    def test_the_character_that_a_lock_names(self):
        """One of the account's own characters may be named by it."""
        self.marrek.locks.add(f"edit:id({self.char1.id})")
        self.account.characters.add(self.char1)
        assert self.change("setting", key="tick_rate", value="7").status_code == 200

    def test_no_form_from_elsewhere(self):
        """Without the token of our own form nothing is changed."""
        browser = self.browser(enforce_csrf_checks=True)
        fields = {"key": "tick_rate", "value": "7", "sure": "yes"}
        page = browser.post(self.address("edit", what="setting"), fields)
        assert page.status_code == 403
        assert self.marrek.assistant_script.config["tick_rate"] != 7

    def test_it_leads_back_to_our_pages_alone(self):
        """An address elsewhere is not gone to."""
        fields = {"key": "tick_rate", "value": "7", "sure": "yes", "back": "//evil.example/"}
        assert self.change("setting", **fields)["Location"].startswith(self.address("settings"))

    def test_looking_changes_nothing(self):
        """Whoever opens an edit sees its form, however sure the address is."""
        fields = {"key": "tick_rate", "value": "7", "sure": "yes"}
        page = self.browser().get(self.address("edit", what="setting"), fields)
        assert "Review the changes" in page.content.decode()
        assert self.marrek.assistant_script.config["tick_rate"] != 7
