"""Component 2000: the memories that come to mind by what is said now."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ai_assistant.agent import contexts
from ai_assistant.agent.prompt.draft import Section
from ai_assistant.agent.prompt.templates import REMEMBERED
from ai_assistant.agent.turn import Turn
from ai_assistant.contracts import Json, MemoryRow
from ai_assistant.memory.hearsay import hearsay
from ai_assistant.memory.parts import iso
from ai_assistant.memory.recall import Found
from ai_assistant.roleplay.formats import MOST_RECENT, Said, recall_query
from ai_assistant.roleplay.permanent import PLOT

RECALLED = 6
LONGEST_SHOWN = 600


async def memories(
    turn: Turn,
    entries: Sequence[Json],
    shown: Sequence[Section] = (),
    lore: Collection[str] = (),
) -> Section:
    """Return what is recalled, best first, without what stands in the prompt already.

    That is in `entries` of the conversation, in the sections `shown`, or under a key of `lore`.
    """
    found = await _search(turn, entries)
    rows: list[Json | str] = list(_always(turn))
    most = RECALLED + len(rows)
    stands = _words_of(shown) | {row["text"] for row in rows if isinstance(row, dict)}
    told = set(lore)
    for one in found:
        row = one.row
        if row.meta.get("loreKey") in told or not _fits(turn, one, stands):
            continue
        if turn.draw(row):
            told |= {row.meta["loreKey"]} if "loreKey" in row.meta else set()
            rows.append(recalled(row))
        if len(rows) == most:
            break
    return Section("memories", contexts.MEMORIES, rows, REMEMBERED)


def _always(turn: Turn) -> Iterator[Json]:
    """Yield what a scene has from its start and always shows: its plot. Who one is stands above,
    and lore is there when it is spoken of.
    """
    if turn.play.session and turn.play.includes:
        wanted = {"session": turn.play.session, "kind": PLOT}
        for row in turn.store.find_rows(wanted, 1):
            if turn.admit(row.readers, row.author):
                yield recalled(row)


async def _search(turn: Turn, entries: Sequence[Json]) -> list[Found]:
    """Return what the character's memory holds on what it is about to answer (START)."""
    answered = [Said(one.source.name, one.content, one.game_day) for one in turn.events]
    day, said = turn.play.day, [one for one in entries if one["event_type"] != "self_action"]
    earlier = [Said(one["who"], one["content"], one.get("game_day") or day) for one in said]
    query = recall_query(day, answered, turn.me.name, earlier=earlier[-MOST_RECENT:])
    if not query.words.strip():
        return []
    in_window = {entry["id"] for entry in entries}
    most = RECALLED * 3
    return await turn.candidates(query.words, most, asked=query.text, besides=in_window)


def _words_of(sections: Sequence[Section]) -> set[str]:
    rows = (row for section in sections for row in section.rows if isinstance(row, dict))
    return {value for row in rows for value in row.values() if isinstance(value, str)}


def _fits(turn: Turn, one: Found, stands: Collection[str]) -> bool:
    trusted = one.row.trust >= turn.mind.config["min_source_trust"]
    return trusted and one.row.content not in stands


def recalled(row: MemoryRow) -> Json:
    """Return a memory row as the model reads it, in a scene with the day of its story."""
    shown: Json = {"on": iso(row.learned_at)[:10], "who": row.author_name, "kind": row.kind}
    shown |= {"day": row.game_day} if row.session else {}
    return shown | hearsay(row) | {"text": row.content[:LONGEST_SHOWN]}
