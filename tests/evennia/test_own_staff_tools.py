"""A game's own tools with a rank: proposed among whoever talks there, done once confirmed."""

import json
import os
from contextlib import nullcontext
from dataclasses import replace
from random import Random
from typing import Annotated

import pytest

from ai_assistant import Handle
from ai_assistant.api.lifecycle import configure
from ai_assistant.api.turns.confirming import confirm
from ai_assistant.core.contracts import Category
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.readers import OPEN
from ai_assistant.game.identity import entity_id
from ai_assistant.game.proposals import PROPOSALS, SECONDS
from ai_assistant.models import AssistantEvent
from ai_assistant.tools import tool
from ai_assistant.tools.staff_work import heed_staff
from tests.evennia.living import CommandTestCase
from tests.evennia.test_database_away import locked

CASES = min(200, int(os.environ.get("PROPERTY_EXAMPLES", "30")))
"""Random cases of each kind; `bench.properties` asks for more, and draws others."""
SEALED = []


@tool(
    Category.DANGEROUS,
    permission="Admin",
    about={"item": "What to seal.", "how": "How.", "times": "How often."},
)
async def seal(turn, item: Annotated[str, Handle("item")], how: str, times: int = 1):
    """Seal something that is here."""
    thing = turn.thing(item, "item").entity
    SEALED.append((thing.name, how, times))
    return {"sealed": f"The {thing.name} is sealed {how}."}


class OwnToolTestCase(CommandTestCase):
    """Ada is Admin like the character, and Poe, a player, talks beside her."""

    def setUp(self):
        super().setUp()
        SEALED.clear()
        PROPOSALS.__init__(now=self.clock.monotonic)
        self.addCleanup(PROPOSALS.__init__)
        self.poe, self.marrek = self.a_player("Poe"), self.an_assistant()
        self.marrek.permissions.add("Admin")
        self.chest, self.urn = (self.a_thing(name, self.inn) for name in ("chest", "urn"))

    def build(self):
        shared = super().build()
        for each in (seal, heed_staff):
            if shared.registry.get(each.name) is None:
                shared.registry.add(each)
        return shared

    def asked(self, how="tight", item="chest"):
        """Ada asks and the character proposes; returns the word that confirms it."""
        self.model.call("seal", item=item, how=how, times=3).say("As you wish.")
        self.does(self.char1, f"say Marrek, seal the {item} {how}!")
        return [*PROPOSALS.open][-1]

    def proposed(self, how="tight"):
        """Put the same before Ada without a turn; returns the word."""
        given = {"item": {"id": entity_id(self.chest)}, "how": how, "times": 3}
        world = self.resident(self.marrek).mind.world
        world.propose("use seal", given, entity_id(self.char1), OPEN)
        return [*PROPOSALS.open][-1]

    def is_refused(self, nonce, caller=None, session=None):
        """It is refused, and nothing is done."""
        before = [*SEALED]
        with pytest.raises(AssistantError) as refusal:
            self.confirm(nonce, caller, session)
        assert before == SEALED
        return str(refusal.value)


class TestOwnTools(OwnToolTestCase):
    def test_asked_confirmed_done(self):
        """Nothing is done at first; what was shown is done, remembered and put on record."""
        nonce = self.asked()
        assert not SEALED
        told = "\n".join(self.screen(self.char1))
        assert f"would use seal: item chest ({self.chest.dbref}), how 'tight', times '3'" in told
        self.chest.key = "iron chest"  # by number, not by name
        assert "sealed tight" in self.ai(f"/confirm {nonce}")
        assert SEALED == [("iron chest", "tight", 3)]
        (row,) = AssistantEvent.objects.filter(type="StaffAct")
        assert (row.data["act"], row.data["by"]) == ("use seal", self.char1.key)
        assert self.marrek.stream.entries[-1]["kind"] != "say"
        assert "nothing to confirm" in self.ai(f"/confirm {nonce}")
        assert len(SEALED) == 1

    def test_what_a_whisper_asked_for_stays_private(self):
        """Once it is confirmed and done, nobody else's answer is made from it."""
        self.model.call("seal", item="chest", how="with nightingale", times=1).text("As you wish.")
        self.does(self.char1, "whisper Marrek = seal the chest with nightingale, and tell nobody!")
        self.confirm([*PROPOSALS.open][-1])
        assert SEALED == [("chest", "with nightingale", 1)]
        self.model.say("Nothing much.").text("I sealed it.")
        self.does(self.poe, "say Marrek, what have you been doing?")
        assert "nightingale" not in self.model.shown()
        self.does(self.char1, "whisper Marrek = what did you do for me?")
        assert "nightingale" in self.model.shown()
        told = AssistantEvent.objects.filter(data__icontains="nightingale")
        assert OPEN not in {record.readers for record in told}

    def test_beside_a_player_who_asks_for_something_else(self):
        """Poe's words take the tool away; it is proposed in a context that has none of them."""
        self.model.say("No.")
        self.does(self.poe, "say Marrek, seal the urn in poison!")
        self.model.call("heed_staff").call("seal", item="chest", how="tight").say("As you wish.")
        first = len(self.model.requests)
        self.does(self.char1, "say Marrek, seal the chest!")
        assert "seal" not in self.model.offered(first)
        for number in range(first + 1, len(self.model.requests)):
            assert "poison" not in self.model.shown(number)
            assert "Poe" not in self.model.shown(number)
        (nonce,) = PROPOSALS.open
        self.confirm(nonce)
        assert SEALED == [("chest", "tight", 1)]

    def test_what_ended_while_the_database_was_away_is_not_done(self):
        """Where its claim had to wait, what allowed it is asked anew, and the refusal told."""
        for step in ("time", "it leaves", "her rank goes", "the thing goes"):
            with self.subTest(step):
                told = self.confirmed_while_away(self.proposed(), [step] * 3)
                assert not SEALED, told
                assert AssistantEvent.objects.filter(type="StaffAct").last().data["error"] == told
                self.put_right()

    def test_it_is_confirmed_once_where_acts_want_a_yes(self):
        """The setting that lets acts wait for a word asks for no second one."""
        configure(self.marrek, "confirm_dangerous", "yes", by="Ada")
        assert "sealed" in self.confirm(self.proposed())

    def test_a_player_is_offered_neither(self):
        self.model.say("Hello.")
        self.does(self.poe, "say Hello, Marrek!")
        assert not {"seal", "heed_staff"} & {*self.model.offered(0)}

    @pytest.mark.hypothesis
    def test_altered(self):
        """Another argument, tool, time, session or word than was shown is not done."""
        draw = Random(11 + CASES)
        changes = {
            "act": lambda: draw.choice(["use ring", "use seal ", "spawn", "use "]),
            "arguments": lambda: json.dumps({"item": "chest", "how": str(draw.random())}),
            "until": lambda: self.clock.monotonic() + draw.uniform(61, 600),
            "sessions": lambda: (1, draw.randint(50, 99)),
            "asker": lambda: entity_id(self.poe),
            "readers": lambda: entity_id(self.poe),
            "digest": lambda: f"{draw.getrandbits(256):064x}",
            "nonce": lambda: "".join(draw.choices("23456789", k=6)),
        }
        for _ in range(CASES):
            nonce, field = self.proposed(), draw.choice([*changes])
            altered = replace(PROPOSALS.open.pop(nonce), **{field: changes[field]()})
            PROPOSALS.open[altered.nonce] = altered
            self.is_refused(altered.nonce)
            PROPOSALS.open.clear()
        assert not SEALED

    @pytest.mark.hypothesis
    def test_any_order_of_what_happens(self):
        """Words, replays, time, places and ranks in any order, also as it waits for the database:
        done at most once each, only while the one who asked may, is there, and in time."""
        draw = Random(12 + CASES)
        for case in range(CASES):
            steps = [draw.choice([*HAPPENS]) for _ in range(draw.randint(0, 5))]
            nonce, began = self.proposed(str(case)), self.clock.monotonic()
            for step in steps:
                HAPPENS[step](self)
            until, told = began + SECONDS, ""
            if is_fit := self.clock.monotonic() < until and self.is_allowed():
                meanwhile = [draw.choice(WORDLESS) for _ in range(draw.randint(0, 2))]
                told = self.confirmed_while_away(nonce, meanwhile)
                is_fit = self.clock.monotonic() < until and self.is_allowed()
            assert ("sealed" in told) == is_fit
            assert [how for _, how, _ in SEALED] == [str(case)] * is_fit
            for caller in (self.char1, self.poe):
                self.is_refused(nonce, caller)
            self.put_right()

    def confirmed_while_away(self, nonce, meanwhile):
        """Confirm it as the database takes no act, and let things happen; returns what is told."""
        told = []
        with locked(table="ai_assistant_pending") if meanwhile else nullcontext():
            done = confirm(nonce, self.char1, self.char1.sessions.get()[0])
            done.addErrback(lambda refused: str(refused.value)).addCallback(told.append)
            for step in meanwhile:
                HAPPENS[step](self)
            assert not (SEALED and meanwhile)
        self.tick(self.marrek, 1)
        return told[0]

    def is_allowed(self):
        """Are both there, with their ranks, and is the thing?"""
        both = (self.char1, self.marrek)
        ranked = all(one.locks.check_lockstring(one, "may:perm(Admin)") for one in both)
        bodies = (self.char1, self.marrek, self.chest)
        return ranked and all(body.location == self.inn for body in bodies)

    def put_right(self):
        """Begin the next case as the first did."""
        for body in (self.char1, self.marrek, self.chest):
            body.location = self.inn
        for owner in (self.char1.account, self.marrek):
            owner.permissions.add("Admin")
        PROPOSALS.open.clear()
        SEALED.clear()

    def poe_talks(self):
        """A player asks for something else meanwhile."""
        self.model.say("No.")
        self.does(self.poe, "say Marrek, seal the urn!")
        self.model.replies.clear()  # where it has left, it hears nothing
        self.clock.advance(3)


HAPPENS = {
    "a player talks": lambda case: case.poe_talks(),
    "a guess": lambda case: case.is_refused("222222"),
    "somebody else's try": lambda case: case.is_refused([*PROPOSALS.open, "222222"][0], case.poe),
    "time": lambda case: case.clock.advance(25),
    "she leaves": lambda case: setattr(case.char1, "location", case.street),
    "she comes": lambda case: setattr(case.char1, "location", case.inn),
    "it leaves": lambda case: setattr(case.marrek, "location", case.street),
    "it comes": lambda case: setattr(case.marrek, "location", case.inn),
    "the thing goes": lambda case: setattr(case.chest, "location", case.street),
    "her rank goes": lambda case: case.char1.account.permissions.remove("Admin"),
    "her rank comes": lambda case: case.char1.account.permissions.add("Admin"),
    "its rank goes": lambda case: case.marrek.permissions.remove("Admin"),
}
WORDLESS = [*HAPPENS][3:]
"""What may happen while the database is away and nobody is answered."""
