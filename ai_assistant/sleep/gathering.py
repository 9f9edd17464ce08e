"""Gathering: what was heard since the last night becomes observations, each with its evidence.

Rules read the rows; no model is asked. Left out are the character's own words, what others only
echo of them, and what is known already: only news is noted.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping

from ai_assistant.agent.mind import Mind
from ai_assistant.contracts import Change, Entity, Json, MemoryRow
from ai_assistant.language.words import stems
from ai_assistant.memory import PARTS
from ai_assistant.memory.claims import Claim, claims_in
from ai_assistant.memory.slots import compare, slot_of
from ai_assistant.roleplay.fiction import is_fiction
from ai_assistant.sleep.wider import (
    SEEN,
    TOLD,
    Candidate,
    against_wider,
    as_candidate,
    is_stronger,
    known_wider,
)
from ai_assistant.sleep.work import Work

SLICE = 50
"""Rows of one piece of work."""
MANY_OBSERVATIONS = 35
"""With this many observations of one person, they are consolidated before more are gathered."""
OWN_LINES = 40
"""Number of the character's last lines that are compared with what others say."""
ECHO = 0.8
"""The share of a line's words that make it an echo of another."""
_HEARD = ("utterance",)


async def gather(mind: Mind, sleep: Json) -> Work | None:
    """Note what the next rows tell of people; None when all have been read."""
    rows = mind.store.rows_after(sleep["gathered"], SLICE)
    if not rows:
        return None
    noted = Noted(mind)
    echoes = Echoes(mind.key, mind.world.me(), _before(mind, sleep))
    last = rows[-1]
    for row in rows:
        if not echoes.hears(row):
            noted.read(row)
        if noted.is_enough:
            last = row
            break
    return Work(
        "gather",
        changes=noted.changes,
        marks={"gathered": last.id},
        told={"noted": noted.count} if noted.count else {},
    )


def _before(mind: Mind, sleep: Json) -> list[MemoryRow]:
    """Return the newest rows that were read before, oldest first."""
    if not sleep["gathered"]:
        return []
    return mind.store.newest_rows(OWN_LINES, sleep["gathered"] + 1)[::-1]


class Echoes:
    """Tells what others only repeat of the character's own words."""

    def __init__(self, key: str, me: Entity, before: Iterable[MemoryRow]) -> None:
        self._own = {key, me.id}
        self._said: deque[frozenset[str]] = deque(maxlen=OWN_LINES)
        for row in before:
            self.hears(row)

    def hears(self, row: MemoryRow) -> bool:
        """Is this row the character's own, or an echo of what it said lately?"""
        if row.author in self._own or row.kind == "own_words":
            self._said.append(frozenset(stems(row.content)))
            return True
        return self.repeats(row.content)

    def repeats(self, text: str) -> bool:
        """Are these nearly the words of one of the character's last lines?"""
        words = frozenset(stems(text))
        return bool(words) and any(
            len(words & said) >= ECHO * len(words | said) for said in self._said
        )


def is_crowded(profile: Json) -> bool:
    """Do so many observations wait in a profile that the oldest might soon have to give way?"""
    fresh = [one for one in profile["observations"] if not one.get("consolidated")]
    return len(fresh) >= MANY_OBSERVATIONS


class Noted:
    """Observations on their way into the profiles, held against what those say by then.

    `is_enough` once somebody's list is so full that it is to be worked through first.
    """

    def __init__(self, mind: Mind) -> None:
        self.changes: list[Change] = []
        self.count = 0
        self.is_enough = False
        self._mind = mind
        self._names = (mind.world.me().name, mind.key)
        self._people = people_of(mind.store.read_all("profile"))
        self._profiles: dict[str, Json] = {}

    def read(self, row: MemoryRow) -> None:
        """Note what a row tells that is news."""
        if row.kind not in _HEARD or is_fiction(row) or not row.author or not row.author_name:
            return
        speaker = Entity(row.author, row.author_name, "player")
        self._people.setdefault(row.author_name.lower(), speaker)
        for claim in claims_in(row.content, speaker, self._people, self._names):
            if self._is_news(claim, row):
                self._note(claim, row)

    def _is_news(self, claim: Claim, row: MemoryRow) -> bool:
        """Is a claim new? What is only told is none where something else was seen.

        Nor is the end of what nobody knew of: who lost a spoon has told little."""
        new = Candidate(claim.content, row.learned_at, TOLD if claim.told else SEEN, ())
        slot = slot_of(new.value, claim.name)
        wider = known_wider(self._profile(claim.subject), row.readers)
        for known in reversed(self._known(claim.subject, row.readers)):
            verdict = compare(slot_of(known.value, claim.name), slot)
            if verdict != "other" and against_wider(claim.name, known, wider)[0] != "outdated":
                return verdict == "changed" and not is_stronger(known, new)
        standing, by = against_wider(claim.name, new, wider)
        return standing == "news" and (bool(by) or not slot.is_mere_end)

    def _known(self, subject: str, readers: str) -> list[Candidate]:
        """Return what is known under a label.

        What was noted awake is left out: it gives way to what is gathered here.
        """
        profile = self._profile(subject)
        traits = [one for one in profile["attributes"] if one.get("readers") == readers]
        noted = [
            one
            for one in profile["observations"]
            if one["readers"] == readers and one.get("evidence")
        ]
        return [as_candidate(one) for one in (*traits, *noted)]

    def _note(self, claim: Claim, row: MemoryRow) -> None:
        item = {
            "entity_id": claim.subject,
            "content": claim.content,
            "source": "told" if claim.told else "direct",
            "at": row.learned_at,
            "author": row.author,
            "told_by": row.author_name if claim.told else "",
            "readers": row.readers,
            "evidence": [row.id],
        }
        profile = self._profile(claim.subject)
        if not profile["name"]:
            identity = {"name": claim.name, "entity_type": "player", "at": row.learned_at}
            self._change(claim.subject, "create_entity_profile", identity)
        self._change(claim.subject, "add_entity_observation", item)
        self.count += 1
        self.is_enough = self.is_enough or is_crowded(profile)

    def _change(self, key: str, op: str, args: Json) -> None:
        change = Change("profile", key, op, args)
        PARTS["profile"].apply(self._profile(key), op, args)
        self.changes.append(change)

    def _profile(self, key: str) -> Json:
        if key not in self._profiles:
            self._profiles[key] = self._mind.store.read("profile", key)
        return self._profiles[key]


def people_of(profiles: Mapping[str, Json]) -> dict[str, Entity]:
    """Return whom a name may mean: full names, and given names that only one person bears."""
    found: dict[str, Entity] = {}
    given: dict[str, list[Entity]] = {}
    for key, profile in profiles.items():
        if name := profile["name"]:
            who = Entity(key, name, profile["entity_type"] or "player")
            found[name.lower()] = who
            given.setdefault(name.split(" ")[0].lower(), []).append(who)
    alone = {name: some[0] for name, some in given.items() if len(some) == 1}
    return {**alone, **found}
