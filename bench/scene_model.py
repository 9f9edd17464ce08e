"""The model of the scenes' bench: it answers every line that it is asked about, and says to whom.

Each answer names a place of its own, so that it can be found again wherever it went.
"""

from __future__ import annotations

import random
import re
import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import count

from ai_assistant.core.contracts import Json
from ai_assistant.testing.fake_openai import FakeOpenAI
from ai_assistant.testing.faults import Asked
from bench import scene_words as words
from bench.scene_script import Said, town, towns_in

DEEPEST = 3
"""So many answers of assistants follow on one line of a player at most."""
SLOWEST = 0.06
_ME = re.compile(r"^You are (.+?), a character")


class Register:
    """All lines of a run by the place that they name; thread-safe."""

    def __init__(self) -> None:
        self.said: dict[str, Said] = {}
        self.read: dict[str, set[str]] = defaultdict(set)
        """The places that the prompts of an assistant held."""
        self.asked: dict[str, set[str]] = defaultdict(set)
        """Those of them that it answered."""
        self._numbers = count()
        self._lock = threading.Lock()

    def town(self) -> str:
        """Return a place that nobody spoke of yet."""
        with self._lock:
            return town(next(self._numbers))

    def latest(self, count: int) -> list[Said]:
        """Return the last lines, oldest first."""
        with self._lock:
            return list(self.said.values())[-count:]

    def add(self, said: Said) -> None:
        """Keep a line."""
        with self._lock:
            self.said[said.town] = said


class Actors(FakeOpenAI):
    """Speaks for all assistants. `others(name)` are the assistants that one may turn to."""

    def __init__(self, register: Register, others: Callable[[str], Sequence[str]]) -> None:
        super().__init__()
        self._register, self._others = register, others

    def _rule(self, asked: Asked) -> Json:
        found = _ME.search(asked.system)
        me = found[1] if found else ""
        self._register.read[me] |= set(towns_in(asked.prompt))
        towns = towns_in(asked.question)
        lines = [self._register.said[one] for one in towns if one in self._register.said]
        lines = [one for one in lines if one.speaker != me]
        depth = 1 + max((one.depth for one in lines), default=DEEPEST)
        luck = random.Random(f"{me} {towns}")
        if depth > DEEPEST or luck.random() < 0.1:
            return {"call": "wait", "args": {"reasoning": "Nothing to say."}}
        self._register.asked[me] |= set(towns)
        return {**self._act(me, asked, lines, depth, luck), "latency": luck.uniform(0, SLOWEST)}

    def _act(
        self, me: str, asked: Asked, lines: Sequence[Said], depth: int, luck: random.Random
    ) -> Json:
        meant = {one.speaker for one in lines}
        last, place, kind = lines[-1].speaker, self._register.town(), luck.random()
        others = [one for one in self._others(me) if one not in meant]
        if "emote" not in asked.tools:
            text, said_as = luck.choice(words.ANSWERS).format(w=place), "whisper"
        elif kind < 0.3 and others:
            other = luck.choice(others)
            text, said_as = luck.choice(words.PASSING).format(w=place, m=other), "answer"
            meant.add(other)
        else:
            pool = words.NAMING if kind < 0.5 else words.ANSWERS
            text, said_as = luck.choice(pool).format(w=place, n=last), "answer"
        self._register.add(Said(place, me, text, said_as, frozenset(meant), depth=depth))
        return {"say": text}
