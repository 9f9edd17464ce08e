"""The rows of questions that workers answer: put by the game, taken by one worker, then gone."""

from __future__ import annotations

from collections.abc import Callable, Collection

from django.db.models import Q

from ai_assistant.core.times import DAY
from ai_assistant.models import ModelQuestion
from ai_assistant.storage.statements import refusals

WAITS = Q(answer="", taken_at=None)


def put_question(key: str, assistant: str, question: str, now: float) -> None:
    """Let a question wait for a worker; one that is there already stays with what became of it.

    Raises `StoreError`.
    """
    with refusals():
        ModelQuestion.objects.filter(made_at__lt=now - DAY).delete()
        ModelQuestion.objects.bulk_create(
            [ModelQuestion(key=key, assistant=assistant, question=question, made_at=now)],
            ignore_conflicts=True,
        )


def take_question(key: str, now: float) -> str:
    """Return a question that a worker begins to answer; empty where it is no longer asked, or was
    taken before: what that took nobody knows.

    Raises `StoreError`.
    """
    with refusals():
        if not ModelQuestion.objects.filter(WAITS, key=key).update(taken_at=now):
            return ""
        return (
            ModelQuestion.objects.filter(key=key).values_list("question", flat=True).first() or ""
        )


def keep_answer(key: str, answer: str) -> None:
    """Write what became of a question, if it is still asked. Raises `StoreError`."""
    with refusals():
        ModelQuestion.objects.filter(key=key, answer="").update(answer=answer)


def answer_lost(keys: Collection[str], lost: float, answer: str) -> None:
    """Answer those questions so that a worker took before the moment `lost`, and never answered.

    Raises `StoreError`.
    """
    with refusals():
        taken = ModelQuestion.objects.filter(key__in=keys, answer="", taken_at__lt=lost)
        taken.update(answer=answer)


def take_answers(keys: Collection[str]) -> dict[str, str]:
    """Return the answers that are there, by key, and let go of their rows. Raises `StoreError`."""
    with refusals():
        asked = ModelQuestion.objects.filter(key__in=keys).exclude(answer="")
        found = dict(asked.values_list("key", "answer"))
        ModelQuestion.objects.filter(key__in=found).delete()
    return found


def unask(keys: Collection[str], *, though_taken: bool = False) -> set[str]:
    """Delete those questions that no worker has taken, or none has answered.

    Returns which of the keys are not there, or no longer. Raises `StoreError`.
    """
    with refusals():
        gone = Q(answer="") if though_taken else WAITS
        ModelQuestion.objects.filter(gone, key__in=keys).delete()
        left = ModelQuestion.objects.filter(key__in=keys).values_list("key", flat=True)
        return set(keys).difference(left)


def drop_questions(is_meant: Callable[[str], bool]) -> None:
    """Delete the questions of those assistants, whatever became of them. Raises `StoreError`."""
    with refusals():
        asking = ModelQuestion.objects.values_list("assistant", flat=True).distinct()
        meant = [assistant for assistant in asking if is_meant(assistant)]
        ModelQuestion.objects.filter(assistant__in=meant).delete()
