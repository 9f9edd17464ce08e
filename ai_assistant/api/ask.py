"""Inquiries: people and game code ask an assistant, or its memory; the answer is theirs alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import uuid4

from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from ai_assistant.agent.attention.energy import HUMAN_ENERGY
from ai_assistant.agent.delegation.errands import ERRAND_SECONDS, Errand, ErrandAnswer
from ai_assistant.api.handlers import record_audit
from ai_assistant.api.overview import running
from ai_assistant.core.contracts import Entity
from ai_assistant.core.errors import AssistantError, StoreError
from ai_assistant.core.readers import OPEN, canonical
from ai_assistant.core.text import clean
from ai_assistant.game.identity import entity_id, name_of, reference
from ai_assistant.game.log import report
from ai_assistant.memory.search.recall import Found, Recall
from ai_assistant.runtime.assembly import limit
from ai_assistant.runtime.service import SERVICE

MAX_HINT = 800
"""Characters of what an assistant is asked."""
GAME = Entity("game", "The game", "account")


def ask(assistant: Any, hint: str, *, reader: Any = None, by: str = "") -> Deferred[ErrandAnswer]:
    """Ask a running assistant for words, such as a rumour for a notice board.

    It thinks about `hint` in its own mind and says nothing aloud; ``answer.text`` is for the
    caller to use. With a `reader`, a character, the answer may draw on all that one may know;
    without, only on what everybody may know, and `by` names on the record whoever asks. Like an
    errand it takes at most `ERRAND_SECONDS`, and the assistant takes no other turn meanwhile.

    Raises `AssistantError` where it cannot begin (asleep, busy, stopped, amid forgetting), or
    `hint` is empty. The Deferred fails with one where no answer was found, and with `TimeoutError`.
    """
    task = clean(hint, MAX_HINT, lines=3)
    if not task:
        raise AssistantError("There is nothing in that to ask.")
    key, name = entity_id(assistant), name_of(assistant)
    if hindrance := SERVICE.errands.hindrance(key):
        raise AssistantError(f"{name} cannot do it now: {hindrance}.")
    id, who = uuid4().hex[:12], reference(reader) if reader else replace(GAME, name=by or GAME.name)
    errand = Errand(  # paid like a line of a player, and bounded by who reads the answer
        id=id,
        task=task,
        requester=who,
        at=SERVICE.shared.clock.now(),
        audience=frozenset({who.id}),
        ceiling=canonical({who.id}) if reader else OPEN,
        roots=(id,),
        authors=frozenset({who.id}) if reader else frozenset(),
    )
    SERVICE.shared.energy.mint(id, HUMAN_ENERGY)
    answer = limit(SERVICE.errands.send("", key, errand), ERRAND_SECONDS)
    return answer.addBoth(_noted, assistant, errand)


def _noted(
    result: ErrandAnswer | Failure, assistant: Any, errand: Errand
) -> ErrandAnswer | Failure:
    outcome = "failed" if isinstance(result, Failure) else "answered"
    asked = {"to": name_of(assistant), "by": errand.requester.name, "errand": errand.id}
    try:
        if assistant.pk:
            record_audit(assistant, "Delegated", asked | {"task": errand.task, "outcome": outcome})
    except StoreError as error:  # the answer is there all the same
        report("inquiry", error)
    return result


def search(
    character: Any, words: str, most: int, allowed: Callable[[str], bool], **options: Any
) -> Deferred[list[Found]]:
    """Return what the memory of a running assistant holds of some words, by a Deferred, best first.

    `allowed` says of a label of readers whether it may be read. The character is shown what was
    said around it as well; people who search are not. `options` are those of `Recall.search`.
    Raises `AssistantError` where the assistant does not run; for a filter that does not exist the
    Deferred fails with one.
    """
    mind = running(character).mind
    found = search_in(mind.recall, words, most, allowed, now=mind.clock.now(), **options)
    return Deferred.fromCoroutine(found)


async def search_in(
    recall: Recall,
    words: str,
    most: int,
    allowed: Callable[[str], bool],
    *,
    now: float,
    **options: Any,
) -> list[Found]:
    """Return what a memory holds of some words, as `search` does; `now` in seconds since the epoch.

    Raises `AssistantError` for a filter that does not exist.
    """
    try:
        found = await recall.search(words, most, now=now, allow=allowed, explain=True, **options)
    except ValueError as wrong:  # a filter that is none
        raise AssistantError(str(wrong)) from wrong
    return [own for own in found if own.hit.why.get("line") or own.hit.why.get("dense")]
