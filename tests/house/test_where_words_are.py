"""Only the language package knows words: the memory holds none of any, and no other room some."""

import ast
import re
from pathlib import Path

import pytest

from bench.language import HOLDS, MARK, MARK_OFFLINE, MARK_WORDS, counted, small_words

MEMORY = Path(__file__).resolve().parents[2] / "ai_assistant/memory"
GROUP = re.compile(r"\(\?P[<=]\w+[>)]|\{\w+\}")
"""Names of groups in a pattern."""


def hidden_words(tree):
    """Yield texts of word lists: what is split at spaces, and patterns that name words."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        if name.endswith(".split") and isinstance(node.func.value, ast.Constant):
            yield node.func.value.value
        if name.startswith("re.") and node.args:
            for part in ast.walk(node.args[0]):
                if isinstance(part, ast.Constant) and re.search(
                    r"[a-z]{3,}", GROUP.sub("", str(part.value))
                ):
                    yield part.value


def modules():
    return {path.stem: path for path in sorted(MEMORY.rglob("*.py"))}


FIELDS = {"filters", "redaction", "status_block"}
"""Modules whose lists are names of fields, and states that a game may show."""


@pytest.mark.parametrize("name", sorted(modules().keys() - FIELDS))
def test_memory_holds_no_word_of_any_language(name):
    """No list of words, and no pattern of any."""
    assert list(hidden_words(ast.parse(modules()[name].read_text("utf-8")))) == []


def test_what_is_gone_is_not_excused():
    """The list of exceptions only shrinks."""
    assert modules().keys() >= FIELDS


@pytest.mark.parametrize(
    "code", ["A = 'who what'.split()", "re.compile(r'\\bwhen\\b')", "re.search(f'{a}|yes', b)"]
)
def test_a_list_of_words_is_seen(code):
    """The search sees lists and patterns."""
    assert list(hidden_words(ast.parse(code)))


# -- the whole package


PACKAGE = MEMORY.parent
MEANT = ["everyone", "nobody", "whose", "yours", "niemand", "nuestra", "hello", "wir"]
LISTED = f"WORDS = {MEANT}\n"
assert len(MEANT) > HOLDS


def test_no_other_room_holds_a_language():
    """Who needs a word asks; one module reads the lists itself, and counts for it."""
    rooms, held = counted(PACKAGE, small_words(PACKAGE))
    assert rooms["holds words"] == {}
    assert set(rooms["reads lists"]) == {"memory/inner/persona_guard.py"}
    lines = {room: sum(files.values()) for room, files in rooms.items()}
    assert lines["language"] + lines["reads lists"] <= MARK
    assert lines["llm/offline"] <= MARK_OFFLINE
    assert sum(map(len, held.values())) <= MARK_WORDS


@pytest.mark.parametrize(
    ("name", "text", "room"),
    [
        ("agent/a.py", LISTED, "holds words"),
        ("game/b.py", f"WORDS = '{' '.join(MEANT)}'.split()\n", "holds words"),
        ("llm/c.py", f"import re\nP = re.compile(r'\\b(?:{'|'.join(MEANT)})\\b')\n", "holds words"),
        ("d.py", "\n".join(f"A{n} = x == '{one}'" for n, one in enumerate(MEANT)), "holds words"),
        ("agent/words.txt", " ".join(MEANT), "holds words"),
        ("tools/e.py", "from ai_assistant.language import current\n", "reads lists"),
        ("language/f.py", LISTED, "language"),
        ("language/data/f.toml", LISTED, "data"),
        ("llm/offline/g.py", LISTED, "llm/offline"),
        ("llm/offline/g.txt", LISTED, "offline data"),
        ("prompts/h.txt", LISTED, ""),
        ("agent/i.py", f'def f():\n    """{" ".join(MEANT)}."""\n', ""),
        ("agent/j.py", f'raise ValueError("{" ".join(MEANT)}")\n', ""),
        ("agent/k.py", "\n".join(f"x['{one}']" for one in MEANT) + f"\n{LISTED}", ""),
        ("agent/l.py", "from ai_assistant.language.talk_signs import says\n", ""),
    ],
)
def test_words_are_found_wherever_they_are_moved(tmp_path, name, text, room):
    """By what code compares with; a text for people and a name of a field is no word."""
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    rooms, _ = counted(tmp_path, small_words(PACKAGE))
    assert {one for one, files in rooms.items() if name in files} == ({room} if room else set())
