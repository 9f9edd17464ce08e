"""Walking: a standing goal moves its character a step at a heartbeat, by rule, on paths found here.

The way is found over the exits that the character's own locks let it take. A step carries no
label: who sees somebody come in does not learn who asked for it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from ai_assistant.agent.attention.leases import lease, may_do
from ai_assistant.agent.mind import Mind
from ai_assistant.core.contracts import Change, Commit, Json
from ai_assistant.core.errors import ToolError
from ai_assistant.core.times import epoch
from ai_assistant.memory.inner.journal import GAVE_UP
from ai_assistant.memory.talk.stream import deed_entry
from ai_assistant.planning import goals as planning
from ai_assistant.planning.done_records import update_records
from ai_assistant.planning.goal_tree import COMPLETED, DROPPED
from ai_assistant.planning.urgency import AFTER, FOLLOW, HOME, PATROL, PAUSE, VISIT, next_walk

MOST_PLACES = 400
"""A way that would lead past so many places is not looked for any further."""


class Search:
    """A breadth-first search for the shortest way, which may pause after any place.

    `blocked` are steps (from, to) that were tried in vain. Once it is `over`, `way` holds the
    places to go through, the goal last; it is empty where there is no way.
    """

    def __init__(self, start: str, goal: str, blocked: Iterable[tuple[str, str]] = ()) -> None:
        self.start = start
        self.goal = goal
        self.way: list[str] = []
        self.over = start == goal
        self._blocked = frozenset(blocked)
        self._before = {start: ""}
        self._open = deque([start])

    def look(self, neighbours: Callable[[str], Iterable[str]], places: int) -> None:
        """Look at so many more places; `neighbours` lists those next to one."""
        for _ in range(places):
            if self.over or not self._open or len(self._before) > MOST_PLACES:
                self.over = True
                return
            place = self._open.popleft()
            for near in neighbours(place):
                if near not in self._before and (place, near) not in self._blocked:
                    self._before[near] = place
                    self._open.append(near)
            if self.goal in self._before:
                self.over = True
                self.way = [self.goal]
                while self._before[self.way[0]] != self.start:
                    self.way.insert(0, self._before[self.way[0]])


PLACES_AT_ONCE = 8
"""Places that a search looks at between two pauses: about a millisecond."""
BESIDE_SECONDS = 180.0
"""Seconds for which it stays with whom it answered last, as long as they are there."""
ANSWER_SECONDS = 60.0
"""Seconds for which it stays where it was sent, since it came, spoke or gave, until an answer."""
FORGOTTEN_AFTER = 900.0
"""Seconds without a word between them after which it follows somebody no more."""
LOST_AFTER = 180.0
"""Seconds for which it waits for somebody who is out of reach, before it gives up."""

WalkStep = Literal["none", "stayed", "searching", "moved", "arrived", "gave up"]


@dataclass(slots=True)
class Walker:
    """One assistant on its way. What it keeps between two steps is no more than a plan."""

    mind: Mind
    """Whose legs they are."""
    goal: Json | None = None
    """The walk that it goes on with; None for none."""
    reached: Json | None = None
    """The last one that got there, if it went to do something: None where it only went home."""
    _search: Search | None = None
    _path: deque[str] = field(default_factory=deque)
    _blocked: set[tuple[str, str]] = field(default_factory=set)
    _stop: int = 0
    _skipped: int = 0
    _rests_until: float | None = None
    _lost_since: float | None = None
    _left: float = 0.0
    """When the talk began that it walked away from, as its stream tells already."""
    _forsaken: str = ""
    """Why it no longer follows somebody and is on its way home."""

    @property
    def follows(self) -> str:
        """The id of the one whom it follows; empty where it follows nobody."""
        follows = self.goal is not None and self.goal["kind"] == FOLLOW
        return str(self.goal["about"].get("who", "")) if follows and self.goal else ""

    async def step(self) -> WalkStep:
        """Go on by one step, if there is a walk to go on with; raises `StoreError`.

        After ``searching`` call it again soon: the way is not found yet.
        """
        if (goal := self._choose()) is None:
            return "none"
        if self._is_forgotten(goal):
            self._forsaken = "There was no word between you for long."
        if self._forsaken:
            return await self._return(goal)
        return await self._pursue(goal)

    async def _pursue(self, goal: Json) -> WalkStep:
        here, there = self.mind.world.whereabouts(), self._destination(goal)
        if here and here == there and goal["kind"] == VISIT:
            return self._be_there(goal)  # also in the midst of a talk: that is what it came for
        if not here or self._is_held_up(goal, here):
            return "stayed"
        if not there:
            return self._miss(goal)
        if here == there:
            return self._be_there(goal)
        return await self._go(goal, here, there)

    def _choose(self) -> Json | None:
        """Return the walk to go on with; another one than before is planned anew."""
        goals, self.mind.goals_changed = self.mind.store.read("goals")["goals"], False
        found = next_walk(goals, partial(may_do, self.mind)) if goals else None
        if found:
            lease(self.mind, found["id"])
        if (found and found["id"]) != (self.goal and self.goal["id"]):
            if self.goal:
                self.mind.leases.pop(self.goal["id"], None)
            self._stop = self._skipped = 0
            self._lost_since, self._forsaken = None, ""
            self._plan_anew()
            self._blocked.clear()
        self.goal = found
        return found

    def _plan_anew(self) -> None:
        self._search = self._rests_until = None
        self._path.clear()

    def _destination(self, goal: Json) -> str:
        about = goal["about"]
        if goal["kind"] == PATROL:
            stops = about.get("stops") or [{}]
            return str(stops[self._stop % len(stops)].get("place", ""))
        if about.get("who"):
            return self.mind.world.whereabouts(about["who"])
        return str(about.get("place", ""))

    def _is_held_up(self, goal: Json, here: str) -> bool:
        """Has it to wait, for an answer too, or is it in conversation with somebody here?

        Also where another's words broke in. Who is followed, or sent it, does not hold it up.
        """
        if goal["about"].get(AFTER, 0.0) > self.mind.clock.now():
            return True
        talk = self.mind.engagement
        passed, partner = self.mind.clock.now() - talk.since, talk.who or talk.broken[0]
        is_theirs = goal["kind"] == FOLLOW or goal["requester"] == partner
        if goal["kind"] == PATROL and talk.asked == here and passed < ANSWER_SECONDS:
            return True
        if not partner or passed >= BESIDE_SECONDS:
            return False
        return not is_theirs and self.mind.world.whereabouts(partner) == here

    def _is_forgotten(self, goal: Json) -> bool:
        """Does it follow, by a tool, somebody with whom it has not spoken for long?

        What game code set as a goal goes on until game code ends it.
        """
        since = self.mind.clock.now() - FORGOTTEN_AFTER
        if goal["kind"] != FOLLOW or not goal["body"] or epoch(goal["created"]) > since:
            return False
        profile = self.mind.store.read("profile", goal["about"].get("who", ""))
        return epoch(profile["last_interaction"]) < since

    async def _return(self, goal: Json) -> WalkStep:
        """Walk home, and follow nobody any more once there, or where no way leads there."""
        here, home = self.mind.world.whereabouts(), self.mind.world.home()
        if not here or home in ("", here):
            return self._end(goal, DROPPED, self._forsaken)
        return await self._go(goal, here, home)

    # -- being there, and not getting there

    def _be_there(self, goal: Json) -> WalkStep:
        self._lost_since, self._skipped = None, 0
        self._blocked.clear()
        if goal["kind"] == VISIT:
            self.reached = None if goal["about"].get(HOME) else goal
            return self._end(goal, COMPLETED, f"Reached {goal['about'].get('name', 'it')}.")
        if goal["kind"] == PATROL:
            now = self.mind.clock.monotonic()
            if self._rests_until is None:
                self._rests_until = now + float(goal["about"].get("pause", PAUSE))
            elif now >= self._rests_until:
                self._next_stop()
        return "stayed"

    def _next_stop(self) -> None:
        self._stop += 1
        self._plan_anew()

    def _miss(self, goal: Json) -> WalkStep:
        """Wait for what is out of reach, and give up after a while; a round skips that stop."""
        name = goal["about"].get("name", "it")
        self._search = None
        if self._forsaken:
            return self._end(goal, DROPPED, self._forsaken)
        if goal["kind"] == PATROL:
            self._skipped += 1
            if self._skipped < len(goal["about"].get("stops") or ()):
                self._next_stop()
                return "stayed"
            return self._end(goal, DROPPED, "None of the stops could be reached.")
        if goal["kind"] == VISIT and goal["about"].get("place"):
            return self._end(goal, DROPPED, f"There was no way to {name}.")
        now = self.mind.clock.monotonic()
        self._lost_since = self._lost_since or now
        if now - self._lost_since < LOST_AFTER:
            return "stayed"
        why = f"{name} was out of reach."
        away = self.mind.world.home() not in ("", self.mind.world.whereabouts())
        if goal["kind"] != FOLLOW or not away:
            return self._end(goal, DROPPED, why)
        self._forsaken = why
        return "stayed"

    def _end(self, goal: Json, status: str, outcome: str) -> WalkStep:
        """End the goal, and put on record how, for those who may know of it."""
        at, state = self.mind.clock.now(), self.mind.store.read("goals")
        ended = {"goal_id": goal["id"], "at": at, "status": status, "outcome": outcome}
        before = planning.current_goals(state)
        changes = [Change("goals", "", "update_goal", ended)]
        planning.update_goal(state, **ended)
        changes += update_records(before, planning.current_goals(state), goal, at=at)[0]
        if status == DROPPED:
            content = f"Gave up a goal: {goal['description'].rstrip('.')}. {outcome}"
            entry: Json = {"at": at, "readers": goal["readers"], "author": goal["author"]}
            entry |= {"content": content, "source_type": "observation", "tags": ["goal", GAVE_UP]}
            changes.append(Change("journal", "", "add_journal_entry", entry))
        self.mind.save(Commit(at=at, changes=changes))
        self.mind.leases.pop(goal["id"], None)
        self.goal = None
        return "arrived" if status == COMPLETED else "gave up"

    # -- getting there

    async def _go(self, goal: Json, here: str, there: str) -> WalkStep:
        if not self._knows_way(here, there):
            return self._miss(goal) if self._search and self._search.over else "searching"
        mind, epoch = self.mind, self.mind.epoch
        place, there = mind.world.scene().place_name, mind.world.neighbours(here)[self._path[0]]
        try:
            await mind.world.walk(self._path[0])
        except ToolError:
            self._blocked.add((here, self._path[0]))
            self._path.clear()
            return "stayed"
        finally:
            self._search = None
        if epoch == mind.epoch and self._path:
            self._path.popleft()
        self._lost_since = None
        self._tell_of_leaving(goal, here, f"You went on from {place} to {there}.")
        return "moved"

    def _tell_of_leaving(self, goal: Json, here: str, text: str) -> None:
        """Put on record, once, that it left the place of its last talk; a wish is there itself."""
        talk, at = self.mind.engagement, self.mind.clock.now()
        is_wish = not (goal["kind"] == PATROL or goal["about"].get(AFTER) or self._forsaken)
        if is_wish or talk.place != here or talk.since == self._left:
            return
        self._left, me = talk.since, self.mind.world.me()
        said = {"at": at, "turn_id": f"{goal['id']}.{round(at)}", "readers": goal["readers"]}
        told = Change("stream", "", "append", {"added": [deed_entry(me, text, **said)]})
        self.mind.save(Commit(at, changes=[told]))

    def _knows_way(self, here: str, there: str) -> bool:
        """Is there a way that leads on from here? Where not, look for one a little further."""
        near = self.mind.world.neighbours
        if self._path and self._path[-1] == there and self._path[0] in near(here):
            return True
        search = self._search
        if search is None or (search.start, search.goal) != (here, there):
            self._search = search = Search(here, there, self._blocked)
        search.look(near, PLACES_AT_ONCE)
        self._path = deque(search.way)
        return bool(self._path)
