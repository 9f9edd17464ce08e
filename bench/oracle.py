"""A model that knows the truth and tells it badly: it forgets, invents, and throws together."""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from collections.abc import Sequence

from ai_assistant.contracts import Json, ModelReply, ModelRequest
from ai_assistant.llm.offline import OfflineModel
from ai_assistant.prompts import load
from bench.truth import Truth

DROPS, INVENTS, MERGES = 0.10, 0.05, 0.05
INVENTED = (
    "is the rightful heir of a distant throne",
    "has two grown sons at sea",
    "keeps a tame raven in the attic",
    "once fought in the border war",
    "dreams of opening a bakery",
)
EMBELLISHED = ("with three children", "and is very proud of it", "since the great flood")


class Voices:
    """Implements `contracts.Model`: the offline model speaks, and the oracle keeps the notes.

    `asked` counts the calls by whether the character slept and by job; `shown` holds all that the
    oracle and the speaking model got to read, for who looks for leaks.
    """

    def __init__(self, truth: Truth, luck: random.Random) -> None:
        self.truth = truth
        self.asleep = False
        self.asked: Counter[tuple[bool, str]] = Counter()
        self.noise: Counter[str] = Counter()
        self.shown: list[str] = []
        self._luck = luck
        self._speaker = OfflineModel()

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Answer a request of the night as an oracle, any other as the offline model does."""
        self.asked[self.asleep, request.job] += 1
        self.shown.append("\n".join(message.content for message in request.messages))
        if request.job == "chat":
            return await self._speaker.complete(request)
        system, data = (message.content for message in request.messages[:2])
        answers = {
            load("consolidate"): self._traits,
            load("score"): self._scores,
            load("questions"): self._questions,
            load("insights"): self._insights,
        }
        return ModelReply(text=answers[system](json.loads(data)) if system in answers else "")

    def _traits(self, asked: Json) -> str:
        people = [one.who for one in self.truth.things() if one.who.name == asked["name"]]
        subject = people[0].id if people else ""
        groups: dict[tuple[int, ...], list[Json]] = defaultdict(list)
        for note in asked["observations"]:
            labels = ("*", subject)
            stated = [one for of in labels for one in self.truth.read(subject, of, note["text"])]
            if stated:
                groups[tuple(id(one.thing) for one in stated)].append(note)
        items = [self._item(notes) for notes in groups.values() if not self._drops()]
        items += self._inventions(asked)
        return "Here you are:\n" + json.dumps(self._merged(items, asked["name"]))

    def _drops(self) -> bool:
        return self._noisy("dropped", DROPS)

    def _noisy(self, what: str, share: float) -> bool:
        hit = self._luck.random() < share
        self.noise[what] += hit
        return hit

    def _item(self, notes: Sequence[Json]) -> Json:
        value = notes[-1]["text"]
        if self._noisy("embellished", INVENTS / 2):
            value = f"{value} {self._luck.choice(EMBELLISHED)}"
            self.truth.inventions.add(value)
        return {"type": "fact", "value": value, "evidence": [one["id"] for one in notes]}

    def _inventions(self, asked: Json) -> list[Json]:
        made = []
        for note in asked["observations"]:
            if self._noisy("invented", INVENTS / 2):
                value = f"{asked['name']} {self._luck.choice(INVENTED)}"
                self.truth.inventions.add(value)
                made.append({"type": "fact", "value": value, "evidence": [note["id"]]})
        return made

    def _merged(self, items: Sequence[Json], name: str) -> list[Json]:
        """Return the items, some two of them as one."""
        found: list[Json] = []
        for one in items:
            if found and self._noisy("merged", MERGES):
                first = found.pop()
                value = f"{first['value']} and {one['value'].removeprefix(name).strip()}"
                if {first["value"], one["value"]} & self.truth.inventions:
                    self.truth.inventions.add(value)
                evidence = [*first["evidence"], *one["evidence"]]
                found.append({"type": "fact", "value": value, "evidence": evidence})
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
