"""Staff's acts: proposed by a character, done once they are confirmed, under everybody's locks."""

import json
import os
from dataclasses import replace
from random import Random

import pytest
from django.test import override_settings
from evennia.commands.command import Command
from evennia.objects.models import ObjectDB
from evennia.utils import create

from ai_assistant.api.execution import end_silence, silence
from ai_assistant.core.errors import AssistantError, ToolError
from ai_assistant.core.readers import OPEN
from ai_assistant.game.identity import entity_id
from ai_assistant.game.proposals import PROPOSALS, SECONDS
from ai_assistant.game.senses import EvenniaWorld
from ai_assistant.models import AssistantEvent
from ai_assistant.runtime.service import SERVICE
from ai_assistant.tools.staff_work import staff_tools
from tests.evennia.living import CommandTestCase
from tests.evennia.test_database_away import locked

CASES = min(200, int(os.environ.get("PROPERTY_EXAMPLES", "50")))
"""Random cases of each kind; `bench.properties` asks for more, and draws others."""
HERE = "tests.evennia.test_staff_acts"
RAN = []


def softened(text, speaker, hearers):
    """A moderation that replaces one word and drops texts with another."""
    return None if "gallows" in text else text.replace("damned", "blessed")


class CmdPolish(Command):
    key = "polish"

    def func(self):
        RAN.append(self.args)
        self.caller.msg("It shines.")


class CmdShine(CmdPolish):
    """Bears the allowed name as an alias only."""

    key = "shine"
    aliases = ["scrub"]


class CmdBurn(Command):
    key = "burn"

    def func(self):
        answer = yield "Really?"
        RAN.append(answer)


class StaffTestCase(CommandTestCase):
    """Ada is Admin, and the character holds the same rank by its owner's wish."""

    def setUp(self):
        self.enterContext(
            override_settings(
                AI_ASSISTANT_STAFF_COMMANDS=["polish", "burn", "scrub"],
                AI_ASSISTANT_STAFF_ATTRIBUTES=["mood", "age"],
                AI_ASSISTANT_SPAWN_TEMPLATES={"lamp": {"key": "lamp", "typeclass": OBJECT}},
                AI_ASSISTANT_BUILDING=True,
            )
        )
        super().setUp()
        RAN.clear()
        PROPOSALS.__init__(now=self.clock.monotonic)
        self.addCleanup(PROPOSALS.__init__)
        self.marrek = self.an_assistant()
        self.marrek.permissions.add("Admin")
        self.marrek.cmdset.current.add([CmdPolish(), CmdShine(), CmdBurn()])
        self.lantern = create.create_object(OBJECT, key="lantern", location=self.inn)
        self.lantern.locks.add("edit:all()")
        self.inn.locks.add("edit:perm(Builder)")
        self.world = EvenniaWorld(self.marrek)
        self.session = self.char1.sessions.get()[0]

    def propose(self, act="set_attribute", asker=None, **arguments):
        """Let the character propose; returns the word that confirms it."""
        given = arguments or {
            "attribute": "mood",
            "value": "bright",
            "target": entity_id(self.lantern),
        }
        self.world.propose(act, given, entity_id(asker or self.char1), OPEN)
        return [*PROPOSALS.open][-1]

    def is_refused(self, nonce, caller=None, session=None):
        """It is refused, and nothing is done."""
        with pytest.raises(AssistantError) as refusal:
            self.confirm(nonce, caller, session)
        assert not RAN
        assert self.lantern.db.mood is None
        return str(refusal.value)


OBJECT = "evennia.objects.objects.DefaultObject"


class TestProposals(StaffTestCase):
    def test_asked_confirmed_done(self):
        """The one who asked reads exactly what would be done, and does it by a word."""
        self.model.call("set_attribute", attribute="mood", value="bright", target="lantern")
        self.model.say("As you wish.")
        self.does(self.char1, "say Marrek, make the lantern bright!")
        assert self.lantern.db.mood is None
        (nonce,) = PROPOSALS.open
        told = "\n".join(self.screen(self.char1))
        assert f"attribute 'mood', value 'bright', target lantern ({self.lantern.dbref})" in told
        assert f"ai/confirm {nonce}" in told
        assert "is bright now" in self.ai(f"/confirm {nonce.lower()}")
        assert self.lantern.db.mood == "bright"
        (row,) = AssistantEvent.objects.filter(type="StaffAct")
        assert json.loads(row.data["arguments"])["value"] == "bright"
        assert "nothing to confirm" in self.ai(f"/confirm {nonce}")
        assert "Usage" in self.ai("/confirm")

    def test_no_act_without_a_record(self):
        """It is on record before it is done: what cannot be written is not done."""
        nonce = self.propose()
        with locked(table="ai_assistant_event"):
            self.is_refused(nonce)
        assert self.lantern.db.mood is None
        nonce = self.propose()
        self.lantern.locks.add("edit:false()")
        assert "lock" in self.is_refused(nonce)
        told = AssistantEvent.objects.filter(type="StaffAct").values_list("data__error", flat=True)
        assert [error and "lock" in error for error in told] == [None, True]

    @pytest.mark.hypothesis
    def test_replayed(self):
        """What was confirmed is done once, whatever came of it."""
        draw = Random(1 + CASES)
        for case in range(CASES):
            nonce = self.propose(attribute="age", value=str(case), target=entity_id(self.lantern))
            self.confirm(nonce)
            self.lantern.attributes.remove("age")
            for _ in range(draw.randint(1, 3)):
                with pytest.raises(AssistantError, match="nothing to confirm"):
                    self.confirm(nonce)
            assert self.lantern.db.age is None

    @pytest.mark.hypothesis
    def test_altered(self):
        """Another argument, act, target, asker, place or time than was shown is not done."""
        draw = Random(2 + CASES)
        mind, ada = entity_id(self.marrek), entity_id(self.char1)
        changes = {
            "act": lambda: draw.choice(["describe", "spawn", "build_room", "execute_command"]),
            "arguments": lambda: json.dumps({"attribute": "mood", "value": str(draw.random())}),
            "until": lambda: self.clock.monotonic() + draw.uniform(61, 600),
            "sessions": lambda: (self.session.sessid, draw.randint(50, 99)),
            "digest": lambda: f"{draw.getrandbits(256):064x}",
            "nonce": lambda: "".join(draw.choices("23456789", k=6)),
        }
        assert mind != ada
        for _ in range(CASES):
            nonce = self.propose()
            field = draw.choice([*changes])
            altered = replace(PROPOSALS.open.pop(nonce), **{field: changes[field]()})
            PROPOSALS.open[altered.nonce] = altered
            self.is_refused(altered.nonce)

    @pytest.mark.hypothesis
    def test_late(self):
        """After a minute it is too late, and no sooner."""
        draw = Random(3 + CASES)
        for case in range(CASES):
            nonce = self.propose(attribute="age", value=str(case), target=entity_id(self.lantern))
            seconds = draw.uniform(0, 2 * SECONDS)
            self.clock.advance(seconds)
            if seconds < SECONDS:
                assert "now" in self.confirm(nonce)
            else:
                self.is_refused(nonce)

    @pytest.mark.hypothesis
    def test_not_amid_forgetting(self):
        """What is on record of it would come too late to be gone over; the word stays good."""
        nonce = self.propose()
        with SERVICE.watch.holding_back():
            assert "is forgotten" in self.is_refused(nonce)
        self.confirm(nonce)
        assert self.lantern.db.mood == "bright"

    def test_of_somebody_else(self):
        """Another of staff, another session of theirs, and an account that lost its character."""
        draw = Random(4 + CASES)
        eve = self.a_player("Eve")
        eve.account.permissions.add("Admin")
        for _ in range(CASES):
            asker, other = draw.sample([self.char1, eve], 2)
            nonce = self.propose(asker=asker)
            own, foreign = (body.sessions.get()[0] for body in (asker, other))
            for caller, session in ((other, foreign), (other, own), (asker, foreign)):
                self.is_refused(nonce, caller, session)
            del PROPOSALS.open[nonce]

    def test_elsewhere(self):
        """Both have to be where it was asked."""
        nonce = self.propose()
        for body in (self.char1, self.marrek):
            body.location = self.street
            assert "where you asked" in self.is_refused(nonce)
            body.location = self.inn
        assert "now" in self.confirm(nonce)

    def test_nothing_is_proposed_to_who_is_not_here(self):
        """Neither to somebody in another place, nor to a body that nobody plays."""
        eve = self.a_player("Eve")
        eve.account.permissions.add("Admin")
        eve.location = self.street
        body = self.a_body("Guard")
        body.permissions.add("Admin")
        for asker in (eve, body):
            with pytest.raises(ToolError, match="has to be here"):
                self.propose(asker=asker)
        assert not PROPOSALS.open

    def test_nobody_is_flooded(self):
        for _ in range(5):
            self.propose()
        with pytest.raises(ToolError, match="Enough waits"):
            self.propose()


class TestActs(StaffTestCase):
    def test_a_command_is_built_from_what_is_seen(self):
        """Exactly the allowed one, of its own, with the thing's number; no nick takes part."""
        self.marrek.nicks.add("polish", "burn", category="inputline")
        target = entity_id(self.lantern)
        nonce = self.propose("execute_command", command="polish", target=target)
        assert self.confirm(nonce) == "It shines."
        (typed,) = RAN
        assert typed == f" {self.lantern.dbref}"

    def test_no_other_command_of_that_name(self):
        """Neither an alias nor what lies about answers to it."""
        nonce = self.propose("execute_command", command="scrub")
        assert "no command 'scrub'" in self.is_refused(nonce)
        with pytest.raises(ToolError, match="settings"):
            self.propose("execute_command", command="shine")

    def test_what_asks_back_is_broken_off(self):
        """No later line is taken for the answer."""
        nonce = self.propose("execute_command", command="burn")
        assert "broken off" in self.confirm(nonce)
        assert not self.marrek.nattributes.has("_getinput")
        self.marrek.execute_cmd("say yes")
        assert not RAN

    def test_values_keep_their_kind(self):
        """A number stays one, and nothing else is taken for it."""
        target = entity_id(self.lantern)
        self.lantern.db.age = 7
        self.confirm(self.propose(attribute="age", value="8", target=target))
        assert self.lantern.db.age == 8
        for wrong in ("nan", "old", "8.5"):
            nonce = self.propose(attribute="age", value=wrong, target=target)
            with pytest.raises(ToolError, match="number"):
                self.confirm(nonce)
        assert self.lantern.db.age == 8

    def test_building(self):
        """A room with two ways, a new description, and a thing of the owner's template."""
        told = {"name": "Cellar", "description": "Barrels.", "way": "down", "back": "up"}
        self.confirm(self.propose("build_room", **told))
        (down,) = [way for way in self.inn.exits if way.key == "down"]
        assert down.destination.db.desc == "Barrels."
        assert [way.destination for way in down.destination.exits] == [self.inn]
        self.confirm(self.propose("describe", description="Warm."))
        assert self.inn.db.desc == "Warm."
        self.confirm(self.propose("spawn", template="lamp"))
        assert "lamp" in [thing.key for thing in self.inn.contents]

    def test_a_thing_is_put_where_both_may_change_the_place(self):
        """The lock of the place is asked as for a room beside it."""
        self.inn.locks.add("edit:false()")
        for act, told in (("spawn", {"template": "lamp"}), ("describe", {"description": "Warm."})):
            with pytest.raises(ToolError, match="does not let it be changed"):
                self.propose(act, **told)

    @override_settings(AI_ASSISTANT_MODERATION=f"{HERE}.softened")
    def test_the_moderation_reads_what_would_stand_in_the_world(self):
        """What it changes is put to staff, and done, as changed; what it drops is refused."""
        room = {"name": "Cellar", "description": "Barrels.", "way": "down", "back": "up"}
        value = {"attribute": "mood", "value": "", "target": entity_id(self.lantern)}
        worded = [("build_room", room, name) for name in room]
        worded += [("describe", {"description": ""}, "description")]
        worded += [("set_attribute", value, "value")]
        for act, given, name in worded:
            with pytest.raises(ToolError, match=f"{name} may not .* moderation dropped it"):
                self.propose(act, **given | {name: "The gallows."})
        assert not PROPOSALS.open
        nonce = self.propose("describe", description="A damned cellar.")
        assert "description 'A blessed cellar.'" in "\n".join(self.screen(self.char1))
        self.confirm(nonce)
        assert self.inn.db.desc == "A blessed cellar."

    def test_off_by_default(self):
        """A game whose settings name nothing has none of these tools."""
        assert staff_tools([], [], [], building=False) == []

    def test_only_staff_is_offered_any(self):
        """Where a player speaks there is no such tool, though the settings allow it."""
        self.model.say("Hello.")
        self.does(self.a_player("Poe"), "say Hello, Marrek!")
        offered = {"execute_command", "set_attribute", "spawn", "build_room", "describe"}
        assert not offered & {*self.model.offered(0)}


REVOKED = {
    "puppeted": lambda case: setattr(case.marrek, "account", case.builder.account),
    "rank of the character": lambda case: case.marrek.permissions.remove("Admin"),
    "rank of the asker": lambda case: case.char1.account.permissions.remove("Admin"),
    "lock": lambda case: case.lantern.locks.add("edit:false()"),
    "prompt": lambda case: case.marrek.nattributes.add("_getinput", True),
    "menu": lambda case: case.marrek.nattributes.add("_evmenu", True),
    "gone": lambda case: setattr(case.lantern, "location", case.street),
    "quiet": lambda case: silence(case.marrek),
}
RESTORED = {
    "puppeted": lambda case: setattr(case.marrek, "account", None),
    "rank of the character": lambda case: case.marrek.permissions.add("Admin"),
    "rank of the asker": lambda case: case.char1.account.permissions.add("Admin"),
    "lock": lambda case: case.lantern.locks.add("edit:all()"),
    "prompt": lambda case: case.marrek.nattributes.remove("_getinput"),
    "menu": lambda case: case.marrek.nattributes.remove("_evmenu"),
    "gone": lambda case: setattr(case.lantern, "location", case.inn),
    "quiet": lambda case: end_silence(case.marrek),
}


class TestStaleAuthority(StaffTestCase):
    """What changed while the model thought, or staff read, counts: the act asks anew."""

    def test_a_hundred_interleavings(self):
        """Rights go and come back in any order; the act is done where all of them are there."""
        draw = Random(14)
        done = 0
        for _ in range(100):
            nonce, away = self.propose(), set()
            for _ in range(draw.randint(0, 6)):
                what = draw.choice([*REVOKED])
                (RESTORED if what in away else REVOKED)[what](self)
                away ^= {what}
            if away:
                self.is_refused(nonce)
            else:
                assert "now" in self.confirm(nonce)
                self.lantern.attributes.remove("mood")
                done += 1
            for what in away:
                RESTORED[what](self)
            PROPOSALS.open.clear()
        assert 5 < done < 95

    def test_while_the_model_thinks(self):
        """Nothing is even proposed by a turn whose authority went while it was asked."""
        for what in REVOKED:
            if what == "lock":
                continue
            self.model.call("set_attribute", attribute="mood", value="bright", target="lantern")
            self.model.say("No.")
            hold = self.held(self.char1, "say Marrek, make the lantern bright!")
            REVOKED[what](self)
            self.let_go(hold)
            self.steps.run()
            assert not PROPOSALS.open, what
            RESTORED[what](self)
            self.model.replies.clear()
            self.clock.advance(600)
            self.steps.run()
        assert self.lantern.db.mood is None
        assert ObjectDB.objects.filter(db_key="lantern").count() == 1
