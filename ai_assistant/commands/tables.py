"""Rows laid out for a screen of any width, or told one by one for a screen reader."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from textwrap import wrap

from ai_assistant.game.identity import plain

WIDTH = 78
"""Characters of a line, where nothing is known of the screen."""
GAP = "  "
MOST = 200
"""Characters of one cell; what is longer is cut off."""
LONGEST_WORD = 30
"""A column is never narrower than its longest word, up to this many characters."""


def columns(titles: Sequence[str], rows: Iterable[Sequence[object]], *, width: int = WIDTH) -> str:
    """Return rows laid out under their titles; cells are plain text, and stay what they are.

    Where they are too wide together, the widest columns go over several lines. By hand: Evennia's
    own table takes two seconds of everybody's game for two hundred rows.
    """
    table = [tuple(titles), *(tuple(map(_cell, row)) for row in rows)]
    widths = _fitted(list(zip(*table, strict=True)), width)
    head, *body = [[as_it_stands(line) for line in _laid_out(row, widths)] for row in table]
    return "\n".join([*(f"|w{line}|n" for line in head), *(line for row in body for line in row)])


def spoken(titles: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return one line for each row, in which each value that there is follows its title."""
    return "\n".join(
        as_it_stands(
            "; ".join(
                f"{title}: {cell}" if title else cell
                for title, cell in zip(titles, map(str, row), strict=True)
                if cell
            )
        )
        for row in rows
    )


def wrapped(text: str, *, width: int = WIDTH, indent: str = "") -> str:
    """Return a line over as many lines as it takes, those beneath the first one indented.

    Colours take no room. A word that is longer than a line stays whole.
    """
    lines, room = list[list[str]](), 0
    for word in text.split(" "):
        size = len(plain(word)) + 1
        if size > room and lines:
            room = width - len(indent) + 1
            lines.append([])
        elif not lines:
            room = width + 1
            lines.append([])
        lines[-1].append(word)
        room -= size
    return f"\n{indent}".join(map(" ".join, lines))


def as_it_stands(text: str) -> str:
    """Return a text that Evennia shows as it is, whatever its markup would make of it."""
    return text.replace("|", "||").replace("{{", "{{{{")


def _cell(value: object) -> str:
    text = str(value)
    return text if len(text) <= MOST else f"{text[: MOST - 1]}…"


def _fitted(table: Sequence[Sequence[str]], room: int) -> list[int]:
    """Return the widths of columns: the widest give way, down to their longest words."""
    widths = [max(map(len, column)) for column in table]
    least = [max(min(_longest_word(column), LONGEST_WORD), len(column[0])) for column in table]
    room -= len(GAP) * (len(table) - 1)
    while sum(widths) > room:
        wide = [at for at, width in enumerate(widths) if width > least[at]]
        if not wide:
            break
        widths[max(wide, key=widths.__getitem__)] -= 1
    return widths


def _longest_word(column: Sequence[str]) -> int:
    return max(len(word) for cell in column for word in cell.split() or [""])


def _laid_out(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    """Return a row as one line, or as several where a cell is too long for its column."""
    cells = [
        wrap(cell, width) if len(cell) > width else [cell]
        for cell, width in zip(row, widths, strict=True)
    ]
    return [
        GAP.join(part.ljust(width) for part, width in zip(line, widths, strict=True)).rstrip()
        for line in zip_longest(*cells, fillvalue="")
    ]
