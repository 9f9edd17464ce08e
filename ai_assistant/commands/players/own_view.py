"""What players may see of what the characters hold about them, and nothing else is shown them.

It is what the command `memories` shows, and what a program sees that stands for a player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.api.lifecycle import all_assistants
from ai_assistant.commands import shown
from ai_assistant.core.contracts import TO_ONE, Json, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.readers import may_read
from ai_assistant.core.text import with_article
from ai_assistant.game.consent import moderate
from ai_assistant.game.identity import belongs, entity_id, name_of
from ai_assistant.memory.search.recall import Found
from ai_assistant.memory.talk.folding import summary_of
from ai_assistant.roleplay.tale import TALK
from ai_assistant.storage.attributes import look_up_in_all
from ai_assistant.storage.containers import Container, heard_from
from ai_assistant.tools.about_people import STANCES

FOUND = 10
NEWEST = 5
WITHHELD = "(the game's moderation keeps this from you)"
TITLES = ("Who", "You are to them", "Exchanges", "Last", "Noted about you")
"""Of the columns of `OwnView.rows`."""


@dataclass(frozen=True, slots=True)
class OwnView:
    """What one player may see: a character that is played, or an account without one."""

    own_id: str
    """The lasting id of whoever looks, about whom all of it is."""
    looker: Any
    """Who looks, by whom the characters' names go."""

    def allowed(self, readers: str) -> bool:
        """May whoever looks know of something with this label?"""
        return may_read(self.own_id, readers, belongs)

    @property
    def about_me(self) -> tuple[Json, ...]:
        """The filters of a search: what they said themselves, and what is about them."""
        return tuple({role: self.own_id} for role in ("author", "subject"))

    def acquainted(self) -> list[tuple[Any, Json]]:
        """Return the assistants that met or overheard them, each with its profile of them.

        Raises `AssistantError` where there are none.
        """
        heard, characters = heard_from(self.own_id), all_assistants()
        look_up_in_all(characters, PARTS["profile"], self.own_id)
        known = []
        for character in characters:
            profile = character.profiles.get_entity_profile(self.own_id)
            if profile["created"] or entity_id(character) in heard:
                known.append((character, profile))
        if not known:
            raise AssistantError("No character of this world remembers you yet.")
        return known

    def rows(self) -> list[tuple[object, ...]]:
        """Return a row of `TITLES` for each assistant that met or overheard them."""
        known = self.acquainted()
        look_up_in_all((character for character, _ in known), PARTS["journal"])
        return [
            (
                name_of(character, self.looker),
                profile["relationship"]["state"],
                profile["relationship"]["interaction_count"],
                shown.minute(profile["last_interaction"]),
                sum(map(len, self._noted(character, profile, str).values())),
            )
            for character, profile in known
        ]

    def _fit(self, character: Any, words: object) -> str:
        """Return what a model may have put into these words as the game's moderation allows it."""
        return moderate(str(words), character, [self.looker])[0] or WITHHELD

    def _noted(
        self, character: Any, profile: Json, fit: Callable[[object], str]
    ) -> dict[str, list[str]]:
        """Return what it noted; `fit` makes words fit to be read."""

        def dated(item: Json) -> str:
            return shown.dated({**item, "content": fit(item["content"])})

        def observation(item: Json) -> str:
            return _observation({**item, "content": fit(item["content"])})

        name, me = name_of(character, self.looker), self.own_id
        entries = (entry for entry in character.journal.entries if entry["source_entity"] == me)
        return {
            "Noted about you": shown.listed(
                profile["observations"], observation, allowed=self.allowed
            ),
            "Learned of you": shown.listed(
                profile["attributes"], lambda trait: fit(trait["value"]), allowed=self.allowed
            ),
            f"In the journal of {name}": shown.listed(entries, dated, allowed=self.allowed),
        }

    def held_by(self, character: Any) -> list[str]:
        """Return all that one assistant holds about them, line by line."""
        profile = character.profiles.get_entity_profile(self.own_id)
        state = profile["relationship"]["state"]
        name = name_of(character, self.looker)
        talks = shown.conversations(character, self.own_id)
        talks = [talk for talk in talks if self.allowed(talk["readers"])]
        said = shown.said_lines(talks, they="you", me=name)
        fit = partial(self._fit, character)
        between = [*said, *(line for talk in talks for line in _open_ends(talk, name, said, fit))]
        sections = {
            **self._noted(character, profile, fit),
            "Earlier between you": [line for talk in talks for line in _earlier(talk, name, fit)],
            "Between you": between,
            "Overheard from you": self._overheard(character, "\n".join(between)),
        }
        bond = f"To |c{name}|n you are {with_article(state)}: {STANCES[state]}."
        return [bond, *shown.sections(sections)]

    def _overheard(self, character: Any, shown_already: str) -> list[str]:
        rows = Container("", entity_id(character)).find(
            where={"author": self.own_id, "kind": "utterance"}, limit=NEWEST
        )
        rows = [row for row in rows if self.allowed(row.readers)]
        return [f"  {_told(row)}" for row in rows if row.content not in shown_already]

    def found_lines(self, character: Any, both: Iterable[list[Found]]) -> list[str]:
        """Return the best of what searches by `about_me` found with an assistant, line by line."""
        hits = {found.row.id: found for some in both for found in some}
        best = sorted(hits.values(), key=lambda found: -found.hit.score)[:FOUND]
        lines = []
        for row in (found.row for found in best):
            who = "you" if row.author == self.own_id else row.author_name
            said_by = f"{who}: " if who and row.kind in TALK else ""
            if row.kind not in TALK:
                row = replace(row, content=self._fit(character, row.content))
            lines.append(f"  {said_by}{_told(row)}")
        return lines or [f"{name_of(character, self.looker)} holds nothing like that of you."]


def _observation(item: Json) -> str:
    """Return an observation with from whom it came, where that is told, and when."""
    by = f"from {item['told_by']}, " if item.get("told_by") else ""
    return f"{item['content']} |x({by}{shown.minute(item['timestamp'])})|n"


def _told(row: MemoryRow) -> str:
    """Return what a memory says, marked where it is private; what was said aloud never is."""
    is_aloud = row.kind == "own_words" and row.meta.get("type") not in TO_ONE
    return row.content + ("" if is_aloud else shown.private(row.readers))


def _earlier(talk: Json, name: str, fit: Callable[[object], str]) -> list[str]:
    """Return the last lines of the summary of a conversation."""
    lines = summary_of(talk, "you", name).split("\n")[-shown.LINES :]
    return [f"    {fit(line.removeprefix('- '))}" for line in lines if line]


def _open_ends(talk: Json, name: str, said: list[str], fit: Callable[[object], str]) -> list[str]:
    """Return what was promised, and what waits for an answer, in a sentence each.

    What stands among the lines that were `said` is not told again.
    """
    promised = (fit(action["action"]) for action in talk["pending_actions"])
    questions = talk["context"]["unresolved_questions"]
    asked = [question for question in questions if not any(question in line for line in said)]
    return [
        *(f"    {name} promised you: {action}" for action in promised),
        *(f"    You asked, and had no answer yet: {question}" for question in asked),
    ]
