"""Chapters: what of a model's telling of a day stands."""

import json
from dataclasses import replace

from ai_assistant.core.contracts import MemoryRow
from ai_assistant.core.readers import OPEN, canonical
from ai_assistant.language.words import stem
from ai_assistant.roleplay.chapters import (
    chapter_asked,
    chapter_row,
    read_chapter,
    to_tell,
    told_since,
)
from ai_assistant.roleplay.day_summaries import fold_days, known_as_of, recap, retold_recap
from ai_assistant.roleplay.knowledge import as_seen, character_update, state_update
from ai_assistant.roleplay.tale import EVENTS, LINES, important, last_day

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
NAMES = {"pia": "Pia", "bob": "Bob Miller", "quinn": "Quinn"}


def seen(what, number, kind="item_acquired"):
    made = character_update("pia", what, kind, day=5, at=float(number), location="mill")
    return replace(as_seen(made, "bob"), id=number)


def read(*sentences, rows=ROWS):
    given = [{"text": text, "from": ids} for text, ids in sentences]
    return read_chapter(json.dumps({"sentences": given}), rows, NAMES)


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
        assert not read_chapter(text, ROWS, NAMES)


def test_one_fault_spares_the_others():
    told = read(("Quinn found coins.", [3]), ("Pia wants to ask the reeve.", [4]))
    assert [one["from"] for one in told] == [[4]]


def test_a_model_sees_what_is_open_and_enough():
    """Whispers are not shown, and three lines need no chapter."""
    whispered = day("The reeve did it.", readers=canonical(["pia"]), first=9)
    assert to_tell([*ROWS, *whispered]) == ROWS
    assert not to_tell([*ROWS[:3], *whispered])


def test_who_only_saw_what_happened_needs_no_model():
    """Four lines of the record are sentences as they are."""
    happened = [replace(row, author="", author_name="") for row in ROWS]
    assert not to_tell(happened)
    assert to_tell([*happened, *ROWS])


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


def test_an_account_has_the_sentences_of_a_day_and_the_lines_of_a_day_without():
    account = recap(ROWS, "The Mill", day=1, at=9.0)
    row = chapter_row(ROWS, read(("Pia found coins.", [3])), 9.0)
    told = "When we played the scene The Mill: Pia found coins."
    assert retold_recap(account, [*ROWS, row]).content == told
    assert retold_recap(account, ROWS) is None
    (later,) = (replace(one, game_day=6) for one in day("The reeve paid us.", first=5))
    assert retold_recap(account, [*ROWS, row, later]).content == f"{told} Pia: The reeve paid us."


def test_a_greeting_to_all_is_small_talk():
    told = important(
        day("Hello everybody", "The bridge is out.", "Good evening, all!", "All is lost.")
    )
    assert [row.content for row in told][:1] == ["The bridge is out."]
    assert "Hello everybody" not in [row.content for row in told]


def test_a_day_is_summed_up_in_the_words_of_its_chapter():
    """And told once: the chapter goes with its lines; what was said since is told beneath."""
    took = seen("Pia took the lantern", 5)
    told = read(("Pia took the lantern.", [2, 5]), ("Pia found 3 coins.", [3]), rows=[*ROWS, took])
    chapter = replace(chapter_row([*ROWS, took], told, 9.0), id=8)
    later = day("The bell of the mill rang at dawn.", first=9)
    folded = fold_days([*ROWS, took, chapter, *later], before=6, at=10.0)
    (made,) = folded.summaries
    assert made.content.startswith(
        "Day 5: Pia took the lantern. Pia found 3 coins. / Pia: The bell"
    )
    assert made.parents == (1, 2, 3, 4, 5, 9)
    assert folded.archived == [1, 2, 3, 4, 9, 8]
    account = replace(made, content="When we played the scene The Mill: Pia: The bell")
    assert "Pia took the lantern. Pia found 3 coins." in retold_recap(account, [made]).content


def test_hearsay_is_summed_up_apart_from_the_chapter():
    """A sentence that rests on both says whose word it is in neither."""
    chain = {"chain": ["quinn"], "origin": "e1"}
    heard = [replace(row, id=row.id + 9, meta=chain) for row in ROWS[:2]]
    told = read(("Pia found 3 coins.", [3, 10]), rows=[*ROWS, *heard])
    chapter = chapter_row([*ROWS, *heard], told, 9.0)
    folded = fold_days([*ROWS, *heard, replace(chapter, id=30)], before=6, at=10.0)
    assert not [one for one in folded.summaries if "3 coins" in one.content]
    assert 30 not in folded.archived


def test_what_happened_is_told_beside_what_was_said():
    """Who got what, but neither each step nor the date; a model is shown all but the date."""
    took, went = seen("Pia took the lantern", 5), seen("Pia went to mill", 6, "moved")
    date = as_seen(state_update("It is day 5 now", day=5, at=0.0, state="day"), "bob")
    shown = last_day([date, *ROWS, took, went])
    assert shown == [*ROWS, took, went]
    assert took in important(shown)
    assert went not in important(shown)
    asked = chapter_asked(shown, "Bob", NAMES)["lines"][-2]
    assert asked == {"id": 5, "happened": "Pia took the lantern", "at": "mill"}
    assert "Pia took the lantern" in recap(shown, "The Mill", day=1, at=9.0).content


def test_a_day_is_shown_in_order_of_time():
    """A line that is kept after the gift it asked for stands before it; nothing is told twice."""
    given = replace(seen("Bob Miller got the lantern", 2), learned_at=3.5)
    asked = replace(ROWS[3], id=7)
    assert last_day([ROWS[0], given, asked]) == [ROWS[0], given, asked]
    late = [replace(asked, learned_at=3.2), *ROWS[:3]]
    shown = last_day([*late, given])
    assert shown == [*ROWS[:3], late[0], given]
    made = chapter_row(shown, read(("Pia asks.", [7]), rows=shown), 9.0)
    assert told_since(made, shown) == []


def test_each_deed_has_a_name():
    """That of whoever did it, once, also where the words begin without."""
    acts = [replace(row, kind="deed") for row in day("ducks behind the oven.", "Pia waves.")]
    lines = chapter_asked(acts, "Bob", NAMES)["lines"]
    assert [line["did"] for line in lines] == ["Pia ducks behind the oven.", "Pia waves."]


def test_a_day_of_deeds_alone_is_a_day():
    """What somebody did makes one, what is only set does not."""
    took = replace(seen("Pia took the lantern", 5), game_day=6)
    weather = as_seen(state_update("weather: rain", day=7, at=6.0, flag="weather"), "bob")
    assert last_day([*ROWS, took, weather]) == [took]
    assert last_day([*ROWS, weather]) == ROWS


def test_a_fact_is_told_once():
    """Whoever says it again is left out; whoever adds to it is not."""
    first, again, more = day(
        "I lost my silver ring under the bridge when I was a child.",
        'Ooh, I heard that. Pia said: "I lost my silver ring under the bridge when I was a child."',
        "The silver ring you lost under the bridge hangs on the hat of the stuffed crow!",
    )
    assert important([first, again, more]) == [first, more]


def test_of_a_long_day_what_says_most_is_told():
    """Not the questions that name somebody, and not its beginning; what happened has a share."""
    asked = [replace(row, importance=10) for row in day(*["Bob, what about the mill then?"] * 30)]
    said = day(*(f"Stone{n} broke beam{n} over barrel{n}." for n in range(20)), first=31)
    events = [seen(f"Pia took stone{n}", 60 + n) for n in range(9)]
    told = important([*asked, *said, *events])
    assert len(told) == LINES
    assert [row.id for row in told if row in events] == list(range(69 - EVENTS, 69))
    assert not [row for row in told if row in asked]


def test_of_hundreds_of_lines_the_words_of_a_few_are_looked_at_closely():
    """The stem of each new word takes time: nobody stops a game by talking nonsense in a scene."""
    nonsense = (" ".join(f"bel{n}x{m}" for m in range(200)) for n in range(400))
    before = stem.cache_info().misses
    assert len(important(day(*nonsense))) == LINES
    assert stem.cache_info().misses - before < 2000


def test_whoever_took_part_in_a_line_may_be_named():
    """A line that calls nobody by the full name was to somebody who has one."""
    row = replace(ROWS[0], meta={"participants": ["pia", "bob"]})
    told = ("Pia told Bob Miller that the gate was open.", [1])
    assert not read(told)
    assert read(told, rows=[row])
    assert not read(("Pia told Quinn that the gate was open.", [1]), rows=[row])
    assert chapter_asked([row], "Bob", NAMES)["lines"][0]["to"] == ["Bob Miller"]
