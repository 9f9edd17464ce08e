"""A model's second look at who took part: after the turn, within the bound, or not at all."""

import json

from twisted.internet.defer import Deferred

from ai_assistant.api.execution import silence
from ai_assistant.core.errors import ModelTimeout, StoreError
from ai_assistant.core.model_records import ModelReply, TokenUsage
from ai_assistant.game.identity import entity_id
from ai_assistant.models import AssistantEvent, Memory, Participation
from ai_assistant.roleplay.message_formats import WORLD
from ai_assistant.runtime import second_look
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage import Container, WorldContainer
from ai_assistant.storage.refined_lines import case_of
from ai_assistant.storage.scene_rows import as_of
from tests.evennia.living import broken_database
from tests.evennia.test_live_scenes import SceneTestCase

RAIN = "It will rain before long."


class TestRefining(SceneTestCase):
    def setUp(self):
        super().setUp()
        self.mind = self.resident(self.alice).mind
        self.session = self.a_scene(self.alice, self.bob, self.charlie, self.pia)
        self.speaks(self.alice, RAIN)
        self.mind.model.is_offline = lambda job: False

    def looks(self, *participants, knowledge=()):
        """Let a model answer who took part; returns whether it was believed."""
        told = {"participants": [entity_id(one) for one in participants]}
        told["knowledge"] = list(knowledge)
        self.model.replies.append(
            ModelReply(text=json.dumps(told), usage=TokenUsage(90, 9, known=True))
        )
        return self.runs()

    def mind_of(self, who):
        found = SERVICE.residents.get(who)
        return found.mind if found else None

    def runs(self):
        done = []
        Deferred.fromCoroutine(second_look.refine_one(self.mind, self.mind_of)).addCallback(
            done.append
        )
        self.steps.run()
        return done[0]

    def holders(self):
        """Return the names of those who remember the line."""
        people = (self.alice, self.bob, self.charlie, self.pia)
        return {one.key for one in people if RAIN in self.words(one, self.session)}

    def decided(self):
        return Participation.objects.filter(session=self.session).latest("pk")

    def test_the_default_is_narrowed(self):
        """Everybody could hear; the model knows that it was for Bob, and says so for the record."""
        assert self.holders() == {"Alice", "Bob", "Charlie", "Pia"}
        assert self.looks(self.bob)
        assert self.holders() == {"Alice", "Bob"}
        past = as_of(Container(self.session, entity_id(self.charlie)), day=6)
        assert RAIN not in [one.content for one in past]
        assert self.decided().by == "model"
        assert {one["rule"] for one in self.decided().participants} == {"speaker", "model"}
        row = self.said_to(self.bob, self.session)
        assert set(row.meta["participants"]) == {entity_id(self.alice), entity_id(self.bob)}
        assert any(RAIN in line for line in self.world(self.session))

    def test_what_is_put_by_is_not_recalled(self):
        """Who took no part by the model's word does not find the line any more."""
        index = self.resident(self.charlie).mind.recall.index
        row = self.said_to(self.charlie, self.session)
        assert row.id in index
        self.looks(self.bob)
        assert row.id not in index

    def test_nobody_outside_is_brought_in(self):
        """An id outside of the bound refuses the answer; all stays as the rules had it."""
        dana = self.an_assistant("Dana")
        assert not self.looks(self.bob, dana)
        assert self.holders() == {"Alice", "Bob", "Charlie", "Pia"}
        assert self.decided().by == "rule"

    def test_where_it_fails_the_rules_stand(self):
        """No answer, no change; it is not asked about that line again."""
        self.model.fail(ModelTimeout())
        assert not self.runs()
        assert self.holders() == {"Alice", "Bob", "Charlie", "Pia"}
        assert not self.runs()

    def asked(self, *participants):
        """Ask a model who took part; returns what lets it answer, and says how that ended."""
        told = json.dumps({"participants": [entity_id(one) for one in participants]})
        self.model.hold = hold = Deferred()
        done = []
        Deferred.fromCoroutine(second_look.refine_one(self.mind, self.mind_of)).addCallbacks(
            done.append, lambda failure: done.append(type(failure.value))
        )

        def answers():
            self.model.replies.append(ModelReply(text=told))
            self.let_go(hold)
            return done[0]

        return answers

    def test_it_is_all_or_nothing(self):
        """Where the database refuses one of the rows, no container and no decision has changed."""
        answers = self.asked(self.bob)
        with broken_database("UPDATE", '"meta"') as refused:
            assert answers() is StoreError
        assert refused
        assert self.holders() == {"Alice", "Bob", "Charlie", "Pia"}
        assert self.decided().by == "rule"
        row = self.said_to(self.charlie, self.session)
        assert row.id in self.resident(self.charlie).mind.recall.index

    def test_what_it_was_asked_of_must_still_be_so(self):
        """A line that somebody lost while the model thought is left as the rules had it."""
        answers = self.asked(self.bob)
        Memory.objects.filter(pk=self.said_to(self.bob, self.session).id).update(content="(gone)")
        Memory.objects.filter(container=WORLD, session=self.session).update(content="(gone)")
        assert answers() is False
        assert self.decided().by == "rule"
        assert AssistantEvent.objects.filter(type="Refined").latest("pk").data["outcome"] == (
            "outdated"
        )

    def test_who_answers_meanwhile_took_part(self):
        """Charlie spoke while the model thought, so he keeps the line, whatever it says."""
        answers = self.asked(self.bob)
        self.speaks(self.charlie, "Then we shall get wet.")
        assert answers() is True
        assert self.holders() == {"Alice", "Bob", "Charlie"}

    def test_the_lines_before_and_the_members_are_shown(self):
        """Who took part in them as well; of the first line nothing was before."""
        self.speaks(self.alice, "A storm, even.")
        newest, first = WorldContainer(self.session).participations(2)
        case = case_of(self.session, newest["event"])
        assert [RAIN in line for line in case.recent] == [True]
        assert entity_id(self.alice) in case.previous
        assert case_of(self.session, first["event"]).recent == ()
        self.looks(self.bob)
        members = json.loads(self.model.requests[-1].messages[-1].content)["members"]
        bodies = (self.alice, self.bob, self.charlie, self.pia)
        assert members == [{"id": entity_id(body), "name": body.key} for body in bodies]

    def test_it_is_counted(self):
        """The call stands in the day's budget."""
        before = self.mind.budget.spent(self.mind.key)
        self.looks(self.bob)
        assert self.mind.budget.spent(self.mind.key) == (before[0] + 1, before[1] + 99)

    def test_a_player_pays_for_their_own_lines(self):
        """It takes the share of whoever said it, so that nobody's talk uses up the day."""
        self.looks(self.bob)
        assert self.model.requests[-1].payer == ""
        self.model.say("Hm.")
        self.does(self.pia, "say The river may rise as well.")
        self.model.replies.clear()
        self.looks(self.bob)
        asked = self.model.requests[-1]
        assert "river" in asked.messages[-1].content
        assert asked.payer == entity_id(self.pia.account)

    def test_it_is_off_by_default_and_without_a_model(self):
        """Both the option and a real model are needed."""
        assert not second_look.wants(self.mind)
        self.mind.config.values["refine_participants"] = True
        assert second_look.wants(self.mind)
        self.mind.model.is_offline = lambda job: True
        assert not second_look.wants(self.mind)

    def test_who_is_silenced_asks_no_more(self):
        """The call of a second look is dropped with the rest."""
        self.model.hold = asked = Deferred()
        self.mind.config.values["refine_participants"] = True
        self.resident(self.alice).idling.refine(self.mind_of)
        assert self.model.requests
        silence(self.alice)
        assert asked.called

    def test_who_is_silenced_asks_nothing(self):
        """Its heartbeat begins no second look."""
        self.mind.config.values["refine_participants"] = True
        before = len(self.model.requests)
        silence(self.alice)
        self.tick(self.alice)
        assert len(self.model.requests) == before

    def test_a_heartbeat_asks(self):
        """Between turns, once it is switched on, without anybody waiting for it."""
        self.mind.config.values["refine_participants"] = True
        told = json.dumps({"participants": [entity_id(self.bob)]})
        self.model.replies.append(ModelReply(text=told))
        self.tick(self.alice)
        assert self.holders() == {"Alice", "Bob"}
