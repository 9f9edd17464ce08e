"""The five worked changes are short, and CONTRIBUTING.md shows exactly what is run here."""

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CHANGES = sorted(path for path in HERE.glob("test_*.py") if path != Path(__file__))
MOST = 30
"""Lines that a change stays below, without the empty ones."""


def lines_of(text):
    """The lines of a text that are not empty."""
    return [line for line in text.splitlines() if line.strip()]


def quoted(page):
    """What a page shows of Python behind the name of one of these files: {name: code}."""
    return dict(re.findall(r"`tests/unit/worked/(test_\w+\.py)`.*?```python\n(.*?)```", page, re.S))


@pytest.mark.parametrize("path", CHANGES, ids=lambda path: path.stem)
def test_a_change_is_short(path):
    """Whoever adds one writes fewer lines than fit on a screen."""
    assert len(lines_of(path.read_text(encoding="utf-8"))) < MOST


def test_contributing_shows_all_of_them(root):
    """Word for word, and no others."""
    shown = quoted((root / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    assert shown == {path.name: path.read_text(encoding="utf-8") for path in CHANGES}
    assert len(shown) == 5
