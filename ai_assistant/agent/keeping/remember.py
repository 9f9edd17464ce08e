"""Remembering: the changes and rows that a turn writes of what was heard, said and done.

Each piece of speech is saved with what was heard and done before it; the rest is saved when the
turn ends.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from zlib import crc32

from ai_assistant.agent.attention.classify import PERHAPS
from ai_assistant.agent.keeping.group_talk import note_company
from ai_assistant.agent.keeping.own_words import as_kept, judge_own, passes_on
from ai_assistant.agent.keeping.remember_people import remember_lines, remember_people
from ai_assistant.agent.keeping.why import why
from ai_assistant.agent.mind import Mind
from ai_assistant.agent.turn.deeds import note_refusal
from ai_assistant.agent.turn.speech_rules import refuses_speech
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.agent.turn.turn_state import has_acted, has_answered
from ai_assistant.core.contracts import (
    TO_ONE,
    Change,
    Delivery,
    Event,
    Json,
    MemoryRow,
    Speech,
    SpeechKind,
)
from ai_assistant.core.readers import Audience
from ai_assistant.language import current_language
from ai_assistant.memory.importance import OWN, PERCEIVED
from ai_assistant.memory.talk import stream
from ai_assistant.memory.talk.hearsay import FICTION
from ai_assistant.roleplay.distribution import keep_heard, keep_said
from ai_assistant.roleplay.play import mark

MOST_EXCUSED = 500
"""People and places of which the last excuse is known."""


def excuse_itself(turn: Turn) -> None:
    """Propose an excuse that suits the persona if the model failed, so that players get an answer.

    It differs from the last excuse to them, and is not remembered. There is none for other
    assistants, whose talk ends here, for what was perhaps said to others, and if the character has
    walked out of reach of those who asked.
    """
    is_near = not turn.moved or any(map(turn.world.in_reach, turn.events))
    asked = [event for event in turn.events if not event.by_assistant]
    waited = any(event.addressing != PERHAPS for event in asked)
    if not (is_near and waited) or has_answered(turn):
        return
    first = turn.events[0]
    kind = turn.in_kind or "emote"
    target = first.source if kind in TO_ONE else None
    if not refuses_speech(turn, kind, target.id if target else ""):
        turn.is_excuse = True
        turn.speak(kind, _excuse(turn.mind, target.id if target else first.place, kind), target)


def fitting_excuses(persona: Mapping[str, object], kind: str) -> list[str]:
    """Return the language's ``gestures`` or ``words`` of excuse, those for the persona first."""
    known = current_language().excuses
    told = {*re.findall(r"\w+", f"{persona.get('role')} {persona.get('personality')}".lower())}
    own = (some for some in known.get("suiting", ()) if told & {*some["suits"].split()})
    return [*(line for some in own for line in some[kind]), *known[kind]]


def _excuse(mind: Mind, to: str, kind: SpeechKind) -> str:
    fitting = fitting_excuses(mind.persona, "gestures" if kind == "emote" else "words")
    number = crc32(mind.key.encode()) + mind.excuses
    if fitting[number % len(fitting)] == mind.excused.get(to):
        number += 1
    chosen = fitting[number % len(fitting)]
    mind.excuses += 1
    if len(mind.excused) >= MOST_EXCUSED:
        mind.excused.clear()
    mind.excused[to] = chosen
    return chosen


def remember_turn(turn: Turn, expected: Delivery | None) -> str:
    """Fill `turn.commit` with all that is still to be kept; return the outcome in a word."""
    for act, refusal in turn.refusals:
        note_refusal(turn, act, refusal)
    remember_speech(turn, expected)
    if turn.errand is None and not turn.play.fiction:
        remember_people(turn)
        note_company(turn)
    if notes := next((one.rows for one in turn.prompt.sections if one.key == "staff_notes"), ()):
        spent = {"ids": [row["staff_note"] for row in notes], "at": turn.mind.clock.now()}
        turn.change(Change("staff_notes", "", "spend_turn", spent))
    outcome = _outcome(turn, expected)
    turn.commit.closed += [event.id for event in turn.events] or ([turn.id] * turn.is_on_disk)
    turn.change(Change("metrics", "", "count", {"name": outcome.partition(":")[0]}))
    duration = round(1000 * (turn.mind.clock.monotonic() - turn.began))
    tick = turn.state("counters")["ticks"]
    if not turn.events and turn.errand is None:
        noted = {"tick_number": tick, "duration_ms": duration, "action_taken": outcome}
        turn.audit("TickCompleted", noted)
    turn.audit(
        "TurnCompleted",
        {
            "tick": tick,
            "duration_ms": duration,
            "context_type": turn.context.context_type,
            "events": [event.id for event in turn.events],
            "outcome": outcome,
            "steps": turn.steps,
            "tokens": turn.tokens,
            "model_calls": turn.model_calls,
            "problem": turn.problem,
            "speech": "\n".join(speech.text for speech in turn.speeches) or turn.answer,
            "kind": turn.speeches[-1].kind if turn.speeches else "",
            "why": why(turn),
            **({"excuse": turn.speech.text} if turn.is_excuse and turn.speech else {}),
        },
    )
    return outcome


def remember_speech(turn: Turn, expected: Delivery | None) -> Speech | None:
    """Add to `turn.commit` what was heard and done so far, and the words that are said now.

    Heard lines keep their labels, acts have the label of their moment, and words get none wider
    than their place. Returns the speech as it is kept; None for none.
    """
    said, heard_by = None, frozenset[str]()
    is_heard = expected and expected.outcome != "dropped" and not turn.is_excuse
    if turn.speech and expected and is_heard:
        turn.speech = passes_on(turn, turn.speech)
        heard_by = expected.hearers
        said = as_kept(turn, turn.speech, heard_by)
    answered = {event.id for event in turn.events}
    overheard = [event for event in turn.mind.heard if event.id not in answered]
    unsaved = [event for event in turn.events if event.id not in turn.saved_events]
    new = sorted((*overheard, *unsaved), key=lambda event: event.timestamp)
    asked = max((event.timestamp for event in turn.events), default=math.inf)
    late = [event for event in new if event.timestamp > asked]  # came while it was thinking
    for event in new[: len(new) - len(late)]:
        _heard(turn, event, answered=bool(said or has_acted(turn)) and event in turn.events)
    if turn.deeds:
        turn.change(Change("stream", "", "append", {"added": [*turn.deeds]}))
    for deed in turn.deeds:
        _handed_over(turn, deed)
    turn.deeds.clear()
    if said:
        _said(turn, said, heard_by)
        turn.speeches.append(said)
    for event in late:
        _heard(turn, event, answered=False)
    if turn.errand is None and not turn.play.fiction:
        remember_lines(turn, [event for event in new if event in turn.events], said)
    turn.saved_events.update(event.id for event in turn.events)
    return said


def _outcome(turn: Turn, expected: Delivery | None) -> str:
    if turn.problem:
        return f"failed: {turn.problem}"
    if turn.passes:
        return "passed"
    if turn.speeches or turn.answer:
        return "answered"
    ends = [expected, *(end for _, end in turn.deliveries)]
    unheard = next((end for end in ends if end and end.outcome == "dropped"), None)
    if unheard:
        return f"dropped: {unheard.reason}"
    return "acted" if has_acted(turn) else "silent"


def _heard(turn: Turn, event: Event, *, answered: bool) -> None:
    turn.change(Change("stream", "", "append", {"added": [stream.entry_of(event, turn.id)]}))
    world = turn.mind.world_agent
    keep_heard(turn.commit, event, turn.me.id, turn.id, answered=answered, world=world)


def _handed_over(turn: Turn, deed: Json) -> None:
    """Propose a memory of whom the character gave what; a story has its own record."""
    if deed.get("call", {}).get("name") != "give" or deed.get(FICTION) or turn.play.fiction:
        return
    name = deed["call"]["arguments"].get("to")
    people = [thing.entity for thing in turn.things.values() if thing.entity.name == name]
    row = MemoryRow(
        content=deed["content"],
        kind="deed",
        session=turn.play.session,
        subject=people[0].id if people else "",
        author=turn.me.id,
        author_name=turn.me.name,
        readers=deed["readers"],
        game_day=turn.play.day,
        location=turn.surroundings.place_name,
        learned_at=turn.commit.at,
        importance=PERCEIVED["gift"],
        meta={"event": deed["id"], "type": "gift", "turn": turn.id},
    )
    turn.commit.rows.append(row)


def _said(turn: Turn, speech: Speech, heard_by: Audience) -> None:
    session, day = turn.play.session, turn.play.day
    entry = stream.own_entry(
        turn.me, speech, at=turn.commit.at, turn_id=turn.id, session=session, day=day
    )
    turn.change(Change("stream", "", "append", {"added": [entry]}))
    row = MemoryRow(
        content=speech.text,
        kind="own_words",
        session=session,
        author=turn.me.id,
        author_name=turn.me.name,
        readers=speech.readers,
        game_day=day,
        location=turn.play.place or turn.surroundings.place_name,
        learned_at=turn.clock.now(),  # what was done before it comes before it
        importance=OWN,
        meta={"event": entry["id"], "type": speech.kind, "turn": turn.id} | mark(speech.played),
    )
    decision = judge_own(turn, speech, entry["id"], heard_by)
    keep_said(turn.commit, row, decision, speech.told)
    if not turn.events:  # on record, so that a restart does not let it speak unasked again
        heard = sorted(turn.world.company())
        spoke = {"place": speech.place, "heard": heard, "at": turn.commit.at}
        turn.change(Change("patience", "", "spoke", spoke))
