"""The first hour: what newcomers hear without a model, each question in a fresh village.

python -m bench.first_hour [--questions FILE] [--sheet FILE] [--only ID]
python -m bench.first_hour --judged FILE FILE
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from ai_assistant.core.contracts import Json
from bench import report
from bench.first_hour_sheet import Asked, judged, written
from bench.game import SCREENS, pause, play_with

QUESTIONS = Path(__file__).parent / "first_hour_open.json"
VISITOR = "Robin"
QUIET, PATIENCE = 0.05, 20.0
"""Seconds with nothing under way after which a line is over, and how long that is awaited."""
_OWN = re.compile(rf"(?:You |{VISITOR}\b)")


def questions(path: Path) -> list[Json]:
    """Return the questions of a file. Raises `ValueError` naming the first that is none."""
    rows: list[Json] = json.loads(path.read_text("utf-8"))
    for row in rows:
        if not {"id", "to", "wordings"} <= row.keys() or not row["wordings"]:
            raise ValueError(f"{path}: {row} has no id, no to or no wordings")
    return rows


class Visit:
    """One newcomer in a village where nobody was before."""

    def __init__(self, visitor: Any, to: str) -> None:
        """Build the village, and put the visitor where that one is; raises `LookupError`."""
        from world import village

        village.build()
        people = {row["name"]: slug for slug, row in village.PEOPLE.items()}
        found = [slug for name, slug in people.items() if to.casefold() in name.casefold()]
        if not found:
            raise LookupError(f"nobody in the village is called {to!r}")
        self._host, self._name = village._found(found[0]), to
        self._visitor = visitor
        self._lines: list[str] = []
        SCREENS.watch(visitor, lambda line, _: self._lines.append(line))
        visitor.move_to(self._host.location, quiet=True)

    async def does(self, deed: str | Json) -> str:
        """Let the visitor say or do something; returns what is heard of others upon it."""
        from evennia.utils.ansi import strip_ansi

        self._lines.clear()
        for command, text in ({"say": deed} if isinstance(deed, str) else deed).items():
            private = f"{self._name} = " if command in ("whisper", "page") else ""
            self._visitor.execute_cmd(f"{command} {private}{text}")
        await _settled()
        heard = [strip_ansi(line).strip() for line in self._lines]
        return "\n".join(line for line in heard if line and not _OWN.match(line))

    def end(self) -> None:
        """Let the people be gone, with all that they know and have; places and ways stay."""
        from world.village import GIFTS, PEOPLE, _found

        self._visitor.location = None
        for slug in (*(row[0] for row in GIFTS), *PEOPLE):
            if made := _found(slug):
                made.delete()


async def _settled() -> None:
    from ai_assistant.models import PendingEvent
    from ai_assistant.runtime.service import SERVICE

    waited = quiet = 0.0
    while quiet < QUIET and waited < PATIENCE:
        await pause(0.01)
        waited += 0.01
        busy = PendingEvent.objects.exists() or any(
            resident.turn for resident in SERVICE.residents.values()
        )
        quiet = 0.0 if busy else quiet + 0.01


async def visits(rows: Sequence[Json]) -> report.Figures:
    """Ask everything in each of its wordings; returns the answers under ``asked``."""
    from django.conf import settings
    from evennia import create_channel, create_object

    from bench.people import a_player

    for channel in settings.DEFAULT_CHANNELS:
        create_channel(**channel)
    create_object("typeclasses.characters.Character", key="Owner", nohome=True)
    start = create_object("typeclasses.rooms.Room", key="Limbo", nohome=True)
    visitor = a_player(VISITOR, start)
    asked: list[Asked] = []
    for row in rows:
        for wording in row["wordings"]:
            visit = Visit(visitor, row["to"])
            said = [await visit.does(line) for line in row.get("before", ())]
            answer = await visit.does(wording)
            asked.append(Asked.of(row, wording, answer, said))
            visit.end()
    return {"asked": asked}


def _figures(asked: Sequence[Asked]) -> report.Figures:
    answers = [one.answer for one in asked]
    most = Counter(filter(None, answers)).most_common(1)
    return {
        "questions": len({one.id for one in asked}),
        "answers": len(asked),
        "silent": answers.count(""),
        "repeated_in_a_visit": sum(one.again for one in asked),
        "most_frequent": most[0][1] if most else 0,
    }


def main() -> int:
    """Run the bench, or read the readers' verdicts; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--questions", type=Path, default=QUESTIONS, help="a JSON file of them")
    parser.add_argument("--sheet", type=Path, help="the CSV file to write for the readers")
    parser.add_argument("--only", default="", help="questions whose id begins so")
    parser.add_argument("--quick", action="store_true", help="one question of five")
    parser.add_argument("--judged", type=Path, nargs=2, help="two readers' sheets, filled in")
    chosen = parser.parse_args()
    if chosen.judged:
        return judged(*chosen.judged)
    rows = [row for row in questions(chosen.questions) if str(row["id"]).startswith(chosen.only)]
    rows = rows[::5] if chosen.quick else rows
    figures = play_with("", partial(visits, rows), limit=120.0 + 15.0 * len(rows))
    asked = figures.pop("asked")
    figures |= _figures(asked)
    figures["sha256"] = sha256(chosen.questions.read_bytes()).hexdigest()
    if chosen.sheet:
        written(chosen.sheet, asked)
    for one in asked:
        print(f"{one.id}\t{one.wording}\n\t{one.shown}")
    goals = [
        report.Goal("lines without an answer", figures["silent"], 0),
        report.Goal("answers given twice in a visit", figures["repeated_in_a_visit"], 0),
    ]
    return report.conclude("first_hour", figures, goals)


if __name__ == "__main__":
    sys.exit(main())
