"""Who spoke, what they want of us in order of weight, and the voice that answers them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from ai_assistant.core.contracts import TO_ONE
from ai_assistant.language import plain_english as english
from ai_assistant.language import spelling, spoken_times, turning
from ai_assistant.language.small_reader import Statement, held, read_line
from ai_assistant.llm.offline.intents import KINDS, Intent, intents_of, titles
from ai_assistant.llm.request_records import Persona, RequestView, Seen
from ai_assistant.prompts.phrase_book import Sheet, Voice, sheets

_WAYS = 8  # ways out that are told
_SAME_TALK = 1.0  # hours after which a greeting is a new meeting


@dataclass(frozen=True, slots=True)
class Asker:
    """One who spoke, what they want of us in order of weight, and the voice that answers them."""

    view: RequestView
    """The request that they spoke in."""
    voice: Voice
    """Chooses and fills the lines of the answer."""
    intents: tuple[Intent, ...]
    """What they want, the first to be answered first."""
    partner: Seen
    """The one whom the profile in the prompt is about, if it is about this one: else a stranger."""
    name: str
    """What the character sees them as."""
    handle: str
    """By which tools mean them."""
    introduced: bool
    """Does the character know their name from them?"""
    calm: bool
    """Is it an assistant? Then nothing is asked back, and little done."""

    @property
    def main(self) -> Intent:
        """What is answered first."""
        return self.intents[0]

    @property
    def private(self) -> bool:
        """Is this between the two of us?"""
        return self.main.line.kind in TO_ONE

    @property
    def still_talking(self) -> bool:
        """Did we speak within the hour?"""
        hours = spoken_times.hours_between(self.partner.last, self.view.time)
        return bool(self.partner.times and self.view.own) and (hours is None or hours < _SAME_TALK)

    def facts(self) -> list[str]:
        """Return what we know of them, each as a clause that says "you"."""
        if not self.partner.name:
            return []
        noted = (_known(note.text, self.name) for note in reversed(self.view.observations))
        lines = (line.text for line in self.view.stream if line.name == self.name)
        holds: list[Statement] = []
        for new in chain(*noted, *(read_line(text, who=self.name) for text in lines)):
            holds = [old for old in holds if not (new.says(old) or new.replaces(old))] + [new]
        clauses = (turning.fact_to_you(fact.fact, self.name) for fact in reversed(holds))
        return list(dict.fromkeys(filter(None, clauses)))


def _known(text: str, name: str) -> tuple[Statement, ...]:
    facts = held(text, about=name) or (Statement(name, text, text),)
    return facts if len(facts) > 1 else (replace(facts[0], fact=text),)


def askers(view: RequestView) -> list[Asker]:
    """Return all who spoke with what they want, the weightiest first."""
    wanted: dict[str, list[Intent]] = {}
    known = spelling.vocabulary(_texts(view))
    for line in view.events:
        found = intents_of(line, view, known)
        if not (line.perhaps and KINDS["passed"].issuperset(intent.kind for intent in found)):
            wanted.setdefault(line.who, []).extend(found)
    all_askers = [_asker(view, some) for some in wanted.values()]
    return sorted(all_askers, key=lambda asker: -asker.main.rank)


def _texts(view: RequestView) -> Iterator[str]:
    """Yield all texts whose words somebody may mean."""
    me, seen = view.persona, (*view.people, *view.exits, *view.items)
    held = (*view.knowledge, *view.memories, *view.stream, *view.observations)
    yield from (item.text for item in held)
    yield from (f"{thing.name} {thing.description}" for thing in seen)
    yield from (me.name, me.role, me.home, view.place, *me.interests)
    yield from (goal.description for goal in view.goals)


def _asker(view: RequestView, wanted: list[Intent]) -> Asker:
    line = wanted[0].line
    calm = any(seen.assistant for seen in view.people if seen.handle == line.who)
    introduced = _is_introduced(view, line.name, wanted)
    said = " ".join(intent.said for intent in wanted)
    voice = voice_of(view.persona, f"{line.name}: {said}", view.own, calm)
    given = next((intent.what for intent in wanted if intent.kind == "introduce"), line.name)
    who = f", {given}" if introduced else ""
    goods = [item.name for item in view.carried if item.givable]
    here = {seen.name for seen in view.people}
    away = [name for name in titles(view) if name not in here]
    exits = turning.joined([way.name for way in view.exits][:_WAYS], "or")
    voice.slots |= {"who": who, "name": line.name, "place": view.place, "exits": exits}
    voice.slots |= {"goods": turning.joined(goods[:3], "or"), "knows": "".join(away[:1])}
    ranked = tuple(sorted(wanted, key=lambda intent: -intent.rank))
    about = view.partner
    partner = about if line.who == about.handle or line.name == about.name else Seen()
    return Asker(view, voice, ranked, partner, line.name, line.who, introduced, calm)


def _is_introduced(view: RequestView, name: str, wanted: list[Intent]) -> bool:
    is_known = view.partner.name == name and view.partner.state != "stranger"
    if is_known or any(intent.kind == "introduce" for intent in wanted):
        return True
    said = " ".join(english.spelled_out(line.text) for line in view.stream if line.name == name)
    return any(f"{lead} {english.spelled_out(name)}" in said for lead in ("i am", "name is"))


def voice_of(persona: Persona, said: str, own: Sequence[str], calm: bool = False) -> Voice:
    """Return the voice of a persona, by its temper and trade, for the answer to what was `said`."""
    temper = [word for trait in persona.traits for word in trait.split()]
    temper += re.findall(r"\w+", " ".join(persona.greeting).lower())
    special: list[Sheet] = []
    for name, words in (("trades", re.findall(r"\w+", persona.role.lower())), ("tempers", temper)):
        special += [sheet for word in words for sheet in sheets(name) if word in sheet.suits][:1]
    slots = {
        "who": "", "me": persona.name, "role": persona.role, "home": persona.home,
        "interests": turning.joined([interest.lower() for interest in persona.interests]),
        "traits": turning.joined(list(persona.traits)),
    }  # fmt: skip
    return Voice(special, slots, f"{persona.name}|{said}", own, calm)
