"""A model call by which staff try something: from their own budget, and nothing comes of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ai_assistant import conf
from ai_assistant.agent.attention.budget import STAFF
from ai_assistant.agent.mind import Mind
from ai_assistant.agent.prompt.prompt_wording import dump
from ai_assistant.agent.turn.ask_model import ask_model
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.model_records import ModelReply, ModelRequest
from ai_assistant.core.readers import OPEN
from ai_assistant.llm.model_list import price_of
from ai_assistant.runtime.assembly import beside, pick_profile
from ai_assistant.runtime.service import SERVICE


@dataclass(frozen=True, slots=True)
class TriedAnswer:
    """What a model answered."""

    profile: str
    """The model profile that was asked."""
    model: str
    """The model, as its provider names it."""
    text: str
    """Its words."""
    calls: tuple[str, ...]
    """The tools that it would have called, with their arguments; none of them ran."""
    milliseconds: int
    """From the question to the answer."""
    prompt_tokens: int
    """As the provider counted them."""
    completion_tokens: int
    """The same of the answer."""
    price: float | None
    """In dollars, as published; None where nobody knows."""
    instead: str = ""
    """Why the offline model stood in; empty where it did not."""


def profile_names() -> list[str]:
    """Return the names of the profiles with which something can be tried."""
    return sorted(name for name, profile in SERVICE.shared.profiles.items() if not profile.problem)


def check_profile(name: str) -> None:
    """Raise `AssistantError` where no profile of this name can be used; none at all is fine."""
    if name and name not in profile_names():
        known = ", ".join(profile_names())
        raise AssistantError(f"There is no model profile '{name}' that can be used: {known}.")


async def ask_for_staff(mind: Mind, request: ModelRequest, profile: str = "") -> TriedAnswer:
    """Return what a model answers to a request of this mind's, by its own profile or another.

    Raises `AssistantError` where there is no such profile, or it may not be told, and whatever
    `ask_model` raises.
    """
    usual = pick_profile(SERVICE.shared.profiles, request.job, request.profile)
    if profile:
        check_profile(profile)
        job = request.job if request.job in ("chat", "summarise") else "chat"  # which heed a choice
        request = replace(request, profile=profile, job=job)
    chosen = pick_profile(SERVICE.shared.profiles, request.job, request.profile)
    is_elsewhere = chosen.name != usual.name and not chosen.offline
    if is_elsewhere and request.origin.readers != OPEN and not conf.settings.TRY_PRIVATE:
        raise AssistantError(
            "Not everybody may know what is in that, so it goes to no other profile "
            "(AI_ASSISTANT_TRY_PRIVATE)."
        )
    origin = replace(request.origin, turn="")
    began = mind.clock.monotonic()
    reply = await ask_model(
        replace(mind, key=STAFF), replace(request, assistant=STAFF, payer="", origin=origin)
    )
    seconds, usage = mind.clock.monotonic() - began, reply.usage
    is_free = chosen.offline or bool(reply.instead)
    price = 0.0 if is_free else await beside(price_of, chosen, usage)
    return TriedAnswer(
        profile=chosen.name,
        model=reply.model,
        text=reply.text,
        calls=calls_in_words(reply),
        milliseconds=round(seconds * 1000),
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        price=price,
        instead=reply.instead,
    )


def calls_in_words(reply: ModelReply) -> tuple[str, ...]:
    """Return the tools that an answer calls, with their arguments and why it calls them."""
    return tuple(_call_in_words(call.name, dict(call.arguments)) for call in reply.tool_calls)


def _call_in_words(tool: str, given: Json) -> str:
    why = given.pop("reasoning", "")
    told = (
        f"{name.replace('_', ' ')}: {value if isinstance(value, str) else dump(value)}"
        for name, value in given.items()
    )
    return f"{tool} ({'; '.join(told)})" + (f", because: {why}" if why else "")
