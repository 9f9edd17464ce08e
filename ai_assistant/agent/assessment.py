"""The assessment of an event: how much work it seems to be (inventory §13)."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Literal

from ai_assistant.contracts import Json


@dataclass(frozen=True, slots=True)
class Assessment:
    """What the third layer recommends. `complexity_score` goes from 1, simple, to 5, complex.

    Without a `recommended_mode` nothing is recommended but what the other fields say.
    `context_signals` are those that rules went by; a model's assessment has none.
    """

    complexity_score: int = 3
    recommended_mode: Literal["single_action", "react_loop"] | None = None
    recommended_iterations: int = 5
    recommend_confirm_dangerous: bool = False
    reasoning: str = ""
    context_signals: Json = field(default_factory=dict)

    def to_json(self) -> Json:
        """Return the assessment as JSON values."""
        return asdict(self)
