"""What is known of each memory beside its text, in a sixth of the room, and as plain bytes.

Python's garbage collector passes bytes over; a dictionary a memory it would visit again and again.
"""

from __future__ import annotations

import marshal

from ai_assistant.core.contracts import Json


class PackedFacts:
    """Facts of memories by slot (0, 1, 2 …); those with the same names share these."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, ...], int] = {}
        self._names: list[tuple[str, ...]] = []
        self._uses: list[int] = []
        self._rows: list[bytes] = []

    def append(self, facts: Json) -> None:
        """Add the facts of the next slot, of JSON values."""
        names = tuple(facts)
        number = self._numbers.setdefault(names, len(self._names))
        if number == len(self._names):
            self._names.append(names)
            self._uses.append(0)
        self._uses[number] += 1
        self._rows.append(marshal.dumps((number, *facts.values())))

    def remove(self, slot: int) -> None:
        """Forget the facts of a slot, and names that no other has: they may be somebody's words."""
        if not self._rows[slot]:
            return
        number = marshal.loads(self._rows[slot])[0]
        self._rows[slot] = b""
        self._uses[number] -= 1
        if not self._uses[number]:
            del self._numbers[self._names[number]]
            self._names[number] = ()

    def __getitem__(self, slot: int) -> Json:
        """Return the facts of a slot; empty for one that was forgotten."""
        if not self._rows[slot]:
            return {}
        number, *values = marshal.loads(self._rows[slot])
        return dict(zip(self._names[number], values, strict=True))
