"""Django's admin: every table in plain words, and no way to change anything."""

import re
from html import unescape
from unittest.mock import patch

from django.apps import apps
from django.urls import NoReverseMatch, reverse
from django.utils.html import strip_tags

from ai_assistant import models
from ai_assistant.api import lifecycle, staging
from ai_assistant.api.release import release
from ai_assistant.web import admin_window
from ai_assistant.web.rest.api_tokens import make_token
from tests.evennia.pages import PagesTestCase


class TestAdmin(PagesTestCase):
    def setUp(self):
        super().setUp()
        self.account.is_staff = self.account.is_superuser = True
        self.account.save()
        self.model.say("Good day.")
        self.does(self.builder, "say Hello, Marrek!")
        self.tick(self.marrek)

    def page(self, model, name="changelist", *args, **query):
        """Return the text of a page of the admin."""
        address = reverse(f"admin:ai_assistant_{model._meta.model_name}_{name}", args=args)
        response = self.browser().get(address, query)
        assert response.status_code == 200, address
        return strip_tags(response.content.decode().partition("<main")[2].split("<form", 1)[-1])

    def rows_in_every_table(self):
        """Let there be a scene, a token, a question, what waits, and a payer who is gone."""
        scene, bob = staging.create_scene("The ferry", self.builder), self.a_player("Bob")
        for one in (bob, self.marrek):
            staging.join_scene(scene.id, one)
        staging.start_scene(scene.id)
        self.model.say("It leaves at dawn.")
        self.does(bob, "say Marrek, is the ferry in?")
        make_token(self.account, "script")
        whose, gone = {"assistant": self.resident(self.marrek).id}, f"a{'7' * 32}"
        models.PendingEvent.objects.create(**whose, event_id="e", payload={}, created=1)
        models.ModelQuestion.objects.create(**whose, key="k", question="q", made_at=1)
        models.ModelSpending.objects.create(**whose, day="2026-11-28", payer=gone, job="chat")

    def test_every_list_tells_no_id(self):
        """All tables have a list with rows; those, and the page of each row, are told in words."""
        self.rows_in_every_table()
        for model in apps.get_app_config("ai_assistant").get_models():
            assert model.objects.exists(), model
            assert not re.search("[0-9a-f]{32}", self.page(model)), model
            row = self.page(model, "change", model.objects.last().pk)
            told = row.partition('id="content"')[2] or row
            assert not re.search("[0-9a-f]{32}", told), (model, told)
            assert " object (" not in str(model.objects.last())

    def test_what_is_stored_is_told_in_words(self):
        """Kinds, types, jobs and parts, in lists and on the pages of rows, and times as dates."""
        self.rows_in_every_table()
        event = models.AssistantEvent.objects.filter(type="StateChanged").last()
        memory = models.Memory.objects.filter(kind="own_words").last()
        change = models.StateChange.objects.filter(part="stream").last()
        told = {event: "which states", memory: "said", change: "all that it perceived"}
        for row, words in told.items():
            for page in (self.page(type(row)), self.page(type(row), "change", row.pk)):
                assert words in page
                assert "StateChanged" not in page
                assert "own_words" not in page
                assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", page)
        own = self.page(models.AssistantEvent, assistant=self.resident(self.marrek).id)
        assert "a tool was called" in own.partition("By type")[2]
        assert "a turn" in self.page(models.ModelCall)

    def test_what_is_nested_is_an_outline(self):
        """Names for ids, a line for each fact, nothing of Python, and nothing that says nothing."""
        self.rows_in_every_table()
        event = models.AssistantEvent.objects.filter(type="StateChanged").last()
        page = self.page(models.AssistantEvent, "change", event.pk)
        assert "parts: metrics, stream, memory" in page.replace("\n", " ")
        call = models.AssistantEvent.objects.filter(type="ToolExecuted").last()
        assert "success: yes" in self.page(models.AssistantEvent, "change", call.pk)
        memory = models.Memory.objects.filter(kind="own_words").last()
        shown = self.page(models.Memory, "change", memory.pk)
        assert "participants: Marrek, Bob" in shown
        for text in (page, shown):
            assert not re.search(r"\['|\{'|None", text)

    def test_what_is_shared_is_told_in_words(self):
        """Blocks by whose they are, scenes by title, who paid by the name of the account."""
        self.rows_in_every_table()
        states = self.page(models.StateChange)
        assert "blocks of Marrek" in states
        assert "The ferry" in states
        assert self.builder.account.key in self.page(models.ModelSpending)
        own = self.page(models.StateChange, assistant=self.resident(self.marrek).id)
        assert "blocks of Marrek" in own.partition("Filter")[0]
        assert "The ferry" not in own

    def test_what_was_nobodys_is_not_said_to_be_everybodys(self):
        """A version that nobody is named for; a memory about nobody, of the game itself."""
        self.rows_in_every_table()
        version = models.BlockVersion.objects.filter(by="").last()
        assert "nobody" in self.page(models.BlockVersion, "change", version.pk)
        row = models.Memory.objects.filter(session="", subject="", readers="*").last()
        page = self.page(models.Memory, "change", row.pk)
        assert (page.count("everybody"), "the game" in page) == (1, True)

    def test_names_stand_for_ids(self):
        """A memory says whose it is and who may know it, in the list and on its page."""
        row = models.Memory.objects.filter(content__contains="Hello", container__gt="e").first()
        for page in (self.page(models.Memory), self.page(models.Memory, "change", row.pk)):
            assert "Marrek" in page
            assert row.container not in page

    def test_one_assistants_rows_alone(self):
        """The filter narrows a list to one of them."""
        tansy = self.an_assistant("Tansy")
        own = self.page(models.AssistantEvent, assistant=self.resident(tansy).id)
        assert "it was created or adopted" in own
        assert "a turn\n" not in own.partition("Filter")[0]

    def test_kinds_and_words_are_looked_for_within_one_assistant(self):
        """Over all of them that reads every row: it is neither offered nor heeded there."""
        found = self.page(models.Memory, kind="none", q="nothing")
        assert "Hello" in found
        assert "By kind" not in found
        for narrowed in ({"kind": "none"}, {"q": "nothing"}):
            own = self.page(models.Memory, assistant=self.resident(self.marrek).id, **narrowed)
            assert "By kind" in own
            assert "Hello" not in own

    def test_rows_of_those_who_are_gone(self):
        """Whoever was deleted, or rests, is chosen by the name it had, behind the living."""
        tansy, hilda = self.an_assistant("Tansy"), self.an_assistant("Hilda")
        gone = [self.resident(body).id for body in (tansy, hilda)]
        lifecycle.delete(tansy, by="Ada")
        release(hilda, keep=True, by="Ada")
        listed = self.page(models.AssistantEvent).partition("By assistant")[2].split("\n")
        names = [line.strip() for line in listed if line.strip()][:4]
        ends = " (has no mind any more)"
        assert names == ["All", "Marrek", f"Hilda{ends}", f"Tansy{ends}"]
        for key, told in zip(gone, ("deleted or lost its mind", "without a mind"), strict=True):
            own = self.page(models.AssistantEvent, assistant=key).partition("Filter")[0]
            assert told in own
            assert "a turn\n" not in own

    def linked(self, model):
        """Return where the columns of a list lead."""
        address = reverse(f"admin:ai_assistant_{model._meta.model_name}_changelist")
        page = self.browser().get(address).content.decode()
        return re.findall(r'<a href="([^"]+)">its page</a>', page)

    def test_rows_lead_to_one_another_and_to_the_pages(self):
        """A memory to who knows it, a line to its time line, a record to its turn, a call and a
        block to their pages, a change to the states of then."""
        browser, their = self.browser(), models
        of_owner = (their.ModelCall, their.StateChange, their.MemoryBlock, their.BlockVersion)
        for model in (their.Memory, their.Participation, their.AssistantEvent, *of_owner):
            links = {*self.linked(model)}
            assert links, model
            for link in links:
                assert browser.get(unescape(link)).status_code == 200, link

    def test_it_works_without_our_pages(self):
        """In a game that has not brought them, the lists have no such links."""
        with patch.object(admin_window, "reverse", side_effect=NoReverseMatch):
            for model in (models.Memory, models.Participation, models.AssistantEvent):
                assert self.linked(model) == []

    def test_nothing_can_be_changed(self):
        """Not even by the superuser."""
        for model in (
            models.Memory,
            models.MemoryBlock,
            models.BlockVersion,
            models.AssistantEvent,
        ):
            name, row = f"admin:ai_assistant_{model._meta.model_name}", model.objects.last()
            pages = [reverse(f"{name}_{deed}", args=[row.pk]) for deed in ("change", "delete")]
            for page in (reverse(f"{name}_add"), *pages):
                assert self.browser().post(page, {}).status_code == 403
            assert model.objects.filter(pk=row.pk).exists()
