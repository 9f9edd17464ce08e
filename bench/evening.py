"""A game master's evenings: both cards of the demo from the card to the recap, over telnet.

    python -m bench.evening [--write]     --write puts them into docs/scenes.md, else it prints them

The village of the demo runs with the offline model. Ann is its owner; Bram and Cleo play for the
first time. Each line is typed once the one before is done.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.e2e.harness import ROOT, Game, Line

DOCS = ROOT / "docs" / "scenes.md"
BEGIN, END = "<!-- both evenings, by bench.evening -->\n", "<!-- the end of them -->\n"
ENDS = {
    "say": "Tansy Brewell says",
    "aiscene/import": "is made",
    "scene/day": "Previously, on day",
    "scene/stop": "Previously, on day",
}
"""What comes last of a line that is not done at once, by how it begins."""
PAUSE = 2.5
"""Seconds after that, in which all is kept, and others read the same, without a model."""
SHOWN = 24
"""Lines of an answer that are shown."""

BELL = (
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
SWORD = (
    ("", "", "Two players this time, each with a role; the rest is Tansy's."),
    ("Ann", "aiscene/import the_lost_sword", ""),
    ("Ann", "aiscene/add lost = bram", ""),
    ("Ann", "aiscene/add lost = cleo", ""),
    ("Ann", "aiscene/role lost = bram: diver", ""),
    ("Ann", "aiscene/role lost = cleo: toll keeper's heir", ""),
    ("Ann", "aiscene/start lost", ""),
    ("", "", "The evening before: Tansy knows the water, and Cleo has a secret for Bram alone."),
    ("Bram", "say Tansy, what do you know of the water under the fourth arch?", ""),
    ("Cleo", "whisper Bram = Grandfather tied the sword to the third pillar.", ""),
    ("Bram", "scene/take rope", ""),
    ("", "", "The next day of the story, at the river."),
    ("Bram", "scene/day 2", ""),
    ("Bram", "scene/set time = dawn", ""),
    ("Bram", "scene/set location = Fourth Arch", ""),
    ("Bram", "scene/take sword", ""),
    ("Bram", "scene/give sword = cleo", ""),
    ("Cleo", "scene", ""),
    ("Cleo", "say Tansy, who has the sword now?", ""),
    ("", "", "Tansy saw who got the sword; of the third pillar she never heard."),
    ("Ann", "aiscene/who lost = got the sword", ""),
    ("Ann", "aiscene/who lost = third pillar", ""),
    ("Bram", "scene/stop", ""),
    ("Cleo", "scene/recap lost", ""),
)
EVENINGS = {"The Silent Bell": BELL, "The Lost Sword": SWORD}


def played(game: Game) -> Iterator[str]:
    """Yield the evenings as Markdown, piece by piece."""
    with game.owner() as ann, game.join("Bram") as bram, game.join("Cleo") as cleo:
        ann.ask("name me = Ann", "Ann|changed|renamed|name")
        lines = {"Ann": ann, "Bram": bram, "Cleo": cleo}
        for title, evening in EVENINGS.items():
            yield f"### {title}"
            there = {who for who, _, _ in evening}
            for line in lines.values():
                line.caught_up()
            yield from _evening(evening, {who: lines[who] for who in lines if who in there})


def _evening(evening: Sequence[tuple[str, str, str]], lines: dict[str, Line]) -> Iterator[str]:
    piece: list[str] = []
    for who, typed, told in evening:
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


def printed() -> str:
    """Return the evenings as they stand in the documentation."""
    return DOCS.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]


def _answered(line: Line, typed: str) -> list[str]:
    line.caught_up()
    line.send(typed)
    answer = line.caught_up()
    for begins, ends in ENDS.items():
        if typed.startswith(begins):
            if ends not in answer:
                answer += line.expect(rf"(?s).*?{ends}").group()
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
    """Play them, and print or write them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="put them into docs/scenes.md")
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
