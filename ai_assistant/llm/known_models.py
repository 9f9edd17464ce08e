"""What is known of models by their names: prices and context sizes, as `genai-prices` has them.

Loading it takes a third of a second: call it beside the reactor.
"""

from __future__ import annotations

from dataclasses import dataclass

from ai_assistant.llm.model_profiles import Profile

TYPICAL_TURN = (3500, 120)
"""Tokens that a turn reads and writes, in the middle of an acquaintance (`bench/README.md`)."""


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model as it is published; `price` is in dollars for one typical turn, None if unknown."""

    price: float | None = None
    window: int = 0
    """Tokens that it takes at a time; 0: unknown."""


def known_model(profile: Profile) -> KnownModel:
    """Return what is published of a profile's model at its provider; nothing of an own server's."""
    try:
        from genai_prices import Usage, calc_price
    except ImportError:  # of which the doctor tells; the model can be used all the same
        return KnownModel()
    read, written = TYPICAL_TURN
    usage = Usage(input_tokens=read, output_tokens=written)
    try:
        found = calc_price(usage, profile.model, provider_api_url=profile.base_url)
    except LookupError:
        return KnownModel()
    return KnownModel(float(found.total_price), found.model.context_window or 0)
