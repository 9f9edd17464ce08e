"""Embeddings on the wire: what is asked for texts' vectors, and what an answer must be."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai_assistant.core.errors import BadReply
from ai_assistant.core.model_records import TokenUsage
from ai_assistant.llm.model_profiles import Profile
from ai_assistant.llm.wire import MAX_TOKENS

LONGEST_TEXT = 2000
"""Characters of a text that are sent; small models read no more than that."""
WIDEST = 16_384
MAX_BYTES = 8_388_608
"""A larger answer is refused; 32 vectors of 4,096 numbers, written out, are a third of it."""
LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class EmbeddingBatch:
    """Texts of one assistant's memories, for whose vectors nobody waits."""

    texts: tuple[str, ...]
    """As they are sent."""
    model: str
    """The name under which their vectors are kept, see `vectors_name`."""
    size: int
    """How many numbers each must have, unless 0."""
    assistant: str
    """Whose memories they are."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """The vectors of some texts in their order, as float32 bytes, and what they cost."""

    vectors: list[bytes]
    """One for each text."""
    usage: TokenUsage
    """The tokens that they took."""


def vectors_name(profile: Profile) -> str:
    """Return the name under which a profile's vectors are kept: the model's, and their length.

    Vectors of different names are never compared, so it has whatever makes them different.
    """
    length = profile.extra.get("dimensions")
    name = f"{profile.model}@{length}" if length else profile.model
    return name[-LONGEST_NAME:]


def with_vectors_of(profile: Profile, name: str) -> Profile | None:
    """Return a profile whose vectors have that name, by the same server; None where none has."""
    model, _, length = name.rpartition("@")
    others = {key: value for key, value in profile.extra.items() if key != "dimensions"}
    made = replace(profile, model=name, extra=others)
    if model and length.isdecimal():
        made = replace(profile, model=model, extra=others | {"dimensions": int(length)})
    return made if name and vectors_name(made) == name else None


def cut_to_send(text: str) -> str:
    """Return what is sent of a text; servers refuse an empty one."""
    return text[:LONGEST_TEXT].strip() or "-"


def parse_vectors(raw: bytes, *, count: int, size: int = 0) -> Embedded:
    """Return the vectors of an answer, of `size` numbers each unless that is 0.

    Raises `BadReply` where one is missing, is no row of finite numbers or has another length.
    """
    try:
        answer = json.loads(raw)
        found = {
            int(item.get("index", place)): _vector(item["embedding"])
            for place, item in enumerate(answer["data"])
        }
        usage = _usage(answer.get("usage"))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError):
        raise BadReply("The embeddings are malformed.") from None
    if sorted(found) != list(range(count)):
        raise BadReply(f"There are {len(found)} embeddings for {count} texts, or the wrong ones.")
    vectors = [found[place] for place in range(count)]
    wanted = size or len(vectors[0])
    for vector in vectors:
        if len(vector) != wanted:
            raise BadReply(f"An embedding has {len(vector)} numbers where others have {wanted}.")
    return Embedded([vector.tobytes() for vector in vectors], usage)


def _vector(value: Any) -> NDArray[np.float32]:
    if isinstance(value, str):
        found = np.frombuffer(base64.b64decode(value, validate=True), "<f4").astype(np.float32)
    else:
        listed = np.array(value)
        if listed.dtype.kind not in "fi":
            raise ValueError("These are no numbers.")
        with np.errstate(over="ignore"):
            found = listed.astype(np.float32)
    if found.ndim != 1 or not 0 < found.size <= WIDEST:
        raise ValueError("This is no row of numbers.")
    if not np.isfinite(found).all() or not np.isfinite(length := np.linalg.norm(found)):
        raise ValueError("Some are not finite.")
    if not length:
        raise ValueError("All are 0.")
    return found


def _usage(value: Any) -> TokenUsage:
    if value is None:
        return TokenUsage()
    given = value if isinstance(value, dict) else {}
    tokens = given.get("prompt_tokens", given.get("total_tokens"))
    if type(tokens) is not int or not 0 < tokens <= MAX_TOKENS:
        return TokenUsage(absurd=True)
    return TokenUsage(prompt_tokens=tokens, known=True)
