"""How `aiscene` shows rows and decisions to staff: one line each, with their numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ai_assistant.commands.scene_shown import person
from ai_assistant.commands.shown import minute, private
from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.memory.parts import iso
from ai_assistant.memory.talk.hearsay import sources_of
from ai_assistant.roleplay.message_formats import container_name, enriched_row, metadata_of
from ai_assistant.roleplay.participants import SURE

_WAYS: Mapping[str, str] = {
    "utterance": "heard",
    "deed": "saw",
    "own_words": "said",
    "gossip": "was told",
    "world_state_update": "learnt",
    "character_update": "learnt",
    "day_summary": "sums up",
    "recap": "took home",
    "thought": "thought",
}
"""How somebody came by a row of a kind; others go by their kind."""


def world_line(row: MemoryRow) -> str:
    """Return a row of the world's record: its number, when, where, of what type, and the text."""
    facts = [minute(iso(row.learned_at)), row.location, str(row.meta.get("type", row.kind))]
    told = ", ".join(one for one in facts if one)
    return f"  |c#{row.id}|n |x({told})|n {row.content}{private(row.readers)}"


def known_line(row: MemoryRow) -> str:
    """Return a row of somebody's container: how it came, from whom, and how far it is believed."""
    way = _WAYS.get(row.kind, row.kind.replace("_", " "))
    source = "; ".join(map(_way, sources_of(row))) or _source(row)
    by = f" from {source}" if source else ""
    place = f", {row.location}" if row.location else ""
    fiction = " |x(played)|n" if row.meta.get("fiction") else ""
    return (
        f"  |c#{row.id}|n |x(day {row.game_day}{place}, {way}{by}, trust {row.trust:.2f})|n "
        f"{row.content}{private(row.readers)}{fiction}"
    )


def in_full(name: str, row: MemoryRow) -> Iterator[str]:
    """Yield what somebody has of a message: the row, then it with its sections, and its facts."""
    yield f"  {name}: {known_line(row).strip()}"
    yield f"      |xin {container_name(row.session, row.container)}|n"
    yield from (f"      {line}" for line in enriched_row(row).splitlines() if line)
    known = metadata_of(row)
    known["speaker"] = person(known["speaker"])
    known["participants"] = [person(one) for one in known["participants"]]
    told = (f"{field} {_plain(value)}" for field, value in known.items() if field != "timestamp")
    yield f"      |x{'; '.join(told)}|n"


def _plain(value: object) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)


def decided(one: Json, line: MemoryRow | None) -> Iterator[str]:
    """Yield a decision: the line, who took part, how sure that is, and who only overheard it."""
    text = f"{line.content}{private(line.readers)}" if line else "(forgotten)"
    sure = "" if one["sure"] else ", unsure: all who could hear"
    when = minute(iso(one["at"]))
    yield f"|c#{one['row']}|n {text} |x({when}, by {one['by']}{sure})|n"
    yield from (f"  {_part(who)}" for who in one["participants"])
    took = {who["id"] for who in one["participants"]}
    others = [person(who) for who in one["hearers"] if who not in took]
    if others:
        yield f"  only overheard by: {', '.join(others)}"


def _part(one: Json) -> str:
    doubt = "" if one["confidence"] >= SURE else "?"
    return f"{person(one['id'])}{doubt}: {one['confidence']:.2f} ({one['rule'].replace('_', ' ')})"


def _source(row: MemoryRow) -> str:
    """Return whose word a row at first hand is; nobody's, where it is one's own."""
    if row.author == row.container:
        return ""
    return row.author_name or ("the world" if row.meta.get("source") == "world" else "")


def _way(told: Json) -> str:
    """Return through whom something came, whose word it is first, then who told whom."""
    through = [person(one) for one in told["chain"]]
    return " > ".join([told["author_name"] or "the world", *through])
