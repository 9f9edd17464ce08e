"""Whether forgetting forgets: random histories, and a search for what should be gone.

    python -m bench.forgetting [--histories 1000] [--seed 7] [--scope own] [--quick]

Each history is lived in a process of its own on a copy of one game's database, with a write-ahead
log. Then a player's words are forgotten, all that is about that player, or a single memory. The
files are searched for every word that should be gone, as text and within the base64 of Attributes,
and so is what the assistants hold in memory.
"""

from __future__ import annotations

import argparse
import base64
import json
import pickle
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from bench import report
from bench.forgotten_lives import SCOPES, History, Parrot
from bench.kills import done
from bench.mortal import Tell, prepare

DEEDS = 8
SHOWN = 20
Life = TypeVar("Life", bound=History)
Cast = tuple[tuple[Any, Any], list[Any]]
"""Both players, in their bodies, and the assistants."""
LAST = 0.3
"""The share of histories in which a question of Alice's, or of Bob's, waits by then."""


def settle(tell: Tell) -> None:
    """Make the game: an inn, two players, two assistants; all of it in the one file."""
    from django.db import connection
    from evennia import DefaultCharacter, create_account, create_object

    from ai_assistant.api import lifecycle
    from ai_assistant.game.identity import entity_id
    from bench.people import a_room

    inn, attic = a_room("Inn"), a_room("Attic")
    for name in ("Alice", "Bob"):
        create_account(name, None, "a password for benches", permissions=["Player"])
        entity_id(create_object(DefaultCharacter, key=name, location=inn, home=inn))
    for name, room in (("Marrek", inn), ("Sera", attic)):
        lifecycle.create_assistant(name, location=room)
    connection.close()  # which empties its write-ahead log


def warm_up() -> None:
    """Load and compile what every history needs, once for all."""
    from ai_assistant.api.forgetting.forget_passes import code_words
    from ai_assistant.runtime.assembly import build_shared
    from bench import people

    build_shared()
    code_words()
    assert people


def lived(tell: Tell, seed: int, scope: str) -> report.Figures:
    """Live a history and forget it; returns what must be gone, and what was found already."""
    from django.db import connection

    history = come_alive(seed, scope)
    history.live(DEEDS)
    if not history.parrot.asked:
        raise RuntimeError("Nobody answered: such a history has nothing to forget.")
    if not history.hers:
        history.talks()
    if history.chance.random() < LAST:
        history.waits()
    if history.chance.random() < LAST:
        history.bob_waits()
    database = Path(connection.settings_dict["NAME"])
    planted = left_on_disk(database, history.hers)
    told, start = remembered(history.his), time.perf_counter()
    outcome = history.forget(scope)
    history.goes_on()
    lost = [word for word in told if word not in remembered(told)] if scope != "all" else []
    held = in_memory()
    return {
        "gone": history.hers,
        "planted": [word for word in planted if word in history.hers],
        "seconds": time.perf_counter() - start,
        "failed": "" if hasattr(outcome, "counts") else str(outcome),
        "held": [word for word in history.hers if word.encode() in held.lower()],
        "lost": lost,
        "clean": getattr(outcome, "clean", False),
    }


def come_in() -> Cast:
    """Let both players log in; returns them, and both assistants."""
    import evennia
    from evennia import search_account, search_object

    from bench.people import log_in

    evennia.SESSION_HANDLER.data_out = lambda *args, **kwargs: None
    alice, bob, marrek, sera = (search_object(name)[0] for name in "Alice Bob Marrek Sera".split())
    players = [log_in(body, *search_account(body.key)) for body in (alice, bob)]
    return (players[0], players[1]), [marrek, sera]


def come_alive(
    seed: int,
    scope: str,
    kind: type[Life] = History,
    parrot: Parrot | None = None,
    cast: Cast | None = None,
) -> Life:  # type: ignore[assignment]
    """Let the game of a database come alive without a reactor; a single memory has one keeper.

    `cast` are those of `come_in`, where a process before this one, which shares no connection
    with it, let them in.
    """
    from django.db import connection

    from ai_assistant.runtime.assembly import build_shared
    from ai_assistant.runtime.service import SERVICE
    from ai_assistant.storage import erasure

    connection.cursor().execute("PRAGMA journal_mode = wal")
    erasure.secure(connection)
    players, (marrek, sera) = cast or come_in()
    parrot = parrot or Parrot()
    minds = [marrek] if scope == "item" else [marrek, sera]
    history = kind(seed, players, minds, parrot)
    history.ties = {
        "later": history.steps,
        "next_step": history.steps,
        "in_server": lambda: True,
        "build": lambda: replace(build_shared(), offline=parrot),
    }
    SERVICE.__init__(**history.ties)  # type: ignore[misc]
    if scope != "item":
        sera.location = marrek.location
    for mind in minds:
        mind.assistant_script.at_start()
    history.steps.run()
    return history


def remembered(words: Sequence[str]) -> list[str]:
    """Return those of some words that stand in a memory."""
    from ai_assistant.models import Memory

    kept = "\n".join(Memory.objects.values_list("content", flat=True))
    return [word for word in words if word in kept]


def in_memory() -> bytes:
    """Return what the assistants hold in memory."""
    from ai_assistant.runtime.service import SERVICE

    held = b""
    for resident in SERVICE.residents.values():
        mind = resident.mind
        queued = (mind.heard, resident.inbox.waiting, SERVICE._scheduler.waiting(resident.id))
        held += (
            pickle.dumps(mind.recall.index) + repr((queued, mind.store.triggers.waiting())).encode()
        )
    return held


# -- searching


def forms(word: str) -> Iterator[bytes]:
    """Yield how a word may stand in a file: as it is, and inside of any base64 text."""
    for text in (word, word.upper(), word.capitalize()):
        yield text.encode()
        for shift in range(3):
            code = base64.b64encode(b"x" * shift + text.encode())
            yield code[4 if shift else 0 : -4]


def left_on_disk(database: Path, words: Sequence[str]) -> list[str]:
    """Return the words that stand in any file of a database."""
    files = database.parent.glob(f"{database.name}*")
    return _found(words, b"".join(path.read_bytes() for path in files))


def left_in_tables(words: Sequence[str]) -> list[str]:
    """Return the words that stand in any column of any table, whatever the database."""
    from django.db import connection

    held = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608
            held.append(repr(cursor.fetchall()))
    return _found(words, "".join(held).encode())


def _found(words: Sequence[str], content: bytes) -> list[str]:
    sought = {form: word for word in words for form in forms(word)}
    if not sought:
        return []
    found = re.findall(b"|".join(map(re.escape, sought)), content)
    return sorted({sought[form] for form in found})


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what was left; returns 1 where anything was."""
    parser = argparse.ArgumentParser(description="Random histories, forgotten.")
    parser.add_argument("--histories", type=int, default=1000, help="for each scope")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--scope", choices=SCOPES)
    parser.add_argument("--quick", action="store_true", help="a fiftieth of them")
    options = parser.parse_args(arguments)
    count = options.histories // (50 if options.quick else 1)
    seeds = range(options.seed * 10_000, options.seed * 10_000 + count)
    scopes = [options.scope] if options.scope else SCOPES
    start, tallies = time.perf_counter(), {}
    with tempfile.TemporaryDirectory(prefix="bench") as name:
        folder = Path(name)
        prepared = prepare(folder, model="")
        done(prepared, settle)
        warm_up()
        tallies = {scope: forgotten(folder, prepared, scope, seeds) for scope in scopes}
    rows = [(scope, count, *(tally[name] for name in NAMES)) for scope, tally in tallies.items()]
    print(report.table(("scope", "histories", *NAMES), rows), "", sep="\n")
    total = sum(tallies.values(), Counter[str]())
    goals = [report.Goal(name, total[name], 0, must=True) for name in NAMES[2:]]
    print(*goals, "", sep="\n")
    figures = {"histories": count, "seed": options.seed, "scopes": tallies}
    figures["seconds"] = round(time.perf_counter() - start, 1)
    print(json.dumps({"bench": "forgetting", **figures, "on": report.versions()}))
    return int(not all(goal.met for goal in goals))


NAMES = ("words", "on disk", "left on disk", "left in memory", "words of others lost", "failed")


def forgotten(folder: Path, prepared: Path, scope: str, seeds: Sequence[int]) -> Counter[str]:
    """Live and forget these histories; returns what was counted, and shows what was left."""
    tally: Counter[str] = Counter()
    for seed in seeds:
        database = folder / "life.db3"
        for old in folder.glob("life.db3*"):
            old.unlink()
        shutil.copy(prepared, database)
        told = done(database, lived, seed, scope)
        left = left_on_disk(database, told["gone"])
        wrong = (left, told["held"], told["lost"], [told["failed"]] * bool(told["failed"]))
        found = (told["gone"], told["planted"], *wrong)
        tally.update({name: len(some) for name, some in zip(NAMES, found, strict=True)})
        if any(wrong) or not told["clean"]:
            print(f"seed {seed}, {scope}: {dict(zip(NAMES[2:], wrong, strict=True))}")
            tally["failed"] += not told["clean"]
    return tally


if __name__ == "__main__":
    sys.exit(main())
