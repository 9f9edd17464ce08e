"""Scenes in the game: what they promise, criterion by criterion.

Three assistants at one table, and once more players; the game itself is a scene like any other.
"""

from itertools import count

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from evennia.objects.objects import DefaultCharacter
from twisted.internet.defer import Deferred

from ai_assistant.agent.keeping.closing import flush
from ai_assistant.agent.turn.loop import take_turn
from ai_assistant.agent.unasked.patience import Patience
from ai_assistant.api import staging
from ai_assistant.api.scene_listeners import SceneListener, SceneParticipantMixin
from ai_assistant.core.contracts import Commit
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.identity import entity_id
from ai_assistant.models import Memory, Participation
from ai_assistant.roleplay.knowledge import STEP
from ai_assistant.roleplay.lorebook import Entry, Lorebook
from ai_assistant.roleplay.message_formats import WORLD, enriched_row, metadata_of
from ai_assistant.roleplay.play import is_fiction
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage import Container, WorldContainer, lorebooks
from tests.evennia.living import LivingTestCase

TURNS = count(1)
SWORD = "Bob and I agreed to find the Sacred Sword!"


class Listening(SceneParticipantMixin, DefaultCharacter):
    """A player's character in a game that uses the mixin."""


class SceneTestCase(LivingTestCase):
    """Alice, Bob and Charlie are assistants in the inn; Pia plays."""

    def setUp(self):
        super().setUp()
        self.alice, self.bob, self.charlie = (
            self.an_assistant(name, patience=60) for name in ("Alice", "Bob", "Charlie")
        )
        self.pia = self.a_player("Pia")

    def a_scene(self, *people, title="The Sword", day=6, **values):
        """Return the id of a running scene of these people."""
        scene = staging.create_scene(title, people[0])
        for one in people[1:]:
            staging.join_scene(scene.id, one)
        for name, value in values.items():
            staging.set_scene(scene.id, name, value)
        staging.set_scene_day(scene.id, day)
        return staging.start_scene(scene.id).id

    def speaks(self, who, words):
        """Let an assistant say something on its own, in a turn, and all save it."""
        self.model.say(words)
        mind = self.resident(who).mind
        mind.patience = Patience()
        turn_id = f"turn{next(TURNS)}"
        Deferred.fromCoroutine(take_turn(mind, [], turn_id, "tick_autonomous"))
        self.steps.run()
        for one in (self.alice, self.bob, self.charlie):
            flush(self.resident(one).mind)

    def rows(self, who, session="", **where):
        """Return a character's memories in a session, oldest first, without the permanent ones."""
        found = Container(session, entity_id(who)).find(where=where, limit=99)
        return [row for row in found[::-1] if not row.meta.get("permanent")]

    def said_to(self, who, session=""):
        """Return the last line that somebody else said to a character."""
        return self.rows(who, session, kind="utterance")[-1]

    def words(self, who, session=""):
        return [row.content for row in self.rows(who, session)]

    def world(self, session=""):
        rows = WorldContainer(session).find(limit=99)[::-1]
        return [row.content for row in rows if row.kind != STEP]


class TestWhoKnowsWhat(SceneTestCase):
    def test_b1_simple_message_flow(self):
        """Alice speaks of Bob: both remember it, each in their own container; Charlie does not."""
        session = self.a_scene(self.alice, self.bob, self.charlie, location="tavern")
        self.speaks(self.alice, SWORD)
        assert self.words(self.alice, session) == self.words(self.bob, session) == [SWORD]
        assert self.words(self.charlie, session) == []
        assert self.world(session) == [f"Message: Alice: {SWORD} GameDay: 6"]
        assert [row.meta["is_speaker"] for row in self.rows(self.alice, session)] == [True]

    def test_b1_each_has_the_message_enriched(self):
        """Time, message and new knowledge, with all their metadata."""
        session = self.a_scene(self.alice, self.bob, self.charlie, location="tavern")
        staging.set_scene(session, "time", "night")
        self.speaks(self.alice, SWORD)
        row = self.said_to(self.bob, session)
        text = enriched_row(row)
        assert text.startswith("###Current time###\nGame Day: 6\n\n###Message###\nMessage: Alice:")
        assert "###Newly discovered world knowledge###\nIt is night now" in text
        known = metadata_of(row)
        alice, bob = entity_id(self.alice), entity_id(self.bob)
        assert (known["speaker"], sorted(known["participants"])) == (alice, sorted([alice, bob]))
        assert (known["isSpeaker"], known["location"], known["gameDay"]) == (False, "tavern", 6)
        assert known["timestamp"] > 0

    def test_b2_world_state_update_flow(self):
        """Where the party goes is the world's to know; all saw it, and their next line has it."""
        session = self.a_scene(self.alice, self.bob, self.charlie, location="tavern")
        self.speaks(self.alice, "Bob, let us go.")
        staging.set_scene(session, "location", "dragon_lair")
        there = {"previousLocation": "tavern"}
        [update] = WorldContainer(session).find(where=there, limit=5)
        assert update.content == "The party moved from tavern to dragon_lair. GameDay: 6"
        assert update.kind == update.meta["type"] == "world_state_update"
        assert update.meta["location"] == "dragon_lair"
        self.speaks(self.bob, "Alice, it is dark in here.")
        assert "moved from tavern to dragon_lair" in enriched_row(self.said_to(self.alice, session))
        for one in (self.alice, self.charlie):
            assert len(self.rows(one, session, kind="world_state_update")) == 1

    def test_b3_character_update_flow(self):
        """Who is with Alice learns what she got; who is not, does not."""
        session = self.a_scene(self.alice, self.bob, self.charlie, day=7)
        staging.record_update(self.alice, "Alice acquired the Sacred Sword", "item_acquired")
        [update] = WorldContainer(session).find(where={"kind": "character_update"}, limit=5)
        assert update.content == "Alice acquired the Sacred Sword. GameDay: 7"
        assert update.meta["characterId"] == entity_id(self.alice)
        assert update.meta["updateType"] == "item_acquired"
        self.speaks(self.charlie, "Bob, are you well?")
        assert "Sword" not in enriched_row(self.rows(self.bob, session)[0])
        self.speaks(self.alice, "Bob, look.")
        assert "Alice acquired the Sacred Sword" in enriched_row(self.said_to(self.bob, session))

    def test_b3_the_game_records_by_itself(self):
        """What a member of a scene gets, and where it goes, is recorded by the game's own hooks."""
        session = self.a_scene(self.alice, self.bob)
        self.a_thing("Sacred Sword", self.inn).move_to(self.alice)
        self.alice.move_to(self.street)
        found = WorldContainer(session).find(where={"kind": "character_update"}, limit=5)
        assert [row.content for row in found[::-1]] == [
            "Alice acquired Sacred Sword. GameDay: 6", "Alice went to Street. GameDay: 6",
        ]  # fmt: skip
        assert [row.meta["updateType"] for row in found[::-1]] == ["item_acquired", "moved"]
        self.charlie.move_to(self.street)
        assert WorldContainer("").find(where={"kind": "character_update"}, limit=5) == []

    def test_whispers_of_players_need_the_mixin(self):
        """With it, a scene keeps what one player whispers to another, for those two alone."""
        quinn = self.a_player("Quinn")
        quinn.swap_typeclass(Listening, run_start_hooks=None)
        session = self.a_scene(self.pia, quinn, self.alice)
        self.does(self.pia, "whisper Quinn = The gate is open.")
        assert self.words(quinn, session) == self.words(self.pia, session) == ["The gate is open."]
        assert self.words(self.alice, session) == []
        assert Memory.objects.get(kind="message").readers == entity_id(self.pia)

    def test_each_participant_learns_something_else(self):
        """The same message, and different knowledge for each (REQ-5.2.2)."""
        session = self.a_scene(self.alice, self.bob, self.charlie)
        secret = entity_id(self.bob)
        staging.record_update(self.alice, "Alice is the heir", "status", readers=secret)
        self.speaks(self.alice, "Bob, Charlie, come.")
        told = [
            [one.content for one in self.rows(who, session) if one.kind == "character_update"]
            for who in (self.bob, self.charlie)
        ]
        assert told == [["Alice is the heir"], []]
        assert "heir" not in enriched_row(self.rows(self.bob, session)[0])


class TestCriteria(SceneTestCase):
    def test_13_1_nobody_reads_another_container(self):
        """Ids of others' rows and of the world's lead to nothing, whatever tool asks."""
        self.speaks(self.alice, "Bob, the well is dry.")
        world = Memory.objects.filter(container=WORLD)
        assert world.exists()
        store = self.resident(self.charlie).mind.store
        everything = list(Memory.objects.values_list("pk", flat=True))
        assert store.rows.by_ids(everything) == []
        assert store.rows.newest(99) == store.rows.after(0, 99) == []
        for where in ({"session": ""}, {"kind": "message"}, {"container": WORLD}):
            assert store.rows.find(where, 99) == []
        bob = self.resident(self.bob).mind.store
        assert {row.container for row in bob.rows.by_ids(everything)} == {entity_id(self.bob)}

    def test_13_1_the_world_is_never_indexed(self):
        """What a character can recall holds none of the world's rows."""
        self.speaks(self.alice, "Bob, the well is dry.")
        for one in (self.alice, self.bob, self.charlie):
            index = self.resident(one).mind.recall.index
            rows = self.resident(one).mind.store.rows.by_ids([*index._slots])
            assert {row.container for row in rows} <= {entity_id(one)}

    def test_13_2_only_participants_receive(self):
        """Who was called has it, who only stood by has none; why is on record."""
        self.speaks(self.alice, "Bob, the well is dry.")
        assert (self.words(self.bob), self.words(self.charlie)) == (["Bob, the well is dry."], [])
        [decision] = Participation.objects.all()
        found = {one["id"]: (one["confidence"], one["rule"]) for one in decision.participants}
        assert found == {
            entity_id(self.alice): (1.0, "speaker"), entity_id(self.bob): (0.95, "addressed"),
        }  # fmt: skip
        assert set(decision.hearers) >= {entity_id(self.charlie), entity_id(self.pia)}

    def test_13_2_the_unaddressed_still_perceived_it(self):
        """Ambient talk is in the stream for a while, and in no container."""
        self.speaks(self.alice, "Bob, the well is dry.")
        stream = self.charlie.attributes.get("perception_stream")["entries"]
        assert stream[-1]["content"] == "Bob, the well is dry."

    def test_13_2_who_had_nothing_to_say_only_perceived_it(self):
        """Whose turn it is by the policy, and who lets it pass, took no part in others' talk."""
        self.a_player("Rita")
        session = self.a_scene(self.pia, self.alice, policy="free")
        self.model.call("wait")
        self.does(self.pia, "say Rita, the well is dry.")
        assert self.rows(self.alice, session) == []
        self.model.say("I can hear you.")
        self.does(self.pia, "say Rita, the well is still dry.")
        heard, said = self.words(self.alice, session)
        assert (heard, said) == ("Rita, the well is still dry.", "I can hear you.")

    def test_13_3_days_are_everywhere(self):
        """In the world's line, in the row's column, and in what is recalled."""
        session = self.a_scene(self.alice, self.bob, day=9)
        self.speaks(self.alice, "Bob, the well is dry.")
        row = Memory.objects.get(container=entity_id(self.bob), kind="utterance")
        assert row.game_day == 9
        assert Memory.objects.get(kind="message", session=session).content.endswith("GameDay: 9")

    def test_13_4_the_world_has_everything(self):
        """Every line, whoever took part, each once, and whatever changed."""
        lines = ("Bob, one.", "What a night.", "Charlie, three.")
        for line in lines:
            self.speaks(self.alice, line)
        staging.record_update(self.bob, "Bob fell asleep", "status")
        assert [one.split(" GameDay")[0] for one in self.world()] == [
            *(f"Message: Alice: {line}" for line in lines), "Bob fell asleep.",
        ]  # fmt: skip

    def test_13_5_memory_switched_off_means_none(self):
        """With memory enabled the prompt holds what was said before, without it nothing."""
        self.speaks(self.alice, "Bob, the well is dry.")
        for enabled in (True, False):
            mind = self.resident(self.bob).mind
            mind.config.values["memory_enabled"] = enabled
            mind.store.commit(Commit(at=1.0))
            self.model.say("Aye.")
            self.does(self.pia, "say Bob, what of the well?")
            shown = str(
                [m.content for m in self.model.requests[-1].messages if m.component == 2000]
            )
            assert ("dry" in shown) is False or enabled


class TestPlayers(SceneTestCase):
    """Players as participants: they have containers in scenes, and a recap of their own."""

    def test_players_keep_what_they_took_part_in(self):
        """In a scene a player's container holds what was said to them and by them."""
        quinn = self.a_player("Quinn")
        session = self.a_scene(self.alice, self.pia, quinn)
        self.does(self.pia, "say Quinn, the gate is open.")
        self.speaks(self.alice, "Pia, be careful.")
        assert self.words(self.pia, session) == ["Quinn, the gate is open.", "Pia, be careful."]
        assert self.words(quinn, session) == ["Quinn, the gate is open."]
        assert [row.kind for row in self.rows(self.pia, session)] == ["own_words", "utterance"]

    def test_players_need_no_assistant_near(self):
        """Talk among players of a scene is kept by an ear that follows them, and nobody sees."""
        quinn = self.a_player("Quinn")
        session = self.a_scene(self.pia, quinn)
        for place in (self.street, self.inn):
            for one in (self.pia, quinn):
                one.move_to(place)
            self.steps.run()
            assert len(SceneListener.objects.all()) == 1
            assert "ear" not in str(place.return_appearance(self.pia))
        self.pia.move_to(self.street)
        quinn.move_to(self.street)
        self.steps.run()
        self.does(self.pia, "say Quinn, the gate is open.")
        assert self.words(quinn, session) == ["Quinn, the gate is open."]
        staging.stop_scene(session)
        assert list(SceneListener.objects.all()) == []

    def test_in_the_game_players_have_none(self):
        """Outside of a scene only assistants keep anything."""
        self.model.say("Good.")
        self.does(self.pia, "say Bob, the gate is open.")
        flush(self.resident(self.alice).mind)
        assert self.rows(self.pia) == []


class TestLife(SceneTestCase):
    def test_what_is_played_stays_in_the_scene(self):
        """Outside nobody recalls it; one recap goes home, and no profile has changed."""
        session = self.a_scene(self.alice, self.bob)
        self.speaks(self.alice, "Bob, I am the queen of the moon.")
        staging.stop_scene(session)
        played = ["Bob, I am the queen of the moon.", "The scene ends"]
        assert self.words(self.bob, session) == played
        [recap] = self.rows(self.bob)
        assert recap.kind == "recap"
        assert "The Sword" in recap.content
        assert self.bob.profiles.get_entity_profile(self.alice)["observations"] == []

    def test_nobody_plays_twice(self):
        """A character is in one running scene at a time."""
        self.a_scene(self.alice, self.bob)
        other = staging.create_scene("Another", self.charlie)
        with pytest.raises(AssistantError, match="another scene"):
            staging.join_scene(other.id, self.bob)

    def test_who_stands_by_does_not_play(self):
        """What members say to each other is not in the scene of those who only hear it."""
        session = self.a_scene(self.alice, self.bob)
        self.speaks(self.alice, "Listen, everybody!")
        assert self.words(self.bob, session) == ["Listen, everybody!"]
        assert self.words(self.charlie, session) == []
        assert self.words(self.charlie) == ["Listen, everybody!"]

    def test_the_only_character_of_a_scene_may_answer_to_what_it_plays(self):
        """Nobody knows it by the name of its part but its mind, which may also let a line pass."""
        self.a_scene(self.pia, self.alice, self.a_player("Quill"))
        self.does(self.pia, "say You look pale, my dear.")
        assert self.model.lets_pass == 1
        self.model.meddles = True
        self.model.say("Guilty!")
        self.does(self.pia, "say Judge! I demand a sentence.")
        assert 'Alice says, "Guilty!"' in self.screen(self.pia)

    def test_a_player_who_walks_off_from_a_scene_means_what_is_said_to_others(self):
        """What is whispered to somebody outside of it, too."""
        self.a_scene(self.pia, self.alice)
        self.model.text("I see.").text("No.")
        self.does(self.pia, "whisper bob = I mean it: the king is well.")
        self.charlie.location = self.street
        self.pia.location = self.street
        self.does(self.pia, "say Charlie, have you seen my brother?")
        flush(self.resident(self.bob).mind)
        flush(self.resident(self.charlie).mind)
        found = [row for who in (self.bob, self.charlie) for row in self.rows(who)]
        me = entity_id(self.pia)
        heard = [(row.content, is_fiction(row)) for row in found if row.author == me]
        assert heard == [
            ("I mean it: the king is well.", False),
            ("Charlie, have you seen my brother?", False),
        ]

    def test_scenes_survive_a_restart(self):
        """Who plays in what is read from disk again."""
        session = self.a_scene(self.alice, self.bob, location="tavern")
        SCENES.reset()
        assert SCENES.of(entity_id(self.bob)).id == session
        assert SCENES.of(entity_id(self.charlie)).id == ""

    def test_members_begin_with_permanent_memories(self):
        """Plot and card are there from the start, and only once."""
        session = self.a_scene(self.alice, self.bob, plot="Find the sword.")
        staging.start_scene(session)
        found = Container(session, entity_id(self.bob)).find(limit=9)
        assert sorted(row.kind for row in found) == ["character_card", "plot"]

    def test_members_begin_with_the_lore_of_their_books(self):
        """One row an entry, by its key, for those who bear its tags."""
        book = Lorebook(
            "isle",
            (Entry("isle-1", "The isle sank."), Entry("isle-2", "A lie.", required_tags=("spy",))),
        )
        lorebooks.write_books([("", lorebooks.world_label("isle"), {"book": book.to_json()})])
        self.bob.tags.add("spy")
        session = self.a_scene(self.alice, self.bob)
        held = {
            one.key: {
                row.meta["loreKey"]
                for row in Container(session, entity_id(one)).find(where={"kind": "lore"}, limit=9)
            }
            for one in (self.alice, self.bob)
        }
        assert held == {"Alice": {"isle-1"}, "Bob": {"isle-1", "isle-2"}}

    def test_an_agent_less_talk_costs_little(self):
        """One line before three assistants: a handful of statements each when it is saved."""
        self.speaks(self.alice, "Bob, one.")
        self.alice.execute_cmd("say Bob, two.")
        self.steps.run()
        with CaptureQueriesContext(connection) as seen:
            flush(self.resident(self.bob).mind)
        assert len(seen) <= 16

    def test_the_world_and_all_who_have_it_get_a_line_together(self):
        """One insert, and one for the room outside: her line, her news, what it is to others."""
        players = [self.pia, self.a_player("Quin")]
        session = self.a_scene(self.alice, *players)
        with CaptureQueriesContext(connection) as seen:
            self.speaks(self.alice, "Pia, Quin, let us go.")
        sql = [query["sql"].lstrip() for query in seen.captured_queries]
        assert sum(one.startswith("INSERT INTO ai_assistant_memory (") for one in sql) == 2
        for one in players:
            assert self.words(one, session) == ["Pia, Quin, let us go."]
        assert len(self.world(session)) == 1
