"""A game master's evening: a mystery from its card to its recap, played over telnet.

    python -m bench.evening [--write]      --write puts it into docs/scenes.md, else it is printed

The village of the demo runs with the offline model. Ann is its owner and leads; Bram plays for the
first time. Each line is typed once the one before is done.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.e2e.harness import ROOT, Game, Line

DOCS = ROOT / "docs" / "scenes.md"
BEGIN, END = "<!-- an evening, by bench.evening -->\n", "<!-- the end of the evening -->\n"
PAUSE = 2.5
"""Seconds in which whoever was spoken to has answered, without a model."""
SHOWN = 24
"""Lines of an answer that are shown."""

EVENING = (
    ("", "", "The game master makes the scene of a card, and fills it."),
    ("Ann", "aiscene/import the_silent_bell", ""),
    ("Ann", "aiscene/add silent = bram", ""),
    ("Ann", "aiscene/role silent = bram: reeve", ""),
    ("Ann", "aiscene/start silent", ""),
    ("", "", "Bram looks around in it, and begins to ask."),
    ("Bram", "scene", ""),
    ("Bram", "say Tansy, did a guest come in at midnight?", ""),
    ("Bram", "scene/go cellar", ""),
    ("Bram", "scene/take clapper", ""),
    ("Bram", "scene/go Kettle and Crow", ""),
    ("Bram", "say Tansy, I found the clapper in your cellar.", ""),
    ("", "", "Who knows of it by now, and from whom?"),
    ("Ann", "aiscene/who silent = wet boots", ""),
    ("Ann", "aiscene/why silent = 2", ""),
    (
        "",
        "",
        "That was too quick for Bram, who leads the scene and takes the last two lines back.",
    ),
    ("Bram", "scene/undo 2", ""),
    ("Bram", "say Tansy, is there anything in your cellar that I should see?", ""),
    ("", "", "The next day of the story, and the end."),
    ("Bram", "scene/day 2", ""),
    ("Bram", "say Tansy, the bell rings again.", ""),
    ("Ann", "aiscene/recap silent", ""),
    ("Ann", "aiscene/export silent = evening.md why 20", ""),
    ("Bram", "scene/stop", ""),
    ("Bram", "scene/recap silent", ""),
)
"""Who types what; without a name, what is told between."""


def played(game: Game) -> Iterator[str]:
    """Yield the evening as Markdown, piece by piece."""
    with game.owner() as ann, game.join("Bram") as bram:
        ann.ask("name me = Ann", "Ann|changed|renamed|name")
        bram.caught_up()
        lines = {"Ann": ann, "Bram": bram}
        piece: list[str] = []
        for who, typed, told in EVENING:
            if told:
                yield from _fenced(piece)
                piece = []
                yield told
                continue
            piece += [f"{who}> {typed}", *_answered(lines[who], typed)]
            for other, line in lines.items():
                if other != who:
                    piece += [f"    ({other} reads) {heard}" for heard in _shown(line.caught_up())]
        yield from _fenced(piece)


def _answered(line: Line, typed: str) -> list[str]:
    line.caught_up()
    line.send(typed)
    answer = line.caught_up()
    if typed.startswith(("say", "aiscene/import")):
        answer += line.read(PAUSE)
    return _shown(answer)


def _shown(answer: str) -> list[str]:
    rows = [row.rstrip() for row in answer.splitlines() if row.strip()]
    rows = [re.sub(r"\b20\d\d-\d\d-\d\d \d\d:\d\d", "that evening", row) for row in rows]
    return rows[:SHOWN] + (["…"] if len(rows) > SHOWN else [])


def _fenced(piece: list[str]) -> Iterator[str]:
    if piece:
        yield "\n".join(["```text", *piece, "```"])


def main() -> int:
    """Play it, and print or write it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="put it into docs/scenes.md")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, Game.village(Path(scratch)) as game:
        told = "\n\n".join(played(game.open())) + "\n"
    if not chosen.write:
        print(told)
        return 0
    text = DOCS.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    DOCS.write_text(f"{before}{BEGIN}\n{told}\n{END}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
