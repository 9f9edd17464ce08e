"""What a game imports from the package itself."""

import ast
import importlib
import re
from pathlib import Path

import pytest

import ai_assistant

ROOT = Path(ai_assistant.__file__).parent
GAME = ROOT.parent
ROOMS = {path.name for path in ROOT.iterdir() if path.is_dir()}
WHOLE = {"commands", "inputfuncs", "web", "testing", "typeclasses"}
"""What a game names by its path: command sets, URLs, fakes, and the default typeclass."""


def source_of(module):
    """The text of one of our modules."""
    home = ROOT / module.replace(".", "/")
    return (
        home.with_suffix(".py") if home.with_suffix(".py").exists() else home / "__init__.py"
    ).read_text()


def names_in(module):
    """What a module of ours defines or imports at its top."""
    found = set()
    for node in ast.parse(source_of(module)).body:
        found.add(getattr(node, "name", ""))
        if isinstance(node, ast.ImportFrom):
            found.update(alias.asname or alias.name for alias in node.names)
    return found


def unadvertised(text):
    """What a page or a file of a game takes from our package that is not advertised."""
    bad = set()
    for home, names in re.findall(r"from ai_assistant([.\w]*) import \(?([\w, ]+)", text):
        if home and home.split(".")[1] not in WHOLE:
            bad.add(home)
        elif not home:
            bad |= {*re.findall(r"\w+", names)} - {*ai_assistant.__all__}
    dotted = re.findall(r"(?<![\w.])ai_assistant\.([a-zA-Z]\w*)", text)
    bad |= {name for name in dotted if name not in {*ai_assistant.__all__, *WHOLE}}
    roomed = re.findall(r"`((\w+)\.[a-z_]\w*\.[\w.]+)`", text)
    bad |= {path for path, room in roomed if room in ROOMS - WHOLE}
    for name, home in ai_assistant._MODULES.items():
        members = re.findall(rf"(?<![\w.]){name}\.([a-z]\w*)(?!\w*\.)", text)
        bad |= {f"{name}.{it}" for it in members if it not in {*names_in(home), "md"}}
    return bad


OF_THE_HOUSE = {"architecture.md"}
"""What is written for those who change the package itself."""
PAGES = [GAME / "README.md", *sorted((GAME / "docs").glob("*.md"))]
PAGES = [page for page in PAGES if page.name not in OF_THE_HOUSE]
GAME_FILES = [
    path
    for room in ("typeclasses", "commands", "world")
    for path in sorted((GAME / room).glob("*.py"))
]


@pytest.mark.parametrize("path", [*PAGES, *GAME_FILES], ids=lambda path: path.name)
def test_a_game_needs_nothing_but_what_is_advertised(path):
    """Pages name nothing else, and the demo game imports nothing else."""
    assert unadvertised(path.read_text(encoding="utf-8")) == set()


@pytest.mark.parametrize(
    "line",
    [
        "from ai_assistant.api.ask import ask",
        "from ai_assistant import Secret",
        "`ai_assistant.game`",
        "`storage.scene_rows.as_of`",
        "blocks.write_nothing(npc)",
    ],
)
def test_what_is_internal_is_noticed(line):
    """The check itself can fail."""
    assert unadvertised(line)


@pytest.mark.parametrize("name", ai_assistant.__all__)
def test_what_is_advertised_stands_in_a_page(name):
    """A name that no page tells a game of is no promise to it."""
    named = re.compile(rf"\b{name}\b")
    assert any(named.search(page.read_text(encoding="utf-8")) for page in PAGES)


@pytest.mark.parametrize("name", ai_assistant._HOMES)
def test_every_public_name_is_defined_where_it_is_looked_for(name):
    """Read from the source, since most of these modules need a running Evennia."""
    assert name in names_in(ai_assistant._HOMES[name])


@pytest.mark.parametrize("module", ai_assistant._MODULES.values())
def test_a_public_module_is_there(module):
    """And has a text of its own."""
    assert source_of(module)


def test_a_core_name_is_loaded_without_evennia():
    """What needs no game is there at once."""
    errors = importlib.import_module("ai_assistant.core.errors")
    assert ai_assistant.AssistantError is errors.AssistantError


def test_an_unknown_name_is_an_ordinary_error():
    """As of any module."""
    with pytest.raises(AttributeError, match="no attribute 'ask_nicely'"):
        _ = ai_assistant.ask_nicely
