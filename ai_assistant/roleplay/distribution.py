"""Distribution: the rows that an utterance becomes, one of the world and one per participant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ai_assistant.core.contracts import Commit, Distribution, Event, Json, MemoryRow
from ai_assistant.core.readers import OPEN
from ai_assistant.memory.talk.hearsay import TOLD
from ai_assistant.roleplay.day_summaries import CORRECTS
from ai_assistant.roleplay.knowledge import News, as_knowledge, what_of
from ai_assistant.roleplay.message_formats import WORLD, message_line
from ai_assistant.roleplay.play import is_fiction, is_played, mark
from ai_assistant.roleplay.retelling import as_told, kept, news_to
from ai_assistant.roleplay.world_agent import KEY, seen_participants, took_part

MESSAGE = "message"


def decision_of(event: Event) -> Json | None:
    """Return what the World Agent decided on an event; None where nobody was asked."""
    found: Json | None = event.metadata.get(KEY)
    return found


def heard_row(event: Event, who: str, turn_id: str = "") -> MemoryRow:
    """Return the row that keeps what was heard, under the label it was heard with.

    Its content is the words alone: they are what is searched. The sections of the enriched
    message are made of its metadata; see `message_formats.enriched_row`.
    """
    meta: Json = {"event": event.id, "type": event.source_type, "turn": turn_id}
    decision = decision_of(event)
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
    return as_told(row, event.metadata.get(TOLD, ()))


def keep_heard(
    commit: Commit, event: Event, who: str, turn_id: str = "", *, answered: bool = False
) -> None:
    """Put into a commit what becomes of an event once it is over.

    An assistant keeps a row of it where it took part or `answered`. Others only perceived it, and
    have it in their stream for a while. The world and players in a scene get theirs as well.
    """
    if event.event_type != "external" or event.source_type == "move":
        return
    decision = decision_of(event)
    row = heard_row(event, who, turn_id)
    if answered or took_part(decision, who):
        commit.rows.append(row)
    if decision is not None:
        commit.distributions.append(distribution(row, decision))


def keep_said(
    commit: Commit, row: MemoryRow, decision: Json | None, told: Sequence[Json] = ()
) -> None:
    """Put into a commit what a character says itself, and what becomes of it for the others.

    It remembers what it passed on with that (`told`), and believes it no less.
    """
    facts = _facts(decision, row.author, row.author) if decision else {}
    own = replace(row, meta={**row.meta, **facts})
    known = replace(as_told(own, kept(told)), trust=row.trust)
    commit.rows.append(known)
    if decision is not None:
        commit.distributions.append(distribution(own, decision, told))


def _facts(decision: Mapping[str, Any], speaker: str, who: str) -> Json:
    facts: Json = {
        "speaker": speaker,
        "participants": seen_participants(decision, who),
        "is_speaker": speaker == who,
    }
    return facts | mark(decision.get("fiction"))


def distribution(
    message: MemoryRow, decision: Mapping[str, Any], told: Sequence[Json] = ()
) -> Distribution:
    """Return what is stored of an utterance beside the rows of those with a mind.

    `message` is the row as its speaker or a hearer keeps it; `told` is what it passes on.
    """
    everybody = [one["id"] for one in decision["participants"]]
    raw = replace(
        message,
        content=message_line(message.author_name, message.content, message.game_day),
        kind=MESSAGE,
        container=WORLD,
        meta={
            "event": message.meta["event"],
            "type": message.meta["type"],
            "speaker": message.author,
            "participants": everybody,
            "hearers": list(decision["hearers"]),
            **mark(is_fiction(message)),
        },
    )
    bodies = [one for one in everybody if one in decision["bodies"]] if message.session else []
    rows = tuple(as_told(_for_body(message, decision, one), news_to(told, one)) for one in bodies)
    return Distribution(raw, rows, dict(decision))


def _for_body(message: MemoryRow, decision: Mapping[str, Any], who: str) -> MemoryRow:
    """Return the row of a player, who has a container but no turn to save it with."""
    meta = {key: message.meta[key] for key in ("event", "type")}
    kind = "own_words" if who == message.author else _heard_kind(message)
    facts = _facts(decision, message.author, who) | mark(is_fiction(message))
    return replace(message, kind=kind, container=who, meta={**meta, **facts})


def _heard_kind(message: MemoryRow) -> str:
    return "deed" if message.meta["type"] in ("pose", "emote") else "utterance"


def enrich(message: MemoryRow, news: News) -> tuple[MemoryRow, list[MemoryRow]]:
    """Return a message with what was newly learnt with it, and that as rows of its own.

    So the enriched message shows it, and a search finds it. What fewer may know than the message
    stands in its own row alone.
    """
    learnt = [as_knowledge(one, message) for one in news.rows]
    shown = [what_of(one) for one in news.rows if one.readers in (OPEN, message.readers)]
    if shown:
        message = replace(message, meta={**message.meta, "knowledge": shown})
    return message, learnt


def is_message(row: MemoryRow) -> bool:
    """Is this a row with which its owner can learn something of the world?"""
    return (
        "participants" in row.meta
        and CORRECTS not in row.meta
        and row.kind in ("utterance", "deed", "own_words")
    )


def present_at(row: MemoryRow, everybody: Sequence[str] = ()) -> set[str]:
    """Return the ids of those of whom a message's owner knows that they were there."""
    return {row.author, *row.meta.get("participants", ()), *everybody}
