"""The world of one character: what it sees, who hears it, and what it may do there."""

import time
from itertools import pairwise

import pytest
from evennia.comms.comms import DefaultChannel
from evennia.objects.objects import DefaultExit, DefaultObject, DefaultRoom
from evennia.utils import create
from twisted.internet.defer import Deferred

from ai_assistant.core.errors import ToolError
from ai_assistant.core.ports import World
from ai_assistant.core.text import clean
from ai_assistant.game.identity import CATEGORY, entity_id, find
from ai_assistant.game.perception import GIFT_TAG, from_page
from ai_assistant.game.senses import EvenniaWorld
from tests.evennia.stage import HOSTILE, StageTestCase


class DarkRoom(DefaultRoom):
    """A room where nothing can be seen."""

    def filter_visible(self, obj_list, looker, **kwargs):
        return []


class Swamp(DefaultExit):
    """An exit that leads nowhere after all."""

    def at_traverse(self, traversing_object, target_location, **kwargs):
        self.at_failed_traverse(traversing_object)

    def at_failed_traverse(self, traversing_object, **kwargs):
        traversing_object.ndb.failed = True


class Cursed(DefaultObject):
    """A thing that cannot be given away."""

    def at_pre_give(self, giver, getter, **kwargs):
        return False


def run(awaitable):
    """Return what an act returns, or raise what it raises."""
    ended = []
    Deferred.fromCoroutine(awaitable).addBoth(ended.append)
    (result,) = ended
    if hasattr(result, "raiseException"):
        result.raiseException()
    return result


class WorldTestCase(StageTestCase):
    def setUp(self):
        super().setUp()
        self.mind = self.a_mind()
        self.world = EvenniaWorld(self.mind)
        self.here = entity_id(self.inn)

    def names(self):
        """Return the names of all that the character sees."""
        return [thing.entity.name for thing in self.world.scene().things]

    def event_of(self, speaker, kind="say", channel=None):
        """Return the last event perceived after the speaker says, whispers or pages something."""
        if kind == "page":
            return from_page(self.mind, speaker, "hello")
        if channel:
            channel.msg("hello", senders=[speaker])
        else:
            whisper = kind == "whisper"
            speaker.at_say("hello", whisper=whisper, receivers=[self.mind] if whisper else None)
        return self.mind.ndb.heard[-1]


class TestScene(WorldTestCase):
    def test_world_keeps_the_port(self):
        """Every call that the core makes of a world is there."""
        calls = {name for name in vars(World) if not name.startswith("_")}
        assert calls <= set(dir(self.world))

    def test_scene_tells_place_and_company(self):
        """People, exits, what lies there and what is carried, each as what it is."""
        self.inn.db.desc = "A |rwarm|n room."
        ann, olga = self.a_player("Ann"), self.a_mind("Olga")
        ann.db.desc = "Tall."
        self.a_thing("a sign", self.inn)
        self.a_thing("a key", self.mind)
        scene = self.world.scene()
        things = {thing.entity.name: thing for thing in scene.things}
        assert (scene.place, scene.place_name) == (self.here, "The Inn")
        assert (scene.description, scene.private) == ("A warm room.", False)
        assert set(things) == {"Ann", "Olga", "door", "a sign", "a key"}
        assert things["Ann"].entity.kind == "player"
        assert things["Ann"].description == "Tall."
        assert things["Olga"].is_assistant
        assert things["Olga"].entity.id == entity_id(olga)
        assert things["Olga"].description == ""
        assert things["door"].is_exit
        assert things["door"].description == self.door.destination.key
        assert [things[name].carried for name in ("a sign", "a key")] == [False, True]

    def test_the_oldest_stand_first(self):
        """However Evennia keeps what is there, the handles of two things never change places."""
        lamps = [create.create_object(DefaultObject, key=f"lamp {number}") for number in range(9)]
        for pair in pairwise(lamps):
            for lamp in reversed(pair):
                lamp.location = self.inn
            assert [name for name in self.names() if "lamp" in name] == [lamp.key for lamp in pair]
            for lamp in pair:
                lamp.location = None

    def test_time_is_the_games(self):
        """The scene says what time it is in the game, to the minute."""
        time.strptime(self.world.scene().time, "%Y-%m-%d %H:%M")

    def test_who_bears_an_id_is_known_without_a_search(self):
        """A night asks so for each who spoke by day."""
        alice, sign = self.a_player("Alice"), create.create_object(DefaultObject, key="sign")
        ids = [entity_id(one) for one in (alice, self.mind, sign)]
        found = [self.world.who_is(id) for id in ids]
        with self.assertNumQueries(0):
            assert [self.world.who_is(id) for id in ids] == found
            assert self.world.who_is("e-nobody") is None
        assert [(one.name, one.kind) for one in found] == [
            ("Alice", "player"), ("Marrek", "npc"), ("sign", "object"),
        ]  # fmt: skip

    def test_hidden_things_are_not_shown(self):
        """What a view or search lock hides from the character is not in its scene."""
        self.a_thing("a gem", self.inn).locks.add("view:false()")
        self.a_thing("a trap", self.inn).locks.add("search:false()")
        self.a_player("Ann").locks.add("view:false()")
        assert self.names() == ["door"]

    def test_game_decides_what_is_seen(self):
        """A room that overrides what is visible, such as darkness, is obeyed."""
        self.mind.location = create.create_object(DarkRoom, key="Cellar", nohome=True)
        self.a_player("Ann", self.mind.location)
        assert self.names() == []

    def test_private_room_says_so(self):
        """A room tagged private is marked in the scene."""
        self.inn.tags.add("private", category=CATEGORY)
        assert self.world.scene().private

    def test_nowhere_is_a_scene_too(self):
        """A character without a location sees nothing, and nothing breaks."""
        self.mind.location = None
        scene = self.world.scene()
        assert (scene.place, scene.things) == ("", ())

    def test_deleted_character_is_told(self):
        """When the character is gone, its world says so instead of acting on a ghost."""
        self.mind.delete()
        for call in (self.world.me, self.world.scene, lambda: self.world.look(self.here)):
            with pytest.raises(ToolError):
                call()
        assert self.world.hearers("say", self.here) == frozenset()

    def test_hostile_descriptions_are_inert(self):
        """Names and descriptions by players reach the scene cleaned and without error."""
        body = self.a_player("Ann")
        for text in HOSTILE:
            body.key, body.db.desc = text[:200].replace("\x00", ""), text
            self.inn.db.desc = text
            scene, look = self.world.scene(), self.world.look(entity_id(body))
            shown = [scene.description, look, *(thing.description for thing in scene.things)]
            shown += [thing.entity.name for thing in scene.things]
            for line in shown:
                assert line == clean(line, 1000, 12)
                assert not set("|{}\x1b") & set(line)


class TestLook(WorldTestCase):
    def test_look_shows_what_the_game_shows(self):
        """Looking at a thing here, at one carried and at the room gives the game's own view."""
        sign, key = self.a_thing("a sign", self.inn), self.a_thing("a key", self.mind)
        sign.db.desc, key.db.desc = "It says |yWelcome|n.", "Rusty."
        assert "It says Welcome." in self.world.look(entity_id(sign))
        assert "Rusty." in self.world.look(entity_id(key))
        assert "The Inn" in self.world.look(self.here)

    def test_unseen_things_cannot_be_looked_at(self):
        """What is elsewhere, hidden or gone is not to be seen."""
        far, hidden = self.a_thing("a tree", self.street), self.a_thing("a gem", self.inn)
        hidden.locks.add("view:false()")
        gone = self.a_thing("a ghost", self.inn)
        ids = [entity_id(far), entity_id(hidden), entity_id(gone), "e123"]
        gone.delete()
        for one in ids:
            with pytest.raises(ToolError):
                self.world.look(one)


class TestHearers(WorldTestCase):
    def test_room_is_heard_by_sessions_and_minds(self):
        """Players and assistants in the room hear, hidden ones too; bodies and furniture do not."""
        ann, olga = self.a_player("Ann"), self.a_mind("Olga")
        ann.locks.add("view:false()")
        self.a_body("Statue")
        self.a_thing("a chair", self.inn)
        self.a_player("Zoe", self.street)
        assert self.world.hearers("say", self.here) == {entity_id(ann), entity_id(olga)}

    def test_speech_for_another_place_has_no_hearers(self):
        """Once the character has left the place, nobody there hears it."""
        self.a_player("Ann")
        self.mind.location = self.street
        assert self.world.hearers("say", self.here) == frozenset()

    def test_whisper_reaches_only_who_is_here(self):
        """A whisper is heard by its target in the same room, by nobody else and not by oneself."""
        ann, zoe = self.a_player("Ann"), self.a_player("Zoe", self.street)
        heard = [self.world.hearers("whisper", self.here, entity_id(one)) for one in (ann, zoe)]
        assert heard == [{entity_id(ann)}, frozenset()]
        assert self.world.hearers("whisper", self.here, entity_id(self.mind)) == frozenset()
        assert self.world.hearers("whisper", self.here, "") == frozenset()

    def test_page_reaches_only_who_is_online(self):
        """A page is heard anywhere in the game, but not by somebody who has logged out."""
        zoe = self.a_player("Zoe", self.street)
        account = zoe.account
        pages = [entity_id(zoe), entity_id(account), entity_id(self.inn)]
        assert [bool(self.world.hearers("page", "", one)) for one in pages] == [True, True, False]
        self.log_out(zoe)
        assert [bool(self.world.hearers("page", "", one)) for one in pages] == [False] * 3

    def test_channel_is_heard_as_a_channel(self):
        """A channel that the character follows is its own audience."""
        public = create.create_channel("Public", typeclass=DefaultChannel)
        channel = entity_id(public)
        assert self.world.hearers("channel", channel) == frozenset()
        public.connect(self.mind)
        assert self.world.hearers("channel", channel) == {channel}


class TestBelonging(WorldTestCase):
    def setUp(self):
        super().setUp()
        self.public = create.create_channel("Public", typeclass=DefaultChannel)
        self.ann = self.a_player("Ann")

    def belongs(self, someone):
        return self.world.belongs(entity_id(someone), entity_id(self.public))

    def test_subscription_counts_for_body_and_account(self):
        """Whoever is subscribed, as account or as character, belongs to the channel."""
        assert not self.belongs(self.ann)
        self.public.connect(self.ann.account)
        self.public.connect(self.mind)
        assert self.belongs(self.ann)
        assert self.belongs(self.ann.account)
        assert self.belongs(self.mind)

    def test_listen_lock_shuts_out(self):
        """Somebody subscribed whom the listen lock no longer admits does not belong."""
        self.public.connect(self.ann.account)
        self.public.locks.add("listen:perm(Admin)")
        assert not self.belongs(self.ann)

    def test_strange_ids_belong_nowhere(self):
        """Unknown ids, and things that are no channels, have no members."""
        assert not self.world.belongs("e1", entity_id(self.public))
        assert not self.world.belongs(entity_id(self.ann), self.here)
        assert not self.world.belongs(entity_id(self.public), entity_id(self.public))

    def test_permissions_are_those_of_now(self):
        """A permission counts from when it is given until it is taken; the unknown hold none."""
        who = entity_id(self.mind)
        assert not self.world.holds(who, "Builder")
        self.mind.permissions.add("Builder")
        assert self.world.holds(who, "Builder")
        self.mind.permissions.remove("Builder")
        assert not self.world.holds(who, "Builder")
        assert not self.world.holds("e1", "Player")


class TestReach(WorldTestCase):
    def test_speaker_is_in_reach_where_they_spoke(self):
        """Who spoke or whispered here is in reach until they leave, or the character does."""
        ann = self.a_player("Ann")
        events = [self.event_of(ann, kind) for kind in ("say", "whisper")]
        assert all(map(self.world.in_reach, events))
        self.mind.location = ann.location = self.street
        assert not any(map(self.world.in_reach, events))
        self.mind.location = self.inn
        assert not any(map(self.world.in_reach, events))

    def test_logged_out_speaker_is_out_of_reach(self):
        """Somebody who has logged out hears nothing, wherever the body stands."""
        ann = self.a_player("Ann")
        events = [self.event_of(ann, kind) for kind in ("say", "page")]
        self.log_out(ann)
        assert not any(map(self.world.in_reach, events))

    def test_pager_is_in_reach_anywhere(self):
        """Who paged is in reach while online."""
        zoe = self.a_player("Zoe", self.street)
        assert self.world.in_reach(self.event_of(zoe, "page"))

    def test_channel_speaker_is_in_reach_while_subscribed(self):
        """Who spoke on a channel is in reach until they leave it."""
        zoe = self.a_player("Zoe", self.street)
        public = create.create_channel("Public", typeclass=DefaultChannel)
        public.connect(zoe.account)
        public.connect(self.mind)
        event = self.event_of(zoe.account, channel=public)
        assert self.world.in_reach(event)
        public.disconnect(zoe.account)
        assert not self.world.in_reach(event)


class TestMove(WorldTestCase):
    def test_walks_through_an_exit(self):
        """A move goes through the exit and says where it led."""
        assert run(self.world.move(entity_id(self.door))) == "You went to Street."
        assert self.mind.location == self.street

    def test_locked_exit_gives_its_reason(self):
        """A closed exit keeps the character where it is, with the builder's reason if any."""
        self.door.locks.add("traverse:false()")
        with pytest.raises(ToolError, match="closed to you"):
            run(self.world.move(entity_id(self.door)))
        self.door.db.err_traverse = "The |rdoor|n is barred."
        with pytest.raises(ToolError, match=r"^The door is barred\.$"):
            run(self.world.move(entity_id(self.door)))
        assert self.mind.location == self.inn

    def test_unseen_or_distant_exit_is_no_way(self):
        """An exit that is hidden, elsewhere, gone or none at all leads nowhere."""
        hidden = create.create_object(
            DefaultExit, key="hole", location=self.inn, destination=self.street, nohome=True
        )
        hidden.locks.add("view:false()")
        back = create.create_object(
            DefaultExit, key="in", location=self.street, destination=self.inn, nohome=True
        )
        for target in (entity_id(hidden), entity_id(back), self.here, "e1"):
            with pytest.raises(ToolError, match="no such way"):
                run(self.world.move(target))

    def test_failed_traversal_is_reported(self):
        """A move that did not change the place is no success."""
        swamp = create.create_object(
            Swamp, key="swamp", location=self.inn, destination=self.street, nohome=True
        )
        with pytest.raises(ToolError, match="did not get through"):
            run(self.world.move(entity_id(swamp)))
        assert self.mind.ndb.failed

    def test_puppeted_character_does_not_act(self):
        """While an account is in the body, neither moves nor gifts are made in its name."""
        coin, ann = self.a_thing("a coin", self.mind), self.a_player("Ann")
        coin.tags.add("givable", category=CATEGORY)
        self.mind.account = ann.account
        for act in (
            self.world.move(entity_id(self.door)),
            self.world.give(entity_id(coin), entity_id(ann)),
        ):
            with pytest.raises(ToolError, match="moving your body"):
                run(act)


class TestGive(WorldTestCase):
    def setUp(self):
        super().setUp()
        self.ann = self.a_player("Ann")
        self.coin = self.a_thing("a coin", self.mind)

    def give(self, item=None, receiver=None):
        return run(self.world.give(entity_id(item or self.coin), entity_id(receiver or self.ann)))

    def test_givable_things_change_hands(self):
        """A thing tagged as givable goes over, and its receiver is told."""
        self.coin.tags.add("givable", category=CATEGORY)
        self.screens.clear()
        assert self.give() == "You gave a coin to Ann."
        assert self.coin.location == self.ann
        assert self.screen(self.ann) == ["Marrek gives you a coin."]

    def test_gifts_of_players_may_be_given_on(self):
        """What a player gave may be given away, once."""
        mug = self.a_thing("a mug", self.ann)
        mug.move_to(self.mind, quiet=True, move_type="give")
        assert self.give(mug) == "You gave a mug to Ann."
        assert not mug.tags.has(GIFT_TAG, category=CATEGORY)

    def test_other_things_stay(self):
        """What is not marked as givable is not given, and is not called givable."""
        with pytest.raises(ToolError, match="not yours"):
            self.give()
        things = {thing.entity.name: thing for thing in self.world.scene().things}
        assert not things["a coin"].givable

    def test_only_carried_things_are_given(self):
        """A thing that lies about, or that somebody else holds, is not the character's to give."""
        sign = self.a_thing("a sign", self.inn)
        sign.tags.add("givable", category=CATEGORY)
        with pytest.raises(ToolError, match="do not carry"):
            self.give(sign)

    def test_receiver_must_be_somebody_here(self):
        """Nothing is given to the absent, to furniture or to oneself."""
        self.coin.tags.add("givable", category=CATEGORY)
        for nobody in (self.a_player("Zoe", self.street), self.mind, self.a_thing("box", self.inn)):
            with pytest.raises(ToolError):
                self.give(receiver=nobody)
        assert self.coin.location == self.mind

    def test_game_may_refuse(self):
        """A thing whose own hook refuses stays where it is."""
        ring = create.create_object(Cursed, key="a ring", location=self.mind, nohome=True)
        ring.tags.add("givable", category=CATEGORY)
        with pytest.raises(ToolError, match="cannot give away"):
            self.give(ring)
        assert find(entity_id(ring)).location == self.mind
