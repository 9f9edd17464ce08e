"""Conversation memory kept elsewhere: in a game's own store, or as long as the process lives."""

from contextlib import suppress
from tempfile import TemporaryDirectory

import pytest
from django.test import override_settings

from ai_assistant.api.forgetting.reset import reset
from ai_assistant.api.handlers import store_of
from ai_assistant.core.errors import StoreError
from ai_assistant.game.identity import entity_id
from ai_assistant.memory.stores import InMemoryStore
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage.history.past import last_number, state_at
from ai_assistant.storage.server_lease import writing
from tests.evennia.living import CommandTestCase
from tests.unit.worked.test_add_a_store import Shelf


def shelf(assistant):
    """A store as a game's owner makes it."""
    return TestElsewhere.shelf


class Down(InMemoryStore):
    """A store that takes nothing."""

    def save(self, address, value, version):
        raise ConnectionError("no way")


def down(assistant):
    """A store that is down."""
    return Down()


class TestElsewhere(CommandTestCase):
    def setUp(self):
        folder = self.enterContext(TemporaryDirectory())
        TestElsewhere.shelf = Shelf(f"{folder}/talk")
        self.addCleanup(self.shelf.kept.close)
        super().setUp()

    def talk(self, marrek):
        self.model.say("Aye.")
        self.does(self.builder, "say Hello, Marrek!")
        return marrek.working_memory.get_conversation_context(self.builder)

    def test_a_games_own_store_keeps_the_talk(self):
        """Conversation and stream go there and come back; profiles stay Attributes."""
        with override_settings(AI_ASSISTANT_MEMORY_STORE=f"{__name__}.shelf"):
            marrek = self.an_assistant()
            assert [one["content"] for one in self.talk(marrek)["messages"]][-1] == "Aye."
            marrek.notebook.append("Iron Blade")
            kept = self.shelf.keys(self.resident(marrek).id, "working")
            assert len(kept) == 1
            assert marrek.attributes.get(category="working_memory") in (None, [])
            assert marrek.profiles.all()
            marrek = self.crash(marrek)
            assert [one["content"] for one in marrek.notebook.lines] == ["Iron Blade"]
            assert len(self.talk(marrek)["messages"]) == 4

    def test_a_reset_reaches_it(self):
        """The talk is empty there too, and what a store refuses is told."""
        with override_settings(AI_ASSISTANT_MEMORY_STORE=f"{__name__}.shelf"):
            marrek = self.an_assistant()
            assert len(self.talk(marrek)["messages"]) == 2
            reset(marrek, "talk", by="a test")
            state = store_of(marrek).read("working", store_of(marrek).keys("working")[0])
            assert state["messages"] == []
            assert len(self.talk(marrek)["messages"]) == 2
            self.shelf.save = down("").save
            with pytest.raises(StoreError, match="reset it again"):
                reset(marrek, "talk", by="a test")
            assert entity_id(marrek) in SERVICE.residents

    def test_what_is_written_as_one_builds_on_itself(self):
        """The past tells of both commits of one transaction; of one taken back, nothing is kept."""
        with override_settings(AI_ASSISTANT_MEMORY_STORE=f"{__name__}.shelf"):
            marrek = self.an_assistant()
            with writing():
                marrek.notebook.append("rope")
                marrek.notebook.append("tar")
            with suppress(ZeroDivisionError), writing():
                marrek.notebook.append("lost")
                raise ZeroDivisionError
            own = entity_id(marrek)
            told = state_at(own, "notebook", "", last_number(own))
            for lines in (marrek.notebook.lines, told["lines"]):
                assert [line["content"] for line in lines] == ["rope", "tar"]

    def test_a_store_that_is_down_breaks_no_answer(self):
        """The reply is said, what was to be kept is kept for the next try, the log says so."""
        with override_settings(AI_ASSISTANT_MEMORY_STORE=f"{__name__}.down"):
            marrek = self.an_assistant()
            assert len(self.talk(marrek)["messages"]) == 2
            assert any("Marrek says" in line for line in self.screen(self.builder))
            assert "no way" in "".join(self.logged())

    def test_a_role_that_persists_nothing(self):
        """Earlier turns live as long as the process, the notebook for good."""
        marrek = self.an_assistant(role="AINpc", chat_history="on")
        self.talk(marrek)
        marrek.notebook.append("Iron Blade")
        assert len(self.talk(marrek)["messages"]) == 4
        assert marrek.attributes.get(category="working_memory") in (None, [])
        assert marrek.profiles.all()

    def test_a_deleted_assistant_leaves_nothing_there(self):
        """Whoever deletes the character, the store is told."""
        with override_settings(AI_ASSISTANT_MEMORY_STORE=f"{__name__}.shelf"):
            marrek = self.an_assistant()
            self.talk(marrek)
            key = self.resident(marrek).id
            self.ai("/delete marrek", answers=["Marrek"])
            assert self.shelf.keys(key, "working") == []

    def test_a_wrong_path_is_named(self):
        """It is told of, and the game goes on."""
        with override_settings(AI_ASSISTANT_MEMORY_STORE="nowhere.at_all"):
            self.ai("/create Vessa")
        assert "AI_ASSISTANT_MEMORY_STORE" in "".join(self.logged())
