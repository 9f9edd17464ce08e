"""Rows laid out for a screen of any width, or told one by one for a screen reader."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap

from evennia.utils.ansi import strip_ansi

WIDTH = 78
"""Characters of a line, where nothing is known of the screen."""
GAP = "  "
MOST = 200
"""Characters of one cell; what is longer is cut off."""
MARKUP = frozenset("|{\\\x1b")
"""Evennia takes a word apart for nothing where none of these is in it."""
LONGEST_WORD = 30
"""A column is never narrower than its longest word, up to this many characters."""


def columns(titles: Sequence[str], rows: Iterable[Sequence[object]], *, width: int = WIDTH) -> str:
    """Return rows laid out under their titles; cells are plain text, and stay what they are.

    Where they are too wide together, the widest columns go over several lines. By hand: Evennia's
    own table takes two seconds of everybody's game for two hundred rows.
    """
    table = [list(titles), *([cut_off(str(value), MOST) for value in row] for row in rows)]
    widths = _widths(list(zip(*table, strict=True)), width)
    lines = []
    for row in table:
        cells = [
            wrap(cell, size) if len(cell) > size else [cell]
            for cell, size in zip(row, widths, strict=True)
        ]
        for parts in zip_longest(*cells, fillvalue=""):
            line = as_it_stands(GAP.join(map(str.ljust, parts, widths)).rstrip())
            lines.append(f"|w{line}|n" if row is table[0] else line)
    return "\n".join(lines)


def rows_read_out(titles: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return one line for each row, in which each value that there is follows its title."""
    lines = []
    for row in rows:
        cells = [(title, str(value)) for title, value in zip(titles, row, strict=True)]
        told = (f"{title}: {cell}" if title else cell for title, cell in cells if cell)
        lines.append(as_it_stands("; ".join(told)))
    return "\n".join(lines)


def as_it_stands(text: str) -> str:
    """Return a text that Evennia shows as it is, whatever its markup would make of it."""
    return text.replace("|", "||").replace("{{", "{{{{")


def cut_off(text: str, most: int) -> str:
    """Return the beginning of a text, up to so many characters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def wrapped(text: str, width: int) -> str:
    """Return a text with markup whose long lines are broken between words.

    What goes on below stands further in than a line that stood in, so that it is told from others.
    """
    return "\n".join(row for line in text.split("\n") for row in _broken(line, width))


def _broken(line: str, width: int) -> Iterator[str]:
    if len(line) <= width or len(strip_ansi(line)) <= width:
        yield line
        return
    depth = len(line) - len(line.lstrip())
    indent = " " * (depth + 2 if depth else 0)
    row, taken = " " * depth, depth
    for word in line.split():
        size = len(strip_ansi(word) if {*word} & MARKUP else word)
        if taken + size > width and row.strip():
            yield row.rstrip()
            row, taken = indent, len(indent)
        row, taken = f"{row}{word} ", taken + size + 1
    yield row.rstrip()


def _widths(table: Sequence[Sequence[str]], room: int) -> list[int]:
    """Return the widths of columns: the widest give way, down to their longest words.

    The first one, which says what its row is about, does so where the others cannot make room.
    """
    widths = [max(map(len, column)) for column in table]
    least = []
    for title, *cells in table:
        words = [len(word) for cell in cells for word in cell.split()]
        least.append(max(len(title), min(max(words, default=0), LONGEST_WORD)))
    room -= len(GAP) * (len(table) - 1)
    name = min(widths[0], LONGEST_WORD)
    least[0] = name if name + sum(least[1:]) <= room else least[0]
    while sum(widths) > room:
        wide = [at for at, width in enumerate(widths) if width > least[at]]
        if not wide:
            break
        widths[max(wide, key=widths.__getitem__)] -= 1
    return widths
