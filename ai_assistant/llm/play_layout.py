"""Answers laid out like a play: ``emote: smiles``, ``whisper to Mira: …``, ``say: …``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ai_assistant.core.model_records import ToolCall
from ai_assistant.core.text import NAME_LIMIT, clean
from ai_assistant.language.words import without_articles
from ai_assistant.llm.reply_context import ReplyContext
from ai_assistant.llm.textcalls import MAX_CALLS, call_of

_LABEL = re.compile(
    r"\s*/(?P<bare>say|emote|me) (?!to )(?=\S)|\s*(?-i:emote (?=[a-z]))"
    r"|\s*[*_\[]*/?(?P<verb>say|emote|pose|whisper|page)(?: (?P<at>to )?(?P<to>[^:=,\n\"]{1,60}))?"
    r"[*_\]]*[:=][*_]*",
    re.IGNORECASE,
)
_TOLD = (
    r"\s*[*_\[(]*(?:{names}|You|I(?= (?:whisper|page) ))\s+(?P<verb>whisper|page)(?:s|ed)?"
    r" (?:(?:\w+ ){{0,3}}?(?P<at>to ))?(?P<to>[^:,\n\"]{{1,60}})(?::[*_]*|,\s*(?=[\"“]))"
)
_BEHIND = (
    r"(?P<before>.*?)(?P<said>[\"“][^\"“”]+[,.!?…–—-][\"”])[*_]*\s*(?:{names}|You|I|[Ss]?[Hh]e|[Tt]hey)"
    r"\s+(?:\w+ly\s+)?(?P<verb>whisper|page)(?:s|ed)?(?:[^.,:;!?\"“”*]{{0,30}} (?P<at>to))?"
    r" (?P<to>[^.,:;!?\"“”*]{{1,60}})(?P<rest>.*)"
)
"""Words and behind them to whom alone they are told: ``"The key," Tansy whispers to Mira.``"""
_QUOTED = re.compile(r"[\"“]([^\"“”]+)[\"”]")
_COMMAND = re.compile(r"\s*/[a-z]\w+(?=\s|\Z)")
_GESTURES = frozenset({"emote", "me", "pose"})
_TO_ONE = frozenset({"whisper", "page"})
_ASIDE = ' *_"“”'


def acts_of_play(text: str, asked: ReplyContext) -> tuple[tuple[ToolCall, ...], str]:
    """Return the acts of an answer that has labels, and what is said in it.

    What stands before the first label is said. A gesture for which no tool is offered stays
    between asterisks. What is told to one person by name is never said aloud.
    """
    name = clean(asked.name, NAME_LIMIT)
    names = (name, *(part for part in name.split() if len(part) > 2))
    pattern = "|".join(map(re.escape, filter(None, names))) or "(?!)"
    told = re.compile(_TOLD.format(names=pattern), re.IGNORECASE)
    behind = re.compile(_BEHIND.format(names=pattern))
    parts: list[tuple[str, str, list[str]]] = [("say", "", [])]
    for line in text.split("\n"):
        found = _LABEL.match(line) or told.match(line) or behind.match(line)
        if found is None or not _is_label(found, asked.people):
            if parts[-1][0] in _GESTURES and any(map(str.strip, parts[-1][2])):
                parts.append(("say", "", []))  # a gesture ends with its line
            parts[-1][2].append("" if _COMMAND.match(line) else line)
        elif len(parts) > MAX_CALLS:
            break
        else:
            groups = found.groupdict()
            verb = (found["verb"] or groups.get("bare") or "emote").lower()
            to = (groups.get("to") or "").strip(_ASIDE)
            if found.re is behind:
                parts[-1][2].append(_done(found["before"].strip(), pattern))
            parts.append((verb, to, [_told_words(found)]))
    if len(parts) == 1:
        return (), "\n".join(parts[0][2]).strip()
    made = [_part(verb, to, "\n".join(words).strip(), asked) for verb, to, words in parts]
    calls = tuple(part for part in made if isinstance(part, ToolCall))
    return calls, "\n".join(part for part in made if isinstance(part, str)).strip()


def _done(text: str, names: str) -> str:
    """Return what stands before quoted words: what the character does is no speech."""
    return f"*{text}*" if re.match(names, text) and not _QUOTED.search(text) else text


def _told_words(found: re.Match[str]) -> str:
    if "said" not in found.re.groupindex:
        return found.string[found.end() :]
    words = [quote.strip() for quote in _QUOTED.findall(f"{found['said']} {found['rest']}")]
    if len(words) == 1 and words[0].endswith(","):
        words[0] = f"{words[0][:-1]}."
    return " ".join(words)


def _is_label(found: re.Match[str], people: Sequence[str]) -> bool:
    """Is this a label, and not the beginning of ``Page 12: …`` or ``Say what you want: …``?"""
    to = (found["to"] or "").strip(_ASIDE)
    if not to:
        return "=" not in found[0]
    verb, is_told = found["verb"].lower(), found.re is not _LABEL
    if verb in _TO_ONE and is_told and (found["at"] or verb == "page"):
        return True
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
