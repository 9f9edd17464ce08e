"""Things and whereabouts of a story: who has what, what lies where, and who is apart from the rest.

They are values of the scene and nothing of the game. Whoever is at the same place of the story sees
what is done there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from ai_assistant.core.contracts import MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import did_you_mean
from ai_assistant.language.words import stem_set, words
from ai_assistant.roleplay.knowledge import MOVED, character_update, seen_by, state_update
from ai_assistant.roleplay.message_formats import disarmed
from ai_assistant.roleplay.scene import Changed, Member, SceneState, held_by, place_of

MOST_THINGS = 40
LONGEST_THING = 60
NOWHERE = "nowhere"
"""Where a thing is put that is in the story no more."""

Act = Callable[[SceneState, Member, str, str, int, float], Changed]
"""What a member does: in the scene, who, with or to what, for whom, on which day, when."""


def lay_out(scene: SceneState, text: str, day: int, at: float) -> Changed:
    """Bring a thing in, move it or take it out: ``the sword: Bob``, ``: the lair``, ``: nowhere``.

    Raises `AssistantError` saying what fits.
    """
    name, _, where = (part.strip() for part in text.partition(":"))
    if not (name and where) or len(name) > LONGEST_THING:
        raise AssistantError("Say what is where: the sword: Bob; the sword: the lair; or nowhere.")
    name = _spelled(name, scene.things) or disarmed(name)
    rest = {thing: held for thing, held in scene.things.items() if thing != name}
    if where.casefold() == NOWHERE:
        if name not in scene.things:
            raise AssistantError(f"There is no '{name}' in the story.")
        what, held = f"{name} is in the story no more", scene.things[name]
        where = place_of(scene, held) if scene.has(held) else held
        gone = state_update(what, day=day, at=at, location=where)
        return Changed(replace(scene, things=rest), (gone,))
    if len(rest) >= MOST_THINGS:
        raise AssistantError(f"A story has at most {MOST_THINGS} things.")
    holder = next((who for who in scene.members if who.name.casefold() == where.casefold()), None)
    if not holder and where not in places_known(scene):
        known = _spelled(where, (who.name for who in scene.members))
        holder = next((who for who in scene.members if who.name == known), None)
    after = replace(scene, things={**rest, name: holder.id if holder else disarmed(where)})
    if holder:
        what, there = f"{holder.name} has {name}", place_of(scene, holder.id)
        got = character_update(
            holder.id, what, "item_acquired", day=day, at=at, location=there, item=name
        )
        return Changed(after, (got,))
    told = {"location": disarmed(where), "state": f"thing {name}"}
    return Changed(after, (state_update(f"{name} is at {where}", day=day, at=at, **told),))


def take(scene: SceneState, who: Member, thing: str, to: str, day: int, at: float) -> Changed:
    """Let a member pick up what lies where it is. Raises `AssistantError`."""
    here = place_of(scene, who.id)
    name = _thing(thing, _lying(scene, here), "lies here")
    return _handed(scene, who, name, f"{who.name} took {name}", day, at)


def give(scene: SceneState, who: Member, thing: str, to: str, day: int, at: float) -> Changed:
    """Let a member hand over what it has to another who is with it. Raises `AssistantError`."""
    name = _thing(thing, held_by(scene, who.id), "is yours")
    here = place_of(scene, who.id)
    others = [other for other in scene.members if other.id != who.id]
    named = {to.strip(), _spelled(to, (other.name for other in others))}
    receiver = next((other for other in others if {other.id, other.name} & named), None)
    if receiver is None or place_of(scene, receiver.id) != here:
        there = ", ".join(other.name for other in others if place_of(scene, other.id) == here)
        raise AssistantError(f"To whom? With you are: {there or 'nobody'}.")
    what = f"{receiver.name} got {name} from {who.name}"
    return _handed(scene, receiver, name, what, day, at)


def put_down(scene: SceneState, who: Member, thing: str, to: str, day: int, at: float) -> Changed:
    """Let a member put down what it has where it is. Raises `AssistantError`."""
    name, here = _thing(thing, held_by(scene, who.id), "is yours"), place_of(scene, who.id)
    after = replace(scene, things={**scene.things, name: here})
    return Changed(after, (_seen(scene, who, f"{who.name} put down {name}", "item_lost", day, at),))


def go(scene: SceneState, who: Member, place: str, to: str, day: int, at: float) -> Changed:
    """Let a member go to another place of the story, apart from the rest, or back to them.

    Raises `AssistantError` naming the places that there are.
    """
    before, known = place_of(scene, who.id), places_known(scene)
    found = _spelled(place, known)
    if found is None:
        there = ", ".join(known) or "none"
        raise AssistantError(f"There is no such place in the story. There are: {there}.")
    return arrive(scene, who, found, day, at) if found != before else Changed(scene)


def arrive(scene: SceneState, who: Member, place: str, day: int, at: float) -> Changed:
    """Let a member be at a place of the story; both who stayed and who is there see it."""
    before = place_of(scene, who.id)
    apart = {other: where for other, where in scene.whereabouts.items() if other != who.id}
    after = replace(scene, whereabouts=apart | ({who.id: place} if place != scene.scene else {}))
    what = f"{who.name} went on: {place}"
    row = character_update(
        who.id, what, MOVED, day=day, at=at, location=place, previousLocation=before
    )
    there = [*those_at(scene, before), *those_at(after, place)]
    return Changed(after, (seen_by(row, there),))


def places_known(scene: SceneState) -> list[str]:
    """Return the places of a story, by name, each once."""
    lying = (held for held in scene.things.values() if not scene.has(held))
    named = [scene.scene, *scene.places, *scene.places.values(), *scene.whereabouts.values()]
    return [place for place in dict.fromkeys(map(str, (*named, *lying))) if place]


def _handed(scene: SceneState, to: Member, name: str, what: str, day: int, at: float) -> Changed:
    after = replace(scene, things={**scene.things, name: to.id})
    return Changed(after, (_seen(scene, to, what, "item_acquired", day, at, item=name),))


def _seen(
    scene: SceneState, who: Member, what: str, kind: str, day: int, at: float, **meta: str
) -> MemoryRow:
    here = place_of(scene, who.id)
    row = character_update(who.id, what, kind, day=day, at=at, location=here, **meta)
    return seen_by(row, those_at(scene, here))


def those_at(scene: SceneState, place: str) -> Iterator[str]:
    """Yield the ids of the members who are at a place of the story."""
    return (who for who in scene.participants() if place_of(scene, who) == place)


def _lying(scene: SceneState, place: str) -> list[str]:
    """Return what lies at a place; what lies at none is at hand wherever one is."""
    return [name for name, held in scene.things.items() if held in (place, "")]


def _thing(typed: str, known: list[str], what: str) -> str:
    found = _spelled(typed, known)
    if found is None:
        meant = did_you_mean(typed, known) or f"{', '.join(known) or 'Nothing'} {what}."
        raise AssistantError(f"No '{disarmed(typed)[:LONGEST_THING]}' {what} in the story. {meant}")
    return found


def _spelled(typed: str, known: Iterable[str]) -> str | None:
    """Return the one of these names that is meant: whole, or by some of its words."""
    wanted = stem_set(typed) or {*words(typed)}
    names = {name: stem_set(name) or {*words(name)} for name in known}
    whole = [name for name, own in names.items() if own == wanted]
    part = [name for name, own in names.items() if wanted and wanted <= own]
    found = whole or part
    return found[0] if len(found) == 1 else None


ACTS: dict[str, Act] = {"take": take, "give": give, "put_down": put_down, "move": go}
"""What members do with it, by the names of the tools."""


def cast(scene: SceneState, who: Member, role: str) -> SceneState:
    """Return the scene with a member in a role that nobody plays, who has its things from now on.

    Raises `AssistantError` naming the roles that are free.
    """
    name = next((known for known in scene.roles if known.casefold() == role.strip().casefold()), "")
    free = free_roles(scene)
    if name not in free:
        known = did_you_mean(role, free) or f"Free are: {', '.join(free) or 'none'}."
        raise AssistantError(f"There is no such role to play. {known}")
    things = {**scene.things, **dict.fromkeys(scene.roles[name].get("has", ()), who.id)}
    if len(things) > MOST_THINGS:
        raise AssistantError(f"A story has at most {MOST_THINGS} things.")
    parts = {other: "" if part == name else part for other, part in scene.parts.items()}
    return replace(scene, parts={**parts, who.id: name}, things=things)


def free_roles(scene: SceneState) -> list[str]:
    """Return the roles that no member plays."""
    played = {scene.parts.get(member.id) for member in scene.members}
    return [role for role in scene.roles if role not in played]
