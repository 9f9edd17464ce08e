"""The state of every assistant, read from service and budget for commands and the web page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from evennia.scripts.models import ScriptDB
from evennia.utils.ansi import raw

from ai_assistant import conf
from ai_assistant.agent.attention.emergency import STOPPED
from ai_assistant.api.handlers import store_of
from ai_assistant.api.lifecycle import all_assistants
from ai_assistant.api.slices import slices
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import counted
from ai_assistant.core.times import lasting
from ai_assistant.game.identity import SCRIPT_KEY, entity_id, name_of
from ai_assistant.game.quiet import QUIET
from ai_assistant.llm.model_profiles import Profile
from ai_assistant.runtime.assembly import pick_profile
from ai_assistant.runtime.embedder import OWNER
from ai_assistant.runtime.means import caps_of
from ai_assistant.runtime.named_by_settings import wrong_settings
from ai_assistant.runtime.resident import Resident
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage.statements import refusals

_HINDRANCES = {"resting": "resting after errors", STOPPED: "emergency stop"}
_SILENCED = {
    "game": "the whole game is quiet: ai/quiet all = end",
    "room": "this place is quiet: ai/quiet here = end",
    "one": "it is quiet: ai/quiet {name} = end",
}
SpentToday = tuple[int, int, int, int]
"""Calls and tokens of today, and those that cost nothing."""
NOTHING: SpentToday = (0, 0, 0, 0)
FAILURE_SHOWN = 600.0
"""Seconds for which it is told that an assistant's last turn failed."""
AT_ONCE = 20
"""Assistants that are looked at in one step of the reactor."""


@dataclass(frozen=True, slots=True)
class OverviewRow:
    """One assistant in the overview, each field as a person reads it."""

    name: str
    """The character's, as it is shown."""
    place: str
    """The room's name, or ``nowhere``."""
    state: str
    """What it does right now, in a word or two."""
    queue: int
    """Lines that wait for its answer."""
    model: str
    """With its provider; ``offline``, or ``none``."""
    calls: int
    """Model calls of today that count."""
    tokens: int
    """What they took."""
    free: int
    """Calls of the offline model, which cost nothing."""
    free_tokens: int
    """What those took."""


@dataclass(frozen=True, slots=True)
class Glance:
    """One assistant on the page of all."""

    row: OverviewRow
    """As in the overview."""
    key: str
    """The lasting id."""
    number: int
    """That of the character's object, as in ``#12``."""
    last: Json
    """The newest entry of its stream; empty where it has none."""
    error: str
    """The last one since the start; empty for none."""


def outages() -> tuple[str, ...]:
    """Return which model profiles fail, since when, why, and what to do."""
    return () if trouble() else tuple(SERVICE.shared.outages.banners().values())


def faults() -> tuple[str, ...]:
    """Return what is wrong with the game's settings, and what holds until it is mended."""
    shared = None if trouble() else SERVICE.shared
    return (*wrong_settings(shared.profiles), *shared.faults) if shared else ()


def glances(these: Sequence[Any] = ()) -> Iterator[list[Glance]]:
    """Yield what is to be seen of all assistants by name, some at a time, by as many queries as
    for one; or of `these`. The game may go on between two, and some may be gone then. Raises
    `StoreError`.
    """
    with refusals():
        bodies = {entity_id(body): body for body in these or all_assistants()}
        idle = [body.pk for key, body in bodies.items() if key not in SERVICE.residents]
        scripts = ScriptDB.objects.filter(db_key=SCRIPT_KEY, db_obj__in=idle)
        script_of = {script.db_obj_id: script for script in scripts}
        spent = [] if trouble() else SERVICE.shared.budget.spent_by([*bodies])
    for some in slices([*zip_longest(bodies.values(), spent, fillvalue=NOTHING)], AT_ONCE):
        with refusals():
            seen = [_glance(body, script_of.get(body.pk), used) for body, used in some if body.pk]
        yield seen


def _glance(character: Any, script: Any, spent: SpentToday) -> Glance:
    key = entity_id(character)
    resident = SERVICE.residents.get(key)
    row = _row(character, resident.script if resident else script, resident, spent)
    newest = store_of(character, script).view("stream")["entries"][-1:]
    return Glance(row, key, character.pk, dict(*newest), resident.last_error if resident else "")


def _running(character: Any) -> tuple[Any, Resident | None]:
    """Return the script of an assistant and what runs of it."""
    resident = SERVICE.residents.get(entity_id(character))
    return resident.script if resident else character.assistant_script, resident


def _row(character: Any, script: Any, resident: Resident | None, spent: SpentToday) -> OverviewRow:
    place = character.location
    return OverviewRow(
        name_of(character),
        name_of(place) if place else "nowhere",
        state_of(script, resident),
        resident.mind.condition()["waiting"] if resident else 0,
        _model_of(_profile(script, resident)),
        *spent,
    )


def trouble() -> str:
    """Say what keeps all from thinking, which is the database; empty for nothing."""
    return SERVICE.watch.trouble


def state_of(script: Any, resident: Resident | None) -> str:
    """Say in a word what an assistant does right now."""
    if script is None:
        return "without script"
    if not script.db.enabled:
        return "stopped"
    if resident is None:
        return "not running"
    if resident.hindrance:
        return _HINDRANCES.get(resident.hindrance, resident.hindrance)
    if resident.mind.phase:
        return f"asleep ({resident.mind.phase})"
    if resident.turn_id:
        return "thinking"
    last, ago = resident.last_report, resident.mind.clock.monotonic() - resident.last_turn
    if last is None or not last.outcome.startswith("failed") or ago >= FAILURE_SHOWN:
        return "listening"
    return f"listening (failed {lasting(ago)} ago)"


def running(character: Any) -> Resident:
    """Return what runs of an assistant. Raises `AssistantError` saying why nothing does."""
    resident = SERVICE.residents.get(entity_id(character))
    if resident is None:
        why = trouble() or f"ai/start {character.key} lets it live."
        raise AssistantError(f"{name_of(character)} is not running. {why}")
    return resident


def _model_of(profile: Profile) -> str:
    """Say which model answers: never its address, never its key."""
    if profile.problem:
        return "none"
    return "offline" if profile.offline else f"{profile.model} ({profile.provider})"


def _profile(script: Any, resident: Resident | None) -> Profile:
    config = resident.mind.config if resident else script and script.config
    chosen = config["llm_profile"] if config is not None else ""
    return pick_profile(SERVICE.shared.profiles, "chat", chosen)


def status_lines(character: Any) -> list[str]:
    """Return everything about one assistant, line by line."""
    script, resident = _running(character)
    profile, problem, used, spent = _profile(script, resident), trouble(), NOTHING, "nothing"
    if not problem:
        most_calls, most_tokens = caps_of(entity_id(character))
        used = SERVICE.shared.budget.spent_by([entity_id(character)])[0]
        spent = f"calls {used[0]} of {most_calls}, tokens {used[1]} of {most_tokens}"
        spent += f"; offline, at no cost: calls {used[2]}, tokens {used[3]}" if used[2] else ""
    row = _row(character, script, resident, used)
    lines = [
        f"|c{row.name}|n: {row.state}",
        f"  place: {row.place}",
        f"  model: {row.model}",
        f"  today: {spent}",
        f"  waiting: {row.queue} to answer",
    ]
    if silenced := QUIET.reason(character):
        lines.append(f"  |y{_SILENCED[silenced].format(name=row.name)}|n")
    if profile.note:
        lines.append(f"  |y{profile.note}|n")
    if outage := SERVICE.shared.outages.banners().get(profile.name, ""):
        lines.append(f"  |r{raw(outage)}|n")
    if problem := problem or (script.db.last_problem if script and not resident else ""):
        lines.append(f"  |rcannot start: {problem}|n")
    return lines + ([*_run_lines(resident), *_embedding_lines(resident)] if resident else [])


def _embedding_lines(resident: Resident) -> list[str]:
    """Say how many memories have vectors, where they are to have any."""
    name, shared = conf.settings.EMBEDDINGS, SERVICE.shared
    if not name:
        return []
    if shared.embedder is None:
        return [f"  |yembeddings: off; the profile {name!r} has no model or key, or is wrong|n"]
    done, rows = resident.mind.recall.embedded
    older = resident.mind.recall.by_older_models.items()
    more = "".join(f", {count} more by {model}" for model, count in older)
    lines = [
        f"  embeddings: {done} of {rows} memories, by {shared.embedder.model}{more}; "
        f"{counted(shared.budget.spent(OWNER)[0], 'call')} today in the whole game"
    ]
    if shared.embedder.problem:
        lines.append(f"  |rembeddings fail: {shared.embedder.problem}|n")
    return lines


def _run_lines(resident: Resident) -> list[str]:
    last, mind = resident.last_report, resident.mind
    counts = mind.store.read("metrics")["counts"]
    older = " (older ones are still being read)" if resident.warming else ""
    done = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    lines = [
        f"  memories: {mind.recall.embedded[1]}{older}; people: {len(mind.store.keys('profile'))}; "
        f"overheard since the last turn: {len(mind.heard)}",
        f"  turns: {done or 'none yet'}",
    ]
    lines += _own_accord_lines(resident)
    if doubted := mind.budget.doubted[mind.key]:
        lines.append(
            f"  |ybooked at their worst case since the start: {doubted} calls; the model's server "
            "did not say what they took, or not credibly|n"
        )
    if why := resident.emergency.reason:
        lines.append(f"  |remergency stop: {raw(why)} Next: aiexec/clear {mind.world.me().name}|n")
    if last is not None:
        lines.append(f"  last turn: {last.outcome} (steps {last.steps}, tokens {last.tokens})")
    if resident.last_error and (last is None or resident.last_error not in last.outcome):
        lines.append(f"  |rlast error: {resident.last_error}|n")
    return lines


def _own_accord_lines(resident: Resident) -> list[str]:
    """Say when it last acted unasked and about what, and why it does not act just now."""
    idle, now = resident.idling.autonomy, resident.mind.clock.now()
    lines = []
    if idle.acted is not None:
        goal = idle.acted.goal
        about = f": {goal['description']}" if goal else ""
        lines.append(
            f"  on its own: {lasting(now - idle.acted_at)} ago, {idle.acted.reason}{about}"
        )
    if not resident.mind.config["autonomy_interval"]:
        lines.append("  on its own: never (autonomy_interval is 0)")
    elif not idle.decision.act:
        lines.append(
            f"  does nothing unasked: {idle.decision.reason} ({lasting(now - idle.decided_at)} ago)"
        )
    if resident.idling.walker.goal is not None:
        lines.append(f"  on its way: {resident.idling.walker.goal['description']}")
    return lines
