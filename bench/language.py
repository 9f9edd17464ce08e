"""How many lines of the package know a language, here and in other checkouts beside.

python -m bench.language [directory of another checkout …]

Counted are the lines of `ai_assistant/language`, the modules that go by words in `memory`
and in other rooms, and the offline model's. `memory` is to have none.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

MOST, MOST_OFFLINE = 1500, 2000
IN_MEMORY = (
    "antecedents asked claim_words claims clause_words clauses closer facts grammar guard_elided "
    "guard_names guard_rules guard_speech guard_verbs guard_words lasting lexicon nouns "
    "passing_words persona_guard readings related relations slots sorts supersession values verbs "
    "wording"
).split()
ELSEWHERE = (
    *("agent/address", "agent/assess", "agent/confirm", "planning/templates", "sleep/waking"),
    *("roleplay/participants", "roleplay/refinement", "roleplay/retelling"),
)
"""They find out for whom a line is, whether it is a yes, and what a request takes."""


def counted(package: Path) -> dict[str, list[Path]]:
    """Return the files that are counted, by room; some are in one checkout only."""
    rooms = {
        "language": [*package.glob("language/**/*.py"), *package.glob("language/data/*.toml")],
        "memory": [package / f"memory/{name}.py" for name in IN_MEMORY],
        "elsewhere": [package / f"{name}.py" for name in ELSEWHERE],
        "llm/offline": [*package.glob("llm/offline/**/*.py")],
    }
    return {room: sorted(filter(Path.exists, files)) for room, files in rooms.items()}


def lines_of(path: Path) -> int:
    """Count the lines of a file."""
    return len(path.read_text("utf-8").splitlines())


def main() -> int:
    """Count here and in other checkouts; returns 1 where there is too much here."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("others", type=Path, nargs="*", help="other checkouts")
    options.add_argument("--quick", action="store_true", help="no difference here")
    result = {}
    for place in (Path(), *options.parse_args().others):
        rooms = counted(place / "ai_assistant")
        totals = {room: sum(map(lines_of, files)) for room, files in rooms.items()}
        result[str(place)] = totals
        print(place.resolve())
        for room, files in rooms.items():
            named = ", ".join(f"{path.name.removesuffix('.py')} {lines_of(path)}" for path in files)
            print(f"  {totals[room]:>5}  {room}: {named}")
        print()
    here = result["."]
    met = here["language"] + here["memory"] <= MOST and here["llm/offline"] <= MOST_OFFLINE
    print(
        "met" if met else "MISSED",
        f"at most {MOST} in language and memory, {MOST_OFFLINE} in llm/offline",
    )
    print(json.dumps({"bench": "language", **result}))
    return not met


if __name__ == "__main__":
    sys.exit(main())
