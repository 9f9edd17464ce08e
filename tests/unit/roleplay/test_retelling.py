"""Retelling: which memories a line passes on, and what its hearers know of where they are from."""

from zlib import crc32

import pytest

from ai_assistant.core.contracts import Event, MemoryRow
from ai_assistant.memory.talk.hearsay import TOLD, hearsay, sources_of
from ai_assistant.roleplay.distribution import heard_row
from ai_assistant.roleplay.retelling import LEAST_TRUST, MOST_TOLD, RETOLD, heard_by, told_with
from ai_assistant.testing import people

ALICE, BOB, CHARLIE, DANA = people("Alice", "Bob", "Charlie", "Dana")
TOWER = "The northern tower fell last night."


def told(content, by=BOB, **values):
    """Return the row of something that somebody said."""
    meta = {"event": f"event{crc32(content.encode())}", **values.pop("meta", {})}
    return MemoryRow(content, author=by.id, author_name=by.name, meta=meta, **values)


def sources(line, *rows, asked=()):
    """Return whose word a line of Alice's passes on."""
    return [one["author_name"] for one in told_with(line, rows, ALICE.id, asked)]


def line(content, found, by=ALICE):
    """Return the event of a line that passes something on."""
    said = {"event_type": "external", "source_type": "say", "by_assistant": True}
    return Event("line1", 5.0, source=by, content=content, metadata={TOLD: list(found)}, **said)


def kept(content, found, who, by=ALICE, heard=()):
    """Return the row that a hearer keeps of a line."""
    return heard_row(heard_by(line(content, found, by), who.id, heard), who.id)


PASSED_ON = [
    ("Bob told me that the northern tower fell.", TOWER),
    ("Alas, the tower in the north? It fell, the northern one, last night.", TOWER),
    ("Have you heard? The smith marries the baker's daughter.", "The smith marries the baker."),
    ("They say wolves were seen at the old mill.", "I saw three wolves near the old mill today!"),
    ("Bob keeps his gold under the floor.", "My gold is under the floor of the barn, all of it."),
    ("Someone stole the duke's horse, a black mare.", "The duke's black mare was stolen here."),
    ("Careful! A dragon was seen over the lake.", "By the gods, I saw a dragon fly over the lake!"),
    ("Bob said the ferry sank.", "The ferry sank at the old bridge."),
    ("I was told the mayor hides silver in the chapel.", "He is odd, the mayor. I saw the mayor "
     "hide his silver in the chapel. Nobody believes me."),
    ("Tomorrow there is a feast on the green, with roasted oxen.", "Tomorrow there is a feast on "
     "the green. They roast two oxen!"),
    ("Bob's sister is called Mara and lives in Oakvale.", "My sister Mara lives in Oakvale."),
]  # fmt: skip
NOT_PASSED_ON = [
    ("Good evening, Charlie. What may I bring you?", TOWER),
    ("The night is cold.", TOWER),
    ("I sell bread and ale.", "I love fresh bread with butter and honey for my breakfast."),
    ("Which tower do you mean?", TOWER),
    ("The northern tower fell last night.", "Did the northern tower fall last night?"),
    ("Thanks! Your kind words mean a lot to me, friend.", "Thank you! Kind words mean a lot."),
    ("Happy to help, it was a good day at work.", "I love my work, it was such a good day, truly."),
    ("The guard at the bridge waits for the captain of the northern watch and his three men.",
     "The northern watch has a new tower, a well, a gate, a stable, a kitchen and a good captain."),
]  # fmt: skip


@pytest.mark.parametrize(("words", "memory"), PASSED_ON)
def test_a_line_drawn_from_a_memory_passes_it_on(words, memory):
    """However it is worded, most of the memory's own words stand in it."""
    assert sources(words, told(memory)) == ["Bob"]


@pytest.mark.parametrize(("words", "memory"), NOT_PASSED_ON)
def test_other_lines_pass_nothing_on(words, memory):
    """A word or two in common make no gossip, and nobody learns anything from a question."""
    assert sources(words, told(memory)) == []


def test_what_was_asked_is_not_told_by_repeating_it():
    """The words of the question pass on nothing; one word more does."""
    asked = ["Did the northern tower fall last night?"]
    assert (
        sources("The northern tower, last night? I know nothing.", told(TOWER), asked=asked) == []
    )
    burnt = told("The northern tower fell last night, burning.")
    assert sources("The northern tower fell, burning.", burnt, asked=asked) == ["Bob"]


def test_ones_own_words_and_what_is_always_known_are_no_gossip():
    """What the speaker says herself is first-hand; lore of a scene was told by nobody."""
    assert sources(TOWER, told(TOWER, by=ALICE)) == []
    assert sources(TOWER, told(TOWER, meta={"permanent": True})) == []
    assert sources(TOWER, MemoryRow(TOWER, kind="journal")) == []


def test_what_she_saw_is_told_at_first_hand():
    """A deed of Bob's that Alice saw comes through her alone; news of the world are nobody's."""
    deed = told("Bob sets fire to the northern tower.", kind="deed")
    [entry] = told_with("I saw Bob set fire to the tower.", [deed], ALICE.id)
    assert (entry["author"], entry["chain"]) == (BOB.id, [ALICE.id])
    news = MemoryRow(TOWER, kind="world_state_update")
    [entry] = told_with(TOWER, [news], ALICE.id)
    assert (entry["author"], entry["chain"]) == ("", [ALICE.id])


def test_a_line_can_pass_on_several_things():
    """Each from its own source; of two who told the same, the one whose words they are."""
    rows = [
        told(TOWER),
        told("A tower fell in the night.", by=DANA),
        told("The harvest was poor this year.", by=CHARLIE),
    ]
    words = "The northern tower fell last night, and the harvest was poor this year."
    assert sorted(sources(words, *rows)) == ["Bob", "Charlie"]


def test_one_thing_counts_once():
    """However often it stands before her eyes."""
    memory = told(TOWER)
    again = MemoryRow(TOWER, author=BOB.id, author_name="Bob", meta=memory.meta)
    words = "The northern tower fell last night. Yes, the tower fell, the northern one."
    assert sources(words, memory, again) == ["Bob"]


def test_no_line_carries_more_than_its_hearers_can_keep():
    """The clearest few count."""
    rows = [told(f"Copper{n} silver{n} marble{n}") for n in range(9)]
    assert len(sources(". ".join(row.content for row in rows), *rows)) == MOST_TOLD


def test_the_hearer_keeps_the_words_it_heard_and_their_source():
    """Nothing of the memory that was not said; and it is believed less."""
    memory = told("The northern tower fell last night, and I opened its gate.", trust=0.9)
    words = "Bob says that the northern tower fell."
    row = kept(words, told_with(words, [memory], ALICE.id), CHARLIE)
    assert row.content == words
    assert "gate" not in str(row)
    assert (row.author, row.trust) == (ALICE.id, pytest.approx(0.9 * RETOLD))
    [source] = sources_of(row)
    assert (source["author"], source["chain"]) == (BOB.id, [ALICE.id])
    assert source["origin"] == memory.meta["event"]
    assert hearsay(row) == {"heard_from": "Bob"}


def test_the_chain_grows_and_trust_falls_at_each_hop():
    """Bob to Alice to Charlie to Dana: everybody in it is named, and it is believed ever less."""
    first = kept(TOWER, told_with(TOWER, [told(TOWER, trust=0.9)], ALICE.id), CHARLIE)
    second = kept(TOWER, told_with(TOWER, [first], CHARLIE.id), DANA, by=CHARLIE)
    [source] = sources_of(second)
    assert (source["author"], source["chain"]) == (BOB.id, [ALICE.id, CHARLIE.id])
    assert second.trust == pytest.approx(0.9 * RETOLD * RETOLD)
    assert source["origin"] == sources_of(first)[0]["origin"]
    assert hearsay(second) == {"heard_from": "Bob, through others"}


def test_what_staff_let_somebody_tell_goes_on_in_the_same_chain():
    """A row that was told on purpose is one hop already."""
    row = told(TOWER, trust=0.72, meta={"chain": ["e-eve"], "origin": "x", "happened_day": 3})
    [entry] = told_with(TOWER, [row], ALICE.id)
    assert (entry["chain"], entry["origin"], entry["happened_day"]) == (["e-eve", ALICE.id], "x", 3)


def test_it_never_falls_below_the_least():
    """However often it is told on."""
    [entry] = told_with(TOWER, [told(TOWER, trust=LEAST_TRUST)], ALICE.id)
    assert entry["trust"] == LEAST_TRUST


@pytest.mark.parametrize("who", [BOB, DANA])
def test_who_knows_it_from_the_source_keeps_a_plain_line(who):
    """Bob said it himself, and Dana was there when he did."""
    memory = told(TOWER, meta={"participants": [ALICE.id, BOB.id, DANA.id]})
    row = kept(TOWER, told_with(TOWER, [memory], ALICE.id), who)
    assert not sources_of(row)
    assert row.trust == 0.9


def test_who_heard_the_source_aside_keeps_a_plain_line():
    """It overheard Bob, without having taken part."""
    found = told_with(TOWER, [told(TOWER)], ALICE.id)
    assert not sources_of(kept(TOWER, found, CHARLIE, heard={found[0]["origin"]}))


def test_what_was_played_stays_marked():
    """A line that is drawn from fiction is fiction for whoever hears it, and whom they tell."""
    found = told_with(TOWER, [told(TOWER, meta={"fiction": True})], ALICE.id)
    first = kept(TOWER, found, CHARLIE)
    assert first.meta["fiction"] is True
    assert kept(TOWER, told_with(TOWER, [first], CHARLIE.id), DANA).meta["fiction"] is True


def test_telling_ones_own_words_again_is_no_further_hop():
    """Alice tells Dana from what she told Charlie: it is as far from Bob as it was."""
    own = MemoryRow(TOWER, kind="own_words", author=ALICE.id, author_name="Alice")
    own.meta[TOLD] = told_with(TOWER, [told(TOWER)], ALICE.id)
    [entry] = told_with(TOWER, [own], ALICE.id)
    assert entry["chain"] == [ALICE.id]
    assert entry["trust"] == pytest.approx(0.9 * RETOLD)
