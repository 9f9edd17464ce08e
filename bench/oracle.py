"""A model that knows the truth and tells it badly: it forgets, invents, and throws together."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence

from ai_assistant.core.contracts import Json
from ai_assistant.core.model_records import ModelReply, ModelRequest
from ai_assistant.core.ports import Model
from ai_assistant.llm.offline import OfflineModel
from ai_assistant.prompts import load_prompt
from bench.things import Statement
from bench.truth import Truth, is_current

DROPS, INVENTS, MERGES = 0.10, 0.05, 0.05
INVENTED = (
    "is the rightful heir of a distant throne",
    "has two grown sons at sea",
    "keeps a tame raven in the attic",
    "once fought in the border war",
    "dreams of opening a bakery",
)
EMBELLISHED = ("with three children", "and is very proud of it", "since the great flood")


class Voices(Model):
    """Implements `ports.Model`: the offline model speaks; the oracle keeps the notes, or it too.

    `asked` counts the calls by whether the character slept and by job; `shown` holds all that the
    oracle and the speaking model got to read, for who looks for leaks.
    """

    def __init__(self, truth: Truth, luck: random.Random, *, oracle: bool = True) -> None:
        self.truth = truth
        self.asleep = False
        self.asked: Counter[tuple[bool, str]] = Counter()
        self.noise: Counter[str] = Counter()
        self.shown: list[str] = []
        self._luck = luck
        self._jobs = ("chat",) if oracle else ("chat", "consolidate")
        self._speaker = OfflineModel()

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Answer a request of the night as an oracle, any other as the offline model does."""
        self.asked[self.asleep, request.job] += 1
        self.shown.append("\n".join(message.content for message in request.messages))
        if request.job in self._jobs:
            return await self._speaker.complete(request)
        system, data = (message.content for message in request.messages[:2])
        answers = {
            load_prompt("consolidate"): self._facts,
            load_prompt("score"): self._scores,
            load_prompt("questions"): self._questions,
            load_prompt("insights"): self._insights,
        }
        return ModelReply(text=answers[system](json.loads(data)) if system in answers else "")

    def _facts(self, asked: Json) -> str:
        people = {one["who"]: one["name"] for one in asked["people"]}
        facts: dict[object, Json] = {}
        known = [*asked["known"]]
        for line in asked["lines"]:
            about = line.get("about") or line["who"]
            if about in people and not self._drops():
                for key, fact in self._told(line, about, people[about], known):
                    lines = facts.get(key, {}).get("lines", [])
                    facts[key] = {**fact, "lines": [*lines, *fact["lines"]]}
            if line["kind"] == "note":
                known.append({"id": line["id"], "who": about, "fact": line["says"]})
        found = list(facts.values())
        return "Here you are:\n" + json.dumps({"facts": self._merged(found), "people": []})

    def _told(
        self, line: Json, about: str, name: str, known: Sequence[Json]
    ) -> Iterator[tuple[object, Json]]:
        """Yield what a line truly tells of somebody, and now and then what nobody said."""
        held = [(one, self._read(name, one["fact"])) for one in known if one["who"] == about]
        fact = {"about": about, "lines": [line["id"]], "quote": line["says"]}
        value = line["says"] if line["kind"] == "note" else f"{name}: {line['says']}"
        for one in self._read(name, line["says"]):
            same = [(row, old) for row, some in held for old in some if old.thing is one.thing]
            alike = [known for known, old in same if is_current(old) == is_current(one)]
            if one.true and alike and line["kind"] == "note":
                yield one.thing, {**fact, "fact": alike[0]["fact"]}
            elif one.true and not alike:
                replaces = [known["id"] for known, _ in same]
                yield one.thing, {**fact, "fact": self._embellished(value), "replaces": replaces}
        if self._noisy("invented", INVENTS / 2):
            value = f"{name} {self._luck.choice(INVENTED)}"
            self.truth.inventions.add(value)
            yield value, {**fact, "fact": value}

    def _embellished(self, value: str) -> str:
        if not self._noisy("embellished", INVENTS / 2):
            return value
        value = f"{value} {self._luck.choice(EMBELLISHED)}"
        self.truth.inventions.add(value)
        return value

    def _read(self, name: str, text: str) -> list[Statement]:
        people = [one.who for one in self.truth.things() if one.who.name == name]
        subject = people[0].id if people else ""
        return [one for of in ("*", subject) for one in self.truth.read(subject, of, text)]

    def _drops(self) -> bool:
        return self._noisy("dropped", DROPS)

    def _noisy(self, what: str, share: float) -> bool:
        hit = self._luck.random() < share
        self.noise[what] += hit
        return hit

    def _merged(self, items: Sequence[Json]) -> list[Json]:
        """Return the facts, some two of them as one."""
        found: list[Json] = []
        for one in items:
            if found and found[-1]["about"] == one["about"] and self._noisy("merged", MERGES):
                first = found.pop()
                value = f"{first['fact']} and {one['fact']}"
                if {first["fact"], one["fact"]} & self.truth.inventions:
                    self.truth.inventions.add(value)
                found.append({**first, "fact": value, "lines": [*first["lines"], *one["lines"]]})
            else:
                found.append(one)
        return found

    def _scores(self, entries: Json) -> str:
        return json.dumps(
            [{"id": one["id"], "importance": self._luck.randint(2, 8)} for one in entries]
        )

    def _questions(self, entries: Json) -> str:
        return "\n".join(f"- What is behind this: {line[:60]}?" for line in entries[:3])

    def _insights(self, asked: Json) -> str:
        chosen = asked["evidence"][:3]
        return json.dumps(
            [
                {"insight": one["text"].replace(":", " said"), "evidence": [one["id"]]}
                for one in chosen
            ]
        )
