"""A mind as it would be with another persona or template, or was: staff try it, nobody keeps it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ai_assistant import conf
from ai_assistant.agent.mind import Mind
from ai_assistant.agent.prompt.templates import find_template
from ai_assistant.agent.state_parts import PARTS
from ai_assistant.api.desk.owner_writings import prompting_of
from ai_assistant.api.turns.older_lines import lines_before
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.times import epoch
from ai_assistant.game.identity import entity_id
from ai_assistant.memory.inner.owner_additions import DEFAULT_TEMPLATE
from ai_assistant.memory.parts import copied
from ai_assistant.memory.search.filters import WHEN, both
from ai_assistant.storage import npc_id
from ai_assistant.storage.history import past

LEARNED = frozenset("profile working stream journal session notebook goals projects lore".split())
"""The parts that hold what it was told, and what it made of that."""
MOST_COMMITS = 100
"""More than one turn makes."""
_Learned = Callable[[str, str], Json | None]


def tried_mind(mind: Mind, persona: Mapping[str, Any], template: str = "") -> Mind:
    """Return a copy of a mind with other fields of its persona, and by another of its templates.

    Raises `ConfigurationError` where it has no template of that name.
    """
    if template:
        now = mind.store.read("prompt")
        shown = {"prompt": {**now, "applied_template": find_template(now, template)}}
        mind = replace(mind, store=_with_states(mind.store, lambda part, _: shown.get(part)))
    return replace(mind, persona={**mind.persona, **persona}) if persona else mind


def other_templates(character: Any) -> list[str]:
    """Return the names of the templates that an assistant could be tried with."""
    prompting = prompting_of(character)
    names = [DEFAULT_TEMPLATE, *prompting["templates"]]
    return [name for name in names if name != prompting["applied_template"]]


def mind_before(mind: Mind, character: Any, turn: str, line: Json) -> Mind:
    """Return a copy of a mind that knows what it knew before a line that one of its turns answered.

    Persona, prompt, settings and blocks are those that it has. Raises `AssistantError` where that
    is longer ago than states are kept.
    """
    at, state = epoch(line["timestamp"]), _learned_before(character, turn, line)

    def until(where: Mapping[str, Any] | None) -> Json:
        return both(where or {}, {WHEN: ("<", at)})

    def find(where: Mapping[str, Any], limit: int) -> Any:
        return mind.store.rows.find(until(where), limit)

    def search(*query: Any, where: Mapping[str, Any] | None = None, **options: Any) -> Any:
        return mind.recall.search(*query, where=until(where), **options)

    return replace(
        mind,
        store=_But(_with_states(mind.store, state), rows=_But(mind.store.rows, find=find)),
        recall=_But(mind.recall, search=search),
        clock=_But(mind.clock, now=lambda: at),
    )


def _learned_before(character: Any, turn: str, line: Json) -> _Learned:
    """Return what reads the states of then; of parts that are none of `LEARNED` it has none."""
    own, known = entity_id(character), dict[tuple[str, str], Json]()
    first = min((moment.seq for moment in past.moments(own, MOST_COMMITS, turn=turn)), default=0)
    if not first:
        raise AssistantError(
            "What it knew when that was said is not kept any more: states are kept for "
            f"{conf.settings.STATE_DAYS} days (AI_ASSISTANT_STATE_DAYS)."
        )
    reach = past.written_with(own, first, is_before=True)

    def state(part: str, key: str) -> Json | None:
        if part in LEARNED and (part, key) not in known:
            sequence = npc_id(character) if PARTS[part].shared else own
            kept = past.state_at(sequence, part, key, past.moment_within(sequence, reach))
            known[part, key] = PARTS[part].empty() | (kept or {})
            if part == "stream":  # what was heard before that line was saved along with it
                said = lines_before(own, epoch(line["timestamp"]), line["id"])
                known[part, key]["entries"] = [one for one in said if not _is_of(one, turn)]
        return known.get((part, key))

    return state


def _is_of(entry: Json, turn: str) -> bool:
    """Is it what a turn said or did? Where nobody was answered it may be of that very second."""
    return entry["event_type"] != "external" and entry["turn_id"] == turn


def _with_states(store: Any, shown: _Learned) -> Any:
    """Return a store that shows other states than it keeps, where there are others."""

    def view(part: str, key: str = "") -> Json:
        other = shown(part, key)
        return store.view(part, key) if other is None else other

    return _But(store, view=view, read=lambda part, key="": copied(view(part, key)))


class _But:
    """Something as it is, but for what is named."""

    def __init__(self, of: Any, **others: Any) -> None:
        self.__dict__ |= {"_of": of, **others}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._of, name)
