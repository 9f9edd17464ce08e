"""The World Agent's second look: after a turn it asks a model about a line that was saved.

Nothing waits for it, and the rules' distribution stands wherever it fails.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace

from ai_assistant.agent.mind import Mind
from ai_assistant.agent.turn.ask_model import ask_model
from ai_assistant.core.contracts import Commit, Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.model_records import Message, ModelRequest
from ai_assistant.game.identity import find, name_of
from ai_assistant.prompts import load_prompt
from ai_assistant.roleplay.refinement import Case, Refinement, read_refinement
from ai_assistant.runtime.means import payer_of
from ai_assistant.storage import refined_lines

JOB, PROMPT = "assess", "refine"
MAX_TOKENS = 400
Minds = Callable[[str], Mind | None]
"""Finds the mind of a running assistant by its id."""


def wants(mind: Mind) -> bool:
    """Is it switched on for this assistant, and is there a model for it?"""
    return bool(mind.config["refine_participants"]) and not mind.model.is_offline(JOB)


async def refine_one(mind: Mind, minds: Minds) -> bool:
    """Let a model look at one line that this assistant was near; says whether it was believed.

    It is asked about each line once. Raises `StoreError` when the database refuses.
    """
    asked = _next(mind)
    if asked is None:
        return False
    mind.world_agent.close(asked.session, asked.event)
    epoch = mind.epoch
    request = ModelRequest(
        messages=(Message("system", load_prompt(PROMPT)), Message("user", asked.text())),
        job=JOB,
        context_type="tick_event",
        assistant=mind.key,
        payer=payer_of(asked.speaker, by_assistant=bool(minds(asked.speaker))),
        max_tokens=MAX_TOKENS,
    )
    try:
        reply = await ask_model(mind, request)
    except AssistantError as problem:
        return _record(mind, asked, f"failed: {problem}")
    if mind.epoch != epoch:
        return False
    now = refined_lines.case_of(asked.session, asked.event)
    known = {"names": asked.names, "members": asked.members, "keep": asked.keep}
    if now is None or replace(now, **known) != asked:
        return _record(mind, asked, "outdated")
    case = replace(asked, keep=now.keep)  # who spoke meanwhile took part, whatever the model says
    found = read_refinement(reply.text, case)
    return _apply(mind, minds, case, found) if found else _record(mind, asked, "refused")


def _next(mind: Mind) -> Case | None:
    """Return the next line worth asking about; those that nobody saved yet stay for later."""
    for session, event in mind.world_agent.open_for(mind.key):
        case = refined_lines.case_of(session, event)
        if case is None:
            continue
        if case.is_worth_asking():
            bodies = {who: find(who) for who in (*case.bound, *case.previous)}
            names = {who: name_of(body) for who, body in bodies.items() if body is not None}
            cast = dict(mind.plays(session).cast)
            return replace(case, names={**cast, **case.names, **names}, members=tuple(cast))
        mind.world_agent.close(session, event)
    return None


def _apply(mind: Mind, minds: Minds, case: Case, found: Refinement) -> bool:
    changed = refined_lines.refine(case, found, by=mind.key, at=mind.clock.now())
    if changed is None:
        return False
    decided: list[Json] = [asdict(participant) for participant in found.participants]
    mind.world_agent.refined(case.session, case.event, decided)
    for who, change in changed.items():
        owner = minds(who)
        if owner is not None:
            owner.recall.forget(change.archived)
    return True


def _record(mind: Mind, case: Case, outcome: str) -> bool:
    """Put on record why nothing was believed."""
    record = refined_lines.noted(case.event, outcome)
    mind.save(Commit(at=mind.clock.now(), audit=[record]))
    return False
