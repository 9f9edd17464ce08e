"""Standing: what becomes of what is held, once new facts are known.

A new fact stands under the label of its pass. What it replaces there goes on as its past, from an
equal or stronger source only, and the rows that showed the old are marked with ``replaced_by``, the
id of the newest row that shows the new. What stands under a wider label stays as it is, for all who
know no better: there the newer row bears the mark, ``replaces`` with the ids of the older rows, and
so does the trait (its field ``replaces``). It counts only where the newer row may be used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from ai_assistant.core.contracts import Entity, Json, MemoryRow, NewRow
from ai_assistant.core.quotes import is_same
from ai_assistant.core.times import iso
from ai_assistant.memory.evidence import REPLACED_BY, REPLACES, past_of
from ai_assistant.memory.labelled import joint_author
from ai_assistant.memory.people.profiles import observation_as_row
from ai_assistant.memory.people.traits import STRENGTH, as_trait, trait_as_row
from ai_assistant.memory.redaction import fingerprint
from ai_assistant.sleep.checks import Fact
from ai_assistant.sleep.reading_pass import NOTE, Held, Line, Pass

MOST_EVIDENCE = 8


@dataclass(slots=True)
class Outcome:
    """What becomes of the traits of one entity under one label, and what is told of that."""

    entity: str
    """The entity's id."""
    name: str
    """Its name now."""
    kind: str
    """What it is, as in `Entity.kind`."""
    before: list[Json]
    """Its traits under the label, as they stood."""
    now: list[Json]
    """The same as they stand once the facts are known."""
    learned: list[str] = field(default_factory=list)
    """Facts that are new."""
    merged: list[str] = field(default_factory=list)
    """Facts that were known in the same words."""
    changed: list[Json] = field(default_factory=list)
    """What holds no longer (``before``) and what holds instead (``after``)."""
    doubted: list[str] = field(default_factory=list)
    """Facts that do not stand against what is known from a better source, or later."""

    @property
    def dropped(self) -> list[Json]:
        """The traits that no longer stand as they stood."""
        return [trait for trait in self.before if trait not in self.now]

    @property
    def added(self) -> list[Json]:
        """The traits that stand now and did not stand so before."""
        return [trait for trait in self.now if trait not in self.before]

    def told(self) -> Json:
        """Return the entry of the report."""
        lists = {"learned": self.learned, "merged": self.merged, "doubted": self.doubted}
        return {"who": self.name, "entity_id": self.entity, **lists, "changed": self.changed}


class Standing:
    """Takes the facts of a pass one by one.

    `rows` are what notes become that prove something, `used` these notes by whom they are about,
    `marks` what is noted on other rows.
    """

    def __init__(self, shown: Pass, profiles: Mapping[str, Json]) -> None:
        """`profiles` are those of whom the facts may be about, by id."""
        self.rows: list[MemoryRow] = []
        self.marks: dict[int | NewRow, Json] = {}
        self.outcomes: dict[str, Outcome] = {}
        self.used: dict[str, list[Json]] = {}
        self._shown = shown
        self._profiles = profiles
        self._places: dict[str, int] = {}

    def take(self, facts: Iterable[Fact]) -> None:
        """Let these facts stand, the oldest first."""
        for fact in sorted(facts, key=lambda learned: learned.at):
            self._take(fact)
        for held in self._shown.known.values():
            if held.readers == self._shown.label and not held.trait.get("was"):
                self._part_with_copy(held)

    def _take(self, fact: Fact) -> None:
        outcome = self._outcome(fact.about)
        same = next((trait for trait in outcome.now if is_same(trait["value"], fact.text)), None)
        olds = [old for old in fact.replaces if old.trait != same]
        firm = STRENGTH[fact.basis]
        if any(STRENGTH[old.basis] > firm or old.at > fact.at for old in olds):
            outcome.doubted.append(fact.text)
        elif not olds and self._is_widely_known(fact.about.id, fact.text):
            self._evidence(fact)
            outcome.merged.append(fact.text)
        elif same is not None:
            self._merge(outcome, same, fact, olds)
        else:
            self._add(outcome, fact, olds)

    def _outcome(self, who: Entity) -> Outcome:
        if who.id not in self.outcomes:
            held = self._profiles.get(who.id, {}).get("attributes", ())
            own = [trait for trait in held if trait.get("readers") == self._shown.label]
            self.outcomes[who.id] = Outcome(who.id, who.name, who.kind, own, [*own])
        return self.outcomes[who.id]

    def _is_widely_known(self, entity: str, text: str) -> bool:
        wider = (held for held in self._shown.known.values() if held.readers != self._shown.label)
        return any(held.entity == entity and is_same(held.trait["value"], text) for held in wider)

    def _part_with_copy(self, held: Held) -> None:
        """Let a trait go that stands under a wider label as well: its rows stay what they are."""
        if self._is_widely_known(held.entity, held.trait["value"]):
            outcome = self._outcome(self._shown.people[self._shown.handle_of(held.entity)])
            if held.trait in outcome.now:
                outcome.now.remove(held.trait)
                outcome.merged.append(held.trait["value"])

    def _merge(self, outcome: Outcome, same: Json, fact: Fact, olds: Sequence[Held]) -> None:
        known = same.get("evidence", [])
        new = [row_id for row_id in self._evidence(fact) if row_id not in known]
        evidence = [*known, *new]
        own = self._retired(outcome, olds, fact)
        better = max(Held(fact.about.id, same).basis, fact.basis, key=STRENGTH.__getitem__)
        merged = {**same, "was": past_of(own, until=iso(fact.at), after=same.get("was", ()))}
        if same.get("source") == "consolidation":  # what staff wrote rests on nothing else
            merged |= {
                "evidence": [*evidence[:1], *evidence[1:][1 - MOST_EVIDENCE :]],
                "author": joint_author([same.get("author", ""), _authors(fact)]),
                "basis": better,
            }
        if own or "basis" in same:
            outcome.now[outcome.now.index(same)] = merged
        outcome.merged.append(fact.text)
        if evidence:
            self._mark(evidence, own, [])

    def _add(self, outcome: Outcome, fact: Fact, olds: Sequence[Held]) -> None:
        evidence = self._evidence(fact)
        own = self._retired(outcome, olds, fact)
        wide = [old for old in olds if old.readers != self._shown.label]
        older = [id for held in wide for id in held.trait.get("evidence", ())]
        at = iso(fact.at)
        trait: Json = {
            "type": fact.type,
            "value": fact.text,
            "source": "consolidation",
            "created": at,
            "evidence": evidence,
            "author": _authors(fact),
            "readers": self._shown.label,
            "basis": fact.basis,
            "quote": fact.quote,
            "was": past_of(own, until=at),
        }
        trait |= {"ended": True} if fact.ended and own else {}
        trait |= {REPLACES: older} if older else {}
        outcome.now.append(trait)
        if not own:
            outcome.learned.append(fact.text)
        self._mark(evidence, own, older)

    def _retired(self, outcome: Outcome, olds: Sequence[Held], fact: Fact) -> list[Json]:
        """Take out what holds no longer under the own label, notes too, and return it as traits."""
        gone: list[Json] = []
        for trait in (old.trait for old in olds if old.trait in outcome.now):
            outcome.now.remove(trait)
            if not trait.get("evidence"):  # no row tells of it yet
                self.rows.append(trait_as_row(outcome.entity, outcome.name, trait))
                trait = {**trait, "evidence": [NewRow(len(self.rows) - 1)]}
            gone.append(trait)
        for line in filter(lambda note: self._is_weaker(note, fact), fact.outdated):
            item = line.note or {}
            gone.append(as_trait(item, line.about, [self._of_note(line.about, item)]))
        outcome.changed += [{"before": trait["value"], "after": fact.text} for trait in gone]
        return gone

    def _mark(self, evidence: Sequence[Any], own: Sequence[Json], wide: Sequence[int]) -> None:
        newest = evidence[-1]
        for id in (id for trait in own for id in trait.get("evidence", ())):
            if id not in evidence:
                self.marks.setdefault(id, {})[REPLACED_BY] = newest
        if wide:
            mark = self.marks.setdefault(newest, {})
            mark[REPLACES] = [*mark.get(REPLACES, ()), *wide]

    def _evidence(self, fact: Fact) -> list[int | NewRow]:
        """Return the rows that show a fact, oldest first; a note that does becomes one."""
        found: list[int | NewRow] = []
        every = self._shown.lines.values()
        same = [note for note in every if note not in fact.lines and _is_copy(note, fact)]
        for line in sorted([*fact.lines, *same], key=lambda line: line.at)[-MOST_EVIDENCE:]:
            found.append(line.row if line.note is None else self._of_note(line.about, line.note))
        return list(dict.fromkeys(found))

    def _is_weaker(self, note: Line, fact: Fact) -> bool:
        """Does a fact take the place of a note? Not of one that it rests on, or with its words.

        Nor of one from a stronger source or made later: of a line that the fact does not know.
        """
        if note in fact.lines or _is_copy(note, fact):
            return False
        if STRENGTH[note.word_on(fact.about.id)] > STRENGTH[fact.basis]:
            return False
        earlier = takewhile(lambda line: line is not note, self._shown.lines.values())
        made_of = [line for line in earlier if line.kind != NOTE][-1:]
        return note.at <= fact.at or any(line in fact.lines for line in made_of)

    def _of_note(self, about: str, item: Json) -> NewRow:
        used = self.used.setdefault(about, [])
        if item not in used:
            used.append(item)
        mark = fingerprint([about, item])
        if mark not in self._places:
            self._places[mark] = len(self.rows)
            name = self._profiles.get(about, {}).get("name", "")
            self.rows.append(observation_as_row(about, name, item))
        return NewRow(self._places[mark])


def _authors(fact: Fact) -> str:
    return joint_author(line.author for line in fact.lines if not line.is_own)


def _is_copy(note: Line, fact: Fact) -> bool:
    """Was the fact noted by day in the same words?"""
    return note.note is not None and note.about == fact.about.id and is_same(note.says, fact.text)
