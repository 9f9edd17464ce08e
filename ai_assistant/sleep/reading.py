"""Reading: the night reads the day, one exact label at a time, and what it understood is checked.

A model, or what stands in for one, gets the lines themselves beside what is held. Code checks each
fact, has it mended once, and lets it stand. One pass is one commit. Lines that made no fact stay
what they are; a note stays with its profile until a fact cites it (design §3.13, §10).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ai_assistant.agent.mind import Mind
from ai_assistant.contracts import Change, Entity, Json, Message, ModelRequest, PromptSection
from ai_assistant.memory.past import REPLACED_BY, REPLACES
from ai_assistant.memory.redaction import fingerprint
from ai_assistant.memory.sleep import waiting_entry
from ai_assistant.prompts import load
from ai_assistant.readers import members, usable
from ai_assistant.sleep.checks import SCHEMA, Answer, Treatment, read_answer
from ai_assistant.sleep.gathering import calls_for, gather, unread_notes
from ai_assistant.sleep.passes import Pass, as_text
from ai_assistant.sleep.standing import Outcome, Standing
from ai_assistant.sleep.waiting import calls_left, count_lines, left_over, next_label, size_of
from ai_assistant.sleep.work import Work, answer_to

STAGE = JOB = "consolidate"
CONTEXT = "sleep_consolidate"
LONGEST_ANSWER = 2500
"""Tokens of an answer."""
MOST_FAILURES = 3
"""Nights in which an answer to the same lines may be unreadable, until they are passed over."""
UNREADABLE = "the answer was no JSON object with a list of facts"


async def read_day(mind: Mind, sleep: Json) -> Work | None:
    """Read the next lines of the next label; None when what is left waits for another night."""
    sleep = {"waiting": {}, "spare": 0.0, **sleep}
    if counted := count_lines(mind, sleep):
        return counted
    label = next_label(mind, sleep)
    if label is None:
        return None
    entry = sleep["waiting"][label]
    few = calls_left(mind) < calls_for(entry["lines"])
    only_mine = few and 0 < entry["mine"] < entry["lines"]
    shown = gather(mind, label, entry, sleep["gathered"], only_mine=only_mine)
    if not shown.lines:
        return Work("count", marks=_marks(mind, sleep, shown, 0.0))
    spare = sleep["spare"] + _granted(mind, sleep, entry, label)
    answer, calls = await _answer(mind, shown, may_mend=spare >= 1)
    spare -= calls - 1
    now = gather(mind, label, entry, sleep["gathered"], only_mine=only_mine)
    if answer is None or now != shown:
        return _put_off(mind, sleep, label, spare, calls)
    if not answer.is_readable and entry["failed"] + 1 < MOST_FAILURES:
        return _put_off(mind, sleep, label, spare, calls, failed=1)
    return _work(mind, sleep, shown, answer, spare, calls)


def _granted(mind: Mind, sleep: Json, entry: Json, label: str) -> float:
    """Return what a label adds to the calls that may go into mending: once a night."""
    if entry["night"] == sleep["night"]:
        return 0.0
    notes = unread_notes(mind.store.read_all("profile")).get(label, 0)
    return left_over(entry, size_of(entry, notes))


# -- asking


async def _answer(mind: Mind, shown: Pass, *, may_mend: bool) -> tuple[Answer | None, int]:
    """Return what a model understood, mended once where it may be, and how often it was asked."""
    sections = shown.sections(mind.clock.now())
    answer = await _asked(mind, shown, sections)
    if answer is None or not may_mend or (answer.is_readable and not answer.refused):
        return answer, 1
    why = answer.refused if answer.is_readable else [{"fact": "", "why": UNREADABLE}]
    again = await _asked(mind, shown, (*sections, PromptSection("mend", tuple(why))))
    if again is None or not again.is_readable:
        return answer, 2
    if not answer.is_readable:
        return again, 2
    known = {one.text for one in answer.facts}
    answer.facts += [one for one in again.facts if one.text not in known]
    answer.refused = again.refused
    return answer, 2


async def _asked(mind: Mind, shown: Pass, sections: Sequence[PromptSection]) -> Answer | None:
    """Return a model's answer to one request; None where none came."""
    request = ModelRequest(
        messages=(Message("system", load(JOB)), Message("user", as_text(sections))),
        sections=tuple(sections),
        job=JOB,
        context_type=CONTEXT,
        assistant=mind.key,
        max_tokens=LONGEST_ANSWER,
        schema=SCHEMA,
    )
    text = await answer_to(mind, request)

    def lookup(name: str) -> Entity | None:
        found = mind.world.known(name)
        return found[0] if len(found) == 1 else None

    return read_answer(text, shown, lookup, number_words()) if text else None


def number_words() -> Mapping[str, int]:
    """Return the number words of the game's language."""
    return {}


# -- saving


def _work(mind: Mind, sleep: Json, shown: Pass, answer: Answer, spare: float, calls: int) -> Work:
    standing = Standing(shown, mind.store.read_all("profile"))
    standing.take(answer.facts)
    told, *more = _told(standing, shown, answer) or [({}, {})]
    return Work(
        STAGE,
        changes=[*_changes(mind, shown, standing), *_treated(answer.treated, shown)],
        rows=standing.rows,
        annotated=standing.marks,
        told=told[0],
        undo=told[1],
        more=more,
        readers=shown.label,
        marks=_marks(mind, sleep, shown, spare, standing),
        calls=calls,
        credit=shown.fresh,
    )


def _changes(mind: Mind, shown: Pass, standing: Standing) -> list[Change]:
    """Return what becomes of profiles: traits, notes that prove something, and notes read."""
    at = mind.clock.now()
    found: list[Change] = []
    read: dict[str, list[Json]] = {}
    for line in shown.lines.values():
        if line.note is not None and line.fresh:
            read.setdefault(line.about, []).append(line.note)
    for key in dict.fromkeys((*standing.outcomes, *standing.used, *read)):
        outcome = standing.outcomes.get(key)
        if outcome and outcome.added:
            identity = {"name": outcome.name, "entity_type": outcome.kind, "at": at}
            found.append(Change("profile", key, "create_entity_profile", identity))
        step = {
            "entity_id": key,
            "drop": [fingerprint(one) for one in outcome.dropped] if outcome else [],
            "add": outcome.added if outcome else [],
            "consumed": [fingerprint(one) for one in standing.used.get(key, ())],
            "keep_consumed": not mind.config["prune_consumed"],
            "read": [fingerprint(one) for one in read.get(key, ())],
        }
        if step["drop"] or step["add"] or step["consumed"] or step["read"]:
            found.append(Change("profile", key, "consolidate", step))
    return found


def _treated(found: Sequence[Treatment], shown: Pass) -> list[Change]:
    """Return a change for each person who treated the character well or badly."""
    changes = []
    for one in found:
        step = {
            "score": one.score,
            "reason": one.reason,
            "line": one.line.row,
            "event": one.line.event,
            "author": one.who.id,
            "readers": shown.label,
            "at": one.line.at,
        }
        changes.append(Change("profile", one.who.id, "treated", step))
    return changes


def _told(standing: Standing, shown: Pass, answer: Answer) -> list[tuple[Json, Json]]:
    """Return the entries of the report, each with what takes it back."""
    found = [
        (one.told(), _undo(one, standing))
        for one in standing.outcomes.values()
        if one.learned or one.changed or one.merged or one.doubted
    ]
    refused = answer.refused if answer.is_readable else [{"fact": "", "why": UNREADABLE}]
    if refused:
        found.append(({"refused": refused}, {}))
    if found:
        marks = standing.marks.items()
        found[0][0]["read"] = shown.fresh
        found[0][1]["marked"] = [id for id, notes in marks if REPLACED_BY in notes]
        found[0][1]["marking"] = [id for id, notes in marks if REPLACES in notes]
    return found


def _undo(outcome: Outcome, standing: Standing) -> Json:
    return {
        "entity": outcome.entity,
        "added": outcome.added,
        "attributes": outcome.dropped,
        "observations": standing.used.get(outcome.entity, []),
    }


# -- what waits


def _marks(
    mind: Mind, sleep: Json, shown: Pass, spare: float, standing: Standing | None = None
) -> Json:
    """Return what waits once a pass is read, with the narrower labels that its news concern."""
    waiting = {**mind.store.read("sleep").get("waiting", {})}
    entry = waiting.pop(shown.label, waiting_entry(shown.last))
    left = entry["lines"] - shown.count if shown.count or shown.only_mine else 0
    notes = unread_notes(mind.store.read_all("profile")).get(shown.label, 0)
    notes -= sum(1 for one in shown.lines.values() if one.note is not None and one.fresh)
    if left > 0 or notes > 0:
        mine = entry["mine"] - sum(one.to_me and one.fresh for one in shown.lines.values())
        mine = max(0, mine) if shown.count else 0
        place = "ahead" if shown.only_mine else "after"
        now = {place: shown.last, "lines": max(0, left), "mine": mine, "again": []}
        waiting[shown.label] = {**entry, **now, "nights": 0, "failed": 0, "night": sleep["night"]}
    for label, rows in _concerned(mind, shown, standing).items():
        other = waiting.get(label) or waiting_entry(sleep["gathered"])
        waiting[label] = {**other, "again": [*other["again"], *rows]}
    return {"waiting": waiting, "spare": round(spare, 4)}


def _concerned(mind: Mind, shown: Pass, standing: Standing | None) -> dict[str, list[Any]]:
    """Return the narrower labels that hold something on whom there is news, with the news' rows."""
    found: dict[str, list[Any]] = {}
    for key, outcome in standing.outcomes.items() if standing else ():
        rows = list(dict.fromkeys(id for one in outcome.added for id in one["evidence"][-1:]))
        profile = mind.store.read("profile", key)
        for label in dict.fromkeys(one.get("readers", "") for one in profile["attributes"]):
            is_narrower = label != shown.label and usable(shown.label, members(label))
            if rows and is_narrower:
                found.setdefault(label, []).extend(rows)
    return found


def _put_off(
    mind: Mind, sleep: Json, label: str, spare: float, calls: int, *, failed: int = 0
) -> Work:
    """Leave a label for the next night: nothing came of it, or it is not any more what was read."""
    waiting = {**mind.store.read("sleep").get("waiting", {})}
    if entry := waiting.get(label):
        more = {"tried": sleep["night"], "failed": entry["failed"] + failed}
        waiting[label] = {**entry, **more, "night": sleep["night"]}
    return Work("count", marks={"waiting": waiting, "spare": round(spare, 4)}, calls=calls)
