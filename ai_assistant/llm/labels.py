"""Answers laid out like a play: ``emote: smiles``, ``whisper to Mira: …``, ``say: …``."""

from __future__ import annotations

import re

from ai_assistant.contracts import ToolCall
from ai_assistant.llm.asked import Asked
from ai_assistant.llm.textcalls import MAX_CALLS, call_of

_LABEL = re.compile(
    r"[*_\[]*/?(?P<verb>say|emote|pose|whisper|page)(?: (?:to )?(?P<to>[^:,\n\"]{1,60}))?"
    r"[*_\]]*:[*_]*"
    r"|/?(?P<bare>emote|me) (?=[a-z])",
    re.IGNORECASE,
)
_TOLD = r"{name}\s+(?P<verb>whisper|page)s(?: to)? (?P<to>[^:,\n\"]{{1,60}})(?::|,\s*(?=[\"“]))"
_ASIDE = ' *_"“”'


def labelled(text: str, asked: Asked) -> tuple[tuple[ToolCall, ...], str]:
    """Return the acts of an answer that begins with a label, and what is said in it.

    A gesture for which no tool is offered stays between asterisks. What is told to one person by
    name is never said aloud.
    """
    told = re.compile(_TOLD.format(name=re.escape(asked.name)), re.IGNORECASE)
    parts: list[tuple[str, str, list[str]]] = []
    for line in text.split("\n"):
        found = _LABEL.match(line) or (told.match(line) if asked.name else None)
        if found is None and not parts:
            return (), text
        if found is None:
            parts[-1][2].append(line)
        elif len(parts) == MAX_CALLS:
            break
        else:
            fields = found.groupdict()
            verb = (fields["verb"] or "emote").lower()
            parts.append((verb, (fields["to"] or "").strip(_ASIDE), [line[found.end() :]]))
    made = [_part(verb, to, "\n".join(words).strip(), asked) for verb, to, words in parts]
    calls = tuple(one for one in made if isinstance(one, ToolCall))
    return calls, "\n".join(one for one in made if isinstance(one, str)).strip()


def _part(verb: str, to: str, words: str, asked: Asked) -> ToolCall | str:
    if verb == "say":
        return words
    name = "emote" if verb in ("emote", "pose") else verb
    plain = words.strip(_ASIDE)
    if name == "emote":
        return call_of(name, {"text": plain}) if name in asked.tools else f"*{plain}*"
    if not to and name not in asked.tools:
        return words
    return call_of(name, {"text": plain} | ({"to": to} if to else {}))
