"""The bench of the first hour: its sheet goes out to two readers and comes back as shares."""

import csv

import pytest

from bench.first_hour import QUESTIONS, questions
from bench.first_hour_sheet import COLUMNS, SILENCE, Asked, judged, kappa, verdicts, written

ROW = {"id": "hello", "to": "Tansy", "before": ["hi"]}


def sheet(path, *given):
    with path.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(COLUMNS)
        out.writerows([number, *[""] * 5, verdict] for number, verdict in enumerate(given, 1))
    return path


def test_questions_come_in_three_wordings():
    """What is asked is whole: whom, in which words, and for what an answer is good."""
    rows = questions(QUESTIONS)
    assert len({row["id"] for row in rows}) == len(rows) == 100
    assert all(len(row["wordings"]) == 3 and row["good"] for row in rows)


def test_a_question_without_words_is_refused(tmp_path):
    """The file and the row are named."""
    (path := tmp_path / "wrong.json").write_text('[{"id": "x", "to": "Tansy", "wordings": []}]')
    with pytest.raises(ValueError, match=r"wrong\.json.*no wordings"):
        questions(path)


def test_silence_is_shown_as_such(tmp_path):
    """Nothing in the column of answers would be overlooked."""
    asked = Asked.of(ROW, {"pose": "waves."}, "", ["Welcome!"])
    written(path := tmp_path / "sheet.csv", [asked])
    (row,) = csv.DictReader(path.open())
    assert (row["wording"], row["answer"]) == ("pose: waves.", SILENCE)
    assert row["before"] == "> hi\nWelcome!"


def test_the_same_answer_twice_is_counted():
    """In one visit; another newcomer may hear it too."""
    assert Asked.of(ROW, "hi", "Welcome!", ["Welcome!"]).again
    assert not Asked.of(ROW, "hi", "Yes?", ["Welcome!"]).again


def test_shares_and_agreement_are_told(tmp_path, capsys):
    """Two readers of four answers, who differ on one."""
    first = sheet(tmp_path / "a.csv", "fitting", "fitting", "fitting", "dull")
    second = sheet(tmp_path / "b.csv", "fitting", "Fitting", "fitting", "wrong")
    assert judged(first, second) == 1
    told = capsys.readouterr().out
    assert "Cohen's kappa: 0.43" in told
    assert "MISSED  wrong, or breaking the illusion: 12.5 percent" in told
    assert "met     not fitting: 25 percent" in told


def test_a_verdict_that_is_none_is_named(tmp_path):
    """A row that a reader left out does not count as anything."""
    with pytest.raises(ValueError, match="row 2: '' is none of"):
        verdicts(sheet(tmp_path / "a.csv", "dull", ""))


def test_chance_is_no_agreement():
    """Where both agree as often as by chance, kappa is nothing."""
    pairs = [("fitting", "fitting"), ("fitting", "dull"), ("dull", "fitting"), ("dull", "dull")]
    assert kappa(pairs) == 0.0
    assert kappa([("dull", "dull")]) == 1.0
