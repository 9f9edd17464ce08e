"""Group talks: who took part in the open talk under way, for the shared social block."""

from __future__ import annotations

from collections.abc import Sequence

from ai_assistant.agent.turn.turn import Turn
from ai_assistant.core.contracts import ALOUD, Change, Json
from ai_assistant.core.readers import OPEN
from ai_assistant.core.times import epoch
from ai_assistant.language.words import words
from ai_assistant.memory.blocks import rules
from ai_assistant.memory.labelled import joint_author
from ai_assistant.memory.talk.hearsay import FICTION
from ai_assistant.memory.talk.working import topic_of

LASTS = 600.0
"""Seconds within which lines in one place belong to one talk."""
FEWEST, MOST = 2, 8
"""People, beside the character, that make a talk of several; of more the latest are named."""


def note_company(turn: Turn) -> None:
    """Propose a group interaction if several people talk openly with the character.

    A talk that goes on stays one entry, with its latest topic. Whoever has left is not in it.
    """
    if turn.trigger is None or turn.trigger.readers != OPEN:
        return
    present = {thing.entity.id for thing in turn.things.values()}
    steps = (change.args for change in turn.commit.changes if change.part == "stream")
    new = (entry for step in steps for entry in step["added"])
    since = turn.clock.now() - LASTS
    lines = [
        entry
        for entry in (*turn.store.view("stream")["entries"], *new)
        if epoch(entry["timestamp"]) > since
        and entry["who_id"] in present
        and entry["event_type"] == "external"
        and (entry["readers"], entry["place"]) == (OPEN, turn.place)
        and entry["kind"] in ALOUD
        and entry.get("session", "") == turn.play.session
        and not entry.get(FICTION)
    ]
    speakers: Json = {entry["who_id"]: entry["who"] for entry in reversed(lines)}
    if len(speakers) < FEWEST or turn.trigger.source.id not in speakers:
        return
    names = sorted([*speakers.values()][:MOST])
    step = {
        "participants": names,
        "topic": _topic(turn, lines),
        "at": turn.clock.now(),
        "readers": OPEN,
        "author": joint_author(speakers),
        "since": since,
        "writer": "npc",
        "by": turn.me.id,
    }
    turn.change(Change(rules.SOCIAL, "", "record_group_interaction", step))


def _topic(turn: Turn, lines: Sequence[Json]) -> str:
    """Return the topic of a group talk: what the model called it, else what was said last."""
    talks = (turn.state("working", who) for who in dict.fromkeys(line["who_id"] for line in lines))
    given = max((talk for talk in talks if talk["topic_given"]), key=_when, default=None)
    if given:
        return str(given["topic"])
    told = (topic_of(line["content"], words(turn.me.name)) for line in reversed(lines))
    return next(filter(None, told), "")


def _when(talk: Json) -> str:
    return str(talk["last_message"])
