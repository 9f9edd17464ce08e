"""Consolidation: observations of somebody become traits, one pass for each exact label.

A model may put them into fewer words; every word of its answer is held against the evidence, and
what it leaves out the rules keep. Without a model, or where its answer is no good, the rules do
it all. Nothing widens: a pass consumes and writes one label only, and reads besides only what is
usable for it (design §3.13).
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from ai_assistant.agent.mind import Mind
from ai_assistant.contracts import Change, Json, MemoryRow, NewRow
from ai_assistant.memory.claims import is_lasting
from ai_assistant.memory.parts import epoch
from ai_assistant.memory.persona_guard import self_reference
from ai_assistant.memory.profiles import observation_as_row
from ai_assistant.memory.redaction import fingerprint
from ai_assistant.memory.slots import compare, slot_of
from ai_assistant.prompts import load
from ai_assistant.sleep.proposal import Proposal, left_out, looked_again, read_proposal
from ai_assistant.sleep.reconcile import Outcome, reconcile
from ai_assistant.sleep.sifting import sift
from ai_assistant.sleep.wider import SEEN, TOLD, Candidate, known_wider
from ai_assistant.sleep.work import OBSERVATIONS_A_CALL, Work, ask, may_ask

ENOUGH = 5
"""Observations of one person under one label that are worth a pass (seed EP §7)."""
MOST_AT_ONCE = 30
JOB = "consolidate"
Inputs = tuple[list[Json], list[Json], str, list[Candidate]]
"""Observations of a pass, traits that they meet, whom they are about, what wider labels hold."""


async def consolidate(mind: Mind, sleep: Json) -> Work | None:
    """Turn the observations of the next person and label into traits; sift what is left."""
    if work := sift(mind, reports=True):
        return work
    found = _next(mind, sleep)
    if found is None:
        return sift(mind)
    key, readers = found
    before = _inputs(mind, key, readers)
    if len(before[0]) < ENOUGH:
        return _work(mind, key, readers, _changes(before), None)
    answer, calls = await _answer(mind, sleep, before)
    if calls and _inputs(mind, key, readers) != before:
        return Work("consolidate", skip=_mark(key, readers), calls=calls)
    work = _work(mind, key, readers, before, answer)
    work.calls, work.credit = calls, len(before[0])
    return work


async def _answer(mind: Mind, sleep: Json, inputs: Inputs) -> tuple[Proposal | None, int]:
    """Return what a model makes of the observations, and how often it was asked: at most twice.

    What its answer leaves out it sees once more, alone: a slip is mended, and what it leaves out
    again tells nothing that lasts.
    """
    observations, traits, name, _ = inputs
    if not may_ask(mind, sleep, JOB, more=len(observations)):
        return None, 0
    names = [name, mind.world.me().name]
    text = await ask(mind, JOB, load(JOB), _data(name, observations, traits))
    answer = read_proposal(text, observations, names)
    rest = [observations[place] for place in left_out(answer, observations)]
    left_for_more = len(observations) - OBSERVATIONS_A_CALL
    if answer.refused or not rest or not may_ask(mind, sleep, JOB, more=left_for_more):
        return answer, 1
    known = [*traits, *({"value": one.value} for one in answer.traits)]
    again = await ask(mind, JOB, load(JOB), _data(name, rest, known))
    return looked_again(answer, again, observations, names), 2


def _next(mind: Mind, sleep: Json) -> tuple[str, str] | None:
    """Return whose observations, under which label, are next.

    First those who have enough, then those of whom a trait no longer holds.
    """
    waits: list[tuple[str, str]] = []
    for key, profile in mind.store.read_all("profile").items():
        fresh = [one for one in profile["observations"] if not one.get("consolidated")]
        for readers in dict.fromkeys(one["readers"] for one in fresh):
            if _mark(key, readers) in sleep["skipped"]:
                continue
            if sum(one["readers"] == readers for one in fresh) >= ENOUGH:
                return key, readers
            if _changes(_inputs(mind, key, readers))[0]:
                waits.append((key, readers))
        waits += [(key, readers) for readers in _outdated(mind, key, profile)]
    return next((one for one in waits if _mark(*one) not in sleep["skipped"]), None)


def _outdated(mind: Mind, key: str, profile: Json) -> list[str]:
    """Return the labels with traits that wider ones hold too, or know better by now."""
    labels = dict.fromkeys(one["readers"] for one in profile["attributes"] if "readers" in one)
    found = []
    for readers in labels:
        _, traits, name, wider = _inputs(mind, key, readers)
        if wider and reconcile(name, traits, [], readers, wider).drop:
            found.append(readers)
    return found


def _changes(inputs: Inputs) -> Inputs:
    """Keep the observations by which a trait no longer holds: these wait for no others."""
    observations, traits, name, wider = inputs
    known = [slot_of(one["value"], name) for one in traits]
    changed = [
        one
        for one in observations
        if any(compare(was, slot_of(one["content"], name)) == "changed" for was in known)
    ]
    return changed, traits, name, wider


def _mark(key: str, readers: str) -> str:
    return fingerprint([key, readers])[:16]


def _inputs(mind: Mind, key: str, readers: str) -> Inputs:
    profile = mind.store.read("profile", key)
    fresh = [
        one
        for one in profile["observations"]
        if one["readers"] == readers and not one.get("consolidated")
    ]
    traits = [one for one in profile["attributes"] if one.get("readers") == readers]
    return fresh[:MOST_AT_ONCE], traits, profile["name"], known_wider(profile, readers)


def _data(name: str, observations: Sequence[Json], traits: Sequence[Json]) -> str:
    noted = [
        {"id": number, "on": one["timestamp"][:10], "source": one["source"], "text": one["content"]}
        for number, one in enumerate(observations, start=1)
    ]
    known = [one["value"] for one in traits]
    return json.dumps({"name": name, "known": known, "observations": noted}, ensure_ascii=False)


def _work(
    mind: Mind,
    key: str,
    readers: str,
    inputs: Inputs,
    answer: Proposal | None,
) -> Work:
    observations, traits, name, wider = inputs
    rows, evidence = _evidence(key, name, observations)
    candidates = _candidates(mind, name, observations, evidence, answer)
    outcome = reconcile(name, traits, candidates, readers, wider)
    consumed = [fingerprint(one) for one in observations]
    dropped = [one for one in traits if fingerprint(one) in outcome.drop]
    step = {
        "entity_id": key,
        "drop": outcome.drop,
        "add": outcome.add,
        "consumed": consumed,
        "keep_consumed": not mind.config["prune_consumed"],
    }
    return Work(
        "consolidate",
        changes=[Change("profile", key, "consolidate", step)],
        rows=rows,
        told=_told(name, key, outcome, answer, observations),
        undo={
            "entity": key,
            "added": outcome.add,
            "attributes": dropped,
            "observations": observations,
        },
        readers=readers,
        skip=_mark(key, readers) if not mind.config["prune_consumed"] else "",
    )


def _evidence(
    key: str, name: str, observations: Sequence[Json]
) -> tuple[list[MemoryRow], list[tuple[int | NewRow, ...]]]:
    """Return rows for those that have none yet, and for each observation what it rests on."""
    rows: list[MemoryRow] = []
    evidence: list[tuple[int | NewRow, ...]] = []
    for one in observations:
        if known := one.get("evidence"):
            evidence.append(tuple(known))
        else:
            evidence.append((NewRow(len(rows)),))
            rows.append(observation_as_row(key, name, one))
    return rows, evidence


def _candidates(
    mind: Mind,
    name: str,
    observations: Sequence[Json],
    evidence: Sequence[tuple[int | NewRow, ...]],
    answer: Proposal | None,
) -> list[Candidate]:
    found = []
    settled = answer.covered.union(answer.nothing) if answer else set()
    for trait in answer.traits if answer else ():
        some = [observations[number] for number in trait.evidence]
        found.append(
            Candidate(
                value=trait.value,
                at=max(epoch(one["timestamp"]) for one in some),
                basis=TOLD if all(one["source"] != "direct" for one in some) else SEEN,
                evidence=tuple(row for number in trait.evidence for row in evidence[number]),
                author=",".join(dict.fromkeys(one["author"] for one in some)),
                type=trait.type,
            )
        )
    names = [mind.world.me().name]
    for number, one in enumerate(observations):
        if number in settled or self_reference(one["content"], names):
            continue
        if is_lasting(one["content"], name, names):
            at, basis = epoch(one["timestamp"]), SEEN if one["source"] == "direct" else TOLD
            found.append(
                Candidate(one["content"], at, basis, evidence[number], one.get("author", ""))
            )
    return found


def _told(
    name: str, key: str, outcome: Outcome, answer: Proposal | None, observations: Sequence[Json]
) -> Json:
    told: Json = {
        "who": name,
        "entity_id": key,
        "observations": len(observations),
        "by": "model" if answer and answer.traits else "rules",
        "learned": outcome.learned,
        "merged": outcome.merged,
        "changed": outcome.changed,
        "doubted": outcome.doubted,
    }
    if answer and answer.refused:
        told["refused"] = answer.refused
    if answer and answer.nothing:
        told["nothing"] = [observations[place]["content"] for place in answer.nothing]
    return told
