"""How staff see the rows of a scene: its record, what somebody has of it, and who took part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from ai_assistant.api.stories.missed_lines import Attendance
from ai_assistant.commands.scene_shown import remembered
from ai_assistant.commands.shown import minute, private
from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.times import iso
from ai_assistant.game.identity import person
from ai_assistant.memory.talk.hearsay import sources_of
from ai_assistant.roleplay.distribution import MESSAGE
from ai_assistant.roleplay.knowledge import what_of
from ai_assistant.roleplay.message_formats import (
    container_name,
    enriched_row,
    is_deed,
    metadata_of,
    spoken_words,
)
from ai_assistant.roleplay.participants import SURE
from ai_assistant.roleplay.scene import SceneState
from ai_assistant.storage import Container, WorldContainer

WAYS = {
    "utterance": "heard",
    "deed": "saw",
    "own_words": "said",
    "gossip": "was told",
    "world_state_update": "learnt",
    "character_update": "learnt",
    "day_summary": "sums up",
    "chapter": "tells",
    "recap": "took home",
    "thought": "thought",
}
"""How somebody came by a row of a kind; others go by their kind."""


def recorded(row: MemoryRow) -> Iterator[str]:
    """Yield a row of the world's record as a tale tells it."""
    if row.kind == MESSAGE:
        kind = "deed" if is_deed(row) else "utterance"
        row = replace(row, kind=kind, content=spoken_words(row.content))
    else:
        row = replace(row, content=what_of(row))
    lines = remembered(row, row.meta.get("hearers", ()), Counter())
    yield from (f"{line}{private(row.readers)}" for line in lines)


def world_line(row: MemoryRow) -> str:
    """Return a row of the world's record: its number, when, where, of what type, and the text."""
    facts = [minute(iso(row.learned_at)), row.location, str(row.meta.get("type", row.kind))]
    told = ", ".join(filter(None, facts))
    return f"  |c#{row.id}|n |x({told})|n {row.content}{private(row.readers)}"


def known_line(row: MemoryRow) -> str:
    """Return a row of somebody's container: how it came, from whom, and how far it is believed."""
    way = WAYS.get(row.kind, row.kind.replace("_", " "))
    source = "; ".join(
        " > ".join([told["author_name"] or "the world", *map(person, told["chain"])])
        for told in sources_of(row)
    )
    if not source and row.author != row.container:
        source = row.author_name or ("the world" if row.meta.get("source") == "world" else "")
    drawn = ", drawn" if row.author == row.container else ""
    by = f"{drawn} from {source}" if source else ""
    day = f"day {row.game_day}" if row.game_day else ""
    facts = ", ".join(filter(None, (day, row.location, f"{way}{by}", f"trust {row.trust:.2f}")))
    fiction = " |x(played)|n" if row.meta.get("fiction") else ""
    return f"  |c#{row.id}|n |x({facts})|n {row.content}{private(row.readers)}{fiction}"


def in_full(name: str, row: MemoryRow) -> Iterator[str]:
    """Yield what somebody has of a message: the row, then it with its sections, and its facts."""
    yield f"  {name}: {known_line(row).strip()}"
    yield f"      |xin {container_name(row.session, row.container)}|n"
    yield from (f"      {line}" for line in enriched_row(row).splitlines() if line)
    facts = metadata_of(row)
    facts["speaker"] = person(facts["speaker"])
    facts["participants"] = ", ".join(map(person, facts["participants"]))
    facts["isSpeaker"] = "yes" if facts["isSpeaker"] else "no"
    del facts["timestamp"]
    told = "; ".join(f"{field} {value}" for field, value in facts.items())
    yield f"      |x{told}|n"


def decided(decision: Json, line: MemoryRow | None, missed: Mapping[str, str]) -> Iterator[str]:
    """Yield a decision: the line, who took part, how sure that is, who only overheard it, and who
    `missed` it, by id with why.
    """
    text = f"{line.content}{private(line.readers)}" if line else "(forgotten)"
    sure = "" if decision["sure"] else ", unsure: all who could hear"
    when = minute(iso(decision["at"]))
    yield f"|c#{decision['row']}|n {text} |x({when}, by {decision['by']}{sure})|n"
    for who in decision["participants"]:
        doubt = "" if who["confidence"] >= SURE else "?"
        rule = who["rule"].replace("_", " ")
        yield f"  {person(who['id'])}{doubt}: {who['confidence']:.2f} ({rule})"
    took = {who["id"] for who in decision["participants"]}
    if others := [person(who) for who in decision["hearers"] if who not in took]:
        yield f"  only overheard by: {', '.join(others)}"
    if missed:
        yield f"  missed by: {', '.join(f'{person(who)} ({why})' for who, why in missed.items())}"


def one_decided(scene: SceneState, number: int) -> Iterator[str]:
    """Yield who took part in one line of the record, and what each has of it."""
    world = WorldContainer(scene.id)
    found = world.rows([number])
    event = found[0].meta.get("event", "") if found else ""
    for made in world.participations(1, event) if event else ():
        missed = Attendance(scene.id).missed(made, scene.participants())
        yield from decided(made, found[0], missed)
        yield f"  |xin {container_name(scene.id)}|n"
        for who in made["participants"]:
            own = Container(scene.id, who["id"]).find(where={"event": event}, limit=1)
            for row in own:
                yield from in_full(person(who["id"]), row)
