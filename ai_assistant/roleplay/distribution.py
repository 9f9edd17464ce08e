"""Distribution: the rows that an utterance becomes, one of the world and one per participant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ai_assistant.core.contracts import Commit, Distribution, Event, Json, MemoryRow
from ai_assistant.core.readers import OPEN
from ai_assistant.memory.talk.hearsay import TOLD
from ai_assistant.roleplay.day_summaries import CORRECTS
from ai_assistant.roleplay.knowledge import WITNESSES, News, as_knowledge, what_of
from ai_assistant.roleplay.message_formats import WORLD, is_deed, message_line, spoken_words
from ai_assistant.roleplay.play import is_fiction, is_played, mark
from ai_assistant.roleplay.retelling import as_passed_on, as_told, news_to
from ai_assistant.roleplay.tale import TALK
from ai_assistant.roleplay.world_agent import KEY, WorldAgent, took_part

MESSAGE = "message"
ANSWERED = "answered"
"""In the metadata of a heard line: the character answered it."""


def heard_row(event: Event, who: str, turn_id: str = "") -> MemoryRow:
    """Return the row that keeps what was heard: its content is the words alone, to be searched."""
    meta: Json = {"event": event.id, "type": event.source_type, "turn": turn_id}
    decision = event.metadata.get(KEY)
    if decision is not None:
        meta |= _facts(decision, event.source.id, who)
    meta |= mark(is_played(event))
    row = MemoryRow(
        content=event.content,
        kind="utterance" if event.source_type != "pose" else "deed",
        session=event.session,
        author=event.source.id,
        author_name=event.source.name,
        readers=event.readers,
        game_day=event.game_day,
        location=(decision or {}).get("place") or event.place_name,
        learned_at=event.timestamp,
        importance=event.importance,
        meta=meta,
    )
    told = event.metadata.get(TOLD)
    return as_told(row, told) if told else row


def keep_heard(
    commit: Commit,
    event: Event,
    who: str,
    turn_id: str = "",
    *,
    answered: bool = False,
    world: WorldAgent | None = None,
) -> None:
    """Put into a commit what becomes of an event once it is over.

    An assistant keeps a row of it where it took part or `answered`. Others only perceived it, and
    have it in their stream for a while. The world and players in a scene get theirs as well, unless
    this `world` knows that they have it.
    """
    if event.event_type != "external" or event.source_type == "move":
        return
    decision = event.metadata.get(KEY)
    row = heard_row(event, who, turn_id)
    if answered:
        row = replace(row, meta={**row.meta, ANSWERED: True})
    if answered or took_part(decision, who):
        commit.rows.append(row)
    is_stored = world and world.is_stored(event.session, event.id, event.source_type)
    if decision is not None and not is_stored:
        commit.distributions.append(distribution(row, decision))


def keep_said(
    commit: Commit, row: MemoryRow, decision: Json | None, told: Sequence[Json] = ()
) -> None:
    """Put into a commit what a character says itself, and what becomes of it for the others.

    It remembers what it passed on with that (`told`), and believes it no less.
    """
    facts = _facts(decision, row.author, row.author) if decision else {}
    own = replace(row, meta={**row.meta, **facts})
    known = replace(as_told(own, as_passed_on(told)), trust=row.trust) if told else own
    commit.rows.append(known)
    if decision is not None:
        commit.distributions.append(distribution(own, decision, told))


def _facts(decision: Mapping[str, Any], speaker: str, who: str) -> Json:
    """Return what `who` knows of a line: of the participants those whom it sees, and itself.

    Whom the speaker does not see, nobody else counts either.
    """
    hidden = {*decision["hidden"], *decision.get("unseen", {}).get(who, ())} - {who}
    everybody = [found["id"] for found in decision["participants"]]
    facts: Json = {
        "speaker": speaker,
        "participants": [who for who in everybody if who not in hidden] if hidden else everybody,
        "is_speaker": speaker == who,
    }
    return facts | mark(decision.get("fiction"))


def distribution(
    message: MemoryRow, decision: Mapping[str, Any], told: Sequence[Json] = ()
) -> Distribution:
    """Return what is stored of an utterance beside the rows of those with a mind.

    `message` is the row as its speaker or a hearer keeps it; `told` is what it passes on.
    """
    everybody = [found["id"] for found in decision["participants"]]
    event = {key: message.meta[key] for key in ("event", "type")}
    raw = replace(
        message,
        content=message_line(message.author_name, message.content, message.game_day),
        kind=MESSAGE,
        container=WORLD,
        meta={
            **event,
            "speaker": message.author,
            "participants": everybody,
            "hearers": list(decision["hearers"]),
            **mark(is_fiction(message)),
        },
    )
    bodies = [who for who in everybody if who in decision["bodies"]] if message.session else []
    rows = []
    for who in bodies:  # players have a container, but no turn to save it with
        kind = "deed" if message.meta["type"] in ("pose", "emote") else "utterance"
        meta = event | _facts(decision, message.author, who) | mark(is_fiction(message))
        kind = "own_words" if who == message.author else kind
        row = replace(message, kind=kind, container=who, meta=meta)
        rows.append(as_told(row, news_to(told, who)))
    return Distribution(raw, tuple(rows), dict(decision))


def as_attended(
    line: MemoryRow, who: str, participants: Sequence[str], told: Sequence[Json] = ()
) -> MemoryRow:
    """Return the row of somebody who, it turned out later, took part in a line of the record.

    `told` is what was passed on with it.
    """
    kept: Json = {
        name: line.meta[name] for name in ("event", "type", "speaker") if name in line.meta
    }
    facts = {"participants": list(participants), "is_speaker": False, **mark(is_fiction(line))}
    row = replace(
        line,
        id=0,
        kind="deed" if is_deed(line) else "utterance",
        content=spoken_words(line.content),
        container=who,
        meta={**kept, **facts},
    )
    return as_told(row, news_to(told, who))


def enrich(message: MemoryRow, news: News) -> tuple[MemoryRow, list[MemoryRow]]:
    """Return a message with what was newly learnt with it, and that as rows of its own.

    So the enriched message shows it, and a search finds it. What fewer may know than the message
    stands in its own row alone. Who saw it happen has that row already.
    """
    who = message.container
    new = (update for update in news.rows if who not in update.meta.get(WITNESSES, ()))
    learnt = [as_knowledge(update, message) for update in new]
    shown = [what_of(row) for row in news.rows if row.readers in (OPEN, message.readers)]
    if shown:
        message = replace(message, meta={**message.meta, "knowledge": shown})
    return message, learnt


def is_message(row: MemoryRow) -> bool:
    """Is this a row with which its owner can learn something of the world?"""
    return "participants" in row.meta and CORRECTS not in row.meta and row.kind in TALK
