"""How scenes and what is remembered of them are shown, to those who play and to staff."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ai_assistant.core.contracts import MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.readers import NOBODY
from ai_assistant.core.text import clean
from ai_assistant.game.identity import find, name_of
from ai_assistant.roleplay.day_summaries import SUMMARY
from ai_assistant.roleplay.message_formats import disarmed
from ai_assistant.roleplay.places import path_text
from ai_assistant.roleplay.play import Played
from ai_assistant.roleplay.scene import Member, SceneState, bonds, scene_facts
from ai_assistant.scenes.live_scenes import SCENES

_RULES = ("policy", "permanent", "fiction", "inherits")
_SHOWN = frozenset({"currentScene", "gameDay", "relationships"})
PLOT_SHOWN = 300
PAIRS_SHOWN = 10
BENEATH = "    "
"""How far what belongs to a line of a recap is indented."""
MESSAGES = frozenset({"utterance", "deed", "own_words"})
"""Kinds of rows that are a line of somebody."""
DEEDS = frozenset({"pose", "emote"})
"""Types of lines that say what somebody does."""


def title_of(scene: SceneState) -> str:
    """Return what a scene is called."""
    return scene.title if scene.id else "the game itself"


def members_of(scene: SceneState) -> str:
    """Return who is in a scene, by name."""
    return ", ".join(one.name for one in scene.members) or ("nobody" if scene.id else "everybody")


def headline(scene: SceneState) -> str:
    """Return a scene in one line: its title, state, day and members."""
    where = path_text(scene.scene, scene.places)
    stands = f"({state_of(scene)}), day {SCENES.day(scene)}{f' at {where}' if where else ''}"
    return f"|w{title_of(scene)}|n {stands}: {members_of(scene)}"


def standing(scene: SceneState, played: Played) -> Iterator[str]:
    """Yield how a scene stands, line by line: who leads it, its values, and what was played."""
    yield headline(scene)
    if scene.id:
        yield f"  |wled by|n: {person(SCENES.leader(scene))}"
    if scene.plot:
        yield f"  |wplot|n: {clean(scene.plot, PLOT_SHOWN)}"
    for name, value in scene_facts(scene, SCENES.day(scene)).items():
        if name not in _SHOWN:
            yield f"  |w{name}|n: {value}"
    yield from (f"  {one}" for one in bonds(scene))
    if played.messages:
        lines = f"{played.messages} lines in {played.turns} turns"
        yield f"  |wplayed|n: {lines}{_pairs(played)}"
    rules = ", ".join(f"{name} {_said(getattr(scene, name))}" for name in _RULES)
    yield f"  |wrules|n: {rules}"


def _pairs(played: Played) -> str:
    """Return who spoke to whom how often, the busiest first."""
    busiest = sorted(played.exchanges.items(), key=lambda one: -one[1])[:PAIRS_SHOWN]
    told = [f"{' and '.join(map(person, key.split(' ')))} {lines}" for key, lines in busiest]
    return f"; {', '.join(told)}" if told else ""


def _said(value: object) -> str:
    return str(value) if not isinstance(value, bool) else "on" if value else "off"


def choices(scene: SceneState, who: str) -> str:
    """Return what somebody who is in a scene can do next."""
    leads = SCENES.leader(scene) == who
    if scene.is_running:
        can = ["recap", "recall <words>", "think <text>", "invite <character>", "leave"]
        can += ["set <name> = <value>", "day <number>", "dismiss <name>", "stop"] if leads else []
    else:
        can = ["invite <character>", "start", "leave"]
        can += ["set <name> = <value>", "dismiss <name>", "stop"] if leads else []
    return "You can: " + ", ".join(f"|wscene/{one}|n" for one in can)


def state_of(scene: SceneState) -> str:
    """Return the state of a scene as people say it."""
    return "over" if scene.is_over else scene.status


def remembered(row: MemoryRow, scene: SceneState) -> Iterator[str]:
    """Yield a row of somebody's own container as they read it, then what they learnt with it.

    Who took part is said where others of its scene did not.
    """
    if row.readers == NOBODY:
        yield f"Day {row.game_day}. You thought: {row.content}"
    elif row.kind == SUMMARY:  # which says its day
        yield row.content
    elif row.kind not in MESSAGES:
        yield f"Day {row.game_day}. {row.content}"
    else:
        yield f"Day {row.game_day}. {_line(row)}{_with(row, scene)}"
        yield from (
            f"{BENEATH}|xYou learn:|n {disarmed(str(one))}" for one in row.meta.get("knowledge", ())
        )


def _line(row: MemoryRow) -> str:
    """Return what somebody said, after their name; what they did has it already."""
    if row.meta.get("type") in DEEDS and row.content.startswith(row.author_name):
        return row.content
    return f"|w{row.author_name}|n: {row.content}"


def _with(row: MemoryRow, scene: SceneState) -> str:
    took = row.meta.get("participants", ())
    if {*took} >= {*scene.participants()}:
        return ""
    names = ["you" if who == row.container else person(who) for who in took if who != row.author]
    return f" |x(to {', '.join(names)})|n" if names else ""


def without_repeats(rows: Sequence[MemoryRow]) -> list[MemoryRow]:
    """Return rows without the news that stand in one of their messages anyway."""
    told = {(row.learned_at, what) for row in rows for what in row.meta.get("knowledge", ())}
    return [row for row in rows if (row.learned_at, row.content) not in told]


def member_named(scene: SceneState, name: str) -> Member:
    """Return the member that is meant. Raises `AssistantError` naming all."""
    wanted = name.strip().casefold()
    for one in scene.members:
        if wanted in (one.name.casefold(), person(one.id).casefold()):
            return one
    raise AssistantError(f"Whom? There play: {members_of(scene)}.")


def scene_named(known: Sequence[SceneState], name: str, question: str) -> SceneState:
    """Return the scene of that title, part of one, or #number.

    Raises `AssistantError` with the question and all choices where there is no such one.
    """
    wanted = name.strip().casefold()
    numbered = {f"#{number}": scene for number, scene in enumerate(known, 1)}
    exact = [scene for scene in known if scene.title.casefold() == wanted]
    found = [scene for scene in known if wanted in scene.title.casefold()]
    for some in ([numbered[wanted]] if wanted in numbered else [], exact, found):
        if len(some) == 1:
            return some[0]
    titles = (f"{number} {scene.title} ({members_of(scene)})" for number, scene in numbered.items())
    raise AssistantError(f"{question}: {', '.join(titles)}?")


def person(who: str) -> str:
    """Return the name of whoever has an id."""
    body = find(who)
    return name_of(body) if body else "somebody gone"
