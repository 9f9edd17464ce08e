"""The lines of a scene as its page shows them: who had each of them, how, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ai_assistant.api.turns.rules_in_words import decision_in_words
from ai_assistant.commands import rows_shown
from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.times import iso
from ai_assistant.game.identity import find, is_assistant, person, unstyled
from ai_assistant.roleplay.message_formats import spoken_words
from ai_assistant.roleplay.scene import SceneState
from ai_assistant.storage import Container
from ai_assistant.web.access import Context, Visitor

MOST_PEOPLE = 12
"""Columns of a time line: those who took part most."""


def columns_of(decisions: Sequence[Json], members: Sequence[str]) -> tuple[list[str], int]:
    """Return who takes part in these lines, most often first, then members who missed them all;
    and how many more there are.
    """
    often = Counter(who["id"] for made in decisions for who in made["participants"])
    often.update(who for made in decisions for who in made["hearers"])
    often.update(dict.fromkeys(members, 0))
    return [who for who, _ in often.most_common(MOST_PEOPLE)], max(0, len(often) - MOST_PEOPLE)


def line_shown(
    decision: Json,
    row: MemoryRow | None,
    people: Sequence[str],
    names: Mapping[str, str],
    missed: Mapping[str, str],
) -> Context:
    """Return a line as the page shows it; `names` are those of speakers who left."""
    took = {who["id"]: who for who in decision["participants"]}
    cells = [
        ("missed", "missed", missed[who]) if who in missed else _cell(who, took.get(who), decision)
        for who in people
    ]
    return {
        "event": decision["event"],
        "row": decision["row"],
        "at": iso(decision["at"]),
        "speaker": names.get(decision["speaker"]) or person(decision["speaker"]),
        "words": spoken_words(row.content) if row else "(forgotten)",
        "place": row.location if row else "",
        "by": decision_in_words(decision["by"], is_sure=decision["sure"]),
        "cells": cells,
    }


HOW_MEANT = {
    "direct": "by whisper, page or gift",
    "addressed": "called by name",
    "answered": "it was an answer to them",
    "all": "it was for everybody",
    "named": "spoken of",
    "we": "meant by “we”",
    "reply": "in the talk already",
    "model": "a model thought so",
    "staff": "put right by staff",
}
"""The rules by which somebody takes part in a line, as an owner would put it."""


def _cell(who: str, took: Json | None, decision: Json) -> tuple[str, str, str]:
    """Return how somebody had a line: a class for its look, in a word, and why."""
    if who == decision["speaker"]:
        return "took", "spoke", ""
    if took:
        why = HOW_MEANT.get(took["rule"]) or took["rule"].replace("_", " ")
        return "took", "took part", f"{why}, {took['confidence']:.0%} sure"
    return "overheard", "overheard", "it was not for them"


def whole_line(visitor: Visitor, scene: SceneState, made: Json) -> Context:
    """Return what each has of one line, and which of them may be corrected."""
    held, event = [], made["event"]
    for who in made["participants"]:
        body = find(who["id"])
        may_edit = body is not None and is_assistant(body) and visitor.may_edit(body)
        rows = Container(scene.id, who["id"]).find(where={"event": event}, limit=3)
        held += [
            {
                "name": person(who["id"]),
                "row": row,
                "told": unstyled(rows_shown.known_line(row)).strip(),
                "number": body.pk if may_edit else 0,
                "teller": body.pk if body else 0,
            }
            for row in rows
        ]
    return {"line": event, "row": made["row"], "held": held}
