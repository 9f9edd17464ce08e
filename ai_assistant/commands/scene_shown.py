"""How scenes and what is remembered of them are shown, to those who play and to staff."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from ai_assistant.api.stories.telling_chapters import chapter_lines, write_chapter
from ai_assistant.commands.choosing import Choice, choose
from ai_assistant.commands.shown import minute, private
from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.readers import NOBODY
from ai_assistant.core.text import clean, counted
from ai_assistant.core.times import iso
from ai_assistant.game.identity import find, person
from ai_assistant.memory.talk.hearsay import sources_of
from ai_assistant.roleplay.day_summaries import CHAPTER, SUMMARY
from ai_assistant.roleplay.distribution import MESSAGE
from ai_assistant.roleplay.knowledge import SEEN, what_of
from ai_assistant.roleplay.message_formats import (
    container_name,
    disarmed,
    enriched_row,
    is_deed,
    metadata_of,
    spoken_words,
    tale_line,
)
from ai_assistant.roleplay.participants import SURE
from ai_assistant.roleplay.places import path_text
from ai_assistant.roleplay.scene import Member, SceneState, bonds, held_by, scene_facts
from ai_assistant.roleplay.tale import TALK
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage.scene_rows import load_played

_RULES = ("policy", "permanent", "fiction", "inherits")
_SHOWN = frozenset({"currentScene", "gameDay", "relationships"})
PLOT_SHOWN = 300
PAIRS_SHOWN = 10
BENEATH = "    "
"""How far what belongs to a line of a recap is indented."""
_WAYS = {
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


# -- scenes


def title_of(scene: SceneState) -> str:
    """Return what a scene is called."""
    return scene.title if scene.id else "the game itself"


def members_of(scene: SceneState) -> str:
    """Return who is in a scene, by name."""
    return ", ".join(member.name for member in scene.members) or (
        "nobody" if scene.id else "everybody"
    )


def scene_state_word(scene: SceneState) -> str:
    """Return the state of a scene as people say it."""
    return "over" if scene.is_over else scene.status


def headline(scene: SceneState) -> str:
    """Return a scene in one line: its title, state, day and members."""
    where = path_text(scene.scene, scene.places)
    stands = (
        f"({scene_state_word(scene)}), day {SCENES.day(scene)}{f' at {where}' if where else ''}"
    )
    return f"|w{title_of(scene)}|n {stands}: {members_of(scene)}"


def standing(scene: SceneState, who: str = "") -> Iterator[str]:
    """Yield how a scene stands, line by line: who leads it, its values, and what was played.

    `who` is the member that reads it; without one staff do.
    """
    yield headline(scene)
    if scene.members and scene.id:
        leader = SCENES.leader(scene)
        yield f"  |wled by|n: {person(leader) if leader else 'staff'}"
    if scene.plot:
        yield f"  |wplot|n: {clean(scene.plot, PLOT_SHOWN)}"
    for name, value in scene_facts(scene, SCENES.day(scene), who).items():
        if name not in _SHOWN:
            yield f"  |w{name}|n: {value}"
    yield from (f"  {bond}" for bond in bonds(scene))
    if scene.roles:
        who = {role: person(one) for one, role in scene.parts.items()}
        cast = ", ".join(f"{role} ({who.get(role, 'nobody yet')})" for role in scene.roles)
        yield f"  |wroles|n: {cast}"
    played = load_played(scene.id)
    if played.messages:
        busiest = sorted(played.exchanges.items(), key=lambda pair: -pair[1])[:PAIRS_SHOWN]
        lines = f"{counted(played.messages, 'line')} in {counted(played.turns, 'turn')}"
        pairs = [f"{' and '.join(map(person, ids.split()))} {count}" for ids, count in busiest]
        told = "; ".join(filter(None, (lines, ", ".join(pairs))))
        yield f"  |wplayed|n: {told}"
    values = {name: getattr(scene, name) for name in _RULES}
    switched = {True: "on", False: "off"}
    rules = [f"{name} {switched.get(value, value)}" for name, value in values.items()]
    yield f"  |wrules|n: {', '.join(rules)}"


def role_lines(scene: SceneState, who: str) -> Iterator[str]:
    """Yield what somebody's role is, what it alone knows, and what it has, for that one alone."""
    name = scene.parts.get(who)
    if name is None:
        yield f"You play no role in '{scene.title}'."
        return
    role = scene.roles.get(name, {})
    yield f"|wYou play the role {name}|n in '{scene.title}'. {role.get('about', '')}".strip()
    yield from (f"  You know: {words}" for words in role.get("knows", ()))
    if held := held_by(scene, who):
        yield f"  You have: {', '.join(held)}"


def scene_choices(scenes: Sequence[SceneState], first: int = 1) -> list[Choice]:
    """Return scenes as choices: by title, or by number counted from `first`."""
    return [
        Choice(
            scene,
            title_of(scene),
            (f"#{number}", str(number)),
            f"#{number} {title_of(scene)} ({members_of(scene)})",
        )
        for number, scene in enumerate(scenes, first)
    ]


def member_named(scene: SceneState, name: str) -> Member:
    """Return the member that is meant. Raises `AssistantError` naming all."""
    choices = [Choice(member, member.name, (person(member.id),)) for member in scene.members]
    member: Member = choose(name, "player", choices)
    return member


def day_in(typed: str | None, usage: str) -> int:
    """Return the number of a day that was typed. Raises `AssistantError` for none."""
    number = (typed or "").strip().removeprefix("day").strip()
    if not number.isdecimal():
        raise AssistantError(f"Which day? {usage}")
    return int(number[:9])


def moment_in(typed: str) -> float:
    """Return a time that was typed, as it is shown. Raises `AssistantError` for none."""
    try:
        return datetime.fromisoformat(typed).replace(tzinfo=UTC).timestamp()
    except ValueError as error:
        raise AssistantError("Until when? As in: until 2026-11-21 18:00") from error


def branched(before: SceneState, after: SceneState) -> str:
    """Say that a scene goes on as another, and how that stands."""
    return (
        f"'{before.title}' rests, and goes on as '{after.title}': |wscene/start|n plays the one "
        f"again once the other is over.\n{headline(after)}"
    )


def tell_all(scene: SceneState, line: str, *, before: int = 0, also: str = "") -> None:
    """Tell a line to all who play, and what each remembers of the last day `before` one, if any.

    `also` is somebody who plays no more.
    """
    for who in filter(None, dict.fromkeys([*scene.participants(), also])):
        if (body := find(who)) is not None:
            written = write_chapter(scene, who, before) if before else None
            told = chapter_lines(scene, who, before) if before and written is None else ()
            body.msg("\n".join([f"|x{line}|n", *told]))
            if written is not None:
                written.addCallback(partial(_tell_chapter, scene, who, before))


def _tell_chapter(scene: SceneState, who: str, before: int, *_: object) -> None:
    lines = [*chapter_lines(scene, who, before)]
    if lines and (body := find(who)) is not None:
        body.msg("\n".join(lines))


# -- what players remember of them


def remembered(row: MemoryRow, scene: SceneState, saw: Counter[str]) -> Iterator[str]:
    """Yield a row of somebody's own container as they read it, then what they learnt with it.

    Who took part is said where others of its scene did not. `saw` counts what rows before it told
    of what they saw happen, which is not told again with the next line.
    """
    saw[row.content] += row.meta.get("source") == SEEN
    if row.readers == NOBODY:
        yield f"Day {row.game_day}. You thought: {row.content}"
    elif row.kind == SUMMARY:  # which says its day
        yield row.content
    elif row.kind == CHAPTER:
        yield f"|wDay {row.game_day} in short:|n {row.content}"
    elif row.kind not in TALK:
        yield f"Day {row.game_day}. {row.content}"
    else:
        words = f"|w{row.author_name}|n: {row.content}"
        words = tale_line(row.author_name, row.content, is_deed=True) if is_deed(row) else words
        took = row.meta.get("participants", ())
        names = [
            "you" if who == row.container else person(who) for who in took if who != row.author
        ]
        to = f" |x(to {', '.join(names)})|n" if names and {*scene.participants()} - {*took} else ""
        yield f"Day {row.game_day}. {words}{to}"
        for news in map(str, row.meta.get("knowledge", ())):
            if saw[news]:
                saw[news] -= 1
                continue
            yield f"{BENEATH}|xYou learn:|n {disarmed(news)}"


# -- what staff see of them


def recorded(row: MemoryRow, scene: SceneState) -> Iterator[str]:
    """Yield a row of the world's record as a tale tells it."""
    if row.kind == MESSAGE:
        kind = "deed" if is_deed(row) else "utterance"
        row = replace(row, kind=kind, content=spoken_words(row.content))
    else:
        row = replace(row, content=what_of(row))
    yield from (f"{line}{private(row.readers)}" for line in remembered(row, scene, Counter()))


def world_line(row: MemoryRow) -> str:
    """Return a row of the world's record: its number, when, where, of what type, and the text."""
    facts = [minute(iso(row.learned_at)), row.location, str(row.meta.get("type", row.kind))]
    told = ", ".join(filter(None, facts))
    return f"  |c#{row.id}|n |x({told})|n {row.content}{private(row.readers)}"


def known_line(row: MemoryRow) -> str:
    """Return a row of somebody's container: how it came, from whom, and how far it is believed."""
    way = _WAYS.get(row.kind, row.kind.replace("_", " "))
    source = "; ".join(
        " > ".join([told["author_name"] or "the world", *map(person, told["chain"])])
        for told in sources_of(row)
    )
    if not source and row.author != row.container:
        source = row.author_name or ("the world" if row.meta.get("source") == "world" else "")
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
    facts = metadata_of(row)
    facts["speaker"] = person(facts["speaker"])
    facts["participants"] = ", ".join(map(person, facts["participants"]))
    facts["isSpeaker"] = "yes" if facts["isSpeaker"] else "no"
    del facts["timestamp"]
    told = "; ".join(f"{field} {value}" for field, value in facts.items())
    yield f"      |x{told}|n"


def decided(decision: Json, line: MemoryRow | None) -> Iterator[str]:
    """Yield a decision: the line, who took part, how sure that is, and who only overheard it."""
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
