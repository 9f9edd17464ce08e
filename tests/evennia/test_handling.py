"""Taking, putting down and handing over under the game's locks, and who is known by name."""

import pytest
from evennia.objects.objects import DefaultExit, DefaultObject
from evennia.utils import create

from ai_assistant.core.errors import ToolError
from ai_assistant.game.handling import TAKEN_TAG
from ai_assistant.game.identity import CATEGORY, entity_id
from ai_assistant.game.perception import GIFT_TAG
from ai_assistant.game.senses import EvenniaWorld
from ai_assistant.typeclasses import AssistantCharacter
from tests.evennia.stage import StageTestCase
from tests.evennia.test_world import run


class Hot(DefaultObject):
    """A thing that burns whoever touches it, and sticks to whoever holds it."""

    def at_pre_get(self, getter, **kwargs):
        getter.msg("The |rkettle|n is too hot.")
        return False

    def at_pre_drop(self, dropper, **kwargs):
        dropper.msg("It sticks to your hand.")
        return False


class Hedge(DefaultExit):
    """A way on which everybody gets stuck."""

    def at_traverse(self, traversing_object, target_location, **kwargs):
        traversing_object.msg("Thorns hold you back.")


class HandlingTestCase(StageTestCase):
    def setUp(self):
        super().setUp()
        self.mind = self.a_mind(typeclass=AssistantCharacter)
        self.world = EvenniaWorld(self.mind)
        self.ann = self.a_player("Ann")
        self.lantern = self.a_thing("lantern", self.inn)
        self.screens.clear()

    def take(self, item):
        return run(self.world.take(entity_id(item)))

    def put_down(self, item):
        return run(self.world.put_down(entity_id(item)))

    def seen(self):
        """Return what the character sees, by name."""
        return {thing.entity.name: thing for thing in self.world.scene().things}

    def refused(self, act, item, why):
        """Nothing happens, for this reason."""
        before = item.location
        with pytest.raises(ToolError, match=why):
            act(item)
        assert item.location == before


class TestTaking(HandlingTestCase):
    def test_a_thing_that_lies_here_is_taken(self):
        """It is carried then, and everybody in the room saw it as if a player had done it."""
        assert self.seen()["lantern"].takable
        assert self.take(self.lantern) == "You took lantern."
        assert self.lantern.location == self.mind
        assert self.screen(self.ann) == ["Marrek picks up a lantern."]
        assert self.seen()["lantern"].carried

    def test_the_name_of_a_thing_is_no_template(self):
        """Whoever named it: nothing in it is filled in, run or followed as it is shown around."""
        self.lantern.key = "lamp {nobody} {you.db} $pad(x, 9) |lcquit|ltrun|le"
        assert self.take(self.lantern).startswith("You took lamp")
        assert self.put_down(self.lantern).startswith("You put down lamp")
        name = "lamp (nobody) (you.db) \ufe69pad(x, 9) run"
        shown = [f"Marrek picks up a {name}.", f"Marrek drops a {name}."]
        assert self.screen(self.ann) == shown

    def test_a_locked_thing_stays_for_its_own_reason(self):
        """What the builder wrote is what the character learns."""
        self.lantern.locks.add("get:false()")
        assert not self.seen()["lantern"].takable
        self.refused(self.take, self.lantern, r"^You cannot pick up lantern\.$")
        self.lantern.db.get_err_msg = "It is |ynailed|n down."
        self.refused(self.take, self.lantern, r"^It is nailed down\.$")

    def test_a_hook_that_refuses_says_why(self):
        """What the game tells the character is the reason."""
        kettle = create.create_object(Hot, key="kettle", location=self.inn, nohome=True)
        self.refused(self.take, kettle, r"^The kettle is too hot\.$")
        assert self.mind.ndb.told is None

    def test_a_hidden_lantern_is_not_there(self):
        """What it cannot see it can neither name nor take; nor what is elsewhere, or held."""
        self.lantern.locks.add("view:false()")
        assert "lantern" not in self.seen()
        self.refused(self.take, self.lantern, "not here")
        self.refused(self.take, self.a_thing("coin", self.street), "not here")
        self.refused(self.take, self.a_thing("ring", self.ann), "not here")

    def test_people_and_ways_are_not_taken(self):
        """Only things are."""
        self.refused(self.take, self.ann, "cannot pick up")
        self.refused(self.take, self.door, "cannot pick up")

    def test_what_is_carried_is_not_taken_twice(self):
        """The reason is the true one."""
        self.take(self.lantern)
        self.refused(self.take, self.lantern, "carry lantern already")

    def test_a_puppeted_character_takes_nothing(self):
        """While an account is in the body, nothing is done in its name."""
        self.mind.account = self.ann.account
        self.refused(self.take, self.lantern, "moving your body")


class TestParting(HandlingTestCase):
    def test_what_it_took_it_may_give(self):
        """Fetching means handing over; afterwards it is the other's."""
        self.take(self.lantern)
        assert self.seen()["lantern"].givable
        given = self.world.give(entity_id(self.lantern), entity_id(self.ann))
        assert run(given) == "You gave lantern to Ann."
        assert self.lantern.location == self.ann
        assert not any(self.lantern.tags.has([TAKEN_TAG, GIFT_TAG], category=CATEGORY))

    def test_what_it_took_it_may_put_down(self):
        """It lies here then, before everybody's eyes, and may be taken again."""
        self.take(self.lantern)
        self.screens.clear()
        assert self.put_down(self.lantern) == "You put down lantern."
        assert self.lantern.location == self.inn
        assert self.screen(self.ann) == ["Marrek drops a lantern."]
        assert self.seen()["lantern"].takable

    def test_its_own_things_are_not_talked_out_of_it(self):
        """What the game gave it for itself it keeps, whatever it is asked for."""
        sword = self.a_thing("sword", self.mind)
        self.refused(self.put_down, sword, "not yours")
        self.refused(self.put_down, self.lantern, "do not carry")

    def test_what_cannot_be_dropped_says_why(self):
        """By its hook, or by its lock."""
        for typeclass, why in ((Hot, "sticks to your hand"), (DefaultObject, "put down|drop")):
            thing = create.create_object(typeclass, key="thing", location=self.mind, nohome=True)
            thing.tags.add("givable", category=CATEGORY)
            thing.locks.add("drop:false()")
            self.refused(self.put_down, thing, why)

    def test_whoever_is_elsewhere_gets_nothing(self):
        """The refusal names them."""
        self.take(self.lantern)
        zoe = self.a_player("Zoe", self.street)
        with pytest.raises(ToolError, match=r"^Zoe is not here\.$"):
            run(self.world.give(entity_id(self.lantern), entity_id(zoe)))


class TestWays(HandlingTestCase):
    def test_a_locked_door_is_seen_and_says_why(self):
        """Like a player, it sees the door, not what lies behind it, and learns why it is shut."""
        self.door.locks.add("traverse:false()")
        self.door.db.err_traverse = "It is barred from within."
        door = self.seen()["door"]
        assert (door.is_exit, door.description) == (True, "")
        with pytest.raises(ToolError, match="barred from within"):
            run(self.world.move(entity_id(self.door)))

    def test_what_the_way_tells_is_the_reason(self):
        """A way that leads nowhere after all says so itself."""
        hedge = create.create_object(
            Hedge, key="hedge", location=self.inn, destination=self.street, nohome=True
        )
        with pytest.raises(ToolError, match=r"^Thorns hold you back\.$"):
            run(self.world.move(entity_id(hedge)))


class TestKnown(HandlingTestCase):
    def names(self, name):
        """Return who and what the game knows by that name."""
        return [one.name for one in self.world.known(name)]

    def test_players_are_known_by_name_and_alias(self):
        """In any case, wherever they are; and nobody by half of a name."""
        zoe = self.a_player("Zoe", self.street)
        zoe.aliases.add("the ferret")
        assert self.names("zoe") == self.names("The Ferret") == ["Zoe"]
        assert self.names("Zo") == self.names("#1") == self.names("") == []

    def test_others_are_known_once_an_assistant_had_to_do_with_them(self):
        """Who never met anybody is nobody: no name of a secret thing comes out of the game."""
        self.a_thing("idol", self.street)
        cook = self.a_body("Cook", self.street)
        assert self.names("idol") == self.names("Cook") == []
        entity_id(cook)
        assert self.names("Cook") == ["Cook"]

    def test_the_character_is_not_somebody_else(self):
        """Its own name is nobody to speak of."""
        assert self.names("Marrek") == []

    def test_other_names_are_seen(self):
        """A thing here goes by its aliases as well."""
        self.lantern.aliases.add("lamp")
        assert self.seen()["lantern"].aliases == ("lamp",)
