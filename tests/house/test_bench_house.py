"""The figures of the house: what is found, what is let be, and what may not grow."""

from pathlib import Path

import pytest

from bench.house import __main__ as house
from bench.house.circles import measure_circles
from bench.house.names import measure_names
from bench.house.records import measure_records
from bench.house.rooms import is_small, measure_rooms
from bench.house.source import Measure, Module
from bench.house.tails import body_lines

NOTHING = {"files": [], "classes": [], "functions": []}


def package(**files):
    """Return modules below `pack`; `room_in_a` is the file `a` in the folder `room`."""
    return [
        Module(Path("pack", f"{name.replace('_in_', '/')}.py"), text)
        for name, text in files.items()
    ]


def figures(measures):
    return {one.key: one.figure for one in measures}


@pytest.mark.parametrize(
    "back",
    [
        "import pack.one",
        "from pack import one",
        "from pack.one import thing",
        "if TYPE_CHECKING:\n    from pack.one import Thing",
        "def late():\n    from pack.one import thing",
        "def late():\n    return import_module('pack.one').thing",
    ],
)
def test_a_circle_is_found_however_the_import_hides(back):
    """For types and inside functions it is a circle all the same."""
    modules = package(one="from pack.two import that", two=back, three="import pack.one")
    assert figures(measure_circles(modules)) == {"circles": 1, "circled": 2}


def test_an_import_downwards_is_no_circle():
    """Two that import the same third do not import each other."""
    modules = package(one="import pack.three", two="import pack.three\nimport pack.one", three="")
    assert figures(measure_circles(modules)) == {"circles": 0, "circled": 0}


def test_each_folder_is_a_room_of_its_own():
    """What stands in a folder of a room is not counted with the room; `web` has no lines."""
    modules = package(
        apps="a = 1", room_in_a="a", room_in_b="b\nc", room_in_sub_in_c="d", web_in_e="e"
    )
    found = figures(measure_rooms(modules))
    assert (found["root"], found["room"], found["lines"]) == (1, 2, 5)


@pytest.mark.parametrize(
    ("name", "text", "small"),
    [
        ("room_in_a", "def act():\n    return 1", True),
        ("room_in_a", "\n" * 45, False),
        ("room_in___init__", "def act():\n    return 1", False),
        ("room_in_a", "class Port(Protocol):\n    def act(self): ...", False),
        ("room_in_a", "class Port(Protocol):\n    pass\n\ndef act():\n    return 1", True),
    ],
)
def test_small_files_are_no_packages_and_no_ports(name, text, small):
    """A file that only says what is wanted of others may be as short as it likes."""
    (module,) = package(**{name: text})
    assert is_small(module) is small


def test_a_name_used_for_several_things_is_found():
    """What functions take makes them no one thing; some names are said to be one."""
    modules = package(
        a_in_same="class Line: ...\ndef show(x): ...\ndef _own(): ...",
        b_in_same="class Line: ...\ndef show(x): ...\ndef _own(z): ...",
    )
    found = figures(measure_names(modules, NOTHING))
    assert (found["files"], found["classes"], found["functions"]) == (1, 1, 1)
    one_thing = {"files": ["same"], "classes": ["Line"], "functions": ["show"]}
    found = figures(measure_names(modules, one_thing))
    assert (found["files"], found["classes"], found["functions"]) == (0, 0, 0)


@pytest.mark.parametrize(
    ("face", "several"),
    [
        ("def take(call):\n    props.take(call)", 0),
        ("def take(turn):\n    _put(turn)\ndef _put(turn):\n    Change('hand', 'take')", 0),
        ("def take(call):\n    props.give(call)", 1),
        ("PART = Part(steps={'take': take})\ndef take(turn): ...", 1),
    ],
)
def test_a_face_may_bear_the_name_of_what_it_calls(face, several):
    """Or of the step that its file proposes; whoever does it himself has a name of his own."""
    found = figures(measure_names(package(a="def take(scene): ...", b=face), NOTHING))
    assert found["functions"] == several


@pytest.mark.parametrize(
    "other", ["class _Line: ...", "Line = tuple[str, int]", '_Line = TypeVar("_Line")']
)
def test_whatever_is_a_type_has_a_name_of_its_own(other):
    """A private class, an alias and a type variable too; constants and functions are no types."""
    modules = package(a="class Line: ...", b=other, c="LINE = 1\ndef line(): ...")
    assert figures(measure_names(modules, NOTHING))["classes"] == 1


@pytest.mark.parametrize(("names", "wide"), [("acdefghijklmn", 1), ("acdefghijklm", 0)])
def test_hooks_and_private_methods_make_no_class_wide(names, wide):
    """Thirteen methods that others call are too many; what Evennia calls is not counted."""
    methods = [f"    def {name}(self): ..." for name in (*names, "_a", "at_rest")]
    modules = package(one="\n".join(["class Wide:", *methods]))
    assert figures(measure_names(modules, NOTHING))["wide"] == wide


def test_inherited_methods_make_a_class_wide():
    """Whoever reads it has to know them all, from whatever file they come."""
    upper, lower = (
        "\n".join([f"class {name}:", *(f"    def {method}(self): ..." for method in methods)])
        for name, methods in (("Upper", "abcdefg"), ("Lower(Upper)", "ghijklm"))
    )
    found = figures(measure_names(package(one=upper, two=lower), NOTHING))
    assert (found["wide"], found["wide_inherited"]) == (0, 1)


@pytest.mark.parametrize(
    ("record", "bare"),
    [
        ("@dataclass\nclass Line:", 2),
        ("@dataclass(frozen=True)\nclass Line:", 2),
        ("class Line(NamedTuple):", 2),
        ("@dataclass\nclass _Line:", 0),
        ("class Line:", 0),
    ],
)
def test_each_field_of_a_public_record_says_what_it_holds(record, bare):
    """One docstring for two fields is none for the first; what is private may be bare."""
    fields = ['"""A line."""', "at: float", "said: str", '"""Cleaned."""', "by: str", "_n: int"]
    modules = package(one="\n    ".join([record, *fields]))
    assert figures(measure_records(modules)) == {"bare_fields": bare}


def test_a_docstring_is_no_line_of_a_body():
    """What a function says of itself makes it no longer."""
    (module,) = package(one='def act():\n    """Act.\n\n    So.\n    """\n    a = 1\n    return a')
    assert [body_lines(node) for node in module.functions()] == [2]


@pytest.mark.parametrize(
    ("figure", "goal", "kept", "refused"),
    [(6, 0, 5, True), (5, 0, 5, False), (7, 7, 5, False), (8, 7, 5, True), (9, 7, None, False)],
)
def test_a_marked_figure_may_not_grow_over_its_goal(figure, goal, kept, refused):
    """Up to the goal there is room; beyond it, only what was there before."""
    marked = Measure("a", "a", figure, goal, marked=True)
    told = Measure("b", "b", figure, goal)
    assert bool(house.grown([marked, told], {} if kept is None else {"a": kept, "b": 0})) is refused


def test_what_is_kept_is_never_raised():
    """Keeping lowers, takes up what is new, and lets go what is not marked any more."""
    measures = [Measure(key, key, 5, 0, True) for key in "abc"] + [Measure("d", "d", 5)]
    assert house.lowered(measures, {"a": 4, "b": 6, "d": 1}) == {"a": 4, "b": 5, "c": 5}
