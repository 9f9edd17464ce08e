"""What a cast is made of: players, steps in order, secrets, and what must be true afterwards."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Json = dict[str, Any]
END = "end"
VERBS = frozenset({"join", "leave", "night", "pause", "wait", "staff"})
EXPECTED = {
    "screen": {"by", "after", "until", "must", "must_not", "not_asked"},
    "object": {"at", "when"},
    "mind": {"part", "about", "when", "must", "must_not", "at_least", "at_most"},
    "calls": {"most"},
    "any": set(),
}
"""The first key of an expectation says its kind; these may stand beside it."""
COMMON = frozenset({"name", "tags"})
_PATTERNS = ("must", "must_not", "not_asked")


class CastError(ValueError):
    """A cast that cannot be played as it stands."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happens. `typed` are lines by player, at once; else `verb` says what."""

    id: str
    typed: tuple[tuple[str, str], ...] = ()
    verb: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Cast:
    """A whole evening, or several. `secrets` maps a word to the players who may read it."""

    title: str
    players: tuple[str, ...]
    steps: tuple[Step, ...]
    secrets: Mapping[str, frozenset[str]]
    expect: Sequence[Json]
    build: Sequence[Json] = ()

    @property
    def lines(self) -> int:
        """How many lines players type."""
        return sum(len(step.typed) for step in self.steps)

    def moments(self) -> set[str]:
        """Return the ids of the steps after which state is looked at, before the end."""
        found = (str(one.get("when", END)) for one in flat(self.expect))
        return {moment for moment in found if moment != END}


def flat(expectations: Sequence[Json]) -> Iterator[Json]:
    """Yield every expectation, and those inside an `any`."""
    for one in expectations:
        yield one
        yield from flat(one.get("any", ()))


def load(path: Path) -> Cast:
    """Read a cast; raises `CastError` for whatever could not be played or checked."""
    try:
        return parse(json.loads(path.read_text("utf-8")))
    except (OSError, json.JSONDecodeError) as error:
        raise CastError(f"{path}: {error}") from error


def parse(given: Json) -> Cast:
    """Make a cast of what stands in a file."""
    players = tuple(given["players"])
    steps = tuple(_step(number, one) for number, one in enumerate(given["steps"], 1))
    ids = [step.id for step in steps]
    if len(set(ids)) < len(ids):
        raise CastError(f"Ids occur twice: {sorted({one for one in ids if ids.count(one) > 1})}")
    for step in steps:
        strangers = {who for who, _ in step.typed} | {str(step.options.get("who", players[0]))}
        if strangers - set(players):
            raise CastError(f"Step {step.id}: nobody is called {sorted(strangers - set(players))}")
    secrets = {one["word"]: frozenset(one["only"]) for one in given.get("secrets", ())}
    expect = given.get("expect", [])
    for one in flat(expect):
        _check(one, {*ids, END})
    title, build = given.get("title", ""), tuple(given.get("build", ()))
    return Cast(title, players, steps, secrets, expect, build)


def _step(number: int, given: Json) -> Step:
    key = str(given.get("id", number))
    if "do" in given:
        if given["do"] not in VERBS:
            raise CastError(f"Step {key}: nothing to do is called {given['do']!r}")
        options = {name: value for name, value in given.items() if name not in ("id", "do")}
        return Step(key, verb=given["do"], options=options)
    if "together" in given:
        return Step(key, tuple((one["who"], one["type"]) for one in given["together"]))
    if "who" not in given or "type" not in given:
        raise CastError(f"Step {key} needs who and type, together, or do")
    return Step(key, ((given["who"], given["type"]),))


def _check(one: Json, ids: set[str]) -> None:
    kind = kind_of(one)
    unknown = one.keys() - EXPECTED[kind] - COMMON - {kind}
    if unknown:
        raise CastError(f"{one}: nothing is known of {sorted(unknown)}")
    named = [one[key] for key in ("after", "until", "when") if key in one]
    named += [one["calls"]] if kind == "calls" else []
    if set(named) - ids:
        raise CastError(f"{one}: no step is called {sorted(set(named) - ids)}")
    for pattern in (text for key in _PATTERNS for text in one.get(key, ())):
        try:
            re.compile(pattern)
        except re.error as error:
            raise CastError(f"{pattern!r} is no pattern: {error}") from error


def kind_of(one: Json) -> str:
    """Return which kind of expectation this is."""
    kinds = [kind for kind in EXPECTED if kind in one]
    if len(kinds) != 1:
        raise CastError(f"{one} needs one of {', '.join(EXPECTED)}")
    return kinds[0]
