"""Questions about the time of a story: is the line that is wanted the first, or among three?

python -m bench.story_time [--stories 20] [--seed 7] [--quick]

Stories of nine days at nine places, all played within an hour, in three languages; on two of the
days nobody plays. Every topic is spoken of on several days in lines of one form, so that only the
day, or the place, tells which of them is meant; what the same search finds that is told of no story
stands beside it as "blind". A question is asked as the step before a turn asks it, amid the last
lines of the story; of a day without anything it is told that nothing is known. The wordings stand
in `story_wordings.json`, written after the code that reads them: only new ones say how unknown
wordings fare.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from ai_assistant.core.contracts import MemoryRow
from ai_assistant.core.search_port import StoryNow
from ai_assistant.language import use
from ai_assistant.memory.search.retrieval import Index
from ai_assistant.memory.search.when_in_story import unlived
from ai_assistant.roleplay.message_formats import MOST_RECENT, RecallQuery, Said, recall_query
from bench import report

DAYS, GAPS, FIRST = 9, 2, 3
ASKS, ASKED = "Ada", "Tansy"
WORDINGS = Path(__file__).with_name("story_wordings.json")
STORY = StoryNow("story", DAYS)
NOW = 1e9
MISSED = 0.05
"""The share of questions that may go unanswered."""
COUNTED = ("asked", "first", "three", "blind first", "blind three")
"""Questions, and of how many the wanted line is found: first, or among three; and so blindly."""


class Tale:
    """A story: its rows by number, which of them speaks of what on which day, and its events.

    On the days in `gaps` nothing is said.
    """

    def __init__(self, pool: dict, luck: random.Random) -> None:
        self.pool, self.rows = pool, list[MemoryRow]()
        self.said: dict[tuple[str, int], int] = {}
        self.places = luck.sample(pool["places"], DAYS)
        self.gaps = {*luck.sample(range(2, DAYS), GAPS)}
        lived = [day for day in range(1, DAYS + 1) if day not in self.gaps]
        self.events = dict(zip(luck.sample(lived[1:-1], 3), pool["events"], strict=True))
        qualities = {topic: luck.sample(pool["qualities"], DAYS) for topic in pool["topics"]}
        for day in lived:
            for topic in luck.sample(pool["topics"], 3):
                words = pool["line"].format(t=topic, q=qualities[topic][day - 1])
                self.said[topic, day] = self._add(words, day, luck)
            if day in self.events:
                self._add(pool["event"].format(e=self.events[day]), day, luck)

    def _add(self, words: str, day: int, luck: random.Random) -> int:
        number = len(self.rows) + 1
        self.rows.append(
            MemoryRow(
                words, id=number, kind="utterance", session=STORY.session, game_day=day,
                author_name=luck.choice(("Mira", "Rolf", "Ada")), location=self.places[day - 1],
                learned_at=NOW - 3600 + number,
            )
        )  # fmt: skip
        return number

    def questions(self, luck: random.Random) -> Iterator[tuple[str, str, int]]:
        """Yield (kind, question, the row that is wanted)."""
        for (topic, day), row in self.said.items():
            yield "day", self._of_day(topic, day, luck), row
            back = DAYS - day
            if back >= 2:
                word = self.pool["numbers"][back - 1]
                asked = luck.choice(self.pool["ago"])
                yield "ago", asked.format(t=topic, word=word, Word=word.capitalize()), row
            if str(back) in self.pool["back"]:
                yield "back", luck.choice(self.pool["back"][str(back)]).format(t=topic), row
            yield from self._implied(topic, day, row, luck)

    def of_gaps(self, luck: random.Random) -> Iterator[str]:
        """Yield questions of the days on which nothing was said."""
        for day in sorted(self.gaps):
            yield self._of_day(luck.choice(self.pool["topics"]), day, luck)

    def query(self, question: str) -> RecallQuery:
        """Return a question as the step before a turn asks it, amid the last lines of the story."""
        earlier = [Said(row.author_name, row.content, row.game_day) for row in self.rows]
        asked = [Said(ASKS, question, DAYS)]
        return recall_query(DAYS, asked, ASKED, earlier=earlier[-MOST_RECENT:])

    def _of_day(self, topic: str, day: int, luck: random.Random) -> str:
        word, nth = self.pool["numbers"][day - 1], self.pool["nth"][day - 1]
        return luck.choice(self.pool["day"]).format(t=topic, n=day, word=word, nth=nth)

    def _implied(
        self, topic: str, day: int, row: int, luck: random.Random
    ) -> Iterator[tuple[str, str, int]]:
        days = [other for told, other in self.said if told == topic]
        for kind, at, alone in (
            ("since", day - 1, day == max(days)),
            ("before", day + 1, day == min(days)),
            ("at", day, True),
        ):
            if alone and 1 <= at <= DAYS and at not in self.gaps:
                place = self.places[at - 1]
                yield kind, luck.choice(self.pool[kind]).format(t=topic, p=place), row
        for kind, at in (("after_event", day - 1), ("before_event", day + 1)):
            if at in self.events:
                event = self.events[at]
                yield kind, luck.choice(self.pool[kind]).format(t=topic, e=event), row


def measure(stories: int, seed: int, missed: list[str]) -> report.Figures:
    """Return for each language how often the line that is wanted was found, and what was told."""
    luck, figures = random.Random(seed), {}
    for code, pool in json.loads(WORDINGS.read_text("utf-8")).items():
        use(code)
        kinds: defaultdict[str, Counter[str]] = defaultdict(Counter)
        empty, told = len(pool["never"]), 0
        for _ in range(stories):
            tale, index = Tale(pool, luck), Index()
            for row in tale.rows:
                index.add(row)
            for kind, question, wanted in tale.questions(luck):
                found = _found(index, tale.query(question), wanted)
                kinds[kind] += found
                if not found["three"]:
                    missed.append(f"{code} {kind}: {question}")
            gaps = [*tale.of_gaps(luck)]
            empty += len(gaps)
            told += sum(bool(unlived(question, STORY, tale.rows)) for question in gaps)
        told += sum(bool(unlived(question, STORY, tale.rows)) for question in pool["never"])
        kinds["all"] = sum(kinds.values(), Counter[str]())
        figures[code] = {
            "found": {kind: {name: of[name] for name in COUNTED} for kind, of in kinds.items()},
            "never": empty,
            "never, said so": told,
        }
    use("en")
    return figures


def _found(index: Index, query: RecallQuery, wanted: int) -> Counter[str]:
    """Return whether the wanted line is the first, or among the first three; and also blindly.

    A blind search is the same one, told of no story: a day of it is a number like any other.
    """
    sighted = index.search(query.words, FIRST, now=NOW, story=STORY, around=query.around)
    blind = index.search(query.words, FIRST, now=NOW, around=query.around)
    found = Counter(asked=1)
    for hits, first, three in ((sighted, "first", "three"), (blind, "blind first", "blind three")):
        ids = [hit.id for hit in hits]
        found |= Counter({first: int(wanted in ids[:1]), three: int(wanted in ids)})
    return found


def _shares(kinds: Mapping[str, Mapping[str, int]]) -> Iterator[tuple[str, ...]]:
    """Yield for each kind of question how many were asked, and the shares found in %."""
    for kind, counts in kinds.items():
        shares = [f"{100 * counts[name] / counts['asked']:.1f}" for name in COUNTED[1:]]
        yield kind, str(counts["asked"]), *shares


def main() -> int:
    """Run the bench."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stories", type=int, default=20)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--misses", action="store_true", help="show what was missed")
    parser.add_argument("--quick", action="store_true", help="two stories a language")
    options = parser.parse_args()
    options.stories = 2 if options.quick else options.stories
    missed: list[str] = []
    figures = measure(options.stories, options.seed, missed)
    for code, part in figures.items():
        print(report.table((code, *COUNTED), [*_shares(part["found"])]))
        print(f"days that were not, said to be none: {part['never, said so']} of {part['never']}\n")
    if options.misses:
        print("\n".join(sorted(set(missed))))
    goals = [
        report.Goal(f"{code}: not among the first three", 1 - of["three"] / of["asked"], MISSED)
        for code, of in ((code, part["found"]["all"]) for code, part in figures.items())
    ]
    unsaid = sum(part["never"] - part["never, said so"] for part in figures.values())
    goals.append(report.Goal("days that were not, not answered as such", unsaid, 0, must=True))
    print(*goals, json.dumps({"bench": "story_time", **figures}), sep="\n")
    return not all(goal.met for goal in goals)


if __name__ == "__main__":
    sys.exit(main())
