"""Chapters: what of a model's telling of a day stands."""

import json
from dataclasses import replace

from ai_assistant.core.contracts import MemoryRow
from ai_assistant.core.readers import OPEN, canonical
from ai_assistant.roleplay.chapters import (
    chapter_asked,
    chapter_row,
    read_chapter,
    to_tell,
    told_since,
)
from ai_assistant.roleplay.day_summaries import (
    important,
    known_as_of,
    last_day,
    recap,
    retold_recap,
)

SAID = (
    "Bob, the gate of the mill is open since midnight.",
    "Then somebody went in with the lantern.",
    "I found 3 silver coins behind the oven.",
    "Let us ask the reeve what he knows.",
)


def day(*said, readers=OPEN, first=1):
    return [
        MemoryRow(
            content=line, kind="utterance", session="s", container="bob", author="pia",
            author_name="Pia", readers=readers, game_day=5, learned_at=float(number), id=number,
        )
        for number, line in enumerate(said, first)
    ]  # fmt: skip


ROWS = day(*SAID)
PEOPLE = {"pia": "Pia", "bob": "Bob", "quinn": "Quinn"}


def read(*sentences, rows=ROWS):
    given = [{"text": text, "from": ids} for text, ids in sentences]
    return read_chapter(json.dumps({"sentences": given}), rows, PEOPLE.values(), PEOPLE)


def test_a_sentence_names_its_lines():
    told = read(("Pia found 3 silver coins behind the oven.", [3]))
    assert told == [{"text": "Pia found 3 silver coins behind the oven.", "from": [3]}]


def test_what_no_line_says_is_left_out():
    """No lines, lines that were not shown, another number, another name, or half a novel."""
    assert not read(("Pia found coins.", []))
    assert not read(("Pia found coins.", [9]))
    assert not read(("Pia found coins.", ["3"]))
    assert not read(("Pia found coins.", [[3]]))
    assert not read(("Pia found 5 silver coins.", [3]))
    assert not read(("Quinn found silver coins.", [3]))
    assert not read(("Pia went on and on. " * 40, [3]))
    for text in ("", "I cannot do that.", "[]", '{"sentences": 3}', '{"sentences": ["a"]}'):
        assert not read_chapter(text, ROWS, PEOPLE.values(), PEOPLE)


def test_one_fault_spares_the_others():
    told = read(("Quinn found coins.", [3]), ("Pia wants to ask the reeve.", [4]))
    assert [one["from"] for one in told] == [[4]]


def test_to_whom_a_line_was_said_may_be_told():
    """The words need not name them; whoever did not hear it is in no sentence."""
    (row,) = day("I have the sword!")
    rows = [replace(row, meta={"participants": ["pia", "bob"]})]
    assert chapter_asked(rows, "Bob", PEOPLE)["lines"] == [
        {"id": 1, "who": "Pia", "to": ["Bob"], "line": "I have the sword!"}
    ]
    assert read(("Pia showed Bob the sword.", [1]), rows=rows)
    assert not read(("Pia showed Quinn the sword.", [1]), rows=rows)


def test_what_happened_is_told_with_what_was_said():
    """Not only words: who took what is of the day, and nobody said it."""
    (took,) = (replace(row, kind="character_update", author_name="") for row in day("Bob took it"))
    assert last_day([*ROWS, took]) == [*ROWS, took]
    assert chapter_asked([took], "Bob", PEOPLE)["lines"] == [{"id": 1, "line": "Bob took it"}]
    assert "/ Bob took it" in recap([*ROWS, took], "The Mill", day=1, at=9.0).content
    assert not last_day([took])


def test_a_model_sees_what_is_open_and_enough():
    """Whispers are not shown, and three lines need no chapter."""
    whispered = day("The reeve did it.", readers=canonical(["pia"]), first=9)
    assert to_tell([*ROWS, *whispered]) == ROWS
    assert not to_tell([*ROWS[:3], *whispered])


def test_the_rest_is_told_beside_it():
    """What was whispered, and what was said since."""
    row = chapter_row(ROWS, read(("Pia found coins.", [3])), 9.0)
    later = day("The bell rings!", first=5)
    whispered = day("The reeve did it.", readers=canonical(["pia"]), first=2)
    assert told_since(row, [*ROWS, *later, *whispered]) == [*later, *whispered]


def test_it_rests_on_its_lines():
    row = chapter_row(ROWS, read(("Pia found coins.", [3]), ("Pia asks on.", [4, 2])), 9.0)
    assert row.parents == (2, 3, 4)
    assert row.content == "Pia found coins. Pia asks on."
    assert row.game_day == 5
    assert row not in known_as_of([*ROWS, row], day=5)  # it is nothing that anybody knew


def test_an_account_has_its_sentences():
    """A day that no model told is in it with its lines."""
    account = recap(ROWS, "The Mill", day=1, at=9.0)
    row = chapter_row(ROWS, read(("Pia found coins.", [3])), 9.0)
    told = "When we played The Mill: Pia found coins."
    assert retold_recap(account, [*ROWS, row]).content == told
    assert retold_recap(account, ROWS) is None
    (later,) = (replace(row, game_day=6) for row in day("The reeve paid us.", first=5))
    assert retold_recap(account, [*ROWS, row, later]).content == f"{told} Pia: The reeve paid us."


def test_a_greeting_to_all_is_small_talk():
    told = important(
        day("Hello everybody", "The bridge is out.", "Good evening, all!", "All is lost.")
    )
    assert [row.content for row in told][:1] == ["The bridge is out."]
    assert "Hello everybody" not in [row.content for row in told]
