"""Judging the scenes: what was stored of each line, beside whom it reached and whom it was for."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ai_assistant.roleplay.message_formats import WORLD
from bench.report import Figures
from bench.scene_model import Register
from bench.scene_script import Said, towns_in
from bench.scene_stage import Stage
from tests.e2e.harness import Game

DECISIONS = (
    "SELECT d.session, d.hearers, d.participants, d.sure, m.content"
    " FROM ai_assistant_participation d JOIN ai_assistant_memory m ON m.id = d.row"
)
ROWS = "SELECT session, container, kind, content, meta FROM ai_assistant_memory"
SPOKEN = ("utterance", "deed", "own_words")


@dataclass(slots=True)
class Stored:
    """What the database has of a line. `owners` are of any row, `rows` of the line itself."""

    decisions: dict[str, tuple[set[str], dict[str, str]]] = field(default_factory=dict)
    rows: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    owners: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Tally:
    """Counts of a run, and what went wrong, in words."""

    counts: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    kinds: dict[str, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0, 0]))
    faults: list[str] = field(default_factory=list)

    def fault(self, name: str, said: Said, more: object) -> None:
        """Count what is wrong with a line."""
        self.counts[name] += 1
        self.note(name, said, more)

    def note(self, name: str, said: Said, more: object) -> None:
        """Keep a line for those who want to see it."""
        self.faults.append(f"{name}: {said.kind} {said.speaker}> {said.typed} :: {more}")


def stored(game: Game, names: dict[str, str]) -> dict[str, Stored]:
    """Return what the database has of each line, with names in place of ids."""
    found: dict[str, Stored] = defaultdict(Stored)
    for session, hearers, participants, _, content in game.sql(DECISIONS):
        for place in towns_in(content):
            took = {names.get(one["id"], "?"): one["rule"] for one in json.loads(participants)}
            near = {names.get(one, "?") for one in json.loads(hearers)}
            found[place].decisions[session] = (near, took)
    for session, container, kind, content, meta in game.sql(ROWS):
        for place in set(towns_in(f"{content} {meta}")):
            if container != WORLD:
                found[place].owners.add(names.get(container, "?"))
                if kind in SPOKEN and place in content:
                    found[place].rows[session].add(names.get(container, "?"))
    return found


def judge(game: Game, stages: Sequence[Stage], register: Register) -> tuple[Figures, Tally]:
    """Return the figures of a run."""
    told: dict[str, Any] = {"ids": {}, "heard": {}, "known": {}}
    for stage in stages:
        for key in told:
            told[key].update(stage.told[key])
    kept = stored(game, {one: name for name, one in told["ids"].items()})
    tally = Tally()
    for stage in stages:
        screens = stage.screens() | {one: set(told["heard"][one]) for one in stage.minds}
        for place in stage.settings:
            said = register.said[place]
            got = {who for who, places in screens.items() if place in places} - {said.speaker}
            asked = {one for one in stage.minds if place in register.asked[one]}
            case = Case(stage, said, got, asked, kept[place])
            _line(tally, case)
            _decisions(tally, case)
        for one in stage.minds:
            own = {place for place, said in register.said.items() if said.speaker == one}
            strange = (set(told["known"][one]) | register.read[one]) - screens[one] - own
            for place in strange & register.said.keys():
                tally.fault("unheard in a mind or prompt", register.said[place], one)
    return _figures(tally), tally


@dataclass(slots=True)
class Case:
    """A line to be judged: `got` are those whom it really reached, `asked` who answered it."""

    stage: Stage
    said: Said
    got: set[str]
    asked: set[str]
    kept: Stored

    @property
    def members(self) -> set[str]:
        """Who plays in the scene of the speaker; nobody where that is the game."""
        start = self.stage.settings[self.said.town]
        return set(start.members) if self.said.speaker in start.members else set()

    def side(self, session: str, near: set[str]) -> set[str]:
        """Return whom a session is about: the members of the scene, or everybody else.

        What an assistant says is of the game where no player of its scene is with it.
        """
        everybody = {one.name for one in self.stage.cast}
        alone = self.said.speaker in self.stage.minds and not self.members & self.got & {
            *self.stage.players
        }
        if session:
            return self.members
        return everybody if alone and near == self.got else everybody - self.members

    @property
    def is_known(self) -> bool:
        """Can its scene know of it? Of whispers of players only where their class lets it."""
        return self.stage.listening or self.said.kind != "whisper"


def _line(tally: Tally, case: Case) -> None:
    """Judge whom a line reached, and who has it."""
    said, got, kept = case.said, case.got, case.kept
    tally.counts["lines"] += 1
    tally.counts["answers"] += said.depth > 0
    tally.counts["answers to assistants"] += said.depth > 1
    if said.audience is not None and got != said.audience:
        more, less = got - said.audience, said.audience - got
        tally.fault("reached others than it should", said, f"more {more} less {less}")
    if kept.owners - got - {said.speaker}:
        tally.fault("kept without having got it", said, kept.owners - got)
    took = {one for _, found in kept.decisions.values() for one in found}
    if kept.owners - took - case.asked - {said.speaker}:
        tally.fault("kept without having taken part", said, kept.owners - took)
    keeps = case.members if any(kept.decisions) else set()
    if said.speaker in {*case.stage.minds, *keeps} - kept.owners and kept.decisions:
        tally.fault("forgotten by its speaker", said, kept.owners)
    if (
        not kept.decisions
        and (got & set(case.stage.minds) or (case.members & got))
        and case.is_known
    ):
        tally.fault("not recorded", said, got)


def _decisions(tally: Tally, case: Case) -> None:
    """Judge what was decided on a line, in each session that has it."""
    said, kept, judged = case.said, case.kept, set[str]()
    for session, (near, took) in kept.decisions.items():
        side = case.side(session, near)
        judged |= side
        if near != case.got & side:
            tally.fault("recipients not exact", said, (session, near, case.got & side))
        keep = set(took) & side & (side if session else set(case.stage.minds))
        if (kept.rows[session] ^ keep) - case.asked - {said.speaker}:
            tally.fault("rows not those of participants", said, (kept.rows[session], took))
        _participants(tally, said, set(took) - {said.speaker}, said.meant & case.got & side, took)
    missing = said.meant & case.got & case.members - judged
    if missing and case.is_known:
        _participants(tally, said, set(), missing, {})


def _participants(
    tally: Tally, said: Said, took: set[str], meant: set[str], rules: dict[str, str]
) -> None:
    right, wrong, missed = len(took & meant), len(took - meant), len(meant - took)
    for at, number in enumerate((right, wrong, missed)):
        tally.kinds[said.kind][at] += number
    if wrong or missed:
        tally.note("participants", said, (f"wrong {took - meant} missed {meant - took}", rules))


def _figures(tally: Tally) -> Figures:
    right, wrong, missed = (sum(one[at] for one in tally.kinds.values()) for at in range(3))
    return {
        **tally.counts,
        "participants": right + missed,
        "precision": right / max(1, right + wrong),
        "recall": right / max(1, right + missed),
    }
