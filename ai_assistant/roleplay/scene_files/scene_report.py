"""Who knows what of a scene, as a report: data under fixed names, and the same as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.readers import NOBODY, OPEN, members
from ai_assistant.memory.talk.hearsay import sources_of
from ai_assistant.roleplay.message_formats import container_name, metadata_of, spoken_words
from ai_assistant.roleplay.scene import SceneState, scene_facts

Named = Callable[[str], str]
"""Returns what the bearer of an id is called."""


def scene_told(
    scene: SceneState, day: int, asked: str, *, is_whole: bool, **found: Sequence[Json]
) -> Json:
    """Return a report: how the scene stands, and what was `found` under its name.

    `is_whole`: was all of it found, or only the newest?
    """
    facts = scene_facts(scene, day)
    stands: Json = {name: facts[name] for name in ("timeOfDay", "activeQuest") if name in facts}
    return {
        "sessionId": scene.id,
        "title": scene.title,
        "currentScene": scene.scene,
        "gameDay": day,
        "participants": scene.participants(),
        **stands,
        "asked": asked,
        "isWhole": is_whole,
        **found,
    }


def told_line(decision: Json, line: MemoryRow | None, knowledge: Mapping[str, Json]) -> Json:
    """Return a line with who took part in it, and what each of them learnt with it.

    `line` is that of the world; None where it was forgotten.
    """
    took = decision["participants"]
    facts = metadata_of(line) if line else {}
    return {
        "row": decision["row"],
        "containerTag": container_name(line.session) if line else "",
        "content": line.content if line else "",
        "speaker": decision["speaker"],
        **{name: facts[name] for name in ("location", "gameDay", "type") if name in facts},
        "timestamp": decision["at"],
        "actualParticipants": [who["id"] for who in took],
        "confidence": {who["id"]: who["confidence"] for who in took},
        "rules": {who["id"]: who["rule"] for who in took},
        "hearers": list(decision["hearers"]),
        "isSure": decision["sure"],
        "decidedBy": decision["by"],
        "worldKnowledge": dict(knowledge),
    }


def told_container(session: str, who: str, rows: Iterable[MemoryRow]) -> Json:
    """Return what somebody has of a scene, row by row, with what came with each."""
    memories = [
        {
            "row": row.id,
            "content": row.content,
            **metadata_of(row),
            "trust": row.trust,
            "readers": [] if row.readers in (OPEN, NOBODY) else sorted(members(row.readers)),
            "isThought": row.readers == NOBODY,
            "heardFrom": [
                [told["author"], *told["chain"]] for told in sources_of(row) if told["author"]
            ],
            "worldKnowledge": list(row.meta.get("knowledge", ())),
        }
        for row in rows
    ]
    return {"containerTag": container_name(session, who), "characterId": who, "memories": memories}


def ids_told(found: Json) -> list[str]:
    """Return the ids of all who are named in a report, each once."""
    lines, containers = found.get("messages", ()), found.get("containers", ())
    named = [*found["participants"], *(container["characterId"] for container in containers)]
    for line in lines:
        named += [line["speaker"], *line["hearers"], *line["actualParticipants"]]
    for row in (row for container in containers for row in container["memories"]):
        named += [row["speaker"], *row["participants"], *row["readers"]]
        named += [who for chain in row["heardFrom"] for who in chain]
    return [who for who in dict.fromkeys(named) if who]


def as_markdown(found: Json, named: Named) -> str:
    """Return a report as Markdown, with names in the place of ids."""
    place = f", {found['currentScene']}" if found["currentScene"] else ""
    who = ", ".join(map(named, found["participants"])) or "nobody"
    parts = [f"# {in_markdown(found['title']) or 'The game itself'}: {in_markdown(found['asked'])}"]
    parts.append(f"Day {found['gameDay']}{in_markdown(place)}: {in_markdown(who)}.")
    if not found["isWhole"]:
        parts.append("The newest alone: there is more.")
    for line in found.get("messages", ()):
        parts += _line_in_markdown(line, named)
    for container in found.get("containers", ()):
        parts.append(f"## {in_markdown(named(container['characterId']))}")
        parts.append(f"`{container['containerTag']}`")
        parts.append("\n".join(_memory_in_markdown(row, named) for row in container["memories"]))
    return "\n\n".join(parts) + "\n"


def _line_in_markdown(line: Json, named: Named) -> Iterable[str]:
    sure = "" if line["isSure"] else ", unsure: all who could hear"
    yield f"## #{line['row']} {in_markdown(line['content'] or '(forgotten)')}"
    took = [
        f"- {in_markdown(named(who))}: {line['confidence'][who]:.2f} ({line['rules'][who]})"
        + "".join(
            f"\n    - learnt: {in_markdown(news)}" for news in line["worldKnowledge"].get(who, ())
        )
        for who in line["actualParticipants"]
    ]
    others = [who for who in line["hearers"] if who not in line["confidence"]]
    took += [f"- {in_markdown(named(who))}: only overheard it" for who in others]
    yield "\n".join([f"Decided by {line['decidedBy']}{sure}.", "", *took])


def _memory_in_markdown(row: Json, named: Named) -> str:
    where = f", {row['location']}" if row["location"] else ""
    ways = [" > ".join(map(named, chain)) for chain in row["heardFrom"]]
    by = f" from {'; '.join(ways)}" if ways else ""
    told = f"day {row['gameDay']}{where}, {row['type']}{by}, trust {row['trust']:.2f}"
    whose = f"{named(row['speaker'])}: " if row["speaker"] else ""
    words = spoken_words(row["content"])
    line = f"- #{row['row']} ({in_markdown(told)}) {in_markdown(whose + words)}"
    return "\n".join(
        [line, *(f"    - learnt: {in_markdown(news)}" for news in row["worldKnowledge"])]
    )


def in_markdown(text: str) -> str:
    """Return what players wrote so that it is text in Markdown, on one line."""
    marks = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_{}[]<>#|"})
    return " ".join(text.split()).translate(marks)
