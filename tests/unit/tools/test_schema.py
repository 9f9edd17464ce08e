"""From functions to schemas, and from a model's arguments to values that a tool may use."""

from typing import Annotated, Literal

import pytest

from ai_assistant.core.errors import ConfigurationError, ToolError
from ai_assistant.tools import BUILTIN
from ai_assistant.tools.schema import (
    MAX_ITEMS,
    MAX_TEXT,
    Between,
    Handle,
    Prose,
    check_arguments,
    parameters_schema,
    read_params,
)

EVERYTHING = {
    "words": "w", "who": "h", "kind": "k", "many": "m", "share": "s", "lines": "l", "sure": "b",
    "note": "n", "mode": "o", "essay": "e",
}  # fmt: skip


def everything(  # noqa: PLR0913 - one parameter of every kind
    turn,
    words: str,
    who: Annotated[str, "a note", Handle("person")],
    kind: Literal["direct", "told"],
    many: int,
    share: float,
    lines: list[str],
    sure: bool = False,
    note: Annotated[str, Handle("any")] = "",
    mode: Literal["", "fast", "slow"] = "",
    essay: Annotated[str, Prose(5000, 10)] = "",
):
    """A tool with a parameter of every kind."""


PARAMS = read_params(everything, EVERYTHING)
GOOD = {"words": "Hi.", "who": "p1", "kind": "told", "many": 2, "share": 0.5, "lines": ["a", "b"]}


def test_a_schema_comes_from_the_function():
    """Types, choices and what is required are those of the function, `reasoning` first."""
    schema = parameters_schema(PARAMS)
    properties = schema["properties"]
    assert list(properties) == ["reasoning", *EVERYTHING]
    assert {name: one["type"] for name, one in properties.items()} == {
        "reasoning": "string", "words": "string", "who": "string", "kind": "string",
        "many": "integer", "share": "number", "lines": "array", "sure": "boolean", "note": "string",
        "mode": "string", "essay": "string",
    }  # fmt: skip
    assert properties["kind"]["enum"] == ["direct", "told"]
    assert properties["mode"]["enum"] == ["fast", "slow"]
    assert properties["lines"] | {"description": ""} == {
        "type": "array", "description": "", "items": {"type": "string"}, "maxItems": MAX_ITEMS,
    }  # fmt: skip
    required = ["words", "who", "kind", "many", "share", "lines"]
    assert schema["required"] == required


def checked(given):
    """The arguments as the tool gets them."""
    return check_arguments(PARAMS, given)[0]


def test_good_arguments_pass():
    """What fits comes through, cleaned, without the reasoning; an integer is a number too."""
    given = {**GOOD, "reasoning": "why not", "share": 1, "words": "|ra{b}\n\nc"}
    assert checked(given) == {**GOOD, "share": 1.0, "words": "/ra(b)\nc"}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ({"words": 7}, {"words": "7"}),
        ({"words": 0.5}, {"words": "0.5"}),
        ({"who": "Alice"}, {"who": "Alice"}),
        ({"who": " the  old\nman "}, {"who": "the old man"}),
        ({"kind": " Direct"}, {"kind": "direct"}),
        ({"many": "2"}, {"many": 2}),
        ({"many": 2.0}, {"many": 2}),
        ({"many": " 2.0 "}, {"many": 2}),
        ({"share": "0.05"}, {"share": 0.05}),
        ({"share": "-1"}, {"share": -1.0}),
        ({"lines": "a"}, {"lines": ["a"]}),
        ({"lines": '["a", "b"]'}, {"lines": ["a", "b"]}),
        ({"lines": "[a"}, {"lines": ["[a"]}),
        ({"lines": ["a", 1]}, {"lines": ["a", "1"]}),
        ({"sure": "True"}, {"sure": True}),
        ({"sure": 0}, {"sure": False}),
        ({"sure": "", "mode": ""}, {}),
    ],
)
def test_what_was_meant_is_understood(written, meant):
    """Numbers in quotes, one text for a list, names for handles: models write all of that."""
    assert checked({**GOOD, **written}) == {**GOOD, **meant}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"extra": 1}, ["extra"]),
        ({"\x00{ex}": 1, "b" * 500: 2}, ["(ex)", "b" * 40]),
        ({f"x{n}": n for n in range(9)}, ["x0", "x1", "x2", "x3", "x4"]),
        ({"reasoning": "Why not."}, []),
    ],
)
def test_what_is_unknown_is_ignored_and_told(given, told):
    """An argument too many does not spoil a call; its name is inert."""
    found, unknown = check_arguments(PARAMS, {**GOOD, **given})
    assert found == GOOD
    assert unknown == told


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"words": ["x"]}, "'words' must be a string"),
        ({"words": "\u200b "}, "'words' must not be empty"),
        ({"kind": "sworn"}, "'kind' must be one of: direct, told"),
        ({"words": True}, "'words' must be a string"),
        ({"who": " "}, "'who' must not be empty"),
        ({"many": "two"}, "'many' must be an integer"),
        ({"many": 2.5}, "'many' must be an integer"),
        ({"many": 10**30}, "'many' must be an integer"),
        ({"many": True}, "'many' must be an integer"),
        ({"share": "all"}, "'share' must be a number"),
        ({"share": False}, "'share' must be a number"),
        ({"share": float("nan")}, "'share' must be a number"),
        ({"share": float("-inf")}, "'share' must be a number"),
        ({"share": 10**400}, "'share' must be a number"),
        ({"lines": {}}, "'lines' must be an array"),
        ({"lines": [["a"]]}, "'lines' must be an array of strings"),
        ({"lines": ["a"] * (MAX_ITEMS + 1)}, f"'lines' must have at most {MAX_ITEMS} items"),
        ({"mode": "other"}, "'mode' must be one of: fast, slow"),
        ({"sure": "perhaps"}, "'sure' must be a boolean"),
        ({"sure": {}}, "'sure' must be a boolean"),
        ({"words": None}, "Missing arguments: words"),
    ],
)
def test_bad_arguments_are_explained(wrong, told):
    """What does not fit is refused in words that help the model to do better."""
    with pytest.raises(ToolError, match=told):
        check_arguments(PARAMS, {**GOOD, **wrong})


def test_lists_are_cleaned():
    """Every text of a list is one inert line, and those without words are left out."""
    given = {**GOOD, "lines": ["|ra{b}\nc", " \u200b", "x" * 9999]}
    assert checked(given)["lines"] == ["/ra(b) c", "x" * MAX_TEXT]
    assert checked({**GOOD, "lines": []})["lines"] == []


def test_prose_may_be_long():
    """A text that is marked so keeps more characters and lines."""
    text = "\n".join(["word " * 99] * 9).replace(" \n", "\n").strip()
    assert checked({**GOOD, "essay": text})["essay"] == text
    assert len(checked({**GOOD, "words": text})["words"]) <= MAX_TEXT


def _bounded(
    turn,
    deeds: Annotated[int, Between(1, 3)] = 9,
    why: Annotated[str, Prose(5, lines=1, is_cut=False)] = "",
):
    """Do it."""


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"deeds": 0}, "'deeds' must be a number from 1 to 3"),
        ({"deeds": 4}, "'deeds' must be a number from 1 to 3"),
        ({"why": "because"}, "'why' has 7 characters; at most 5 are kept"),
    ],
)
def test_what_is_out_of_bounds_is_refused(given, error):
    """A number is not moved, and a text that is to stay whole is not cut."""
    params = read_params(_bounded, {"deeds": "", "why": ""})
    with pytest.raises(ToolError, match=error):
        check_arguments(params, given)
    fitting = {"deeds": 3, "why": "so it"}
    assert check_arguments(params, fitting)[0] == fitting
    assert check_arguments(params, {"deeds": 9})[0] == {"deeds": 9}  # its own default


@pytest.mark.parametrize("left_out", [{}, {"sure": None, "note": None}, {"note": ""}])
def test_what_is_optional_may_be_left_out(left_out):
    """Models leave out, or write null or nothing; each means the default."""
    found = checked({**GOOD, **left_out})
    assert {name: value for name, value in found.items() if name in GOOD} == GOOD
    assert not found.get("note")


def test_all_that_is_missing_is_named():
    """One answer names everything that lacks."""
    with pytest.raises(ToolError, match="Missing arguments: words, who, kind, many, share, lines"):
        check_arguments(PARAMS, {})


def _undescribed(turn, text: str):
    """Say."""


def _untyped(turn, text):
    """Say."""


def _complicated(turn, text: dict[str, str]):
    """Say."""


def _numbered(turn, text: Literal[1, 2]):
    """Say."""


def _misplaced(turn, text: Annotated[int, Handle("item")]):
    """Say."""


@pytest.mark.parametrize(
    ("function", "about"),
    [
        (_undescribed, {}),
        (_undescribed, {"text": "t", "more": "m"}),
        (_untyped, {"text": "t"}),
        (_complicated, {"text": "t"}),
        (_numbered, {"text": "t"}),
        (_misplaced, {"text": "t"}),
    ],
)
def test_a_badly_written_tool_is_refused(function, about):
    """A game's owner learns at start which parameter of which tool is not right."""
    with pytest.raises(ConfigurationError, match=function.__name__):
        read_params(function, about)


def _wrong(param):
    number = ["many", float("nan")] if param.type in (int, float) else []
    return [*number, {}, [[]], [{}]]


def _fitting(param):
    if param.type is list:
        return ["word"]
    if param.type in (int, float, bool):
        return param.type(2)
    return "p1" if param.handle else param.choices[0] if param.choices else "word"


def test_every_builtin_refuses_nonsense():
    """No tool gets an argument it does not know, lacks what it needs, or takes a wrong type."""
    for tool in BUILTIN:
        fitting = {param.name: _fitting(param) for param in tool.params}
        assert check_arguments(tool.params, {**fitting, "nonsense": 1}) == (fitting, ["nonsense"])
        bad = [{**fitting, param.name: wrong} for param in tool.params for wrong in _wrong(param)]
        bad += [
            {key: value for key, value in fitting.items() if key != param.name}
            for param in tool.params
            if param.required
        ]
        for arguments in bad:
            with pytest.raises(ToolError):
                check_arguments(tool.params, arguments)
