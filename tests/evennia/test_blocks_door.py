"""The door of the blocks: what comes in is checked once, and what is stored ends nobody's turn."""

from functools import partial

import pytest
from django.test import override_settings
from twisted.internet.defer import Deferred

from ai_assistant.api import blocks, disclosure, staging
from ai_assistant.api.handlers import store_of
from ai_assistant.core.contracts import Category
from ai_assistant.core.errors import BlockRefused, StoreError
from ai_assistant.game.identity import entity_id
from ai_assistant.memory.blocks import rules
from ai_assistant.models import AssistantEvent, Memory, MemoryBlock
from ai_assistant.storage import npc_id, read_block
from ai_assistant.storage.block_rows import change_value, row_label
from ai_assistant.tools import tool
from tests.evennia.living import LivingTestCase

EVENTS = ["Earthquake in the northern mountains", "Royal wedding announced"]
MARKET = {"name": "City Market", "coordinates": [345, 789], "description": "A bustling hub."}
WORLD = {"lore": "Arenthia was founded long ago.", "recent_events": EVENTS, "locations": [MARKET]}
ON = "2024-12-30T12:00:00Z"
TALK = {"participants": ["Cara", "Dan"], "topic": "The market fire", "timestamp": ON}
SOCIAL = {"recent_facts": ["The bridge to the castle is repaired"], "group_interactions": [TALK]}
STATUS = {
    "position": [100, 50, 30],
    "engagement": "Patrolling",
    "health": 87,
    "emotion": "Calm",
    "energy_level": 65,
    "last_updated": ON,
}
SHAPES = (None, 7, "words", [], [1], {"a": 1}, [None], [{}], ["words"], [{"content": 3}],
          [{"content": "words"}], [{"name": 3}], [{"participants": 3, "topic": None}],
          [{"content": "words", "readers": None, "timestamp": "once", "author": 3}])  # fmt: skip
"""What somebody may have put where a list, a text or a dict belongs."""


class DoorTestCase(LivingTestCase):
    def setUp(self):
        super().setUp()
        self.alice = self.a_player("Alice")
        self.marrek = self.an_assistant()

    def prompt(self, line="say Marrek, well?"):
        """Let Alice say something; returns all that the answering model got to read."""
        self.model.call("wait")
        self.does(self.alice, line)
        return self.model.shown()

    def stored(self):
        """Return all that the blocks hold, and all that the assistants remember."""
        held = MemoryBlock.objects.exclude(label="persona").values_list("label", "value")
        return sorted(map(str, [*held, *Memory.objects.values_list("content")]))

    def put(self, label, value, owner=None):
        """Put a value into a row by hand."""
        owner = npc_id(self.marrek) if owner is None else owner
        kept = {"type": "private", "limit": 5000, "created": 0, "updated": 0}
        MemoryBlock.objects.update_or_create(
            label=label, owner=owner, defaults={"value": value, **kept}
        )


class TestTheSeedsForms(DoorTestCase):
    def test_the_seeds_own_words_are_taken(self):
        """Its facts and events are strings; they become lines that everybody may read."""
        blocks.create_block_by_type("global_knowledge", "", WORLD)
        blocks.create_block_by_type("shared_social", "", SOCIAL, npc=self.marrek)
        blocks.create_block_by_type("status", "", STATUS, npc=self.marrek)
        told = self.prompt()
        for words in (*EVENTS, MARKET["description"], *SOCIAL["recent_facts"], TALK["topic"]):
            assert words in told
        status = blocks.get_status(self.marrek)
        assert (status["engagement"], status["health"]) == ("Patrolling", 87)
        blocks.announce("Fire!")
        blocks.share_fact(self.marrek, "The ford is open.")
        facts = store_of(self.marrek).read("shared_social")["recent_facts"]
        assert [one["readers"] for one in facts] == ["*", "*"]
        assert all(one["timestamp"] for one in facts)

    def test_lines_of_the_games_own(self):
        """The same for a block of another name."""
        block = blocks.create_block_by_type("global", "rules", {"lines": ["No fire indoors."]})
        assert blocks.lines_of(block) == ["No fire indoors."]
        assert "No fire indoors." in self.prompt()

    def test_a_private_block_of_the_games_own(self):
        """One character has it at hand and in its prompt; another does not."""
        value = {"lines": ["Owes the miller."]}
        block = blocks.create_block_by_type("private", "debts", value, npc=self.marrek)
        assert blocks.lines_of(block) == ["Owes the miller."]
        blocks.add_line("debts", "Owes the smith.", npc=self.marrek)
        assert set(blocks.get_agent_blocks(self.marrek)["private"]) == {"debts"}
        told = self.prompt()
        assert "Owes the miller." in told
        assert "Owes the smith." in told
        other = self.an_assistant("Tansy")
        assert blocks.get_agent_blocks(other)["private"] == {}

    def test_a_value_is_never_dropped(self):
        """To make a block again is refused where a value is given; nothing changes."""
        for kind in ("private", "shared", "global"):
            make = partial(blocks.create_block_by_type, kind, f"{kind} one", npc=self.marrek)
            make({"lines": ["First."]})
            with pytest.raises(StoreError, match=f"'{kind}_one' already"):
                make({"lines": ["Second."]})
            assert blocks.lines_of(make()) == ["First."]

    def test_what_does_not_fit_is_refused(self):
        """With words that say what is wrong; nothing is written."""
        wrong = (
            ("global", "big", {"lines": ["x" * 401]}, "more than 400"),
            ("global", "big", {"lines": [f"{n} " + "x" * 300 for n in range(40)]}, "limit is 5000"),
            ("global", "odd", {"lines": "words"}, "lines is a list, no str"),
            ("global", "odd", ["words"], "is a dict, no list"),
            ("global_knowledge", "", {"recent_events": [3]}, "item 1 of recent_events"),
            ("global_knowledge", "", {"lore": ["a"]}, "lore is text"),
            ("global_knowledge", "", {"locations": [{"name": "X", "coordinates": "ab"}]}, "item 1"),
            ("status", "", {"health": [1]}, "'health' is a text or a number"),
            ("persona", "", {"name": 5}, "a name is text"),
            ("persona", "", {"name": "M", "home": object()}, "no JSON"),
        )
        before = self.stored()
        for kind, label, value, words in wrong:
            with pytest.raises(BlockRefused, match=words):
                blocks.create_block_by_type(kind, label, value, npc=self.marrek)
        assert self.stored() == before


@override_settings(AI_ASSISTANT_LINES_PER_MINUTE=0)
class TestStoredShapes(DoorTestCase):
    def test_no_stored_shape_ends_a_turn(self):
        """Hand-made or older rows: everybody still answers, and the game may still write."""
        places = {
            rules.SOCIAL: ("recent_facts", "group_interactions"),
            rules.STATUS: ("bodies", "more", "health", "last_updated", "position"),
            row_label("guild"): ("lines",),
        }
        for shape in SHAPES:
            for label, names in places.items():
                self.put(label, dict.fromkeys(names, shape))
            names = ("recent_events", "locations", "lore")
            self.put(rules.GLOBAL, dict.fromkeys(names, shape), "")
            assert "well?" in self.prompt()
            blocks.visible(self.marrek)
            blocks.share_fact(self.marrek, "The ford is open.")
            blocks.announce("Fire!")
            blocks.set_location("Mill")
            blocks.add_line("guild", "Meet at dawn.", npc=self.marrek)
            assert blocks.set_status(self.marrek, emotion="calm")
            told = self.prompt()
            for words in ("The ford is open.", "Fire!", "Mill", "Meet at dawn.", "calm"):
                assert words in told, (shape, words)

    def test_no_value_ends_a_turn(self):
        """Nor does a value that is no dict at all."""
        for value in (3, "words", [1]):
            for label in (rules.SOCIAL, rules.STATUS, rules.PERSONA):
                self.put(label, value)
            self.put(rules.GLOBAL, value, "")
            assert "Marrek" in self.prompt()
            assert blocks.read_persona(self.marrek).value == {"name": "Marrek"}

    def test_what_lost_its_label_is_nobodys(self):
        """A line without readers is in no prompt; one that is only a string is open."""
        self.put(rules.SOCIAL, {"recent_facts": [{"content": "The crown is here."}, "It rains."]})
        told = self.prompt()
        assert "It rains." in told
        assert "crown" not in told


class TestWhatGameCodePasses(DoorTestCase):
    def test_lore_is_never_cut(self):
        """What is longer than the lore may be is refused, in whole."""
        told = self.refused(blocks.set_lore, "The lore. " * 500)
        assert "at most 4000 characters" in told
        assert read_block(rules.GLOBAL).version == 0
        blocks.set_lore("The lore. " * 399)
        assert len(read_block(rules.GLOBAL).value["lore"]) == 3989
        assert "at most 300" in self.refused(blocks.set_location, "Mill", "x" * 301)

    def test_a_landmark_has_whole_sentences(self):
        """A room's long description is on the map by its first sentences."""
        self.inn.db.desc = " ".join(f"Sentence {n} tells of the inn." for n in range(30))
        self.inn.tags.add("landmark", category="ai_assistant")
        assert blocks.note_place(self.inn)
        (place,) = read_block(rules.GLOBAL).value["locations"]
        assert place["description"].endswith("tells of the inn.")
        assert not blocks.note_place(self.inn)

    def test_a_status_never_raises(self):
        """Whatever is passed; the log says what could not be kept."""
        deep = []
        for _ in range(3000):
            deep = [deep]
        many = {f"{n}": {f"{m}": "x" * 300 for m in range(20)} for n in range(20)}
        for value in (10**5000, deep, float("nan"), many, object(), {"a": deep}, [10**5000]):
            for field in ("health", "position", "mood_of_sea"):
                assert blocks.set_status(self.marrek, **{field: value}) is False
        assert blocks.set_status(self.alice, health=3) is False
        assert blocks.set_status(None, health=3) is False
        assert "is no assistant" in "".join(self.logged())
        assert read_block(rules.STATUS, npc_id(self.marrek)).version == 0

    def test_a_status_always_fits(self):
        """However many fields and bodies there are, it stays within its limit."""
        one = {"position": "x" * 80, "engagement": "y" * 80}
        self.put(rules.STATUS, {"bodies": {f"e{n:032}": one for n in range(12)}})
        MemoryBlock.objects.filter(label=rules.STATUS).update(limit=1000)
        for number in range(20):
            assert blocks.set_status(self.marrek, **{f"f{number}": ["x" * 70, "y" * 70]})
        assert blocks.set_status(self.marrek, engagement="Rowing")
        value = read_block(rules.STATUS, npc_id(self.marrek)).value
        assert rules.json_length(value) <= 1000
        assert blocks.get_status(self.marrek)["engagement"] == "Rowing"

    def test_whatever_is_none_of_it_is_refused(self):
        """One kind of error, whose words say what fits; nothing is written."""
        calls = (
            (blocks.announce, (None,), {}, "News is text"),
            (blocks.announce, ("   ",), {}, "needs words"),
            (blocks.set_location, ("Y",), {"coordinates": [object()]}, "at most 4 numbers"),
            (blocks.set_location, ("Y",), {"coordinates": "abc"}, "at most 4 numbers"),
            (blocks.set_location, ("Y",), {"coordinates": [float("nan")]}, "at most 4 numbers"),
            (blocks.set_location, (None,), {}, "is text"),
            (blocks.remove_location, (None,), {}, "is text"),
            (blocks.share_fact, (self.marrek, "It rains."), {"readers": "Bob"}, "no label"),
            (blocks.share_fact, (self.marrek, "It rains."), {"readers": None}, "a label, no"),
            (blocks.share_fact, (self.alice, "It rains."), {}, "Alice is no assistant"),
            (blocks.add_line, ("guild", "Hm."), {"readers": "Bob"}, "no label"),
            (blocks.add_task, (self.alice, "Row"), {}, "no assistant"),
            (blocks.get_npc_block, (self.marrek, "nope"), {}, "only: persona, private"),
            (blocks.get_npc_block, (self.alice, "status"), {}, "no assistant"),
            (blocks.get_or_create_shared_block, ("guild", [self.alice]), {}, "no assistant"),
            (blocks.get_or_create_shared_block, ("guild", self.marrek), {}, "a list"),
            (blocks.get_or_create_global_block, (None,), {}, "is text"),
            (blocks.write_status, (self.marrek,), {"health": [1]}, "a text or a number"),
        )
        before = self.stored()
        for call, given, options, words in calls:
            with pytest.raises(BlockRefused, match=words):
                call(*given, **options)
        assert self.stored() == before

    def test_a_label_has_one_spelling(self):
        """Readers in any order are the same label."""
        bob = self.a_player("Bob")
        one, other = sorted([entity_id(self.alice), entity_id(bob)])
        blocks.share_fact(self.marrek, "It rains.", readers=f"{other},{one}")
        (fact,) = store_of(self.marrek).read("shared_social")["recent_facts"]
        assert fact["readers"] == f"{one},{other}"


class TestPersonas(DoorTestCase):
    def test_a_persona_read_before_a_change_is_not_written(self):
        """Whoever read an older one is told so, and reads it again."""
        mine = blocks.read_persona(self.marrek)
        blocks.change_persona(self.marrek, {"role": "Queen"})
        kinder = {**mine.value, "personality": "kind"}
        with pytest.raises(StoreError, match="read it again"):
            blocks.write_persona(self.marrek, kinder, expected_version=mine.version)
        assert blocks.read_persona(self.marrek).value["role"] == "Queen"
        now = blocks.read_persona(self.marrek)
        kinder = {**now.value, "personality": "kind"}
        version = blocks.write_persona(self.marrek, kinder, expected_version=now.version)
        assert blocks.read_persona(self.marrek).version == version
        assert self.resident(self.marrek).mind.persona["personality"] == "kind"

    def test_a_field_is_changed_whatever_else_is(self):
        """By staff, by two at once: each field is there."""
        seen = []

        def kinder(value):
            if not seen:
                seen.append(1)
                blocks.change_persona(self.marrek, {"role": "Queen"})
            return {**value, "personality": "kind"}

        change_value(rules.PERSONA, npc_id(self.marrek), kinder)
        value = blocks.read_persona(self.marrek).value
        assert (value["role"], value["personality"]) == ("Queen", "kind")
        blocks.change_persona(self.marrek, {"role": None})
        assert "role" not in blocks.read_persona(self.marrek).value


@tool(Category.DANGEROUS)
def cry_out(turn):
    """Tell the whole game what was just heard, as a careless game may."""
    blocks.announce("The crown is in the well.")
    return {"cried": True}


@tool(Category.DANGEROUS)
async def cry_later(turn):
    """Do so once something else is done."""
    await WAITED[-1]
    blocks.announce("The crown is in the well.")
    return {"cried": True}


WAITED = []


class TestWidening(DoorTestCase):
    def build(self):
        shared = super().build()
        shared.registry.add(cry_out)
        shared.registry.add(cry_later)
        return shared

    def announced(self):
        """Return what the audit log has of announcements, by whose log it is."""
        found = AssistantEvent.objects.filter(type="Announced").order_by("pk")
        return list(found.values_list("assistant", "data"))

    def test_announcements_are_on_record(self):
        """What all are told, and what one is told, with who said so."""
        blocks.announce("The tower fell.", by="Ada")
        disclosure.inform(self.marrek, "The ford is open.", by="Ada")
        assert self.announced() == [
            ("world", {"fact": "The tower fell.", "by": "Ada"}),
            (entity_id(self.marrek), {"fact": "The ford is open.", "by": "Ada"}),
        ]
        MemoryBlock.objects.filter(label=rules.GLOBAL).update(limit=10)
        self.refused(blocks.announce, "Another tower fell.")
        assert len(self.announced()) == 2

    def test_no_tool_tells_all_what_was_whispered(self):
        """Game code that a whisper's tool calls is refused, also after it waited."""
        self.model.call("cry_out").say("Aye.")
        self.does(self.alice, "whisper Marrek = The crown is in the well.")
        assert "within a private turn" in "".join(self.logged())
        WAITED.append(Deferred())
        self.model.call("cry_later").say("Aye.")
        self.does(self.alice, "whisper Marrek = Tell it!")
        blocks.announce("It rains.")  # the game itself goes on meanwhile
        self.let_go(WAITED[-1])
        assert "within a private turn" in "".join(self.logged())
        assert [data["fact"] for _, data in self.announced()] == ["It rains."]

    def test_a_tool_of_an_open_turn_may(self):
        """What everybody heard, everybody may be told."""
        self.model.call("cry_out").say("Aye.")
        self.does(self.alice, "say Marrek, the crown is in the well.")
        assert len(self.announced()) == 1

    def test_an_update_for_nobody_known_is_refused(self):
        """Who may read it is said by ids, as everywhere."""
        told = self.refused(staging.record_update, self.marrek, "x", "status", readers="Bob")
        assert "no label of readers" in told
