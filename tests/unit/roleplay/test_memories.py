"""Permanent memories, telling on, folding old days, recaps, and what was known as of a day."""

import random
from dataclasses import replace

import pytest

from ai_assistant.core.contracts import Entity, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.roleplay.day_summaries import correction, fold_days, known_as_of, recap
from ai_assistant.roleplay.lorebook import Entry, Lorebook
from ai_assistant.roleplay.message_formats import metadata_of
from ai_assistant.roleplay.permanent import lore_of, permanent_rows
from ai_assistant.roleplay.retelling import pass_on

BO, CY, DI = (Entity(f"e-{name.lower()}", name, "npc") for name in ("Bo", "Cy", "Di"))


def line(number, day, words, *, readers="*", **options):
    return MemoryRow(
        words, id=number, game_day=day, learned_at=float(number), readers=readers,
        author="e-al", author_name="Al", session="s1", container="e-bo", **options,
    )  # fmt: skip


def test_a_container_begins_with_plot_card_dialog_and_lore():
    """Five memories, each of its type, permanent, lore by its key (REQ-7.1)."""
    persona = {"name": "Bo", "personality": "gruff", "dialogue_examples": "Bo: Aye."}
    lore = [("dragon", "It sleeps."), ("sword", "It is sacred.")]
    rows = permanent_rows(persona, "Find the sword.", lore, day=1, at=1.0)
    assert [row.kind for row in rows] == [
        "plot",
        "character_card",
        "example_dialog",
        "lore",
        "lore",
    ]
    assert all(metadata_of(row)["permanent"] for row in rows)
    assert [metadata_of(row).get("loreKey") for row in rows[3:]] == ["dragon", "sword"]
    assert rows[1].content == "name: Bo\npersonality: gruff"


def test_what_is_empty_makes_no_row():
    """Without plot and dialog there is the card alone."""
    assert [row.kind for row in permanent_rows({"name": "Bo"}, "", [], day=1, at=1.0)] == [
        "character_card"
    ]


def test_lore_is_for_those_who_bear_its_tags():
    """Required tags of book and entry are respected; what is bound to chance or off stays out."""
    plain, secret = Entry("e1", "It sleeps."), Entry("e2", "It dies.", required_tags=("wizard",))
    chance, off = Entry("e3", "x", probability=50), Entry("e4", "y", enabled=False)
    books = [
        Lorebook("isle", (plain, secret, chance, off)),
        Lorebook("guild", (Entry("e5", "z"),), required_tags=("guild",)),
    ]
    assert lore_of(books, frozenset()) == [("e1", "It sleeps.")]
    assert dict(lore_of(books, frozenset({"wizard", "guild"}))).keys() == {"e1", "e2", "e5"}


def test_gossip_is_believed_less_at_each_hop():
    """Who told it is kept, and trust falls from mouth to mouth."""
    first = pass_on(line(1, 3, "The well is dry."), BO, CY.id, day=5, at=9.0)
    second = pass_on(first, CY, DI.id, day=6, at=10.0)
    assert (first.trust, second.trust) == (pytest.approx(0.72), pytest.approx(0.576))
    assert second.meta["chain"] == [BO.id, CY.id]
    assert (second.game_day, second.meta["happened_day"]) == (6, 3)
    assert (second.container, second.author_name) == (DI.id, "Al")


@pytest.mark.parametrize("readers", ["", "e-bo", "e-al"])
def test_gossip_widens_nothing(readers):
    """What the hearer may not know is not told on, and keeps its label where it is."""
    with pytest.raises(AssistantError, match="may not know"):
        pass_on(line(1, 3, "A secret.", readers=readers), BO, CY.id, day=5, at=9.0)
    told = pass_on(line(1, 3, "For two.", readers="e-bo,e-cy"), BO, CY.id, day=5, at=9.0)
    assert told.readers == "e-bo,e-cy"


def test_gossip_does_not_come_back():
    """Nobody is told what they said or told themselves."""
    told = pass_on(line(1, 3, "The well is dry."), BO, CY.id, day=5, at=9.0)
    for origin in ("e-al", BO.id):
        with pytest.raises(AssistantError, match="already"):
            pass_on(told, CY, origin, day=5, at=9.0)


def test_old_days_are_folded_label_by_label():
    """A summary for each day and label, with its evidence; young days stay as they are."""
    rows = [line(n, 1 + n // 4, f"word{n}", readers="*" if n % 2 else "e-al") for n in range(12)]
    folded = fold_days(rows, before=3, at=99.0)
    assert [(one.game_day, one.readers, one.parents) for one in folded.summaries] == [
        (1, "*", (1, 3)), (1, "e-al", (0, 2)), (2, "*", (5, 7)), (2, "e-al", (4, 6)),
    ]  # fmt: skip
    assert "word0" not in folded.summaries[0].content
    assert sorted(folded.archived) == list(range(8))


def test_permanent_memories_are_never_folded():
    """Nor is a day with a single line."""
    rows = [line(1, 1, "plot", meta={"permanent": True}), line(2, 1, "a"), line(3, 2, "b")]
    assert fold_days(rows, before=9, at=9.0).summaries == []


def test_a_recap_tells_open_things_only():
    """One row goes home, without what was whispered; from whispers alone there is none."""
    lines = [line(1, 1, "We found it."), line(2, 1, "The password is mud.", readers="e-al")]
    made = recap(lines, "The Sword", day=9, at=9.0)
    assert "We found it." in made.content
    assert "password" not in made.content
    assert (made.session, made.container, made.meta["scene"]) == ("", "e-bo", "s1")
    assert recap(lines[1:], "The Sword", day=9, at=9.0) is None


def test_a_recap_is_no_small_talk_and_cuts_no_word():
    """Greetings and nods stand in it only where nothing else was said; long ones end at a word."""
    tale = "The ferryman swears that " + "the drowned bell rings under the weir " * 8
    small = [
        line(number, 1, words)
        for number, words in enumerate(("Good morning!", "Aye, Al.", "Hm.", "Al, where is it?"))
    ]
    made = recap([*small, line(4, 1, "The bridge is down."), line(5, 1, tale)], "", day=9, at=9.0)
    assert "The bridge is down." in made.content
    for word in ("morning", "Aye", "Hm", "where"):
        assert word not in made.content
    last = made.content.removesuffix("…").split()[-1]
    assert last in tale.split()
    assert "Aye" in recap(small, "", day=9, at=9.0).content


def test_as_of_answers_exactly():
    """On 1,000 scripted events with corrections and late arrivals: what was known by each day."""
    dice = random.Random(5)
    rows, truth = [], []  # truth: (learnt day, retired day or None, at, retired at, about, id)
    for number in range(1, 1001):
        day, late = 1 + number // 40, dice.random() < 0.2
        about = max(1, day - dice.randrange(8)) if late else day
        known = [one for one in truth if one[1] is None]
        row = line(number, day, f"fact {number}", meta={"happened_day": about})
        if known and dice.random() < 0.3:
            old = dice.choice(known)
            before = rows[old[5] - 1]
            row, notes = correction(before, f"fact {number}", day=day, at=float(number))
            rows[old[5] - 1] = replace(before, meta={**before.meta, **notes})
            row, about = replace(row, id=number), before.meta["happened_day"]
            truth[old[5] - 1] = (*old[:1], day, old[2], float(number), *old[4:])
        rows.append(row)
        truth.append((day, None, float(number), None, about, number))
    for day in range(1, 28):
        for about in (None, 3, 12):
            expected = [
                one[5] for one in truth
                if one[0] <= day and (one[1] is None or day < one[1])
                and (about is None or one[4] <= about)
            ]  # fmt: skip
            assert [row.id for row in known_as_of(rows, day=day, about=about)] == expected
    for at in (1.0, 333.0, 640.5, 1000.0):
        expected = [one[5] for one in truth if one[2] <= at and (one[3] is None or at < one[3])]
        assert [row.id for row in known_as_of(rows, at=at)] == expected
