"""The older three blocks in the game: told first, then split over the six, once; or kept."""

import json

import pytest

from ai_assistant.api import blocks
from ai_assistant.commands.blocks.aiblock import CmdAIBlock
from ai_assistant.memory.blocks.old_blocks import read_old
from ai_assistant.models import BlockVersion, MemoryBlock
from ai_assistant.planning.old_layout import split
from ai_assistant.storage import npc_id, read_block
from tests.evennia.living import CommandTestCase, broken_database

OLD = {
    "persona": {
        "name": "Seraphina Stormborne",
        "role": "Captain of the Guard",
        "interests": ["Law enforcement", "Chess"],
    },
    "human": {
        "Alice": {
            "relationship_status": "Friendly",
            "last_interaction": "Helped defend the gate",
            "trust_score": 75,
            "secrets": ["Knows about the hidden tunnel"],
            "public_facts": ["Alice won the tournament"],
        },
        "Bob": {"relationship_status": "Neutral", "notes": "Owes twelve coins"},
        "Nobody Known": {"notes": "gone"},
        "recent_facts": ["The bridge to the castle is repaired"],
        "group_interactions": [{"participants": ["Alice", "Bob"], "topic": "the market fire"}],
    },
    "locations": {"known_locations": [
        {"name": "City Market", "coordinates": [345, 789], "description": "Bustling trade hub"},
        {"name": "Old Mill", "coordinates": [3, 4], "description": "a ruin"},
    ]},
}  # fmt: skip


class OldLayoutCase(CommandTestCase):
    def setUp(self):
        super().setUp()
        self.alice, self.bob = self.a_player("Alice"), self.a_player("Bob")
        self.marrek = self.an_assistant()

    def disk(self):
        """All that an import could have touched."""
        profiles = self.marrek.profiles.all()
        return list(MemoryBlock.objects.values_list("value", flat=True)), profiles

    def prompt_of(self, who, line):
        self.model.call("wait")
        self.does(who, line)
        return self.model.shown()


class TestImport(OldLayoutCase):
    def test_a_dry_run_tells_all_and_changes_nothing(self):
        """The report names what goes where, and what is left out and why."""
        before = self.disk()
        told = str(blocks.import_old_layout(self.marrek, OLD))
        assert self.disk() == before
        for words in (
            "things would be written",
            "persona role: Captain of the Guard",
            "private@Alice: Knows about the hidden tunnel",
            "private@Alice: trust 75",
            "shared_social: The bridge to the castle is repaired",
            "shared_social: Alice, Bob: the market fire",
            "global_knowledge place: City Market",
            "left out: nobody here is named Nobody Known",
        ):
            assert words in told, told

    def test_everything_goes_where_the_seed_says(self):
        """Persona to persona, human to private and shared social, locations to everybody."""
        blocks.import_old_layout(self.marrek, OLD, dry_run=False)
        persona = self.resident(self.marrek).mind.persona
        assert (persona["role"], persona["interests"]) == (
            "Captain of the Guard",
            ["Law enforcement", "Chess"],
        )
        hers = blocks.private_of(self.marrek, self.alice)
        assert hers["secrets"] == [
            "Last interaction: Helped defend the gate",
            "Knows about the hidden tunnel",
        ]
        assert (hers["trust_score"], hers["relationship_status"]) == (75, "ally")
        assert blocks.private_of(self.marrek, self.bob)["secrets"] == ["Owes twelve coins"]
        social = read_block("shared_social", npc_id(self.marrek)).value
        assert [one["content"] for one in social["recent_facts"]] == [
            "The bridge to the castle is repaired",
            "Alice won the tournament",
        ]
        assert social["group_interactions"][0]["topic"] == "the market fire"
        places = read_block("global_knowledge").value["locations"]
        assert [(one["name"], one["coordinates"]) for one in places] == [
            ("City Market", [345, 789]),
            ("Old Mill", [3, 4]),
        ]

    def test_a_second_import_adds_nothing(self):
        """What is there already is not there twice."""
        blocks.import_old_layout(self.marrek, OLD, dry_run=False)
        versions = BlockVersion.objects.count()
        before = self.disk()
        again = blocks.import_old_layout(self.marrek, OLD, dry_run=False)
        assert again.lines == []
        assert self.disk() == before
        assert BlockVersion.objects.count() == versions

    def test_secrets_stay_secret(self):
        """What stood about Alice is for Alice, and for nobody else."""
        blocks.import_old_layout(self.marrek, OLD, dry_run=False)
        assert "hidden tunnel" in self.prompt_of(self.alice, "whisper Marrek = Well?")
        assert "hidden tunnel" not in self.prompt_of(self.bob, "whisper Marrek = Well?")
        assert "hidden tunnel" not in self.prompt_of(self.alice, "say Marrek, well?")

    def test_all_or_nothing(self):
        """Where one block has no room, none is written."""
        many = {"human": {"recent_facts": [f"{n} " + "x" * 390 for n in range(40)]}}
        before = self.disk()
        for dry_run in (True, False):
            told = self.refused(
                blocks.import_old_layout, self.marrek, {**OLD, **many}, dry_run=dry_run
            )
            assert "has no room" in told
        assert self.disk() == before

    def test_a_failure_in_the_middle_leaves_nothing(self):
        """Whatever the database refuses last, persona and places are as before; then it works."""
        before, told = self.disk(), blocks.read_persona(self.marrek)
        with broken_database("INSERT", "ai_assistant_event"):
            self.refused(blocks.import_old_layout, self.marrek, OLD, dry_run=False)
        assert self.disk() == before
        assert blocks.read_persona(self.marrek) == told
        assert self.resident(self.marrek).mind.persona == told.value
        blocks.import_old_layout(self.marrek, OLD, dry_run=False)
        assert blocks.read_persona(self.marrek).value["role"] == "Captain of the Guard"

    def test_the_command_tells_first(self):
        """From the Attributes of the older layout; 'now' does what was told."""
        for name, value in OLD.items():
            self.marrek.attributes.add(name, value)
        told = self.types(CmdAIBlock, "/import marrek")
        assert "would be written" in told
        assert blocks.read_persona(self.marrek).value == {"name": "Marrek"}
        assert "things written" in self.types(CmdAIBlock, "/import marrek = now")
        assert blocks.read_persona(self.marrek).value["role"] == "Captain of the Guard"
        assert "Usage" in self.types(CmdAIBlock, "/import marrek = maybe")
        self.types(CmdAIBlock, "/undo marrek = persona")
        assert blocks.read_persona(self.marrek).value == {"name": "Marrek"}

    def test_nothing_to_import(self):
        """An assistant without older blocks is told so."""
        assert "no block of the older layout" in self.types(CmdAIBlock, "/import marrek")


class TestCoexistence(OldLayoutCase):
    def test_an_assistant_goes_on_with_its_older_blocks(self):
        """Its persona, what it knows of the one spoken to, and the places; nobody else's."""
        for name, value in OLD.items():
            self.marrek.attributes.add(name, value)
        tansy = self.an_assistant("Tansy")
        blocks.announce("The tower fell.")
        assert "2 places" in self.types(CmdAIBlock, "/keep marrek")
        told = self.prompt_of(self.alice, "whisper Marrek = Well?")
        for words in ("Captain of the Guard", "hidden tunnel", "City Market"):
            assert words in told
        assert "Owes twelve coins" not in told
        assert "The tower fell." not in told
        assert "share_fact" not in self.model.offered()
        assert "hidden tunnel" not in self.prompt_of(self.bob, "whisper Marrek = Well?")
        assert "The tower fell." in self.prompt_of(self.alice, "say Tansy, well?")
        self.ai("/config marrek = block_layout six")
        assert "The tower fell." in self.prompt_of(self.alice, "say Marrek, well?")
        assert tansy is not None


# -- reading


def people(text):
    old = read_old({"human": text})
    return split(old, lambda name: f"e-{name.lower()}").private


@pytest.mark.parametrize("written", [dict, json.dumps])
def test_people_are_read(written):
    """By name, of an object or of JSON as text."""
    (one,) = people(written({"Alice": {"notes": ["Likes chess"]}}))
    assert (one.entity_id, one.notes) == ("e-alice", ("Likes chess",))


@pytest.mark.parametrize(
    ("fields", "favorability"),
    [
        ({"trust_score": 75}, 0.75),
        ({"trust_score": "40"}, 0.4),
        ({"trust_score": 900}, 1.0),
        ({"relationship_status": "Friendly"}, 0.6),
        ({"relationship_status": "ally"}, 0.85),
        ({"relationship_status": "Hostile", "trust_score": "much"}, 0.15),
        ({"relationship_status": "it is complicated"}, None),
    ],
)
def test_trust_is_read(fields, favorability):
    """A number counts, else the word for it; what is neither says nothing."""
    (one,) = people({"Alice": fields})
    assert one.favorability == favorability


def test_text_of_no_form_is_told():
    """What a persona says is its personality; whom or which place else it means, nobody guesses."""
    old = read_old({"persona": "Stern.", "human": "Alice likes chess.", "locations": ["Market"]})
    assert old.persona == {"personality": "Stern."}
    assert (old.people, [*old.places]) == ({}, [])
    assert old.strange == ["Alice likes chess.", "Market"]


@pytest.mark.parametrize(
    "data",
    [
        *(None, 7, "text", [], {}, {"human": None}, {"persona": ""}),
        {"locations": [{"name": f"Room {number}"} for number in range(501)]},
        {"human": {f"Ann {number}": {} for number in range(501)}},
        {"human": "x" * 1_000_001},
    ],
)
def test_nonsense_is_refused(data):
    """What holds none of the three, or too much, is no older layout."""
    from ai_assistant.core.errors import BlockRefused

    with pytest.raises(BlockRefused):
        read_old(data)


@pytest.mark.parametrize(
    "data",
    [
        {"human": [[[[]]]], "locations": [None, 7, {}, {"name": ""}], "persona": [1, None]},
        {"human": {"a": 1, "b": None, "": {}}, "locations": {"x": None}, "persona": {"": {"": []}}},
        {"human": "x" * 100_000, "locations": "[" * 50_000, "persona": "{" * 50_000},
        {"human": {"Alice": {"secrets": {"a": {"b": "c"}}, "group_interactions": [1, {}]}}},
    ],
)
def test_damaged_blocks_raise_nothing(data):
    """Whatever stands there is read, or left out with a word about it."""
    split(read_old(data), lambda name: "e-x" if name else "")


def test_text_is_cleaned():
    """Markup of an older game is inert from here on."""
    places = [{"name": "|lcMarket|le"}]
    old = read_old({"persona": {"role": "|rking|n {{char}}"}, "locations": places})
    assert "|" not in json.dumps([old.persona, *old.places])
    assert "{{" not in old.persona["role"]


def test_who_is_not_known_is_told():
    """An id may be given instead of a name; nobody's block is left out."""
    parts = split(read_old({"human": {"Zed": {"notes": "x"}}}), lambda name: "")
    assert parts.private == []
    assert "Zed" in parts.left_out[0]
