"""Sifting: what was noted awake and is no lasting fact, or no news, leaves the profiles.

It stays a memory row that recall finds; a mere report of what was said is one already. What sleep
gathered itself was sifted before it was noted.
"""

from __future__ import annotations

from collections.abc import Sequence

from ai_assistant.agent.mind import Mind
from ai_assistant.contracts import Change, Json
from ai_assistant.memory.claims import is_lasting, is_report
from ai_assistant.memory.profiles import observation_as_row
from ai_assistant.memory.redaction import fingerprint
from ai_assistant.memory.slots import compare, slot_of
from ai_assistant.sleep.gathering import Echoes
from ai_assistant.sleep.wider import against_wider, as_candidate, known_wider
from ai_assistant.sleep.work import Work

LATELY = 400
"""Rows among which the character's own last words are looked for."""


def sift(mind: Mind, *, reports: bool = False) -> Work | None:
    """File the notes on the next person and label from which no trait is to be made.

    `reports`: only those that quote what was said, and what is known already.
    What was said in a roundabout way has been gathered in plain words.
    """
    me = (mind.world.me().name,)
    for key, profile in mind.store.read_all("profile").items():
        fresh = [one for one in profile["observations"] if not one.get("consolidated")]
        for readers in dict.fromkeys(one["readers"] for one in fresh):
            notes = [one for one in fresh if one["readers"] == readers]
            idle = [one for one in notes if _is_idle(one, profile["name"], me, reports)]
            if not reports:
                idle += _echoes(mind, [one for one in notes if one not in idle])
            if gone := [*idle, *_repeated(profile, notes, idle)]:
                return _work(mind, key, profile["name"], readers, gone)
    return None


def _is_idle(note: Json, name: str, me: Sequence[str], reports: bool) -> bool:
    content = note["content"]
    passing = is_report(content)
    return not note.get("evidence") and (passing or not (reports or is_lasting(content, name, me)))


def _echoes(mind: Mind, notes: Sequence[Json]) -> list[Json]:
    """Return the notes made awake that only repeat what the character itself said lately."""
    noted = [one for one in notes if not one.get("evidence")]
    if not noted:
        return []
    echoes = Echoes(mind.key, mind.world.me(), mind.store.newest_rows(LATELY)[::-1])
    return [one for one in noted if echoes.repeats(one["content"].partition(" ")[2])]


def _repeated(profile: Json, notes: Sequence[Json], idle: Sequence[Json]) -> list[Json]:
    """Return the notes made awake that only tell what is known."""
    name, readers = profile["name"], notes[0]["readers"]
    wider = known_wider(profile, readers)
    known = [one["value"] for one in profile["attributes"] if one.get("readers") == readers]
    known += [one["content"] for one in notes if one.get("evidence")]
    gone = []
    for one in notes:
        if one.get("evidence") or one in idle:
            continue
        slot = slot_of(one["content"], name)
        standing, _ = against_wider(name, as_candidate(one), wider)
        told = any(compare(slot_of(said, name), slot) == "same" for said in known)
        if told or standing == "same":
            gone.append(one)
        known.append(one["content"])
    return gone


def _work(mind: Mind, key: str, name: str, readers: str, gone: Sequence[Json]) -> Work:
    step = {
        "entity_id": key,
        "drop": [],
        "add": [],
        "consumed": [fingerprint(one) for one in gone],
        "keep_consumed": not mind.config["prune_consumed"],
    }
    return Work(
        "sift",
        changes=[Change("profile", key, "consolidate", step)],
        rows=[observation_as_row(key, name, one) for one in gone if not is_report(one["content"])],
        told={"filed": len(gone)},
        undo={"entity": key, "added": [], "attributes": [], "observations": list(gone)},
        readers=readers,
    )
