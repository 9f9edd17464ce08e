"""Forgetting among model calls: each call that touches what is forgotten goes as a whole.

What was sent to a model is kept for the owner alone and for days; nothing in it is worth to be cut
out with care. So it goes in any doubt: where it drew on what goes, where its words are those that
go, and where nobody knows on what it drew and its assistant forgets anything at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial

from ai_assistant.api.desk.jobs import JOBS
from ai_assistant.api.desk.sandbox import SANDBOXES
from ai_assistant.api.slices import Slice
from ai_assistant.memory.wipe import Wipe
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage.calls.call_rows import (
    StoredCall,
    delete_calls,
    drop_unused_texts,
    every_call,
)
from ai_assistant.storage.calls.question_rows import drop_questions

KIND = "model calls"
"""What they are called in the report of a forgetting."""


def forget_calls(
    wipe: Wipe, counts: Mapping[str, Counter[str]], is_meant: Callable[[str], bool]
) -> Iterator[Slice]:
    """Delete the calls that touch what goes, some at a time, and count them by assistant.

    `is_meant` says whether an assistant is among those who forget. To be run once the wipe knows
    all that goes. Raises `StoreError`.
    """
    yield from SERVICE.shared.calls.write_aside()
    SANDBOXES.let_go()
    JOBS.let_go()
    drop_questions(is_meant)
    gone, changed = _names_of(wipe), {key for key, found in counts.items() if found.total()}
    found = Counter[str]()
    for calls in every_call():
        going = list[StoredCall]()
        meant = [call for call in calls if is_meant(call.assistant)]
        touched = (call for call in meant if _touches(call, wipe, gone, changed))
        yield partial(going.extend, touched)
        delete_calls(call.key for call in going)
        found.update(call.assistant for call in going)
    if found:
        drop_unused_texts()
    for assistant, count in found.items():
        counts[assistant][KIND] += count


def _names_of(wipe: Wipe) -> frozenset[str]:
    """Return all that goes by its id, or by the reference that a call drew on it with."""
    rows = (f"#{number}" for number in wipe.gone)
    return frozenset({wipe.entity, *wipe.events, *wipe.lines, *wipe.lost, *rows} - {""})


def _touches(call: StoredCall, wipe: Wipe, gone: frozenset[str], changed: Collection[str]) -> bool:
    if call.turn_id in wipe.turns or not gone.isdisjoint(call.sources):
        return True
    if not call.sources and call.assistant in changed:
        return True
    return wipe.touches(call.words())
