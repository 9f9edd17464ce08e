"""One speaker's part of a turn: what they want, how well we know them, and the voice to use."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ai_assistant.language.small_reader import Fact, held, read
from ai_assistant.llm.offline import grammar
from ai_assistant.llm.offline.grammar import hours_between
from ai_assistant.llm.offline.intents import Intent
from ai_assistant.llm.offline.plain_english import overlap, plain
from ai_assistant.llm.offline.request_view import Seen, View
from ai_assistant.llm.offline.voice import Voice

_SAME_TALK = 1.0
"""Hours after which a greeting is a new meeting."""
_PRIVATE = frozenset({"whisper", "page"})


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker wants of us, in order of weight, with the view and the voice."""

    view: View
    voice: Voice
    intents: tuple[Intent, ...]
    name: str
    handle: str
    introduced: bool
    calm: bool

    @property
    def main(self) -> Intent:
        """What is answered first."""
        return self.intents[0]

    @property
    def private(self) -> bool:
        """Is this between the two of us?"""
        return self.main.line.kind in _PRIVATE

    @property
    def returning(self) -> bool:
        """Have we met before, and not just now?"""
        return self.is_partner and self.view.partner.times > 0

    @property
    def is_partner(self) -> bool:
        """Is this the one whom the profile in the prompt is about?"""
        return self.handle == self.view.partner.handle or self.name == self.view.partner.name

    @property
    def state(self) -> str:
        """The relationship: stranger, acquaintance, friend or ally."""
        return self.view.partner.state if self.is_partner else "stranger"

    @property
    def still_talking(self) -> bool:
        """Did we speak within the hour?"""
        hours = hours_between(self.view.partner.last, self.view.time)
        return bool(self.view.own) and (hours is None or hours < _SAME_TALK)

    def facts(self) -> list[str]:
        """Return what we know of them, each as a clause that says "you"."""
        if not self.is_partner:
            return []
        noted = (_known(one.text, self.name) for one in reversed(self.view.observations))
        heard = (read(one.text, who=self.name) for one in self.view.stream if one.name == self.name)
        holds: list[Fact] = []
        for new in (one for some in (*noted, *heard) for one in some):
            holds = [one for one in holds if not (new.says(one) or new.replaces(one))] + [new]
        clauses = (grammar.fact_to_you(one.fact, self.name) for one in reversed(holds))
        return list(dict.fromkeys(filter(None, clauses)))


def _known(text: str, name: str) -> tuple[Fact, ...]:
    """Return what a note or trait says, in its own words."""
    facts = held(text, about=name)
    return facts if len(facts) > 1 else (replace(*facts or [Fact(name, text, text)], fact=text),)


def turns(view: View, wanted: list[Intent]) -> list[Turn]:
    """Return the turn's speakers with what they want, the weightiest first."""
    speakers = dict.fromkeys(intent.line.who for intent in wanted)
    found = [_turn(view, [one for one in wanted if one.line.who == who]) for who in speakers]
    return sorted(found, key=lambda turn: -turn.main.rank)


def _turn(view: View, wanted: list[Intent]) -> Turn:
    line = wanted[0].line
    seen = view.by_handle(line.who)
    calm = bool(seen and seen.assistant)
    introduced = _is_introduced(view, line.name, wanted)
    said = " ".join(intent.said for intent in wanted)
    voice = Voice(view.persona, f"{line.name}: {said}", view.own, calm)
    voice.slots.update(
        who=f", {line.name}" if introduced else "",
        name=line.name,
        place=view.place,
    )
    ranked = tuple(sorted(wanted, key=lambda intent: -intent.rank))
    return Turn(view, voice, ranked, line.name, line.who, introduced, calm)


def _is_introduced(view: View, name: str, wanted: list[Intent]) -> bool:
    if view.partner.name == name and view.partner.state != "stranger":
        return True
    if any(intent.kind == "introduce" for intent in wanted):
        return True
    said = " ".join(plain(line.text) for line in view.stream if line.name == name)
    given = (f"i am {plain(name)}", f"name is {plain(name)}")
    return any(one in said for one in given)


def pick(text: str, among: list[Seen], key: str = "name") -> Seen | None:
    """Return the thing whose name (or other `key`) fits the text best; None where none does."""
    scores = [(overlap(text, getattr(one, key)), one) for one in among]
    best, found = max(scores, key=lambda pair: pair[0], default=(0, None))
    return found if best else None
