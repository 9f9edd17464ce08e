"""Questions about what has changed: does the value that holds now come before those that did?

python -m bench.latest_state [--seed 7] [--stories 60] [--quick]

Every story is the talk of six people over some months: what each has, does and likes, in many
wordings, all of it changed later, once or twice, between small talk and what they say of others.
Rows carry the marks that a night leaves which understood every change; whether it does is measured
elsewhere. The wordings were written by somebody who had not seen how anything is found.
"""

from __future__ import annotations

import argparse
import json
import random
from dataclasses import dataclass
from itertools import pairwise

from ai_assistant.core.contracts import MemoryRow
from ai_assistant.core.times import DAY
from ai_assistant.memory.search.retrieval import Index
from bench.wordings import KIN, NOISE, PEOPLE, TOWNS, Topic
from bench.wordings_sixth import SIXTH

GOAL = 1.0


@dataclass(frozen=True)
class Question:
    """What is asked of a story, and the id of the line that answers it."""

    text: str
    answer: int
    older: tuple[int, ...]


class Story:
    """The talk of one cast: every line with its day and speaker, some of them about a fact."""

    def __init__(self, luck: random.Random) -> None:
        self.luck = luck
        self.cast = luck.sample(PEOPLE, 6)
        self.lines: list[tuple[float, str, str, tuple[str, int] | None]] = []

    def say(
        self,
        day: float,
        who: str,
        wording: str,
        *,
        value: str,
        old: str = "",
        fact: tuple[str, int] | None = None,
    ) -> None:
        """Let somebody say something of `who`: they themselves, unless it names them."""
        speaker = who
        if "{who}" in wording:
            speaker = self.luck.choice([one for one in self.cast if one != who])
        text = wording.format(who=who, v=value, old=old, kin=self.luck.choice(KIN))
        self.lines.append((day, speaker, text[0].upper() + text[1:], fact))

    def tell_fact(self, who: str, topic: Topic, fact: tuple[str, int]) -> None:
        """Let a topic be told with two or three values, and what is beside the point."""
        luck = self.luck
        values = luck.sample(topic.values, luck.choice((2, 2, 3)))
        days = sorted(luck.sample(range(1, 100), len(values)))
        for place, (day, value) in enumerate(zip(days, values, strict=True)):
            wording = luck.choice(topic.change if place else topic.first)
            old = values[place - 1] if place else ""
            self.say(day + luck.random(), who, wording, value=value, old=old, fact=fact)
        for aside in [topic.kin] * bool(topic.kin) + luck.sample(
            topic.aside, min(2, len(topic.aside))
        ):
            self.say(luck.uniform(1, 110), who, aside, value=luck.choice(topic.values))

    def chat(self, lines: int) -> None:
        """Add small talk."""
        for _ in range(lines):
            who, other = self.luck.sample(self.cast, 2)
            text = self.luck.choice(NOISE).format(v=self.luck.choice(TOWNS), other=other)
            self.lines.append((self.luck.uniform(0, 110), who, text, None))


def _different(luck: random.Random, topics: tuple[Topic, ...]) -> list[Topic]:
    """Return three topics that are not about one and the same thing."""
    shuffled = luck.sample(topics, len(topics))
    by_values = {topic.values: topic for topic in shuffled}
    return list(by_values.values())[:3]


def tell(
    luck: random.Random, topics: tuple[Topic, ...], marked: bool
) -> tuple[Index, list[Question], float]:
    """Return the index of one story, its questions, and the time at its end."""
    story = Story(luck)
    questions: dict[tuple[str, int], str] = {}
    for who in story.cast:
        for number, topic in enumerate(_different(luck, topics)):
            story.tell_fact(who, topic, (who, number))
            questions[who, number] = luck.choice(topic.question).format(who=who)
    story.chat(60)
    told = list(enumerate(sorted(story.lines, key=lambda one: one[0]), 1))
    said: dict[tuple[str, int], list[int]] = {}
    for id, (_, _, _, fact) in told:
        if fact:
            said.setdefault(fact, []).append(id)
    newer = {old: new for ids in said.values() for old, new in pairwise(ids)} if marked else {}
    index = Index()
    for id, (day, who, text, _) in told:
        meta = {"replaced_by": newer[id]} if id in newer else {}
        heard = {"author_name": who, "session": f"day {int(day)}", "learned_at": day * DAY}
        index.add(MemoryRow(text, id=id, meta=meta, **heard))
    asked = [
        Question(text, said[fact][-1], tuple(said[fact][:-1])) for fact, text in questions.items()
    ]
    return index, asked, 120 * DAY


def measure(
    seed: int, stories: int, topics: tuple[Topic, ...], marked: bool
) -> tuple[int, int, int]:
    """Return (questions, with the latest first, with no older one before the latest)."""
    luck = random.Random(seed)
    total = first = ahead = 0
    for _ in range(stories):
        index, questions, now = tell(luck, topics, marked)
        for question in questions:
            found = [hit.id for hit in index.search(question.text, 20, now=now)]
            place = found.index(question.answer) if question.answer in found else 99
            total += 1
            first += place == 0
            ahead += not any(old in found[:place] for old in question.older)
    return total, first, ahead


def main() -> int:
    """Measure with the night's marks and without, and tell."""
    options = argparse.ArgumentParser(description="Does the latest value come before the others?")
    options.add_argument("--seed", type=int, default=7)
    options.add_argument("--stories", type=int, default=60)
    options.add_argument("--quick", action="store_true", help="a third of the stories")
    chosen = options.parse_args()
    stories = max(1, chosen.stories // 3 if chosen.quick else chosen.stories)
    print(f"seed {chosen.seed}, {stories} stories")
    shares = {}
    for state, marked in (("marked", True), ("unmarked", False)):
        total, first, ahead = measure(chosen.seed, stories, SIXTH, marked)
        shares[state] = round(ahead / total, 4)
        print(
            f"{state:<9} {total} questions: latest first {first / total:.1%}, "
            f"no older one before it {ahead / total:.1%}"
        )
    met = "met" if shares["marked"] >= GOAL else "MISSED"
    print(f"\n{met:<7} no older one before the latest in {GOAL:.0%} of the questions")
    print(json.dumps({"bench": "latest_state", "seed": chosen.seed, **shares}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
