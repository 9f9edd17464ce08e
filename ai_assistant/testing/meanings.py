"""The embeddings of the fake server: texts alike in letters, or said to mean the same."""

from __future__ import annotations

import base64
import json
import math
import re
import struct
import zlib
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.testing.faults import Asked, HttpAnswer, Script, play

DIMENSIONS = 64
_WORD = re.compile(r"\w+")


class Meanings:
    """Answers requests for embeddings. `script` takes faults as a chat's does, and three more:

    ``dimensions`` (vectors of 5 numbers), ``nan`` and ``missing`` (one vector too few). A step's
    `when` is looked for in the texts.
    """

    def __init__(self) -> None:
        self.script = Script(faults=tuple(_FAULTS))
        self._same: dict[str, str] = {}

    def alike(self, *words: str) -> None:
        """From now on these words mean the same."""
        self._same.update(dict.fromkeys(words, words[0]))

    def answer(self, body: Json) -> HttpAnswer:
        """Answer a request, or fail as the script says."""
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        question = "\n".join(texts)
        asked = Asked({"messages": [{"role": "user", "content": question}]})
        step = self.script.take(asked) or {}
        vectors = [self.vector(text) for text in texts]
        fault = step.get("fault")
        if fault in _FAULTS:
            vectors = _FAULTS[fault](vectors)
        elif step:
            return play(step, asked)
        return _listed(vectors, texts, body)

    def vector(self, text: str) -> list[float]:
        """Return a unit vector in which texts that share letter triples are near each other."""
        text = _WORD.sub(lambda word: self._same.get(word[0], word[0]), text.lower())
        padded = f" {text} "
        vector = [0.0] * DIMENSIONS
        for start in range(len(padded) - 2):
            code = zlib.crc32(padded[start : start + 3].encode())
            vector[code % DIMENSIONS] += 1.0 if code & 0x8000 else -1.0
        length = math.sqrt(sum(value * value for value in vector)) or 1.0
        return [value / length for value in vector]


_FAULTS: dict[str, Any] = {
    "dimensions": lambda vectors: [vector[:5] for vector in vectors],
    "nan": lambda vectors: [[math.nan, *vector[1:]] for vector in vectors],
    "missing": lambda vectors: vectors[:-1],
}


def _listed(vectors: list[list[float]], texts: list[str], body: Json) -> HttpAnswer:
    packed = body.get("encoding_format") == "base64"
    data = [
        {"object": "embedding", "index": index, "embedding": _packed(vector) if packed else vector}
        for index, vector in enumerate(vectors)
    ]
    tokens = sum(map(len, texts)) // 4 + 1
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    answer = {"object": "list", "data": data, "model": body.get("model", ""), "usage": usage}
    return HttpAnswer(json.dumps(answer).encode())


def _packed(vector: list[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
