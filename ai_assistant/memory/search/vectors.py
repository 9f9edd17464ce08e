"""Embeddings of an index: one float32 vector a row, each under the name of its model."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
FLOOR = 0.2
"""Cosines up to here mean nothing: any two lines of talk are that much alike."""
BLOCK = 1024
"""Vectors are kept in blocks of so many: to grow never means to copy what is there."""


class Vectors:
    """Unit vectors by slot. A model's vectors have one length; others are refused."""

    def __init__(self) -> None:
        self._models: dict[str, _Matrix] = {}

    def set(self, slot: int, vector: bytes | Vector, model: str) -> None:
        """Keep a row's vector instead of any it had. Raises `ValueError` where it cannot be one."""
        unit = _unit(vector)
        matrix = self._models.get(model) or _Matrix(len(unit))
        matrix.check(unit, model)
        self.remove(slot)
        matrix.put(slot, unit)
        self._models[model] = matrix

    def remove(self, slot: int) -> None:
        """Drop a row's vector; nothing of it stays behind."""
        for model, matrix in [*self._models.items()]:
            if matrix.remove(slot) and matrix.is_empty:
                del self._models[model]

    def likeness(
        self, slots: NDArray[np.int64], vector: bytes | Vector, model: str
    ) -> NDArray[np.float64]:
        """Return how alike each row and a vector are, from 0 to 1; 0 where a row has none.

        Raises `ValueError` where the vector cannot be one of that model.
        """
        matrix = self._models.get(model)
        if matrix is None:
            return np.zeros(len(slots))
        unit = _unit(vector)
        matrix.check(unit, model)
        return np.clip((matrix.cosines(slots, unit) - FLOOR) / (1 - FLOOR), 0.0, 1.0)


class _Matrix:
    """The vectors of one model. `_places` maps slots to places in the blocks, -1 for none."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._blocks: list[Vector] = []
        self._free: list[int] = []
        self._places = np.full(BLOCK, -1, np.int32)

    def check(self, unit: Vector, model: str) -> None:
        """Raise `ValueError` for a vector of another length; `model` is named in it."""
        if len(unit) != self._width:
            raise ValueError(f"A vector of {model} has {self._width} numbers, not {len(unit)}.")

    def put(self, slot: int, unit: Vector) -> None:
        """Store the vector of a slot that has none, in a new block if all are full."""
        while slot >= len(self._places):
            self._places = np.concatenate([self._places, np.full_like(self._places, -1)])
        if not self._free:
            used = BLOCK * len(self._blocks)
            self._free = [*range(used, used + BLOCK)]
            self._blocks.append(np.zeros((BLOCK, self._width), np.float32))
        place = self._free.pop()
        self._places[slot] = place
        self._blocks[place // BLOCK][place % BLOCK] = unit

    @property
    def is_empty(self) -> bool:
        """Has no slot a vector?"""
        return len(self._free) == BLOCK * len(self._blocks)

    def remove(self, slot: int) -> bool:
        """Remove the vector of a slot; return whether there was one."""
        place = int(self._places[slot]) if slot < len(self._places) else -1
        if place >= 0:
            self._places[slot] = -1
            self._blocks[place // BLOCK][place % BLOCK] = 0.0
            self._free.append(place)
        return place >= 0

    def cosines(self, slots: NDArray[np.int64], unit: Vector) -> NDArray[np.float64]:
        """By einsum, which stays on its thread: BLAS would take all cores, and spin there."""
        found = np.zeros(BLOCK * len(self._blocks) + 1)
        for number, block in enumerate(self._blocks):
            found[number * BLOCK : (number + 1) * BLOCK] = np.einsum("ij,j->i", block, unit)
        known = slots < len(self._places)
        places = np.where(known, self._places[np.where(known, slots, 0)], -1)
        return found[places]  # place -1 is the spare one at the end, which stays 0


def _unit(vector: bytes | Vector) -> Vector:
    if isinstance(vector, bytes):
        vector = np.frombuffer(vector, np.float32)  # raises ValueError for half a number
    length = float(np.linalg.norm(vector)) if vector.ndim == 1 and vector.size else 0.0
    if not np.isfinite(length) or not length:
        raise ValueError("A vector must be a row of finite numbers, not all 0.")
    return (vector / length).astype(np.float32)
