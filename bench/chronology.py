"""Generated days of talk around one character, of which every fact, and every lie, is known.

Some twenty players tell what they are, have, like and fear, say it again in other words, change
it, and confide secrets by whisper, between talk that tells nothing lasting. The templates come
from a file (see `bench/replay.py`); their values from here, or from the file as well.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ai_assistant.core.contracts import Entity
from ai_assistant.testing import SERA
from bench.things import (
    NAMES,
    OPEN_KINDS,
    SECRET_KINDS,
    SECRETS,
    SINGLE,
    VALUES,
    Saying,
    Statement,
    Thing,
)

DAY = 86_400.0
JUNK = ("question", "small talk", "mood", "plan", "refusal", "world", "instruction")
_WEIGHTS = (22, 27, 17, 15, 8, 7, 4)


@dataclass(frozen=True)
class _Plan:
    thing: Thing
    value: str
    ended: bool = False


class Chronology:
    """The talk of some days; iterate over `day(n)` in order, since later talk rests on earlier."""

    def __init__(
        self, seed: int, pool: Mapping[str, Sequence[str]], *, days: int, events: int
    ) -> None:
        self._luck = random.Random(seed)
        self._pool = pool
        self._days, self._events = days, events
        players = max(4, min(len(NAMES), events // 400))
        self.cast = [Entity(f"e{n}", name, "player") for n, name in enumerate(NAMES[:players], 1)]
        self.things: list[Thing] = []
        self._plans: dict[int, list[_Plan]] = {day: [] for day in range(days)}
        self._secrets = {kind: self._luck.sample(some, len(some)) for kind, some in SECRETS.items()}
        self._taken: dict[str, set[str]] = {one.id: set() for one in self.cast}
        for who in self.cast:
            self._plan(who)

    def secret_words(self) -> dict[str, str]:
        """Return the words that only a secret holds, each with its readers."""
        return {
            value: thing.readers
            for thing in self.things
            if thing.kind in SECRETS
            for value in thing.values
        }

    # -- what will be told

    def _plan(self, who: Entity) -> None:
        for readers, kinds in (("*", OPEN_KINDS), (who.id, SECRET_KINDS)):
            for kind, count in kinds.items():
                for _ in range(count):
                    self._plan_one(who, kind, readers)

    def _plan_one(self, who: Entity, kind: str, readers: str) -> None:
        day = self._early_day()
        thing = Thing(who, kind, readers, [])
        self.things.append(thing)
        self._plans[day].append(_Plan(thing, self._value(who, kind)))
        if kind in SINGLE and f"{kind}.change" in self._pool and readers == "*":
            for _ in range(self._luck.choice((0, 1, 1, 1, 2))):
                day = self._later(day)
                self._add(day, _Plan(thing, self._value(who, kind)))
        elif f"{kind}.end" in self._pool and self._luck.random() < 0.4:
            last = self._plans[day][-1].value
            self._add(self._later(day), _Plan(thing, last, ended=True))

    def _add(self, day: int, plan: _Plan) -> None:
        if day < self._days:
            self._plans[day].append(plan)

    def _early_day(self) -> int:
        first = self._luck.random() < 0.6
        return self._luck.randrange(max(1, self._days // 4 if first else self._days - 3))

    def _later(self, day: int) -> int:
        return day + self._luck.randint(1, max(1, self._days // 3))

    def _value(self, who: Entity, kind: str) -> str:
        if kind in self._secrets:
            return self._secrets[kind].pop()
        known = self._pool.get(f"values.{kind}") or VALUES[kind]
        taken = " ".join(self._taken[who.id])
        free = [one for one in known if one.removeprefix("the ") not in taken]
        value = self._luck.choice(free)
        self._taken[who.id].add(value)
        return value

    # -- a day's talk

    def day(self, number: int) -> Iterator[Saying]:
        """Yield the events of a day in order, each stating the truth of its own moment."""
        planned = self._plans[number]
        total = self._events * (number + 1) // self._days - self._events * number // self._days
        fillers = max(0, total - len(planned))
        sorts = self._luck.choices(
            ("repeat", "hearsay", "lie", "echo", "junk"), (30, 4, 3, 5, 58), k=fillers
        )
        order: list[_Plan | str] = [*planned, *sorts]
        self._luck.shuffle(order)
        gap = 15 * 3600.0 / max(1, len(order))
        for place, one in enumerate(order):
            at = number * DAY + 7 * 3600 + place * gap
            yield self._planned(at, one) if isinstance(one, _Plan) else self._filler(at, one)

    def _planned(self, at: float, plan: _Plan) -> Saying:
        thing, first = plan.thing, not plan.thing.told
        old = thing.values[-1] if thing.values else ""
        if plan.ended:
            sort, templates = "end", self._pool[f"{thing.kind}.end"]
        elif first:
            sort, templates = "first", self._pool[thing.kind]
        else:
            sort, templates = "change", self._pool[f"{thing.kind}.change"]
        text = self._luck.choice(templates).format(v=plan.value, old=old, me=self._me())
        thing.told, thing.ended, thing.texts = True, plan.ended, [text]
        if not plan.ended:
            thing.values.append(plan.value)
        return self._say(at, thing, text, sort)

    def _say(self, at: float, thing: Thing, text: str, sort: str) -> Saying:
        dressed = self._dressed(text) if sort != "same" else text
        statement = Statement(thing, thing.values[-1], thing.ended)
        whispered = thing.readers != "*"
        addressed = whispered or self._luck.random() < 0.3
        return Saying(at, thing.who, dressed, sort, whispered, addressed, statement)

    def _dressed(self, text: str) -> str:
        lead = self._luck.choice(self._pool.get("lead") or [""]).format(me=self._me())
        return lead + text + self._luck.choice(self._pool.get("tail") or [""])

    def _filler(self, at: float, sort: str) -> Saying:
        who = self._luck.choice(self.cast)
        addressed = self._luck.random() < 0.3
        if sort == "echo":
            return Saying(at, who, "", sort, addressed=addressed)
        known = [one for one in self.things if one.told]
        if sort == "repeat" and known:
            return self._repeat(at, self._luck.choice(known))
        if sort in ("hearsay", "lie") and known:
            return self._hearsay(at, who, known, sort == "lie") or self._junk(at, who, addressed)
        return self._junk(at, who, addressed)

    def _repeat(self, at: float, thing: Thing) -> Saying:
        if self._luck.random() < 0.3:
            return self._say(at, thing, self._luck.choice(thing.texts), "same")
        templates = self._pool[f"{thing.kind}.end" if thing.ended else thing.kind]
        text = self._luck.choice(templates).format(v=thing.values[-1], me=self._me())
        thing.texts.append(text)
        return self._say(at, thing, text, "paraphrase")

    def _hearsay(self, at: float, who: Entity, known: Sequence[Thing], lie: bool) -> Saying | None:
        fit = [
            one
            for one in known
            if f"{one.kind}.hearsay" in self._pool
            and one.readers == "*"
            and not one.ended
            and one.who != who
            and (not lie or one.kind in SINGLE)
        ]
        if not fit:
            return None
        thing = self._luck.choice(fit)
        value = self._lie(thing) if lie else thing.values[-1]
        text = self._luck.choice(self._pool[f"{thing.kind}.hearsay"])
        text = text.format(who=thing.who.name, v=value)
        statement = Statement(thing, value, true=not lie)
        addressed = self._luck.random() < 0.3
        return Saying(at, who, text, "lie" if lie else "hearsay", False, addressed, statement)

    def _lie(self, thing: Thing) -> str:
        """Return what is over, or what was never so."""
        if len(thing.values) > 1 and self._luck.random() < 0.4:
            return thing.values[0]
        known = self._pool.get(f"values.{thing.kind}") or VALUES[thing.kind]
        return self._luck.choice([one for one in known if one not in self._taken[thing.who.id]])

    def _junk(self, at: float, who: Entity, addressed: bool) -> Saying:
        sort = self._luck.choices(JUNK, _WEIGHTS)[0]
        other = self._luck.choice([one for one in self.cast if one != who])
        taken = self._taken[who.id] | self._taken[other.id]

        def strange(kind: str) -> str:
            return self._luck.choice([one for one in VALUES[kind] if one not in taken] or ["thing"])

        text = self._luck.choice(self._pool[f"junk.{sort}"]).format(
            me=self._me(),
            who=other.name,
            place=strange("home"),
            thing=strange("owns"),
            trade=strange("work"),
        )
        return Saying(at, who, text, f"junk.{sort}", addressed=addressed)

    def _me(self) -> str:
        return SERA.name.split(" ")[1]
