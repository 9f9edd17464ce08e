"""Autonomy: what one assistant keeps in mind between heartbeats to act on its own.

It gathers the situation that `agent.unasked.autonomy` decides on, cheapest things first: most
heartbeats end with two comparisons.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from ai_assistant.agent.attention.leases import is_free, lease, may_do
from ai_assistant.agent.mind import Mind
from ai_assistant.agent.unasked.autonomy import Occasion, Situation, TickDecision, decide
from ai_assistant.core.contracts import Change, Commit, Entity, Event, Json
from ai_assistant.core.readers import OPEN, Audience, usable
from ai_assistant.core.times import DAY, HOUR, epoch
from ai_assistant.memory.people.feelings import drift
from ai_assistant.memory.talk.working import is_pressing, is_timely, key_of
from ai_assistant.planning import goals as planning
from ai_assistant.planning.urgency import ASKED, PAYER, by_urgency, is_walk
from ai_assistant.roleplay.world_agent import forget_oldest

GREET_WITHIN = 60.0
"""Seconds after an arrival in which a greeting is still one."""
GREET = "greet"
GREET_AGAIN = HOUR
"""Seconds before the same person is greeted once more, however often they come in."""
TRY_AGAIN = HOUR
"""Seconds before it turns to what it promised the same person once more."""
JUST_SPOKEN = 600.0
"""Seconds after a talk in which nobody needs a greeting."""
MAX_GREETED = 200
LOOK_PAUSE = 20.0
"""Seconds between two looks around of one who has time but found nothing to do."""
_STARTED = TickDecision(False, "it has only just started")


@dataclass(slots=True)
class AutonomyState:
    """The idle side of one assistant. Times are of the steady clock but where it says so."""

    mind: Mind
    """Whose it is."""
    last_act: float = 0.0
    """When its last turn unasked began or ended; at first, when it started."""
    decision: TickDecision = _STARTED
    """The last one, whatever it was."""
    decided_at: float = 0.0
    """When that was, a time of day."""
    acted: TickDecision | None = None
    """The last decision that led to a turn."""
    acted_at: float = 0.0
    """When that was, a time of day."""
    arrived: Json | None = None
    """The walk with which it has just got where it wanted to go."""
    fruitless: int = 0
    """Turns in a row that came to nothing."""
    _arrived_at: float = -math.inf
    _met: dict[str, tuple[float, bool]] = field(default_factory=dict)
    _arrivals: dict[str, tuple[Entity, float]] = field(default_factory=dict)
    _greeted: dict[str, float] = field(default_factory=dict)
    _sound: float = 0.0
    _tried: dict[str, float] = field(default_factory=dict)
    _looked: float = -math.inf
    _in_company: bool = False
    _place: str = ""
    _broke_silence: bool = False

    def __post_init__(self) -> None:
        """Begin now; what was said unasked before a restart still counts. Raises `StoreError`.

        Whom a goal waits for may have come or spoken meanwhile: who is here is met once.
        """
        self.last_act = self._sound = self.mind.clock.monotonic()
        self.decided_at = self.mind.clock.now()
        self._place = self.mind.world.whereabouts()
        for goal in planning.current_goals(self.mind.store.read("goals")):
            if goal["awaits"]:
                self._met[goal["awaits"]["who"]] = (self.decided_at, False)
        self.mind.patience.restore(self.mind.key, self.mind.store.read("patience"))

    # -- what it notices

    def notice(self, event: Event) -> None:
        """Take in that something was said, or that somebody moved."""
        now = self.mind.clock.monotonic()
        if event.source_type == "move" and not usable(event.readers, self.mind.world.company()):
            return  # to turn to them would tell the others that they are there
        if event.source_type != "move":
            self._sound, self._broke_silence, self.fruitless = now, False, 0
        spoke = event.source_type != "move"
        for who in (event.source.id, event.source.name.casefold()):  # or was only heard of
            self._met[who] = self.mind.clock.now(), spoke
        forget_oldest(self._met, MAX_GREETED)
        if event.source_type == "move" and event.source.kind == "player":
            self._arrivals[event.source.id] = (event.source, now)

    def arrive(self, errand: Json) -> None:
        """Take in that it got where it wanted to go."""
        self.arrived, self._arrived_at = errand, self.mind.clock.monotonic()

    def addressed(self, event: Event) -> None:
        """Take in that somebody turned to it: patience is restored. Raises `StoreError`."""
        mind, who = self.mind, event.source.id
        if event.by_assistant or not mind.patience.answered(mind.key, who, event.place):
            return
        answer = Change("patience", "", "answered", {"who": who, "place": event.place})
        mind.save(Commit(at=mind.clock.now(), changes=[answer]))

    # -- what it decides

    def consider(self, *, anew: bool = False) -> TickDecision:
        """Return whether to act now, and why; remembered for whoever asks. Raises `StoreError`.

        Where there was nothing to do, it does not look again for some seconds, unless told to.
        """
        config, now = self.mind.config, self.mind.clock.monotonic()
        interval, idle = float(config["autonomy_interval"]), now - self.last_act
        situation = Situation(interval, idle)
        has_news = self.arrived or (interval and self._arrivals)
        if has_news or (interval and idle >= interval):
            if now - self._looked < LOOK_PAUSE and not (has_news or anew):
                return self.decision
            situation, self._looked = self._situation(situation, now), now
        self.decision, self.decided_at = decide(situation), self.mind.clock.now()
        return self.decision

    def begun(self) -> None:
        """Note that a turn begins which follows from the last decision."""
        now, occasion = self.mind.clock.monotonic(), self.decision.occasion
        self.last_act, self.arrived = now, None
        self.acted, self.acted_at = self.decision, self.mind.clock.now()
        if self.decision.goal is not None:
            lease(self.mind, self.decision.goal["id"])
        if occasion is None:
            return
        self._broke_silence = True
        if occasion.who and occasion.kind == "promise":
            self._tried[occasion.who.id] = now
            forget_oldest(self._tried, MAX_GREETED)
        elif occasion.who:
            lease(self.mind, f"{GREET} {occasion.who.id}", GREET_AGAIN)
            self._arrivals.pop(occasion.who.id, None)
            self._greeted[occasion.who.id] = now
            forget_oldest(self._greeted, MAX_GREETED)

    def ended(self, *, idle: bool) -> None:
        """Note how that turn ended: an `idle` one came to nothing."""
        self.last_act = self.mind.clock.monotonic()
        self.fruitless = self.fruitless + 1 if idle else 0

    def _situation(self, so_far: Situation, now: float) -> Situation:
        mind, config = self.mind, self.mind.config
        company = mind.world.company()
        if company and not self._in_company:
            self._sound, self._broke_silence = now, False
        self._in_company = bool(company)
        return Situation(
            interval=so_far.interval,
            idle=so_far.idle,
            hour=mind.world.game_time() % DAY / HOUR,
            active_from=config["active_from"],
            active_until=config["active_until"],
            company=bool(company),
            welcome=mind.is_welcome(company),
            goal=self._goal(),
            guided=bool(mind.store.read("guidelines")["accepted"]),
            occasion=self._occasion(company, now),
            paid=bool(self.arrived and mind.energy.left(self.arrived["about"].get(ASKED, ""))),
            promise=self._promise(company, now),
            silence=0.0 if self._broke_silence else now - self._sound,
            small_talk_after=config["small_talk_after"],
            spent=mind.budget.share(mind.key),
            elapsed=mind.clock.now() % DAY / DAY,
            fruitless=self.fruitless,
        )

    def _goal(self) -> Json | None:
        """Return the most urgent goal that needs a thought, of none of its other bodies."""
        self._wake_goals()
        goals, now_game = self.mind.store.read("goals")["goals"], self.mind.world.game_time()
        wanted = by_urgency(goals, now_game=now_game) if goals else ()
        free = partial(may_do, self.mind, goals)
        return next((goal for goal in wanted if not is_walk(goal) and free(goal)), None)

    def _wake_goals(self) -> None:
        """Resume goals that waited for somebody whom it has met since it last looked.

        Whoever is where it has come to meanwhile is met as well.
        """
        at, where = self.mind.clock.now(), self.mind.world.whereabouts
        met, self._met = self._met, {}
        came, self._place = where() != self._place, where()
        goals = planning.current_goals(self.mind.store.read("goals")) if met or came else []
        if came:
            awaited = (goal["awaits"]["who"] for goal in goals if goal["awaits"])
            met = dict.fromkeys(awaited, (at, False)) | met
        wake = [
            Change("goals", "", "wake_goals", {"who": who, "at": at})
            for who, (since, spoke) in met.items()
            if planning.waiting_for(goals, who, since) and (spoke or where(who) == where())
        ]
        if wake:
            self.mind.save(Commit(at=at, changes=wake))

    def _promise(self, here: Audience, now: float) -> Occasion | None:
        """Return for whom there is something to do among those who are here, most urgent first."""
        waiting, game_time = [], self.mind.world.game_time()
        hiding = self.mind.world.unseen(here) if here else ()
        for who in sorted(here.difference(hiding)):
            if now - self._tried.get(who, -math.inf) >= TRY_AGAIN:
                labels = (OPEN, who) if len(here) == 1 else (OPEN,)
                talks = [self.mind.store.read("working", key_of(who, label)) for label in labels]
                todo = [pending for talk in talks for pending in talk["pending_actions"]]
                timely = [pending for pending in todo if is_timely(pending, game_time)]
                waiting += [
                    (not is_pressing(pending, game_time), pending["priority"], who)
                    for pending in timely
                ]
        if not waiting:
            return None
        *_, who = min(waiting)
        name = self.mind.store.read("profile", who)["name"]
        return Occasion("promise", Entity(who, name, "player"))

    def _occasion(self, here: Audience, now: float) -> Occasion | None:
        if self.arrived and now - self._arrived_at <= GREET_WITHIN:
            about = self.arrived["about"]
            return Occasion("arrival", None, about.get(ASKED, ""), about.get(PAYER, ""))
        self.arrived = None
        for who, since in list(self._arrivals.values()):
            if now - since > GREET_WITHIN:
                del self._arrivals[who.id]
            elif who.id in here:
                if kind := self._greeting(who, now):
                    return Occasion(kind, who)
                del self._arrivals[who.id]
        return None

    def _greeting(self, who: Entity, now: float) -> Literal["greeting", "nod"] | None:
        """Say how to greet somebody who came in: not at all, by a nod, or with a word."""
        wanted = self.mind.config["greets"]
        if wanted == "nobody" or now - self._greeted.get(who.id, -math.inf) < GREET_AGAIN:
            return None
        if not is_free(self.mind, f"{GREET} {who.id}"):
            return None
        profile = drift(self.mind.store.read("profile", who.id), self.mind.clock.now())
        if self.mind.clock.now() - epoch(profile["last_interaction"]) < JUST_SPOKEN:
            return None
        if profile["relationship"]["state"] != "stranger":
            return "greeting"
        return "nod" if wanted == "everybody" else None
