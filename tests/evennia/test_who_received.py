"""Who received: a line is remembered by those who got it, whoever else stood in the room."""

from contextlib import contextmanager

from evennia.objects.objects import DefaultCharacter, DefaultRoom

from ai_assistant.agent.keeping.closing import flush
from ai_assistant.api import staging
from ai_assistant.api.scene_listeners import SceneParticipantMixin, SceneRoomMixin
from ai_assistant.core.readers import canonical
from ai_assistant.game.identity import CATEGORY, entity_id
from ai_assistant.game.line_ids import one_line
from ai_assistant.models import Memory, Participation, PendingEvent
from ai_assistant.roleplay.permanent import KINDS
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage import Container
from ai_assistant.typeclasses import AssistantCharacter
from tests.evennia.test_live_scenes import SceneTestCase

WELL = "Quinn, Bob, the well is dry."


class Deaf(SceneParticipantMixin, DefaultCharacter):
    """Somebody who hears nothing while `db.deaf`; the game has put its own check outside."""

    def at_msg_receive(self, text=None, from_obj=None, **kwargs):
        return not self.db.deaf and super().at_msg_receive(text=text, from_obj=from_obj, **kwargs)


class DeafMind(AssistantCharacter):
    """An assistant that hears nothing while `db.deaf`."""

    def at_msg_receive(self, text=None, from_obj=None, **kwargs):
        return not self.db.deaf and super().at_msg_receive(text=text, from_obj=from_obj, **kwargs)


class Trapdoor(SceneParticipantMixin, DefaultCharacter):
    """Somebody who calls another one in when they hear a line."""

    def at_msg_receive(self, text=None, from_obj=None, **kwargs):
        heard = super().at_msg_receive(text=text, from_obj=from_obj, **kwargs)
        if self.db.calls:
            self.db.calls.move_to(self.location, quiet=True)
        return heard


class Attentive(SceneRoomMixin, DefaultRoom):
    """A room that says whom a line was kept from."""


class Table(SceneRoomMixin, DefaultRoom):
    """A room where a game decides who took a line in."""

    def at_ai_received(self, speaker, kind, text, hearers, missed):
        self.ndb.asked = [*(self.ndb.asked or ()), (speaker, kind, text, {*missed})]
        return [one for one in hearers if "softly" not in text or one.key == "Bob"]


class Broken(DefaultRoom):
    """A room whose hook does not work."""

    def at_ai_received(self, speaker, kind, text, hearers, missed):
        raise TypeError("no sense of humour")


class ReceivedTestCase(SceneTestCase):
    def setUp(self):
        super().setUp()
        self.quinn = self.a_player("Quinn")
        self.quinn.swap_typeclass(Deaf, run_start_hooks=None)

    def heard_by(self, who, session):
        """Return what somebody heard in a scene, without what they found there on joining."""
        return [row for row in self.rows(who, session) if row.meta.get("source") != "world"]

    def line(self, words, *left_out):
        """Let Pia say something that the game keeps from some; nobody answers, and all save it."""
        line = (f'Pia says, "{words}"', {"type": "say"})
        with self.silence():
            self.inn.msg_contents(line, exclude=[self.pia, *left_out], from_obj=self.pia)

    @contextmanager
    def silence(self):
        """Within, nobody answers to what is said; then all save it."""
        minds = (self.alice, self.bob, self.charlie)
        for one in minds:
            one.locks.add("address:false()")
        yield
        self.steps.run()
        for one in minds:
            one.locks.remove("address")
            flush(self.resident(one).mind)

    def became(self, typeclass, body=None):
        (body or self.inn).swap_typeclass(typeclass, run_start_hooks=None)

    def knowers(self, session):
        """Return the names of all whom a decision on the session's lines has near them."""
        found = Participation.objects.filter(session=session)
        near = {who for one in found for who in one.hearers}
        near |= {who["id"] for one in found for who in one.participants}
        everybody = (self.alice, self.bob, self.charlie, self.pia, self.quinn)
        return {one.key for one in everybody if entity_id(one) in near}


class TestPlayers(ReceivedTestCase):
    def test_who_was_left_out_has_no_row(self):
        """A line that was kept from Quinn is not in her container, and she took no part."""
        session = self.a_scene(self.pia, self.quinn, self.bob)
        self.line("Bob, Quinn is a traitor, everyone knows.", self.quinn)
        assert self.rows(self.quinn, session) == []
        assert self.words(self.bob, session) == ["Bob, Quinn is a traitor, everyone knows."]
        assert self.knowers(session) == {"Pia", "Bob"}

    def test_a_scene_may_change_while_a_line_is_under_way(self):
        """Those who got it are its members all the same."""
        session = self.a_scene(self.pia, self.quinn)
        line = ('Pia says, "Quinn, the well is dry."', {"type": "say"})
        with self.silence():
            self.inn.msg_contents(line, exclude=[self.pia], from_obj=self.pia)
            staging.set_scene(session, "weather", "rain")
        assert self.knowers(session) == {"Pia", "Quinn"}
        assert [row.content for row in self.rows(self.quinn, session, kind="utterance")] == [
            "Quinn, the well is dry."
        ]

    def test_who_is_deaf_has_no_row(self):
        """Neither of what a player says, nor of what an assistant says."""
        session = self.a_scene(self.alice, self.pia, self.quinn, self.bob)
        self.quinn.db.deaf = True
        self.line(WELL)
        self.speaks(self.alice, WELL)
        assert self.rows(self.quinn, session) == []
        assert self.knowers(session) == {"Pia", "Bob", "Alice"}
        self.quinn.db.deaf = False
        self.speaks(self.alice, WELL)
        self.line(WELL)
        assert self.words(self.quinn, session) == [WELL, WELL]

    def test_a_default_leaves_nobody_in_who_missed_it(self):
        """Where no rule knows, it is for all who got it; where none of those named did, as well."""
        session = self.a_scene(self.alice, self.pia, self.quinn, self.bob)
        self.line("Quinn is late again.", self.quinn)
        assert self.words(self.bob, session) == ["Quinn is late again."]
        assert self.knowers(session) == {"Pia", "Alice", "Bob"}

    def test_others_know_who_was_really_there(self):
        """Who missed it is in nobody's row, the speaker's own and the world's included."""
        self.a_scene(self.alice, self.pia, self.quinn, self.bob)
        self.quinn.db.deaf = True
        self.speaks(self.alice, WELL)
        rows = Memory.objects.exclude(kind__in=(*KINDS, "scene_step"))
        assert rows.exclude(session="").count() == 3  # of Alice, of Bob, of the world
        assert entity_id(self.quinn) not in str(rows.values_list("meta"))

    def test_each_keeps_the_words_that_it_got(self):
        """Who does not know the language remembers the sounds, and not what they mean."""
        self.became(Attentive)
        session = self.a_scene(self.pia, self.quinn, self.bob)
        with self.silence(), one_line():
            for hearer, words in ((self.bob, "Bob, flee!"), (self.quinn, "Bob, zug!")):
                line = (f'Pia says, "{words}"', {"type": "say"})
                hearer.msg(text=line, from_obj=self.pia)
        assert self.words(self.bob, session) == ["Bob, flee!"]
        assert "flee" not in str(self.rows(self.quinn, session))
        assert Participation.objects.filter(session=session).count() == 1

    def test_a_whisper_that_missed_is_nobodys(self):
        """An assistant whispers to somebody who does not hear it: only it remembers that."""
        for one in (self.bob, self.charlie, self.pia):
            one.move_to(self.street, quiet=True)
        session = self.a_scene(self.alice, self.quinn)
        self.model.call("whisper", to="p1", text="The vault code is 77.")
        self.quinn.execute_cmd("say Alice, come closer.")
        self.quinn.db.deaf = True
        self.steps.run()
        assert "77" not in str(self.words(self.quinn, session))
        self.quinn.db.deaf = False
        self.model.call("whisper", to="p1", text="The vault code is 78.")
        self.does(self.quinn, "say Alice, come closer.")
        assert "78" in str(self.words(self.quinn, session))

    def test_gossip_reaches_players_as_gossip(self):
        """Who keeps what it heard itself keeps as well through whom it came."""
        self.model.say("Alas!")
        self.does(self.pia, "say Alice, the northern tower fell last night.")
        for one in (self.alice, self.quinn):
            one.move_to(self.street, quiet=True)
        session = self.a_scene(self.alice, self.quinn)
        self.speaks(self.alice, "Quinn, Pia told me that the northern tower fell last night.")
        [row] = self.rows(self.quinn, session)
        [told] = row.meta["told"]
        assert (told["author"], told["chain"]) == (entity_id(self.pia), [entity_id(self.alice)])
        assert row.trust < 0.9

    def test_a_recap_tells_what_one_received(self):
        """Neither the command nor the account at the end knows of the rest."""
        session = self.a_scene(self.pia, self.quinn, self.bob)
        self.line("Bob, the heir is Dora.", self.quinn)
        self.line("Quinn, Bob, let us go.")
        self.screen(self.quinn)
        self.does(self.quinn, "scene/recap")
        told = str(self.screen(self.quinn))
        staging.stop_scene(session)
        [home] = Container("", entity_id(self.quinn)).find(limit=9)
        for text in (told, home.content):
            assert "let us go" in text
            assert "heir" not in text


class TestRooms(ReceivedTestCase):
    def test_a_room_says_whom_it_left_out(self):
        """With the room's mixin that holds for characters of any class."""
        session = self.a_scene(self.pia, self.bob)
        rita = self.a_player("Rita")
        staging.join_scene(session, rita)
        for typeclass in (DefaultRoom, Attentive):
            self.became(typeclass)
            self.line("Bob, Rita is a traitor.", rita)
        assert (
            len(self.heard_by(rita, session)) == 1
        )  # bounded by the room alone, without the mixin

    def test_a_game_narrows_it_further(self):
        """Its hook is given text and exclude list, once for each line."""
        self.became(Table)
        session = self.a_scene(self.pia, self.quinn, self.alice, self.bob)
        self.line("everybody, softly now.", self.quinn)
        [(speaker, kind, text, missed)] = self.inn.ndb.asked
        assert (speaker, kind, text) == (self.pia, "say", "everybody, softly now.")
        assert self.quinn in missed
        assert self.words(self.bob, session) == ["everybody, softly now."]
        assert self.rows(self.alice, session) == []
        self.speaks(self.alice, "Everybody, softly please.")
        assert self.knowers(session) == {"Pia", "Bob", "Alice"}
        assert self.rows(self.quinn, session) == []

    def test_a_broken_hook_lets_nobody_in(self):
        """A fault of the game's is in the log; the line is heard, and nobody took part in it."""
        self.became(Broken)
        session = self.a_scene(self.pia, self.quinn, self.bob)
        self.line("Everyone, listen!")
        assert self.knowers(session) == {"Pia"}
        stream = self.bob.attributes.get("perception_stream")["entries"]
        assert stream[-1]["content"] == "Everyone, listen!"
        assert any("no sense of humour" in line for line in self.logged())

    def test_who_comes_in_mid_line_did_not_hear_it(self):
        """A line is of those who were there when it was said, not of those who are there after."""
        session = self.a_scene(self.pia, self.quinn, self.bob)
        rita = self.a_player("Rita", self.street)
        staging.join_scene(session, rita)
        self.became(Trapdoor, self.quinn)
        self.quinn.db.calls = rita
        self.line("Everyone, flee!")
        assert rita.location == self.inn
        assert self.heard_by(rita, session) == []
        assert entity_id(rita) not in str(Participation.objects.values_list("hearers", flat=True))

    def test_in_a_private_room_the_label_is_of_those_who_got_it(self):
        """Whom a line was kept from is nobody to whom it may be repeated."""
        self.inn.tags.add("private", category=CATEGORY)
        self.line("Alice, Bob, the heir is Dora.", self.quinn)
        got = canonical(map(entity_id, (self.alice, self.bob, self.charlie, self.pia)))
        rows = Memory.objects.filter(content__contains="heir")
        assert set(rows.values_list("readers", flat=True)) == {got}
        stream = self.charlie.attributes.get("perception_stream")["entries"]
        assert [one["readers"] for one in stream if "heir" in one["content"]] == [got]


class TestAssistants(ReceivedTestCase):
    def test_a_deaf_assistant_takes_no_part(self):
        """In the game itself as in a scene."""
        self.became(DeafMind, self.bob)
        self.bob.db.deaf = True
        self.line("Alice, Bob, the well is dry.")
        assert self.rows(self.bob) == []
        assert "Bob" not in self.knowers("")

    def test_a_trigger_is_safe_at_once_and_knows_no_more_than_it_must(self):
        """On disk within the step, for its hearer alone: who else got it is not known by then."""
        self.inn.tags.add("private", category=CATEGORY)
        self.pia.execute_cmd("say Alice, the heir is Dora.")
        [pending] = PendingEvent.objects.all()
        alone = canonical([entity_id(self.alice), entity_id(self.pia)])
        decision = pending.payload["metadata"]["scene"]
        assert pending.payload["readers"] == alone
        assert canonical(one["id"] for one in decision["participants"]) == alone
        self.model.say("Is she?")
        self.steps.run()

    def test_who_tries_again_is_joined_by_the_others(self):
        """A turn that was cut short begins anew from disk: others who got the line still count."""
        for one in (self.bob, self.charlie):
            one.locks.add("address:false()")
        hold = self.held(self.pia, "say Alice, Bob, the heir is Dora.")
        SERVICE.interrupt(entity_id(self.alice))
        self.let_go(hold)
        self.model.say("Is she?")
        self.tick(self.alice)
        known = Participation.objects.filter(speaker=entity_id(self.pia))
        took_part = [{one["id"] for one in known.get().participants}]
        flush(self.resident(self.bob).mind)
        took_part.append({one["id"] for one in known.get().participants})
        assert [entity_id(self.bob) in ids for ids in took_part] == [False, True]

    def test_after_a_crash_the_others_are_left_out(self):
        """What was put on disk is answered; nobody is counted in of whom it is not known."""
        self.pia.execute_cmd("say Alice, Quinn, Bob, the heir is Dora.")
        self.alice = self.crash(self.alice)
        self.model.say("Is she?")
        self.tick(self.alice)
        self.model.replies.clear()
        [decision] = Participation.objects.filter(speaker=entity_id(self.pia))
        assert {one["id"] for one in decision.participants} == {
            entity_id(self.pia), entity_id(self.alice),
        }  # fmt: skip
