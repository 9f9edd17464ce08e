"""What was played of a scene so far: its turns and messages, and who dealt with whom how often.

Only what was said for all to hear counts, and nobody whom its speaker could not see: the figures
are shown to everybody who plays.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from ai_assistant.contracts import Json


@dataclass(frozen=True, slots=True)
class Played:
    """The session history of the seed (REQ-6.1.2). A turn is what one says until another speaks.

    `spoke` is who said the last line; `exchanges` counts the lines of each pair of members, in
    either direction.
    """

    turns: int = 0
    messages: int = 0
    spoke: str = ""
    exchanges: Mapping[str, int] = field(default_factory=dict)

    def after(self, speaker: str, participants: Collection[str]) -> Played:
        """Return it with one more message, in which these took part."""
        pairs = {pair(speaker, one) for one in participants if one != speaker}
        counted = {one: self.exchanges.get(one, 0) + 1 for one in sorted(pairs)}
        return Played(
            turns=self.turns + (speaker != self.spoke),
            messages=self.messages + 1,
            spoke=speaker,
            exchanges={**self.exchanges, **counted},
        )

    def between(self, one: str, other: str) -> int:
        """Return how many lines those two said to each other."""
        return self.exchanges.get(pair(one, other), 0)

    def to_json(self) -> Json:
        """Return it as JSON values."""
        return {
            "turns": self.turns,
            "messages": self.messages,
            "spoke": self.spoke,
            "exchanges": dict(self.exchanges),
        }

    @classmethod
    def from_json(cls, data: Any) -> Played:
        """Return what `to_json` made; of a scene that was never played, an empty one.

        What is of another shape, as an older or newer game may have left it, counts as nothing.
        """
        known = data if isinstance(data, Mapping) else {}
        spoke, exchanges = known.get("spoke"), known.get("exchanges")
        counted = exchanges.items() if isinstance(exchanges, Mapping) else ()
        return cls(
            turns=_number(known.get("turns")),
            messages=_number(known.get("messages")),
            spoke=spoke if isinstance(spoke, str) else "",
            exchanges={one: _number(lines) for one, lines in counted if _number(lines)},
        )


def _number(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def pair(one: str, other: str) -> str:
    """Return the one name of a pair of ids, whichever comes first."""
    return " ".join(sorted((one, other)))
