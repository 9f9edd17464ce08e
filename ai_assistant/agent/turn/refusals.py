"""What no character says: a model that speaks of itself, and its prompt."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ai_assistant.language import keeps_texts

_KIND = r"(?:AI|artificial intelligence)"
_MODEL_OF = r"(?:(?:AI|artificial intelligence|large|language)[ -]){1,3}(?:model|assistant)\b"
_AS_A_MODEL = (
    rf"\bas an? (?:{_KIND}\b(?=[\s,.:;]*(?:I|my)\b)|{_MODEL_OF})",
    rf"\bI(?:'m| am) (?:just |only )?an? (?:{_KIND}(?! of\b)|{_MODEL_OF})\b",
    r"\bI(?:'m| am) (?:ChatGPT|GPT-\d|Claude|Gemini|Llama|Mistral|Qwen|DeepSeek)\b",
    r"\bI was (?:trained|created|made|developed) by (?:OpenAI|Anthropic|Google|Meta|Mistral|"
    r"Alibaba|DeepSeek|Microsoft)\b",
    r"\bals (?:ein |eine )?(?:KI[- ]|großes )?(?:Sprachmodell|KI-Modell|KI-Assistent)",
    r"\bcomo (?:un |um )?(?:gran |grande )?modelo de (?:lenguaje|linguagem|IA)\b",
    r"\ben tant (?:que|qu')\s?(?:grand )?(?:modèle de langage|assistant IA|IA\b)",
    r"\bcome (?:un )?(?:grande )?modello linguistico\b",
    r"\bкак (?:большая )?языковая модель\b",
    r"作为(?:一个|一名)?(?:大型)?(?:AI|人工智能)?(?:语言模型|助手)",
    r"(?:AI|人工知能|大規模)?言語モデルとして",
)
_MODEL = re.compile("|".join(_AS_A_MODEL), re.IGNORECASE)
LONGEST = 8000
"""Characters of an answer that are looked at; far more than is ever spoken."""
ECHO_WORDS = 12
"""So many words in a row that stand in our own part of the prompt are an echo of it."""
_WORD = re.compile(r"\w+")
_HEADING = re.compile(r"^#{1,6}\s+\S.*$", re.MULTILINE)


def is_out_of_character(text: str) -> bool:
    """Does a model speak of itself here? To refuse something is no sign of it: characters do."""
    return bool(_MODEL.search(text.replace("’", "'")))


def is_no_answer(text: str, ours: str, others: Iterable[str] = ()) -> bool:
    """Is this nothing that a character would say: empty, an echo of the prompt, out of character?

    Of the prompt's texts the headings count, and of `ours` what stands before its first one: below
    it is what a character may recite, such as its lore and its memories.
    """
    text = text[:LONGEST]
    if not _WORD.search(text) or is_out_of_character(text):
        return True
    lines = {line.strip(" *:") for line in text.splitlines()} - {""}
    parts = [part for part in (ours, *others) if any(line in part for line in lines)]
    headings = {found.strip() for part in parts for found in _HEADING.findall(part)}
    bare = {heading.strip(" #") for heading in headings}
    echoes = headings | {heading for heading in bare if " " in heading}
    said = _runs(text)
    return not echoes.isdisjoint(lines) or (
        bool(said) and not said.isdisjoint(_runs(_HEADING.split(ours, maxsplit=1)[0]))
    )


@keeps_texts(64)
def _runs(text: str) -> frozenset[tuple[str, ...]]:
    words = _WORD.findall(text.casefold())
    return frozenset(
        tuple(words[at : at + ECHO_WORDS]) for at in range(len(words) - ECHO_WORDS + 1)
    )
