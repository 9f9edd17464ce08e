"""Embeddings of an index: one float32 vector a row, each under the name of its model."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
FLOOR = 0.2
"""Cosines up to here mean nothing: any two lines of talk are that much alike."""


class Vectors:
    """Unit vectors by slot. A model's vectors have one length; others are refused."""

    def __init__(self) -> None:
        self._rows: dict[str, dict[int, int]] = {}
        self._matrices: dict[str, Vector] = {}

    def set(self, slot: int, vector: bytes | Vector, model: str) -> None:
        """Keep a row's vector instead of any it had. Raises `ValueError` where it cannot be one."""
        unit = _unit(vector)
        matrix = self._matrices.get(model)
        if matrix is not None and matrix.shape[1] != len(unit):
            raise ValueError(f"A vector of {model} has {matrix.shape[1]} numbers, not {len(unit)}.")
        self.remove(slot)
        rows = self._rows.setdefault(model, {})
        if matrix is None:
            matrix = np.zeros((64, len(unit)), np.float32)
        if len(rows) == len(matrix):
            matrix = np.concatenate([matrix, np.zeros_like(matrix)])
        rows[slot] = len(rows)
        matrix[rows[slot]] = unit
        self._matrices[model] = matrix

    def remove(self, slot: int) -> None:
        """Drop a row's vector; the last one takes its place in the matrix."""
        for model, rows in self._rows.items():
            if slot in rows:
                gone, last = rows.pop(slot), len(rows)
                matrix = self._matrices[model]
                if gone != last:
                    mover = next(one for one, row in rows.items() if row == last)
                    rows[mover] = gone
                    matrix[gone] = matrix[last]
                matrix[last] = 0.0

    def likeness(
        self, slots: NDArray[np.int64], vector: bytes | Vector, model: str
    ) -> NDArray[np.float64]:
        """Return how alike each row and a vector are, from 0 to 1; 0 where a row has none.

        Raises `ValueError` where the vector cannot be one of that model.
        """
        found = np.zeros(len(slots))
        rows, matrix = self._rows.get(model), self._matrices.get(model)
        if not rows or matrix is None:
            return found
        unit = _unit(vector)
        if len(unit) != matrix.shape[1]:
            raise ValueError(f"A vector of {model} has {matrix.shape[1]} numbers, not {len(unit)}.")
        places = np.array([rows.get(int(slot), -1) for slot in slots])
        cosine = matrix[places] @ unit
        return np.where(places >= 0, np.clip((cosine - FLOOR) / (1 - FLOOR), 0.0, 1.0), 0.0)


def _unit(vector: bytes | Vector) -> Vector:
    found = np.frombuffer(vector, np.float32) if isinstance(vector, bytes) else vector
    length = float(np.linalg.norm(found)) if found.ndim == 1 and found.size else 0.0
    if not np.isfinite(length) or not length:
        raise ValueError("A vector must be a row of finite numbers, not all 0.")
    return (found / length).astype(np.float32)
