"""Drafts: a model makes a persona of one sentence; nothing is written before staff take it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from twisted.internet.defer import Deferred

from ai_assistant.agent.turn.ask_model import briefing
from ai_assistant.api import lifecycle
from ai_assistant.api.desk.staff_calls import TriedAnswer, ask_for_staff, check_profile
from ai_assistant.api.overview import running
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.model_json import answer_object
from ai_assistant.core.model_records import ModelRequest
from ai_assistant.core.text import clean
from ai_assistant.game.identity import name_of
from ai_assistant.prompts import load_prompt

DRAFTED = ("role", "personality", "interests", "greeting", "sayings", "lore")
"""The fields that a draft may have, in the order in which they are looked at."""
MOST_SENTENCE, MOST_WORDS, MOST_ITEMS = 500, 600, 6
LONGEST_ANSWER = 900
"""Tokens that a draft may take."""


@dataclass(frozen=True, slots=True)
class PersonaDraft:
    """What a model made of a sentence."""

    sentence: str
    """What was asked for."""
    fields: Mapping[str, str]
    """Each field as staff would type it; the items of a list stand between semicolons."""
    answer: TriedAnswer
    """What it took."""


def draft_persona(character: Any, sentence: str, *, profile: str = "") -> Deferred[PersonaDraft]:
    """Return a persona for a running assistant, drafted from a sentence; nothing is written.

    Paid from the staff's budget. Raises `AssistantError` where the assistant does not run, nothing
    is asked for, or no such profile can be used; so fails what the model's answer is no draft of.
    """
    check_profile(profile)
    mind, words = running(character).mind, clean(sentence, MOST_SENTENCE)
    if not words:
        raise AssistantError("Who should it be? Say it in one sentence.")
    persona = lifecycle.read_persona(character).value
    now = {name: persona[name] for name in DRAFTED if persona.get(name)}
    request = ModelRequest(
        briefing(
            load_prompt("draft_persona"),
            {"sentence": words, "name": name_of(character), "now": now},
        ),
        profile=mind.config["llm_profile"],
        context_type="persona_draft",
        assistant=mind.key,
        max_tokens=LONGEST_ANSWER,
    )

    async def drafted() -> PersonaDraft:
        answer = await ask_for_staff(mind, request, profile)
        told = answer_object(answer.text)
        fields = {name: text for name in DRAFTED if (text := _as_typed(told.get(name)))}
        if not fields:
            raise AssistantError("The model wrote no draft; the offline model never does.")
        return PersonaDraft(words, fields, answer)

    return Deferred.fromCoroutine(drafted())


def _as_typed(value: Any) -> str:
    if isinstance(value, list):
        items = (
            clean(item.replace(";", ","), MOST_WORDS)
            for item in value[:MOST_ITEMS]
            if isinstance(item, str)
        )
        return "; ".join(filter(None, items))
    return clean(value, MOST_WORDS) if isinstance(value, str) else ""
