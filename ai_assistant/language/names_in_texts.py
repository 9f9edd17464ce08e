"""Names in texts: who or what is called by a name in a sentence, by capitals and titles."""

from __future__ import annotations

import re

from ai_assistant.language import current_language
from ai_assistant.language.spelling import is_common

_INNER = re.compile(r"(?<=[a-z,] )[A-Z][\w'’]+(?: (?:and )?[A-Z][\w'’]+)*")
_OPENING = re.compile(r"\A([A-Z][\w’']+(?: [A-Z][\w’']+)*)( the [a-z]+ [a-z]+s\b)?")


def inner_names(text: str) -> list[str]:
    """Return the runs of capitalised words inside the sentences of a text."""
    return [name for name in _INNER.findall(text) if name != "I"]


def opening_name(text: str) -> str:
    """Return the name of somebody with whom a text begins: "Orrin the smith goes fishing".

    With a title before it a name needs no trade behind it. Empty where there is none.
    """
    found, spoken = _OPENING.match(text), current_language()
    if not found:
        return ""
    first = found[1].split()[0].lower()
    titled = first in spoken.titles - spoken.particles and " " in found[1]
    traded = found[2] and not is_common(first) and first not in spoken.stop_words
    return found[1] if titled or traded else ""
