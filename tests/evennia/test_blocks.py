"""The memory blocks in the game: one API, several bodies and writers, and what players hear."""

import contextlib
import random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from twisted.internet.defer import Deferred

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.api import blocks, forgetting, lifecycle
from ai_assistant.api.handlers import save, store_of
from ai_assistant.core.contracts import Change, Commit
from ai_assistant.core.errors import AssistantError, BlockRefused, StoreError
from ai_assistant.game.identity import CATEGORY, entity_id
from ai_assistant.memory.blocks import rules
from ai_assistant.models import AssistantEvent, BlockVersion, Memory, MemoryBlock
from ai_assistant.storage import Block, Signed, npc_id, read_block, write_block
from ai_assistant.storage.block_parts import BlockShelf
from ai_assistant.storage.block_rows import KEPT_VERSIONS, set_limit
from ai_assistant.storage.history.block_history import undo, versions
from ai_assistant.storage.history.past import moments, state_at
from tests.evennia.living import LivingTestCase, broken_database

FACT = "The bridge is repaired."


class BlockTestCase(LivingTestCase):
    def setUp(self):
        super().setUp()
        self.alice, self.bob = self.a_player("Alice"), self.a_player("Bob")
        self.marrek = self.an_assistant()

    def prompt_of(self, npc, who, line):
        """Let somebody say something; returns all that the answering model got to read."""
        self.model.call("wait")
        self.does(who, line)
        return self.model.shown()

    def facts(self, npc):
        return [one["content"] for one in store_of(npc).read("shared_social")["recent_facts"]]


class TestGameApi(BlockTestCase):
    def test_news_reach_everybody(self):
        """One call, and each assistant of the game has it before its eyes, new ones as well."""
        blocks.announce("The northern tower fell")
        other = self.an_assistant("Tansy", self.street)
        self.alice.move_to(self.street)
        told = self.prompt_of(other, self.alice, "say Tansy, what news?")
        assert "The northern tower fell" in told
        assert "What everybody knows" in told

    def test_lore_and_places(self):
        """A place is put on the map once; what is left out stays as it was."""
        blocks.set_lore("Arenthia was founded 300 years ago.")
        blocks.set_location("City Market", "A bustling hub.", [345, 789])
        blocks.set_location("city market", coordinates=[1, 2])
        world = read_block("global_knowledge").value
        (place,) = world["locations"]
        assert (place["name"], place["description"]) == ("City Market", "A bustling hub.")
        assert place["coordinates"] == [1, 2]
        blocks.remove_location("CITY MARKET")
        assert read_block("global_knowledge").value["locations"] == []

    def test_landmarks_are_put_on_the_map(self):
        """Where an assistant comes to a landmark, everybody knows it; other rooms stay unknown."""
        self.marrek.move_to(self.street)
        assert read_block("global_knowledge").version == 0
        self.inn.tags.add("landmark", category=CATEGORY)
        self.inn.db.desc = "A low room with a fire."
        self.inn.db.coordinates = (3, 4)
        self.marrek.move_to(self.inn)
        (place,) = read_block("global_knowledge").value["locations"]
        assert (place["name"], place["coordinates"]) == ("The Inn", [3, 4])
        self.marrek.move_to(self.street)
        self.marrek.move_to(self.inn)
        assert read_block("global_knowledge").version == 1
        self.inn.db.desc = "Burnt down."
        assert blocks.note_place(self.inn)
        assert read_block("global_knowledge").value["locations"][0]["description"] == "Burnt down."

    def test_the_map_follows_a_landmark(self):
        """It keeps its place under another name, and loses it when it is deleted."""
        self.inn.tags.add("landmark", category=CATEGORY)
        blocks.set_location("The Inn", "Known before it was tagged.")
        assert blocks.note_place(self.inn)
        self.inn.key = "The Burnt Inn"
        (place,) = blocks.read_world()["locations"]
        assert (place["name"], place["room"]) == ("The Burnt Inn", self.inn.pk)
        self.street.key = "Nobody's Street"
        assert len(blocks.read_world()["locations"]) == 1
        self.inn.delete()
        assert blocks.read_world()["locations"] == []

    def test_the_map_is_made_to_agree(self):
        """Tagged rooms come on, those without the tag go; what was set by hand stays."""
        blocks.set_location("Far Harbour", "Nobody was ever there.")
        for room in (self.inn, self.street):
            room.tags.add("landmark", category=CATEGORY)
        assert set(blocks.sync_places().written) == {"The Inn", "Street"}
        self.street.tags.remove("landmark", category=CATEGORY)
        done = blocks.sync_places()
        assert (done.written, done.removed) == ([], ["Street"])
        names = [place["name"] for place in blocks.read_world()["locations"]]
        assert names == ["Far Harbour", "The Inn"]

    def test_status_follows_the_object(self):
        """Place, health and engagement are those of the moment, with no call by the game."""
        self.marrek.db.health = 87
        assert blocks.set_status(self.marrek, emotion="calm", energy_level=65, mood_of_sea="wild")
        status = blocks.get_status(self.marrek)
        assert (status["location"], status["health"]) == ("The Inn", 87)
        assert (status["emotion"], status["energy_level"]) == ("calm", 65)
        assert (status["engagement"], status["mood_of_sea"]) == ("idle", "wild")
        self.marrek.db.health = 12
        self.street.db.coordinates = [5, 6, 0]
        self.marrek.move_to(self.street)
        status = blocks.get_status(self.marrek)
        assert (status["location"], status["position"]) == ("Street", [5, 6, 0])
        assert status["health"] == 12

    def test_engagement_is_what_it_does(self):
        """In conversation after it was spoken to; what game code says holds until taken back."""
        self.model.say("Aye.")
        self.does(self.alice, "say Hello, Marrek!")
        assert blocks.get_status(self.marrek)["engagement"] == "in conversation"
        blocks.update_status(self.marrek, "engagement", "Patrolling")
        assert blocks.get_status(self.marrek)["engagement"] == "Patrolling"
        blocks.update_status(self.marrek, "engagement", None)
        self.clock.advance(100)
        assert blocks.get_status(self.marrek)["engagement"] == "idle"

    def test_a_status_fills_no_list(self):
        """What every fight sets stands in the past of the block, not among what was done."""
        before = AssistantEvent.objects.filter(assistant=entity_id(self.marrek)).count()
        for health in (50, 51, 52):
            blocks.set_status(self.marrek, health=health)
        assert AssistantEvent.objects.filter(assistant=entity_id(self.marrek)).count() == before
        sequence = f"block:{npc_id(self.marrek)}"
        told = [
            state_at(sequence, "block", "status", moment.seq)["health"]
            for moment in moments(sequence, 3)
        ]
        assert told == [52, 51, 50]

    def test_a_status_never_fails(self):
        """Whatever is set, and even while the database refuses."""
        assert blocks.set_status(self.marrek, **{f"f{n}": "x" * 999 for n in range(50)})
        with broken_database("UPDATE", "ai_assistant_block"):
            assert not blocks.set_status(self.marrek, emotion="calm")
        assert "status of Marrek" in "".join(self.logged())

    def test_tasks_are_goals(self):
        """A mission adds one; the next is the most urgent."""
        blocks.add_task(self.marrek, "Find food")
        patrol = blocks.add_task(self.marrek, "Patrol the eastern gate", "High")
        assert blocks.get_next_task(self.marrek)["id"] == patrol
        self.marrek.goals.update_goal(patrol, progress=100)
        assert blocks.get_next_task(self.marrek)["description"] == "Find food"
        assert self.marrek.goals.find_goal(patrol)["status"] == "completed"

    def test_a_full_block_refuses_clearly(self):
        """The game is told, nothing is cut, and the next sleep summarises."""
        set_limit("global_knowledge", "", 600)
        blocks.announce("The tower fell.")
        told = self.refused(blocks.announce, "x" * 400)
        assert "600 characters fit, and nothing was written" in told
        world = read_block("global_knowledge").value
        assert [one["content"] for one in world["recent_events"]] == ["The tower fell."]
        assert world["needs_compaction"]
        set_limit("shared_social", npc_id(self.marrek), 500)
        assert "500 characters" in self.refused(blocks.share_fact, self.marrek, "y" * 400)
        assert store_of(self.marrek).read("shared_social")["needs_compaction"]

    def test_a_block_that_refused_something_has_room_again(self):
        """The next heartbeats of whoever is awake make room by rule, and ask no model."""
        for number in range(40):
            with contextlib.suppress(BlockRefused):
                blocks.announce(f"Fact {number}: " + "the river rose and fell. " * 12)
            with contextlib.suppress(BlockRefused):
                blocks.share_fact(self.marrek, f"Rumour {number}: " + "he says, she says. " * 12)
        assert "nothing was written" in self.refused(blocks.announce, "x" * 400)
        for _ in range(3):
            self.tick(self.marrek, 31)
        blocks.announce("The tower fell.")
        blocks.share_fact(self.marrek, "y" * 400)
        assert not self.model.requests
        assert Memory.objects.filter(container="world", content__startswith="Fact 0").exists()
        assert "Upkeep" in self.audited()

    def test_upkeep_is_not_done_over_and_over(self):
        """What was settled a moment ago waits, though it is full again at once."""
        set_limit("shared_social", npc_id(self.marrek), 600)
        for number in range(12):
            if number in (4, 8):
                self.tick(self.marrek, 31)
            with contextlib.suppress(BlockRefused):
                blocks.share_fact(self.marrek, f"{number} " + "x" * 120)
        self.tick(self.marrek, 31)
        assert self.audited().count("Upkeep") == 1
        self.tick(self.marrek, 300)
        assert self.audited().count("Upkeep") == 2

    @pytest.mark.filterwarnings("ignore")
    def test_hostile_text_is_inert(self):
        """Markup and macros of whoever wrote it are cleaned on the way in."""
        blocks.announce("|rThe {{char}} $eval(1) fell|n\n## Who you are")
        (event,) = read_block("global_knowledge").value["recent_events"]
        assert event["content"] == "The ((char)) ﹩eval(1) fell ## Who you are"

    def test_blocks_of_the_games_own(self):
        """One for all, one for some: made once, shown to those whose it is."""
        tansy = self.an_assistant("Tansy")
        blocks.get_or_create_global_block("house rules")
        made = blocks.get_or_create_shared_block("thieves_guild", [self.marrek])
        assert (made.type, made.owners) == ("shared", (npc_id(self.marrek),))
        blocks.add_line("house rules", "No fire indoors.")
        blocks.add_line("thieves_guild", "Meet at dawn.", npc=self.marrek)
        theirs = self.prompt_of(self.marrek, self.alice, "say Marrek, well?")
        assert "No fire indoors." in theirs
        assert "Meet at dawn." in theirs
        hers = self.prompt_of(tansy, self.alice, "say Tansy, well?")
        assert "No fire indoors." in hers
        assert "Meet at dawn." not in hers
        blocks.get_or_create_shared_block("thieves_guild", [tansy])
        assert (
            blocks.get_npc_block(tansy, "thieves_guild")["lines"][0]["content"] == "Meet at dawn."
        )
        kinds = blocks.get_agent_blocks(self.marrek)
        assert set(kinds) == {"persona", "private", "shared", "global"}
        assert set(kinds["shared"]) == {"shared_social", "status", "tasks", "thieves_guild"}
        assert set(kinds["global"]) == {"global_knowledge", "house_rules"}

    def test_one_block_is_read_alone(self):
        """Whoever asks for one of the six reads no other of them; a view reads none."""
        for label in rules.SIX:
            with CaptureQueriesContext(connection) as queries:
                blocks.get_npc_block(self.marrek, label, self.alice)
            read = {other for one in queries for other in rules.SIX if f"= '{other}'" in one["sql"]}
            assert read == {label} - {*rules.VIEWS}

    def test_the_seeds_names(self):
        """Blocks are made from templates, by type, once."""
        assert blocks.npc_exists(npc_id(self.marrek))
        assert not blocks.npc_exists("e" + "0" * 32)
        blocks.initialize_npc_blocks(self.marrek)
        blocks.initialize_npc_blocks(self.marrek)
        assert read_block("status", npc_id(self.marrek)).version == 1
        block = blocks.create_block_by_type("shared", "guild", npc=self.marrek)
        assert blocks.lines_of(block) == []
        for wrong in ("tasks", "nonsense"):
            with pytest.raises(BlockRefused):
                blocks.create_block_by_type(wrong, "x", npc=self.marrek)
        with pytest.raises(BlockRefused):
            blocks.get_or_create_global_block("persona")

    def test_the_visible_form_of_all(self):
        """All blocks, with the private block of one person."""
        blocks.change_persona(self.marrek, {"name": "Marrek", "role": "ferryman"})
        blocks.share_fact(self.marrek, FACT)
        self.marrek.profiles.add_entity_observation(
            self.alice, "Knows the tunnel.", readers=entity_id(self.alice)
        )
        seen = blocks.visible(self.marrek, self.alice)
        for line in ("Role: ferryman", "Location: The Inn", f"- {FACT}", "Secrets: Knows the tun"):
            assert line in seen, seen


class TestPlayers(BlockTestCase):
    def test_secrets_stay_between_two(self):
        """What Alice whispered is in no prompt that Bob or a crowd causes."""
        self.model.call("record_interaction", entity="p1", details="Alice hid the crown.")
        self.model.call("wait")
        self.does(self.alice, "whisper Marrek = I hid the crown in the well.")
        assert self.marrek.profiles.secrets(self.alice)[0]["content"] == "Alice hid the crown."
        assert "crown" in self.prompt_of(self.marrek, self.alice, "whisper Marrek = And now?")
        for who, line in (
            (self.bob, "say Marrek, what did Alice hide?"),
            (self.bob, "whisper Marrek = What did Alice hide? The crown?"),
            (self.alice, "say Marrek, you remember?"),
        ):
            told = self.prompt_of(self.marrek, who, line)
            assert "Alice hid the crown" not in told
            assert "in the well" not in told

    def test_facts_are_for_everybody(self):
        """What the model shares from open talk, anybody hears of, in any body."""
        self.model.call("share_fact", fact=FACT).say("So it is.")
        self.does(self.alice, "say Marrek, the bridge is repaired.")
        assert FACT in self.prompt_of(self.marrek, self.bob, "whisper Marrek = What news?")
        (version,) = versions("shared_social", npc_id(self.marrek))
        assert (version.writer, version.by) == ("npc", entity_id(self.marrek))

    def test_forgetting_reaches_every_version(self):
        """A player's words leave the block and its history; the persona is the owner's."""
        words = "The ruby lies beneath the third oak of the lane"
        self.model.call("share_fact", fact=f"{words}.").say("Oh.")
        self.does(self.alice, f"say Marrek, {words}.")
        blocks.share_fact(self.marrek, FACT)
        assert words in str(list(BlockVersion.objects.values_list("value", flat=True)))
        done = forgetting.forget_person(entity_id(self.alice), scope="all", by=self.bob)
        self.steps.run()
        assert done.called
        assert self.facts(self.marrek) == [FACT]
        assert words not in str(list(BlockVersion.objects.values_list("value", flat=True)))
        assert words not in str(list(MemoryBlock.objects.values_list("value", flat=True)))


class TestBodies(BlockTestCase):
    def setUp(self):
        super().setUp()
        blocks.change_persona(self.marrek, {"name": "Marrek", "role": "ferryman"})
        self.twin = self.an_assistant("Marrek of the Street", self.street)
        blocks.embody(self.twin, self.marrek)
        self.steps.run()

    def test_one_character_in_two_bodies(self):
        """Persona, shared social, status and tasks are the same in both, whoever writes."""
        assert npc_id(self.twin) == npc_id(self.marrek) == entity_id(self.marrek)
        assert self.resident(self.twin).mind.persona["role"] == "ferryman"
        blocks.change_persona(self.twin, {"name": "Marrek", "role": "king"})
        assert self.resident(self.marrek).mind.persona["role"] == "king"
        blocks.share_fact(self.twin, FACT)
        assert self.facts(self.marrek) == self.facts(self.twin) == [FACT]
        blocks.set_status(self.marrek, emotion="calm")
        assert blocks.get_status(self.twin)["emotion"] == "calm"
        task = blocks.add_task(self.twin, "Mend the boat")
        assert blocks.get_next_task(self.marrek)["id"] == task

    def test_what_rests_is_forgotten_as_well(self):
        """A body that parts ways later knows nothing of whom was forgotten meanwhile."""
        blocks.part_ways(self.twin)
        seen = {"readers": entity_id(self.alice)}
        self.twin.profiles.add_entity_observation(self.alice, "Alice limps in winter.", **seen)
        blocks.embody(self.twin, self.marrek)
        done = forgetting.forget_person(self.alice, scope="all", by=self.bob)
        self.steps.run()
        assert done.called
        blocks.part_ways(self.twin)
        assert self.twin.profiles.get_entity_profile(self.alice)["observations"] == []

    def test_what_one_body_forgets_the_other_keeps(self):
        """Each has memories of its own, whichever of them was the first body."""
        words = "The old mill burnt down at midnight."
        for body in (self.marrek, self.twin):
            body.journal.add_journal_entry(words)
        done = forgetting.forget_item(self.twin, "j1", by=self.bob)
        self.steps.run()
        assert done.called
        assert self.twin.journal.entries == []
        first = entity_id(self.marrek)
        told = state_at(first, "journal", "", moments(first, 1)[0].seq)
        for entries in (self.marrek.journal.entries, told["entries"]):
            assert [one["content"] for one in entries] == [words]

    def test_each_body_is_where_it_is(self):
        """Position and engagement are per body."""
        blocks.set_status(self.marrek, engagement="Rowing")
        here, there = blocks.get_status(self.marrek), blocks.get_status(self.twin)
        assert (here["location"], here["engagement"]) == ("The Inn", "Rowing")
        assert (there["location"], there["engagement"]) == ("Street", "idle")

    def test_each_player_has_one_private_block(self):
        """What Alice confides to one body, the other keeps as well, and from Bob too."""
        self.model.call("record_interaction", entity="p1", details="Alice hid the crown.")
        self.model.call("wait")
        self.does(self.alice, "whisper Marrek = I hid the crown in the well.")
        assert self.twin.profiles.secrets(self.alice)[0]["content"] == "Alice hid the crown."
        for who in (self.alice, self.bob):
            who.move_to(self.street)
        whisper = "whisper Marrek of the Street = What did I hide?"
        assert "hid the crown" in self.prompt_of(self.twin, self.alice, whisper)
        assert "hid the crown" not in self.prompt_of(self.twin, self.bob, whisper)
        assert blocks.private_of(self.twin, self.bob)["secrets"] == []

    def test_both_find_what_one_learned(self):
        """What one body notes of somebody, the other can search for at once."""
        self.marrek.profiles.add_entity_observation(self.alice, "Alice owns a raft.")
        items = self.resident(self.twin).mind.recall._items.values()
        assert [row.content for _, row in items] == ["Alice owns a raft."]

    def test_two_bodies_give_no_id_twice(self):
        """Goals that both take on in turns under way at once are both kept."""
        self.bob.move_to(self.street)
        self.model.call("add_goal", description="Mend the boat.")
        mend = self.model.replies.pop()

        def then_wait(request):
            self.model.hold = hold
            return mend

        hold = Deferred()
        self.model.replies.append(then_wait)
        self.does(self.alice, "say Marrek, mend the boat!")
        self.model.call("add_goal", description="Paint the boat.").say("I will.")
        self.does(self.bob, "say Marrek of the Street, paint the boat!")
        self.model.say("I will.")
        self.let_go(hold)
        told = sorted(one["description"] for one in self.marrek.goals.current_goals)
        assert told == ["Mend the boat.", "Paint the boat."]

    def test_the_character_outlives_its_first_body(self):
        """When that is deleted, the next one keeps all that they shared."""
        self.marrek.profiles.add_entity_observation(self.alice, "Alice owns a raft.")
        task = blocks.add_task(self.marrek, "Mend the boat")
        blocks.share_fact(self.marrek, FACT)
        npc = npc_id(self.marrek)
        self.marrek.delete()
        assert npc_id(self.twin) == npc
        assert self.facts(self.twin) == [FACT]
        assert blocks.read_persona(self.twin).value["role"] == "ferryman"
        assert blocks.get_next_task(self.twin)["id"] == task
        profile = self.twin.profiles.get_entity_profile(self.alice)
        assert profile["observations"][0]["content"] == "Alice owns a raft."
        self.twin.delete()
        assert not MemoryBlock.objects.filter(owner=npc).exists()
        assert not BlockVersion.objects.filter(owner=npc).exists()

    def test_a_body_that_goes_takes_nothing_along(self):
        """Deleting the other body leaves the character as it was."""
        blocks.share_fact(self.twin, FACT)
        self.twin.profiles.add_entity_observation(self.alice, "Alice owns a raft.")
        self.twin.delete()
        assert self.facts(self.marrek) == [FACT]
        assert len(self.marrek.profiles.get_entity_profile(self.alice)["observations"]) == 1

    def test_parting_ways(self):
        """By itself again it has what it had before, and nothing of the other."""
        blocks.share_fact(self.marrek, FACT)
        blocks.part_ways(self.twin)
        assert self.facts(self.twin) == []
        assert blocks.read_persona(self.twin).value["name"] == "Marrek of the Street"
        assert "first of its bodies" in self.refused(blocks.part_ways, self.marrek)

    def test_who_cannot_embody(self):
        """A thing, itself, or one that has other bodies."""
        assert "no assistant" in self.refused(blocks.embody, self.alice, self.marrek)
        assert "already" in self.refused(blocks.embody, self.twin, self.marrek)
        other = self.an_assistant("Tansy")
        assert "other bodies" in self.refused(blocks.embody, self.marrek, other)

    def test_after_a_restart_they_are_one_still(self):
        """The link is on disk."""
        blocks.share_fact(self.twin, FACT)
        again = self.crash(self.marrek)
        assert self.facts(again) == [FACT]


class TestWriters(BlockTestCase):
    def test_designers_write_personas_only(self):
        """Through the table as well: whoever signs as somebody who may not is refused."""
        owner = npc_id(self.marrek)
        for label in rules.SIX:
            for writer in rules.WRITERS:
                version = read_block(label, owner).version
                signed = Signed(writer)
                if writer in rules.MAY_UPDATE[label]:
                    write_block(label, owner, {"a": version}, version, signed=signed)
                else:
                    with pytest.raises(BlockRefused):
                        write_block(label, owner, {"a": version}, version, signed=signed)

    def test_a_commit_of_a_wrong_writer_is_refused_whole(self):
        """Nothing of a commit is written in which one step may not be."""
        step = {"content": "War!", "at": 1.0, "writer": "npc"}
        with pytest.raises(AssistantError):
            save(
                self.marrek,
                Commit(
                    at=1.0,
                    changes=[
                        Change("shared_social", "", "add_line", step),
                        Change("global_knowledge", "", "add_line", step),
                    ],
                ),
            )
        assert self.facts(self.marrek) == []

    def test_any_number_of_writers_lose_nothing(self):
        """Eight holders of one block, two hundred facts in any order: all are there."""
        set_limit("shared_social", npc_id(self.marrek), 100_000)
        shelves = [BlockShelf(npc_id(self.marrek), PARTS) for _ in range(8)]
        turns = [(shelf, n) for shelf in shelves for n in range(25)]
        random.Random(5).shuffle(turns)
        for shelf, number in turns:
            words = f"{shelves.index(shelf)} {number}"
            step = {"content": words, "at": 1.0, "writer": "game"}
            shelf.apply([Change("shared_social", "", "add_line", step)], [])
        assert len(self.facts(self.marrek)) == 200
        assert read_block("shared_social", npc_id(self.marrek)).version == 201

    def test_what_another_process_wrote_in_between_is_kept(self):
        """A step is applied anew to what was there first."""
        owner = npc_id(self.marrek)
        blocks.share_fact(self.marrek, "first")
        shelf = BlockShelf(owner, PARTS)
        seen = []

        def meanwhile(state, **args):
            if not seen:
                seen.append(1)
                blocks.share_fact(self.marrek, "in between")
            return PARTS["shared_social"].steps["add_line"](state, **args)

        part = PARTS["shared_social"]
        racing = type(part)(part.name, part.attribute, part.shape, {"add_line": meanwhile},
                            where="block")  # fmt: skip
        shelf.parts = {**PARTS, "shared_social": racing}
        step = {"content": "late", "at": 1.0, "writer": "game"}
        shelf.apply([Change("shared_social", "", "add_line", step)], [])
        assert self.facts(self.marrek) == ["first", "in between", "late"]

    def test_a_lease_is_one_sleepers(self):
        """Two bodies do not summarise the same block at the same time."""
        twin = self.an_assistant("Marrek of the Street", self.street)
        blocks.embody(twin, self.marrek)
        blocks.share_fact(self.marrek, FACT)
        one, other = store_of(self.marrek), store_of(twin)
        assert one.lease("shared_social", now=100.0, seconds=60)
        assert not other.lease("shared_social", now=120.0, seconds=60)
        assert other.lease("shared_social", now=161.0, seconds=60)
        assert other.lease("shared_social", now=161.0, seconds=0)
        assert one.lease("shared_social", now=162.0, seconds=60)


class TestHistory(BlockTestCase):
    def test_every_version_is_kept_and_signed(self):
        """Who, when and what; the newest fifty."""
        for number in range(70):
            blocks.set_status(self.marrek, tide=number)
        known = versions("status", npc_id(self.marrek), 100)
        assert known[0].version == 70
        assert KEPT_VERSIONS <= len(known) < KEPT_VERSIONS + 10
        assert (known[0].writer, known[0].by, known[0].did) == ("game", "game", "set_status")

    def test_undo_goes_back_step_by_step(self):
        """Each undo is a version of its own; a change after it begins anew."""
        for role in ("ferryman", "king", "beggar"):
            blocks.change_persona(self.marrek, {"name": "Marrek", "role": role})
        blocks.undo_persona(self.marrek, by="Ada")
        assert self.resident(self.marrek).mind.persona["role"] == "king"
        blocks.undo_persona(self.marrek, by="Ada")
        assert blocks.read_persona(self.marrek).value["role"] == "ferryman"
        blocks.change_persona(self.marrek, {"name": "Marrek", "role": "queen"})
        blocks.undo_persona(self.marrek, by="Ada")
        assert blocks.read_persona(self.marrek).value["role"] == "ferryman"
        first = versions("persona", npc_id(self.marrek))[0]
        assert (first.by, first.did) == ("Ada", "undo")

    def test_undo_ends_at_the_beginning(self):
        """There is nothing before the first version."""
        blocks.share_fact(self.marrek, FACT)
        with pytest.raises(StoreError, match="nothing older"):
            undo("shared_social", npc_id(self.marrek), by="Ada", writer="game")
        with pytest.raises(StoreError, match="never written"):
            undo("status", npc_id(self.marrek), by="Ada", writer="game")

    def test_a_summary_leaves_rows(self):
        """What a summary replaced can still be recalled by the character."""
        blocks.share_fact(self.marrek, FACT)
        settle = {"gone": [FACT], "summary": "Mended.", "at": 1.0, "writer": "sub_process"}
        save(self.marrek, Commit(at=1.0, changes=[Change("shared_social", "", "settle", settle)]))
        assert self.facts(self.marrek) == ["Mended."]
        row = Memory.objects.get(content=FACT)
        assert (row.kind, row.container) == ("shared_fact", entity_id(self.marrek))
        assert row.pk in [one.id for one in store_of(self.marrek).rows.newest(5)]

    def test_read_is_what_was_written(self):
        """A block nobody wrote is empty, of version 0, and has the limit of its kind."""
        assert read_block("status", "e1") == Block({})
        assert read_block("persona", "e1").limit == rules.LIMITS["persona"]


def test_names_are_all_there():
    """What the package promises in `__all__` exists."""
    assert all(callable(getattr(blocks, name)) for name in blocks.__all__)
    assert lifecycle.write_persona is blocks.write_persona
