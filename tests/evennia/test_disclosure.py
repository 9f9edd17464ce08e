"""Widening who may know of something: by game code and staff only, and on record."""

import pytest
from evennia import create_object
from evennia.objects.objects import DefaultRoom
from evennia.utils.test_resources import EvenniaTestCase

from ai_assistant.api.disclosure import publish
from ai_assistant.api.handlers import store_of
from ai_assistant.api.lifecycle import create_assistant
from ai_assistant.core.contracts import Commit, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.models import AssistantEvent


class DisclosureTest(EvenniaTestCase):
    """An assistant that keeps one secret."""

    def setUp(self):
        super().setUp()
        room = create_object(DefaultRoom, key="Inn")
        self.sera = create_assistant("Sera", location=room)
        row = MemoryRow("The tunnel is under the castle.", readers="e-alice")
        self.store = store_of(self.sera)
        (self.secret,) = self.store.commit(Commit(at=1.0, rows=[row]))

    def entries(self, type):
        return list(AssistantEvent.objects.filter(type=type).values_list("data", flat=True))

    def test_published_memory_is_an_open_copy(self):
        """The private row stays, the open one names it as its evidence, and who did it is noted."""
        copy = publish(self.sera, self.secret.id, by="Admin Ann")
        assert (copy.readers, copy.parents) == ("*", (self.secret.id,))
        assert self.store.rows.by_ids([self.secret.id])[0].readers == "e-alice"
        assert self.entries("Published") == [{"row": self.secret.id, "by": "Admin Ann"}]

    def test_open_memory_is_not_published_again(self):
        """What everybody may know needs no publishing."""
        copy = publish(self.sera, self.secret.id, by="Ann")
        with pytest.raises(AssistantError, match="already"):
            publish(self.sera, copy.id, by="Ann")
