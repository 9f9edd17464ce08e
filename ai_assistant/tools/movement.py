"""Tools for ways that outlast a turn: each sets a standing goal that is then walked by itself."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Annotated

from ai_assistant.core.contracts import Change, Entity, Json
from ai_assistant.core.errors import ToolError
from ai_assistant.core.text import clean
from ai_assistant.language.spelling import nearest_name
from ai_assistant.planning import goals as planning
from ai_assistant.planning.goal_tree import ACTIVE, DROPPED, is_open
from ai_assistant.planning.urgency import (
    AFTER,
    ASKED,
    FOLLOW,
    HOME,
    MAX_STOPS,
    PATROL,
    PAUSE,
    PAYER,
    VISIT,
    is_walk,
)
from ai_assistant.tools.agenda import propose_goal
from ai_assistant.tools.registry import tool
from ai_assistant.tools.schema import Between, Handle, is_handle
from ai_assistant.tools.tool_reach import ToolContext

EXPLORED = 40
"""The exits of so many places around it a character knows by name."""
LONGEST_PAUSE = 3600
HERE = "here"
HOME_AFTER = 900.0
"""Seconds after which it goes home that was left standing somewhere."""
SET_OUT = "set_out"
"""The field of a result that tells of a way which begins once the turn is over."""
_STAY = frozenset({HERE, "stay", "stay here"})
_ERRANDS = frozenset({FOLLOW, VISIT})
"""Walks of which there is one at a time."""
SHOWN_PLACES = 12


@tool(kit="unlisted", acts=True, walks=True, about={"person": "Whom to follow."})
def follow(turn: ToolContext, person: Annotated[str, Handle("person")]) -> Json:
    """Go with somebody from now on, wherever they go, until you drop that goal."""
    return _follow(turn, turn.thing(person, "person").entity)


@tool(
    kit="unlisted",
    acts=True,
    walks=True,
    about={"where": "A person, a way out, or a place that you know."},
)
def visit(turn: ToolContext, where: Annotated[str, Handle("any")]) -> Json:
    """Go to a place, or to somebody, even if it is several rooms away; you set out after this."""
    return _visit(turn, _aim(turn, where))


@tool(
    kit="planning",
    acts=True,
    walks=True,
    about={
        "stops": "Two or more places that you know, or ways out; 'here' is where you are.",
        "pause_seconds": "How long to stay at each stop.",
    },
)
def patrol(
    turn: ToolContext,
    stops: list[str],
    pause_seconds: Annotated[int, Between(0, LONGEST_PAUSE)] = PAUSE,
) -> Json:
    """Make your rounds from now on: from stop to stop, over and over, until you drop that goal."""
    if len(stops) > MAX_STOPS:
        raise ToolError(f"A round has at most {MAX_STOPS} stops.")
    places = {stop["place"]: stop for stop in (_place(turn, stop_name) for stop_name in stops)}
    if len(places) < 2:
        raise ToolError("A round needs at least two different places.")
    names = ", ".join(stop["name"] for stop in places.values())
    about = {"stops": list(places.values()), "pause": pause_seconds, "name": names}
    return _set_out(turn, PATROL, f"Patrol: {names}", about, priority="low")


@tool(leads_on=True, kit="unlisted", about={"place": "A place, by its name or a part of it."})
def find_way(turn: ToolContext, place: str) -> Json:
    """Say by which way out, and through which places, one gets to a place near here."""
    if not (known := way_to(turn, place)):
        raise ToolError(f"You know no way to '{clean(place, 40)}'.")
    return known


def way_to(turn: ToolContext, text: str) -> Json:
    """Return how one gets to the place near here that a text names; empty for none."""
    here = turn.world.whereabouts()
    before = _explored(turn, here)
    names = {id: name for id, (_, name) in before.items()}
    found = nearest_name(text, [turn.world.scene().place_name, *names.values()])
    if not found:
        return {}
    target = next((id for id, name in names.items() if name == found), here)
    way: list[str] = []
    while target != here:
        way.insert(0, names[target])
        target = before[target][0]
    doors = (thing for thing in turn.surroundings.things if thing.is_exit)
    first = next((door.entity.name for door in doors if way and door.description == way[0]), "")
    return {"place": found, "exit": first, "way": way}


def set_out(turn: ToolContext, to: str) -> str:
    """Follow somebody here, go to a place or person further off, or stay; says what it does.

    Whoever followed somebody and is to stay goes home by itself after a while.
    """
    if to.casefold() in _STAY:
        errands = _errands(turn)
        told = f"You stay here. {_end(turn, errands)}".rstrip()
        if any(walk["kind"] == FOLLOW for walk in errands) and (home := _home(turn)):
            about = home | {AFTER: turn.clock.now() + HOME_AFTER}
            propose_goal(
                turn, f"Go home to {home['name']}", priority="low", kind=VISIT, about=about
            )
        return told
    who = turn.find(to, "person")
    here = who is not None and any(
        thing.entity.id == who.entity.id for thing in turn.surroundings.things
    )
    about = _person(who.entity) if who else _place(turn, to)
    if about.get("place") == turn.world.whereabouts():
        return f"You are already there. {_end(turn, _errands(turn))}".rstrip()
    if not turn.is_offered(follow if here else visit):
        raise ToolError("You keep to your place; only a way out that you see is open to you.")
    if who is not None and here:
        done = _follow(turn, who.entity)
        told = f"You follow {who.entity.name} from now on, until you move to '{HERE}'."
    else:
        done = _visit(turn, about)
        told = f"You set out for {about['name']}."
    return f"{told} {done.get('ended', '')}".rstrip()


def leave_behind(turn: ToolContext, place: str) -> str:
    """Follow nobody any more who stayed in the place that the character just left; says so."""
    stayed = [
        walk
        for walk in _errands(turn)
        if walk["kind"] == FOLLOW and turn.world.whereabouts(walk["about"]["who"]) == place
    ]
    return _end(turn, stayed if turn.world.whereabouts() != place else [])


def _follow(turn: ToolContext, whom: Entity) -> Json:
    if whom.id == turn.me.id:
        raise ToolError("You cannot follow yourself.")
    return _set_out(turn, FOLLOW, f"Follow {whom.name}", _person(whom), priority="high")


def _visit(turn: ToolContext, about: Json) -> Json:
    return _set_out(turn, VISIT, f"Go to {about['name']}", about, priority="high")


def _set_out(turn: ToolContext, kind: str, what: str, about: Json, *, priority: str) -> Json:
    """Propose the goal, walked as soon as this turn is over; an errand ends the one before it."""
    if any(
        walk["kind"] == kind
        and walk["status"] == ACTIVE
        and about.items() <= walk["about"].items()
        and turn.admit(walk["readers"], walk["author"])
        for walk in _walks(turn)
    ):
        raise ToolError("You are doing that already.")
    if refusal := planning.no_room_for_goal(planning.current_goals(turn.state("goals"))):
        raise ToolError(refusal)
    ended = _end(turn, _errands(turn)) if kind in _ERRANDS else ""
    if turn.question and kind == VISIT:
        about |= {ASKED: turn.question, PAYER: turn.payer}
    words = what[: planning.MAX_DESCRIPTION]
    goal = propose_goal(turn, words, priority=priority, kind=kind, about=about)
    found = {"goal_id": goal["id"], SET_OUT: goal["description"]}
    return found | ({"ended": ended} if ended else {})


def _walks(turn: ToolContext) -> list[Json]:
    """Return the walks of this body; what asked for them may be no matter of whoever is here."""
    goals = planning.current_goals(turn.state("goals"))
    return [goal for goal in goals if is_walk(goal) and goal["body"] in ("", turn.me.id)]


def _errands(turn: ToolContext) -> list[Json]:
    return [walk for walk in _walks(turn) if walk["kind"] in _ERRANDS and is_open(walk)]


def _end(turn: ToolContext, walks: Sequence[Json]) -> str:
    """Propose to give up these walks; says which of them, as far as those here may know."""
    at = turn.clock.now()
    for walk in walks:
        step = {"goal_id": walk["id"], "at": at, "status": DROPPED}
        turn.change(Change("goals", "", "update_goal", step))
    known = [walk for walk in walks if turn.admit(walk["readers"], walk["author"])]
    names = "; ".join(given_up["description"] for given_up in known)
    return f"Given up: {names}." if names else ""


# -- where that is


def _aim(turn: ToolContext, where: str) -> Json:
    """Return the person or the place that a handle or a name stands for; raises `ToolError`."""
    thing = turn.thing(where, "any") if is_handle(where) else turn.find(where, "person")
    return _person(thing.entity) if thing and not thing.is_exit else _place(turn, where)


def _person(who: Entity) -> Json:
    if who.kind == "object":
        raise ToolError(f"{who.name} is nobody to go to: it is here.")
    return {"who": who.id, "name": who.name}


def _home(turn: ToolContext) -> Json:
    """Return where it belongs, if that is another place and there is a way; else nothing."""
    here, home = turn.world.whereabouts(), turn.world.home()
    if home in ("", here):
        return {}
    name = _known_places(turn, here).get(home, "")
    return {"place": home, "name": name, HOME: True} if name else {}


def _place(turn: ToolContext, where: str) -> Json:
    """Return a place by its name, or by the way there; raises `ToolError`."""
    here = turn.world.whereabouts()
    if where.casefold() == HOME and (home := _home(turn)):
        return home
    own = {"place": here, "name": turn.world.scene().place_name}
    at_home = where.casefold() == HOME and turn.world.home() == here
    if at_home or where.casefold() in (HERE, own["name"].casefold()):
        return own
    way = turn.thing(where, "exit") if is_handle(where) else turn.find(where, "exit")
    found = _known_places(turn, here)
    wanted = (way.description if way else where).casefold()
    matches = [id for id, known in found.items() if known.casefold() == wanted]
    matches += [id for id, known in found.items() if wanted in known.casefold()]
    if not matches and wanted in own["name"].casefold():
        return own
    if not matches:
        near = ", ".join(list(found.values())[:SHOWN_PLACES])
        raise ToolError(f"You know no '{clean(where, 40)}' near here. You know: {near or 'none'}.")
    return {"place": matches[0], "name": found[matches[0]]}


def _known_places(turn: ToolContext, here: str) -> dict[str, str]:
    """Return the places around, id → name, the nearest first."""
    return {id: name for id, (_, name) in _explored(turn, here).items()}


def _explored(turn: ToolContext, here: str) -> dict[str, tuple[str, str]]:
    """Return the places around, the nearest first: id → (the place before it, its name)."""
    found: dict[str, tuple[str, str]] = {}
    waiting = deque([here])
    for _ in range(EXPLORED):
        if not waiting:
            break
        place = waiting.popleft()
        near = turn.world.neighbours(place)
        new = {id: (place, name) for id, name in near.items() if id not in found and id != here}
        found |= new
        waiting.extend(new)
    return found
