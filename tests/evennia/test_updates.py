"""Witnesses: what a scene records by itself is news to those who could have seen it."""

from evennia.objects.objects import DefaultRoom
from evennia.utils import create

from ai_assistant.core.readers import OPEN, canonical
from ai_assistant.game.identity import CATEGORY, entity_id
from ai_assistant.storage import WorldContainer
from ai_assistant.typeclasses import AssistantCharacter
from tests.evennia.test_live_scenes import Listening, SceneTestCase


class Cellar(DefaultRoom):
    """A room in which nobody sees anything."""

    def filter_visible(self, obj_list, looker, **kwargs):
        return []


class Discreet(AssistantCharacter):
    """Somebody of whose things only those know whom the game lets know."""

    def at_ai_news(self, update_type, what, witnesses):
        if "Letter" in what:
            return False
        bob = [one for one in self.location.contents if one.key == "Bob"]
        return bob if "Ring" in what else None


class TestWitnesses(SceneTestCase):
    def setUp(self):
        super().setUp()
        self.pia.swap_typeclass(Listening, run_start_hooks=None)
        self.session = self.a_scene(self.alice, self.bob, self.pia)

    def news(self):
        """Return {what: label} of all that became of characters."""
        found = WorldContainer(self.session).find(where={"kind": "character_update"}, limit=9)
        return {row.meta["what"]: row.readers for row in found}

    def of(self, *people):
        return canonical(map(entity_id, people))

    def hide(self, thing, but=""):
        thing.locks.add(f"view:{but or 'false()'}")
        return thing

    def make_private(self, room=None):
        (room or self.inn).tags.add("private", category=CATEGORY)

    def test_in_a_private_room_it_is_news_to_those_there(self):
        """Who gets what, and who comes in, is known to those who saw it, and never open."""
        self.make_private()
        self.charlie.move_to(self.street, quiet=True)
        self.a_thing("Crown", self.street).move_to(self.alice, quiet=True)
        self.pia.move_to(self.street, quiet=True)
        self.pia.move_to(self.inn, quiet=True)
        present = self.of(self.alice, self.bob, self.pia)
        assert self.news() == {
            "Alice acquired Crown": present,
            "Pia went to Street": OPEN,
            "Pia went to The Inn": present,
        }

    def test_alone_in_a_private_room_it_is_nobodys_news(self):
        """Only who came there knows of it."""
        self.make_private(self.street)
        self.alice.move_to(self.street, quiet=True)
        assert self.news() == {"Alice went to Street": self.of(self.alice)}

    def test_what_nobody_sees_is_no_news(self):
        """A hidden thing, a hidden mover, the dark."""
        dark = create.create_object(Cellar, key="Cellar", nohome=True)
        self.hide(self.a_thing("Poison Vial", self.street)).move_to(self.alice, quiet=True)
        self.bob.move_to(dark, quiet=True)
        self.hide(self.pia).move_to(self.street, quiet=True)
        assert self.news() == {}

    def test_who_is_hidden_gives_unseen(self):
        """Alice seems to have it from nowhere: that she got it only those two know."""
        ring = self.a_thing("Ring", self.hide(self.pia))
        ring.move_to(self.alice, quiet=True, move_type="drop")
        assert self.news() == {"Alice acquired Ring": self.of(self.alice, self.pia)}

    def test_what_some_see_is_news_to_them(self):
        """A thing that only Bob can see is his news and Alice's, in the open as well."""
        seen_by_bob = f"id({self.bob.pk})"
        self.hide(self.a_thing("Sign", self.street), seen_by_bob).move_to(self.alice, quiet=True)
        assert self.news() == {"Alice acquired Sign": self.of(self.alice, self.bob)}
        self.speaks(self.alice, "Bob, Pia, look.")
        learnt = [len(self.rows(one, self.session, kind="character_update"))
                  for one in (self.bob, self.pia)]  # fmt: skip
        assert learnt == [1, 0]

    def test_a_game_narrows_it_further(self):
        """`at_ai_news` keeps what is no news at all, and leaves others to whom it names."""
        self.alice.swap_typeclass(Discreet, run_start_hooks=None)
        for name in ("Letter", "Ring", "Mug"):
            self.a_thing(name, self.street).move_to(self.alice, quiet=True)
        assert self.news() == {
            "Alice acquired Ring": self.of(self.alice, self.bob), "Alice acquired Mug": OPEN,
        }  # fmt: skip
