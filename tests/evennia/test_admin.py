"""Django's admin: every table in plain words, and no way to change anything."""

import re
from html import unescape
from unittest.mock import patch

from django.urls import NoReverseMatch, reverse
from django.utils.html import strip_tags

from ai_assistant import models
from ai_assistant.api import lifecycle
from ai_assistant.api.release import release
from ai_assistant.web import admin_window
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

    def test_every_table_is_listed_and_opens(self):
        """The list, and one row of it, where it has any."""
        tables = [
            *(models.Memory, models.MemoryBlock, models.BlockVersion, models.AssistantEvent),
            *(models.PendingEvent, models.Scene, models.Participation, models.Usage, models.Told),
            *(models.ServerLease, models.ModelCall, models.CallText),
            models.MemoryEvidence,
        ]
        for model in tables:
            self.page(model)
            if row := model.objects.last():
                self.page(model, "change", row.pk)

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
        assert "AssistantCreated" in own
        assert "TurnCompleted" not in own.partition("Filter")[0]

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
        for key, told in zip(gone, ("AssistantArchived", "AssistantReleased"), strict=True):
            own = self.page(models.AssistantEvent, assistant=key).partition("Filter")[0]
            assert told in own
            assert "TurnCompleted" not in own

    def linked(self, model):
        """Return where the columns of a list lead."""
        address = reverse(f"admin:ai_assistant_{model._meta.model_name}_changelist")
        page = self.browser().get(address).content.decode()
        return re.findall(r'<a href="([^"]+)">its page</a>', page)

    def test_rows_lead_to_one_another_and_to_the_pages(self):
        """A memory to who knows it, a line to its time line, a record to its turn."""
        browser = self.browser()
        for model in (models.Memory, models.Participation, models.AssistantEvent):
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
