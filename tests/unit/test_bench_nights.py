"""The nights of `bench.nights`: what is kept, asked again or not, and what the sheets come to."""

import contextlib
import functools
import io
import json
import shutil
import sys
import threading
import time

import pytest

from ai_assistant.testing.box import Box
from ai_assistant.testing.by_hand import ByHand
from bench import nights
from bench import nights_sheets as sheets

FIRST = "I adopted a grey cat named Biscuit."
LAST = "Biscuit ran away for good, alas."
KEPT = "Ada has a grey cat named Biscuit."
OVER = "Ada no longer has the cat Biscuit."
AGAIN = "Ben counts aloud."


def turn(id, who, text, **more):
    return {"dia_id": id, "speaker": who, "text": text, **more}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Return a file with one dialogue of two days."""
    talk = {
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            turn("D1:1", "Ada", FIRST, blip_caption="a photo of a cat"),
            *(turn(f"D1:{n}", "Ben", f"Well, well, number {n}!") for n in range(2, 6)),
        ],
        "session_2_date_time": "1:14 pm on 25 May, 2023",
        "session_2": [
            turn("D2:1", "Ada", LAST),
            *(turn(f"D2:{n}", "Ben", f"Dear me, number {n}!") for n in range(2, 6)),
        ],
    }
    qa = [
        {"question": "What is Ada's cat called?", "answer": "Biscuit", "evidence": ["D1:1"],
         "category": 1},
        {"question": "Who is king?", "evidence": ["D1:2"], "category": 5},
        {"question": "Nobody knows?", "evidence": ["D1:2"], "category": 2},
    ]  # fmt: skip
    file = tmp_path_factory.mktemp("dialogues") / "dialogues.json"
    file.write_text(json.dumps([{"sample_id": "one", "conversation": talk, "qa": qa}]))
    return file


def run(path, *options):
    """Run the bench; returns what it printed, and the figures of its last line."""
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out):
        patch.setattr(sys, "argv", ["nights", str(path), *map(str, options)])
        assert nights.main() == 0
    return out.getvalue(), json.loads(out.getvalue().splitlines()[-1])


@pytest.fixture
def bench(path):
    """Return a way to run the bench."""
    return functools.partial(run, path)


def fact(text, quote, **more):
    return {"about": "Ada", "fact": text, "lines": ["l1"], "quote": quote, "replaces": [],
            "ended": False, "type": "possession", **more}  # fmt: skip


def ben(quote):
    return {**fact(AGAIN, quote), "about": "Ben", "lines": ["l2"]}


DAYS = (
    [fact(KEPT, FIRST), fact("Ada has nine dogs.", FIRST), ben("Well, well, number 2!")],
    [fact(OVER, LAST, replaces=["k1"], ended=True), ben("Dear me, number 2!")],
)


def read(hand, until):
    """Answer as a hand does: a day's facts for each request."""
    for facts in DAYS:
        while not (waiting := hand.box.waiting()) and not until.is_set():
            time.sleep(0.02)
        if waiting:
            hand.box.write_reply(waiting[0], json.dumps({"facts": facts, "people": []}))
            while hand.box.record(waiting[0]) is None and not until.is_set():
                time.sleep(0.02)


@pytest.fixture(scope="module")
def played(tmp_path_factory, path):
    """Return the box in which a hand answered both nights, and what the bench made of it."""
    folder, over = tmp_path_factory.mktemp("played") / "box", threading.Event()
    with ByHand(folder, timeout=120.0) as hand:
        reader = threading.Thread(target=read, args=(hand, over))
        reader.start()
        try:
            told = run(path, "--box", folder, "--endpoint", hand.url)
        finally:
            over.set()
            reader.join()
    return folder, *told


@pytest.fixture
def box(played, tmp_path):
    """Return a copy of that box."""
    return shutil.copytree(played[0], tmp_path / "box")


def test_what_a_hand_reads_is_kept_night_after_night(played):
    """A fact stands with its lines in full; one that the lines do not show is told of."""
    _, out, figures = played
    assert (figures["nights"], figures["lines"], figures["kept"]) == (2, 10, 3)
    assert (figures["calls"], figures["refused"], figures["again"]) == (2, 1, 1)
    assert "'Ada has nine dogs.': " in out


def test_an_answered_box_asks_nobody(played, box, bench, tmp_path):
    """The same box gives the same facts without any endpoint, and stays as it is."""
    figures = played[2]
    before = sorted(box.iterdir())
    facts = tmp_path / "facts.jsonl"
    _, again = bench("--box", box, "--facts", facts)
    rows = [json.loads(line) for line in facts.read_text().splitlines()]
    assert {**again, "on": 0} == {**figures, "on": 0}
    assert sorted(box.iterdir()) == before
    days = {KEPT: "2023-05-08", AGAIN: "2023-05-08", OVER: "2023-05-25"}
    assert {one["fact"]: one["day"] for one in rows} == days
    assert rows[0]["lines"] == [{"who": "Ada", "says": f"{FIRST} (shows a photo of a cat)"}]
    assert (rows[2]["replaces"], rows[2]["ended"]) == ([KEPT], True)


def test_a_run_ends_where_its_box_ends(box, bench):
    """What was answered so far counts, and no sheet is written of half a life."""
    (box / "0002.answer.json").unlink()
    sheet = box.parent / "sheet.json"
    out, figures = bench("--box", box, "--sheet", sheet)
    assert (figures["nights"], figures["kept"]) == (1, 2)
    assert "Ended in night 2" in out
    assert not sheet.exists()


def test_drafts_hold_the_lines_of_every_night(bench, tmp_path, box):
    """They show the lines under the ids that they have in the end, and nothing as known."""
    bench("--box", tmp_path / "drafts", "--drafts")
    drafts, asked = Box(tmp_path / "drafts"), Box(box)
    for number in ("0001", "0002"):
        one, other = (json.loads(b.request(number)["messages"][1]["content"])
                      for b in (drafts, asked))  # fmt: skip
        assert (one["lines"], one["people"]) == (other["lines"], other["people"])
        assert one["known"] == []


def test_the_second_reader_sees_fact_and_lines_alone(box, bench, tmp_path):
    """Marks are read back, and what is wrong is told with the reason."""
    sheet = tmp_path / "sheet.json"
    bench("--box", box, "--sheet", sheet)
    rows = sheets.read_json(sheet)
    shown = {"id", "fact", "lines", "right", "why"}
    assert [set(one) for one in rows] == [shown, shown, shown | {"over"}]
    rows[0]["right"], rows[2]["right"], rows[2]["why"] = "yes", "no", "it may come back"
    sheets.write_json(sheet, rows)
    out, figures = bench("--box", box, "--sheet", sheet)
    assert (figures["facts_marked"], figures["facts_wrong_percent"]) == (2, 50.0)
    assert f"{OVER} (it may come back)" in out


def test_a_mark_that_is_neither_yes_nor_no_is_no_mark():
    """A slip of the pen is not counted as right or wrong."""
    with pytest.raises(ValueError, match="neither"):
        sheets.verdict({"id": "f001", "right": "maybe"})


def test_a_reader_gets_a_question_once_with_one_pack(box, bench, tmp_path):
    """One pack has the traits before the memories; no sheet tells gold or pack by name."""
    stem = tmp_path / "asked"
    bench("--box", box, "--questions", stem)
    packs = [sheets.read_json(one) for one in sheets.sheet_paths(stem)]
    assert [[one["question"] for one in some] for some in packs] == [
        ["What is Ada's cat called?"]
    ] * 2
    short, long = sorted((some[0]["evidence"] for some in packs), key=len)
    traits = [one for one in long if one not in short]
    assert traits == [f'- of Ada: "{OVER}" (before: "{KEPT}")']
    assert long == traits + short
    assert set(packs[0][0]) == {"id", "question", "evidence", "answer"}


def test_answers_are_scored_by_words_and_by_a_judge(box, bench, tmp_path):
    """Each pack gets its own share; the judge sees no pack."""
    stem = tmp_path / "asked"
    options = ("--box", box, "--questions", stem)
    bench(*options)
    key = {one["id"]: one["arm"] for one in sheets.read_json(tmp_path / "asked.key.json")}
    for sheet in sheets.sheet_paths(stem):
        (row,) = sheets.read_json(sheet)
        row["answer"] = "the Biscuit" if key[row["id"]] == sheets.ARMS[1] else "no idea"
        sheets.write_json(sheet, [row])
    _, figures = bench(*options)
    assert [figures[f"f1 of {arm}"] for arm in sheets.ARMS] == [0.0, 1.0]
    judge = tmp_path / "asked.judge.json"
    rows = sheets.read_json(judge)
    assert set(rows[0]) == {"id", "question", "gold", "answer", "right", "why"}
    for row in rows:
        row["right"] = "yes" if "Biscuit" in row["answer"] else "no"
    sheets.write_json(judge, rows)
    _, figures = bench(*options)
    assert [figures[f"right, % of {arm}"] for arm in sheets.ARMS] == [0.0, 100.0]
    assert (figures["right_by_memories_only"], figures["right_with_traits_only"]) == (0, 1)
