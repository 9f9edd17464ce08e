"""Inquiries: what game code asks an assistant, and what it gets for an answer."""

import pytest
from django.db import connection
from django.db.utils import OperationalError

from ai_assistant import ask
from ai_assistant.api import lifecycle
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.identity import entity_id
from ai_assistant.models import AssistantEvent, Memory
from ai_assistant.runtime.service import SERVICE
from tests.evennia.living import LivingTestCase


class TestAsk(LivingTestCase):
    """Marrek knows two things, one of them from a whisper of Alice's."""

    def setUp(self):
        super().setUp()
        self.alice = self.a_player("Alice")
        self.marrek = self.an_assistant("Marrek")
        self.model.say("So it goes.")
        self.does(self.alice, "say Marrek, the mill burned down last night.")
        self.model.call("whisper", to="p1", text="I shall not tell.")
        self.does(self.alice, "whisper Marrek = I set fire to the mill.")
        self.got = []

    def asks(self, hint="Which rumour of the mill goes about?", **options):
        asked = ask(self.marrek, hint, **options)
        asked.addBoth(self.got.append)
        self.steps.run()
        return self.got[-1]

    def test_the_answer_comes_to_the_caller_and_is_said_to_nobody(self):
        """A game may put it on its notice board; the room hears nothing."""
        self.model.text("The mill burned down, they say.")
        self.screen(self.alice)
        assert self.asks().text == "The mill burned down, they say."
        assert not [line for line in self.screen(self.alice) if "Marrek" in line]
        (entry,) = AssistantEvent.objects.filter(type="Delegated")
        assert (entry.data["by"], entry.data["outcome"]) == ("The game", "answered")

    def test_without_a_reader_only_what_is_open_is_used(self):
        """Anybody might read that notice board."""
        self.model.text("The mill burned down.")
        self.asks()
        assert "the mill burned down last night" in self.model.shown()
        assert "I set fire" not in self.model.shown()
        kept = Memory.objects.filter(container=entity_id(self.marrek), author="game")
        assert set(kept.values_list("readers", flat=True)) <= {"*"}

    def test_with_a_reader_it_may_draw_on_what_that_one_knows(self):
        """What Alice whispered herself may come back to her, under her label."""
        self.model.text("You set fire to it.")
        self.asks(reader=self.alice)
        assert "I set fire to the mill" in self.model.shown()
        said = Memory.objects.get(container=entity_id(self.marrek), content="You set fire to it.")
        assert said.readers == entity_id(self.alice)

    def test_the_game_is_nobody_to_be_met(self):
        """No profile is made of it, whatever it asks."""
        self.model.text("A rumour.")
        self.asks()
        assert set(self.resident(self.marrek).mind.store.read_all("profile")) == {
            entity_id(self.alice)
        }

    def test_tools_may_be_used_on_the_way(self):
        """Looking something up is no act in the world."""
        self.model.call("search_episodic_memory", query="mill").text("It burned down.")
        assert self.asks().text == "It burned down."

    def test_what_cannot_be_asked_is_refused_at_once(self):
        """An empty hint, or one who does not run."""
        with pytest.raises(AssistantError, match="nothing in that"):
            ask(self.marrek, "  ")
        lifecycle.stop(self.marrek)
        with pytest.raises(AssistantError, match="does not run"):
            ask(self.marrek, "Anything new?")

    def test_nothing_is_asked_amid_forgetting(self):
        """What it thinks then would be made of what is on its way out."""
        with SERVICE.watch.holding_back(), pytest.raises(AssistantError, match="is forgotten"):
            ask(self.marrek, "Anything new?")
        self.model.text("Nothing.")
        assert self.asks().text == "Nothing."

    def test_no_answer_is_a_failure(self):
        """The Deferred says so."""
        self.model.text("").text("")
        assert "found no answer" in str(self.asks().value)

    def test_a_log_that_cannot_be_written_loses_no_answer(self):
        """The entry is missing then, and the server's log says why."""
        self.model.text("A rumour.")

        def refuse(execute, sql, params, many, context):
            if "Delegated" in str(params):
                raise OperationalError("disk I/O error")
            return execute(sql, params, many, context)

        with connection.execute_wrapper(refuse):
            assert self.asks().text == "A rumour."
        assert any("inquiry" in line for line in self.logged())
