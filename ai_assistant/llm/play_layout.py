"""Answers laid out like a play: ``emote: smiles``, ``whisper to Mira: …``, ``say: …``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ai_assistant.core.model_records import ToolCall
from ai_assistant.language.words import without_articles
from ai_assistant.llm.reply_context import ReplyContext
from ai_assistant.llm.textcalls import MAX_CALLS, call_of

_LABEL = re.compile(
    r"\s*/(?P<bare>say|emote|me) (?!to )(?=\S)|\s*(?-i:emote (?=[a-z]))"
    r"|\s*[*_\[]*/?(?P<verb>say|emote|pose|whisper|page)(?: (?P<at>to )?(?P<to>[^:=,\n\"]{1,60}))?"
    r"[*_\]]*[:=][*_]*",
    re.IGNORECASE,
)
_COMMAND = re.compile(r"\s*/[a-z]\w+(?=\s|\Z)")
_GESTURES = frozenset({"emote", "me", "pose"})
_TO_ONE = frozenset({"whisper", "page"})
_ASIDE = ' *_"“”'


def acts_of_play(text: str, asked: ReplyContext) -> tuple[tuple[ToolCall, ...], str]:
    """Return the acts of an answer that has labels, and what is said in it.

    What stands before the first label is said. A gesture for which no tool is offered stays
    between asterisks. What is told to one person by name is never said aloud.
    """
    parts: list[tuple[str, str, list[str]]] = [("say", "", [])]
    for line in text.split("\n"):
        found = _LABEL.match(line)
        if found is None or not _is_label(found, asked.people):
            if parts[-1][0] in _GESTURES and any(map(str.strip, parts[-1][2])):
                parts.append(("say", "", []))  # a gesture ends with its line
            parts[-1][2].append("" if _COMMAND.match(line) else line)
        elif len(parts) > MAX_CALLS:
            break
        else:
            verb = (found["verb"] or found["bare"] or "emote").lower()
            parts.append((verb, (found["to"] or "").strip(_ASIDE), [line[found.end() :]]))
    if len(parts) == 1:
        return (), "\n".join(parts[0][2]).strip()
    made = [_part(verb, to, "\n".join(words).strip(), asked) for verb, to, words in parts]
    calls = tuple(part for part in made if isinstance(part, ToolCall))
    return calls, "\n".join(part for part in made if isinstance(part, str)).strip()


def _is_label(found: re.Match[str], people: Sequence[str]) -> bool:
    """Is this a label, and not the beginning of ``Page 12: …`` or ``Say what you want: …``?"""
    to = (found["to"] or "").strip(_ASIDE)
    if not to:
        return "=" not in found[0]
    verb = found["verb"].lower()
    named = any(word[0].isupper() for word in to.split())
    if verb in _TO_ONE and named and (verb == "whisper" or found["verb"].islower()):
        return True  # whoever that may be, it is for nobody else
    words = _words(to)
    return any(
        to.casefold() == name.casefold() or (words and words <= _words(name)) for name in people
    )


def _words(name: str) -> frozenset[str]:
    return frozenset(without_articles(name).split())


def _part(verb: str, to: str, words: str, asked: ReplyContext) -> ToolCall | str:
    if verb == "say":
        return words
    name = "emote" if verb in _GESTURES else verb
    plain = words.strip(_ASIDE)
    if name == "emote" and not plain:
        return ""
    if name == "emote":
        return call_of(name, {"text": plain}) if name in asked.tools else f"*{plain}*"
    if not to and name not in asked.tools:
        return words
    return call_of(name, {"text": plain} | ({"to": to} if to else {}))
