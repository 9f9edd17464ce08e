"""How scenes and what is remembered of them are shown, to those who play and to staff."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache

from ai_assistant.commands.choosing import Choice, choose
from ai_assistant.core.contracts import DIRECT, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.readers import NOBODY
from ai_assistant.core.text import clean, counted
from ai_assistant.game.identity import person
from ai_assistant.roleplay.day_summaries import CHAPTER, SUMMARY
from ai_assistant.roleplay.knowledge import SEEN
from ai_assistant.roleplay.message_formats import (
    disarmed,
    is_deed,
    tale_line,
)
from ai_assistant.roleplay.places import path_text
from ai_assistant.roleplay.props import free_roles
from ai_assistant.roleplay.scene import GAME, Member, SceneState, bonds, held_by, scene_facts
from ai_assistant.roleplay.tale import TALK
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage.scene_rows import holders_of, load_played, load_scenes

_RULES = ("policy", "permanent", "fiction", "inherits")
_SHOWN = frozenset({"currentScene", "gameDay", "relationships"})
_SET_AS = {"timeOfDay": "time", "activeQuest": "quest"}
"""By which name `scene/set` sets what is told under another."""
PLOT_SHOWN = 300
PAIRS_SHOWN = 10
BENEATH = "    "
"""How far what belongs to a line of a recap is indented."""


# -- scenes


def listed_scenes() -> list[SceneState]:
    """Return all scenes, the game itself first."""
    return [SCENES.get(GAME), *(scene for scene in load_scenes() if scene.id != GAME)]


def title_of(scene: SceneState) -> str:
    """Return what a scene is called."""
    return scene.title if scene.id else "the game itself"


def members_of(scene: SceneState) -> str:
    """Return who is in a scene, by name."""
    return ", ".join(member.name for member in scene.members) or (
        "nobody" if scene.id else "everybody"
    )


def newcomer_line(name: str, scene: SceneState) -> str:
    """Return what all who play are told of somebody new; nothing is played before it begins."""
    later = "" if scene.is_running else " It is not begun yet: scene/start begins it."
    return f"{name} joins '{scene.title}'.{later}"


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
    """Yield how a scene stands, line by line: what there is to tell of it, and its rules.

    `who` is the member that reads it; without one staff do.
    """
    yield headline(scene)
    yield from particulars(scene, who)
    values = {name: getattr(scene, name) for name in _RULES}
    switched = {True: "on", False: "off"}
    rules = [f"{name} {switched.get(value, value)}" for name, value in values.items()]
    yield f"  |wrules|n: {', '.join(rules)}"


def particulars(scene: SceneState, who: str = "") -> Iterator[str]:
    """Yield who leads a scene, its values, roles and bonds, and what was played, line by line."""
    if scene.members and scene.id:
        leader = SCENES.leader(scene)
        names = {member.id: member.name for member in scene.members}
        yield f"  |wled by|n: {names.get(leader) or person(leader) if leader else 'staff'}"
    if scene.plot:
        yield f"  |wplot|n: {clean(scene.plot, PLOT_SHOWN)}"
    for name, value in scene_facts(scene, SCENES.day(scene), who).items():
        if name not in _SHOWN:
            yield f"  |w{_SET_AS.get(name, name)}|n: {value}"
    yield from (f"  {bond}" for bond in bonds(scene))
    if scene.roles:
        who = {role: person(who) for who, role in scene.parts.items() if scene.has(who)}
        cast = ", ".join(f"{role} ({who.get(role, 'nobody yet')})" for role in scene.roles)
        yield f"  |wroles|n: {cast}"
    played = load_played(scene.id)
    if played.messages:
        busiest = sorted(played.exchanges.items(), key=lambda pair: -pair[1])[:PAIRS_SHOWN]
        lines = f"{counted(played.messages, 'line')} in {counted(played.turns, 'turn')}"
        named = ((sorted(map(person, ids.split())), count) for ids, count in busiest)
        pairs = [f"{' and '.join(names)} {count}" for names, count in named]
        told = "; ".join(filter(None, (lines, ", ".join(pairs))))
        yield f"  |wplayed|n: {told}"


def role_lines(scene: SceneState, who: str) -> Iterator[str]:
    """Yield what somebody's role is, what it alone knows, and what it has, for that one alone."""
    name = scene.parts.get(who)
    if not name:
        free = ", ".join(free_roles(scene)) if name is None else ""
        takes = f" Free are: {free}; scene/role <role> takes one." if free else ""
        yield f"You play no role in '{scene.title}'.{takes}"
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


def player_finder(scene: SceneState) -> Callable[[str], str]:
    """Return what finds the id of whoever is meant of those who play in a scene or ever did.

    Who that is it reads once; it raises `AssistantError` naming all.
    """

    @cache
    def choices() -> list[Choice]:
        now = [Choice(member.id, member.name, (person(member.id),)) for member in scene.members]
        known = (own.character for own in holders_of(scene.id) if not scene.has(own.character))
        return now + [Choice(who, person(who)) for who in known]

    return lambda name: str(choose(name, "player", choices()))


def role_named(scene: SceneState, name: str) -> str:
    """Return the role that is meant. Raises `AssistantError` naming all."""
    role: str = choose(name, "role", [Choice(role, role) for role in scene.roles])
    return role


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


def begun(scene: SceneState) -> str:
    """Say that a scene runs from now on."""
    return f"'{scene.title}' {'goes on' if scene.family else 'begins'}"


def lines_taken(count: int) -> str:
    """Return so many lines as what was taken back: ``the last line``, ``the last 2 lines``."""
    return f"the last {counted(count, 'line')}" if count > 1 else "the last line"


def branched(before: SceneState, after: SceneState) -> str:
    """Say that a scene goes on as another, and how that stands."""
    return (
        f"'{before.title}' rests, and goes on as '{after.title}': |wscene/start|n plays the one "
        f"again once the other is over.\n{headline(after)}"
    )


# -- what players remember of them


def as_a_tale(rows: Sequence[MemoryRow]) -> list[MemoryRow]:
    """Return rows with what sums up a day behind what is left of that day, whenever it was told."""
    told = [row for row in rows if row.kind != CHAPTER]
    for chapter in (row for row in rows if row.kind == CHAPTER):
        lived = (n for n, row in enumerate(told, 1) if row.game_day <= chapter.game_day)
        told.insert(max(lived, default=0), chapter)
    return told


def remembered(row: MemoryRow, hearers: Iterable[str], saw: Counter[str]) -> Iterator[str]:
    """Yield a row of somebody's own container as they read it, then what they learnt with it.

    Who took part is said where one of those who could hear it then did not, and of what was said to
    some alone. `saw` counts what rows before it told of what they saw happen, which is not told
    again with the next line.
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
        is_for_some = row.meta.get("type") in DIRECT or {*hearers} - {*took}
        to = f" |x(to {', '.join(names)})|n" if names and is_for_some else ""
        yield f"Day {row.game_day}. {words}{to}"
        for news in map(str, row.meta.get("knowledge", ())):
            if saw[news]:
                saw[news] -= 1
                continue
            yield f"{BENEATH}|xYou learn:|n {disarmed(news)}"
