"""The checker of `bench.mind`: it finds what it is there to find, and accuses nobody else."""

import json
import runpy
import struct
from pathlib import Path

import pytest

from ai_assistant.testing.box import Box
from bench.mind import stage
from bench.mind.answers import Answers, share
from bench.mind.cast import CastError, load, parse
from bench.mind.checker import Checker
from bench.mind.stage import Shown

TANSY = "Tansy Brewell"
STEPS = [
    {"id": "hello", "who": "Mira", "type": "say hello"},
    {"id": "ask", "who": "Rolf", "type": "say well?"},
]


def cast(*expect, steps=STEPS, **more):
    return parse({"players": ["Mira", "Rolf"], "steps": steps, "expect": expect, **more})


def mind(**parts):
    kept = {key: {} for key in ("profile", "journal", "notebook", "session_memory")}
    return kept | {"promises": [], "goals": [], "memories": [], "talks": []} | parts


def checker(given, *shown, mind=None, objects=(), answers=None):
    state = {"minds": {TANSY: mind or {}}, "objects": list(objects), "audit": []}
    return Checker(given, [Shown(*one) for one in shown], {"end": state}, answers)


def wrong(*args, **options):
    """Return what is wrong with the first expectation."""
    return checker(*args, **options).findings()[0].wrong


def tool(name):
    return {"type": "function", "function": {"name": name, "parameters": {}}}


def answered(folder, message, *later):
    """Return the answers of a box in which one turn was answered so."""
    box = Box(folder)
    first = {"messages": [{"role": "user", "content": "?"}], "tools": [tool("whisper")]}
    number = box.lay(first)
    box.close(number, {"body": {"choices": [{"message": message}]}})
    for one in later:
        box.lay({**first, "messages": [one]})
    return Answers(box, {number: 1})


def call(name, id="c1", **arguments):
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"content": None, "tool_calls": [{"id": id, "type": "function", "function": function}]}


# -- casts


@pytest.mark.parametrize(
    "fault",
    [
        {"steps": [{"id": "a", "who": "Nobody", "type": "say x"}]},
        {"steps": [{"id": "a", "who": "Mira", "type": "x"}, {"id": "a", "do": "night"}]},
        {"steps": [{"do": "fly"}]},
        {"steps": [{"who": "Mira"}]},
        {"expect": [{"screen": "Rolf", "after": "nowhere"}]},
        {"expect": [{"screen": "Rolf", "must": ["("]}]},
        {"expect": [{"screen": "Rolf", "musst": ["x"]}]},
        {"expect": [{"any": [{"calls": "nowhere", "most": 1}]}]},
        {"expect": [{"name": "of nothing"}]},
    ],
)
def test_a_cast_that_cannot_be_played_is_refused(fault):
    """Whoever writes a cast learns at once what is wrong with it, not after an hour of play."""
    with pytest.raises(CastError):
        parse({"players": ["Mira"], "steps": STEPS[:1], **fault})


def test_lines_are_counted(tmp_path):
    """Two at once are two lines; what is not typed is none."""
    both = {"together": [{"who": "Mira", "type": "a"}, {"who": "Rolf", "type": "b"}]}
    path = tmp_path / "cast.json"
    path.write_text(json.dumps({"players": ["Mira", "Rolf"], "steps": [both, {"do": "night"}]}))
    assert load(path).lines == 2


# -- screens and state


def test_an_answer_counts_on_the_right_screen_at_the_right_time():
    """By whom, to whom and after which step it has to be seen."""
    given = cast({"screen": "Mira", "by": TANSY, "after": "hello", "must": ["good day"]})
    line = f'{TANSY} says, "Good day."'
    assert not wrong(given, (1, "Mira", line))
    assert wrong(given, (1, "Rolf", line))
    assert wrong(given, (2, "Mira", line))
    assert wrong(given, (1, "Mira", 'Rolf says, "Good day."'))


def test_what_was_told_is_not_asked_again():
    """A question about it is wrong; a statement is not."""
    given = cast({"screen": "*", "after": "hello", "until": "ask", "not_asked": ["your name"]})
    assert wrong(given, (2, "Mira", f'{TANSY} says, "Well. What was your name?"'))
    assert not wrong(given, (2, "Mira", f'{TANSY} says, "I know your name. Shall we?"'))


def test_one_way_or_another():
    """An act is done, or refused with its reason."""
    ways = [{"object": "a jar", "at": "Mira"}, {"screen": "Mira", "must": ["locked"]}]
    given = cast({"any": ways})
    assert wrong(given, objects=[{"name": "a jar", "at": "The Pantry"}])
    assert not wrong(given, objects=[{"name": "a jar", "at": "Mira"}])
    assert not wrong(given, (1, "Mira", "It is locked."))


def test_a_profile_holds_what_was_told():
    """A part of a mind, about one person, contains this and not that."""
    facts = {"Mira": {"observations": [{"content": "Mira loves onions"}]}}
    expected = {"mind": TANSY, "part": "profile", "about": "Mira", "must": ["onions"]}
    assert not wrong(cast(expected), mind=mind(profile=facts))
    assert wrong(cast({**expected, "about": "Rolf"}), mind=mind(profile=facts))
    assert wrong(cast({**expected, "must_not": ["loves"]}), mind=mind(profile=facts))


def test_feelings_stay_within_bounds():
    """After an insult nobody is liked better than the cast allows."""
    felt = mind(profile={"Rolf": {"relationship": {"favorability": 0.4}}})
    bounds = {"mind": TANSY, "part": "feeling", "about": "Rolf"}
    assert wrong(cast({**bounds, "at_most": 0.3}), mind=felt)
    assert not wrong(cast({**bounds, "at_least": 0.3}), mind=felt)


# -- secrets and raw formats


def test_a_secret_on_another_screen_is_a_leak():
    """Whoever may know it sees it, nobody else; what is stored as open is a leak as well."""
    given = cast(secrets=[{"word": "Zephyrine", "only": ["Mira"]}])
    assert not checker(given, (1, "Mira", "zephyrine!")).leaks()
    assert checker(given, (1, "Rolf", "the ZEPHYRINE map")).leaks()
    row = {"text": "Mira seeks Zephyrine", "readers": "e1"}
    assert not checker(given, mind=mind(memories=[row])).leaks()
    assert checker(given, mind=mind(memories=[{**row, "readers": "*"}])).leaks()


@pytest.mark.parametrize(
    "spoken",
    [
        '<tool_call>("name": "give")</tool_call>',
        '[TOOL_CALLS] [("name": "give")]',
        'say(text="Hello.")',
        "Here you are, p1.",
        "**Brambleford!**",
        "*smiles* Hello.",
        f'{TANSY} says, "Hello."',
        "```json",
        "As an AI language model I cannot",
        "<think>Hm",
    ],
)
def test_raw_formats_are_found(spoken):
    """What models write and no character says."""
    assert checker(cast(), (1, "Mira", f'{TANSY} says, "{spoken}"')).raw()


@pytest.mark.parametrize(
    "spoken",
    ["Take it (it is 5 coppers) - all of it!", 'He said "give me 2" & left.', "3 * 4, or 5 * 6?"],
)
def test_plain_speech_is_not_raw(spoken):
    """Brackets, quotes and stars of everyday talk pass, and so does what players type."""
    assert not checker(cast(), (1, "Mira", f'{TANSY} says, "{spoken}"')).raw()
    assert not checker(cast(), (1, "Mira", 'Rolf says, "<tool_call> p1"')).raw()


# -- finished lines


def test_a_spoken_line_is_not_lost(tmp_path):
    """Words on a screen count though they were cleaned and a gesture was cut off."""
    answers = answered(tmp_path, {"content": "*smiles* Hello there, **old** friend of mine!"})
    shown = [Shown(1, "Mira", f'{TANSY} smiles "Hello there, old friend of mine!"')]
    assert not answers.lost(shown, [TANSY], [])


@pytest.mark.parametrize(
    "message",
    [
        {"content": "Twelve coppers, and we shake on it."},
        call("whisper", to="p1", text="Twelve coppers, and we shake on it."),
        {"content": '<tool_call>{"name": "say", "arguments": {"text": "Twelve coppers!"}}'},
    ],
)
def test_a_line_nobody_heard_is_lost(tmp_path, message):
    """However it was written, and though somebody else said something like it."""
    shown = [
        Shown(1, "Mira", 'Rolf says, "Twelve coppers, and we shake on it."'),
        Shown(5, "Mira", f'{TANSY} says, "Twelve coppers, and we shake on it."'),
    ]
    (lost,) = answered(tmp_path, message).lost(shown, [TANSY], [])
    assert lost.reason == ""


def test_a_lost_line_has_its_reason(tmp_path):
    """What the result of its call said, or what the audit log holds, is its reason."""
    text = "Twelve coppers, and we shake on it."
    result = {"role": "tool", "tool_call_id": "c1", "content": '{"ok": false, "error": "Gone."}'}
    answers = answered(tmp_path / "a", call("whisper", text=text), result)
    assert [one.reason for one in answers.lost([], [TANSY], [])] == ["Gone."]
    audit = [{"data": {"parameters": {"text": text}, "success": False, "error": "Ceiling."}}]
    answers = answered(tmp_path / "b", {"content": text})
    assert [one.reason for one in answers.lost([], [TANSY], audit)] == ["Ceiling."]


def test_the_reason_for_plain_words_is_found(tmp_path):
    """Plain words have no call: what came after them in the talk, or how their turn ended."""
    text = "Twelve coppers, and we shake on it."
    after = {"role": "user", "content": "(Your words were not said: nobody is here.)"}
    box = Box(tmp_path / "a")
    answered(tmp_path / "a", {"content": text})
    box.lay({"messages": [{"role": "assistant", "content": text}, after]})
    answers = Answers(box, {"0001": 1})
    assert "nobody is here" in answers.lost([], [TANSY], [])[0].reason
    answers = answered(tmp_path / "b", {"content": text})
    said = {"turn": "t1", "data": {"parameters": {"text": text}, "success": True}}
    end = {"turn": "t1", "data": {"outcome": "dropped: they are gone"}}
    other = {"turn": "t2", "data": {"outcome": "failed: of something else"}}
    assert answers.lost([], [TANSY], [other, said, end])[0].reason == "dropped: they are gone"
    assert answers.lost([], [TANSY], [other, said])[0].reason == ""


def test_thoughts_and_jobs_are_no_lines(tmp_path):
    """A think block is for nobody, and what a night answers is no speech."""
    answers = answered(tmp_path / "a", {"content": "<think>Should I?</think>"})
    assert not list(answers.pieces())
    box = Box(tmp_path / "b")
    number = box.lay({"messages": [{"role": "user", "content": "Facts?"}]})
    box.close(number, {"body": {"choices": [{"message": {"content": "Mira bakes."}}]}})
    assert not list(Answers(box, {}).pieces())


def test_words_in_order_are_shared():
    """The share goes by runs of words, not by words that happen to occur."""
    assert share("one two three four", ["One, two. Three four!"]) == 1.0
    assert share("one two three four", ["four one three two"]) < 0.5


# -- the game's clock


def test_the_clock_goes_by_what_is_told(tmp_path):
    """It runs a little from what was said, all but stands still then, and never goes back."""
    source = Path(stage.__file__).parent / "clock/sitecustomize.py"
    clock = runpy.run_path(str(source))["clock"]
    file, real = tmp_path / "clock", [100.0]
    file.write_bytes(struct.pack("d", 1000.0))
    now = clock(file, lambda: real[0])
    assert now() == 1000.0
    real[0] += 2.0
    assert now() == pytest.approx(1002.0)
    real[0] += 3000.0
    assert 1005.0 < now() < 1009.0
    file.write_bytes(struct.pack("d", 1020.0))
    assert now() == 1020.0
