"""The persona guard: what a character keeps as knowledge is about the world, never about itself.

A model that stores statements about itself pollutes its retrieval and slowly bends its persona
so the guard stands wherever facts are extracted or synthesised. It goes by
structure first: whom the fact is about is an argument. Then, outside of what is quoted, by the
language's words for oneself, and by the character's name where a sentence begins with it. Of a fact
about somebody else only how a sentence begins counts: "borrowed my lantern" is about them. A few
cunning sentences pass; that is accepted, for a note refused without need costs more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from ai_assistant.language import Language, language_of

LONGEST = 4000
"""Characters that are looked at; more than any tool lets through."""
SHOWN = 4
"""Words of the phrase that the model is shown."""
_QUOTED = re.compile(
    r"\"[^\"]*\"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»"
    r"|(?<!\w)['‘](?:[^'’‘]|(?<=\w)['’](?=\w))*['’](?!\w)"
)
_SENTENCE = re.compile(r"[^.!?\n]+")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_GONE = ". "
"""What is left of a quotation: it ends a sentence, as what follows it is the writer's again."""


def self_reference(
    text: str, names: Sequence[str] = (), *, about: str = "", language: str = ""
) -> str:
    """Return the phrase in which a text speaks of the character itself; empty where it is fine.

    Args:
        text: One or more sentences.
        names: What the character is called.
        about: Whom the text is about, where that is known.
        language: The language of the text.
    """
    if about and about.casefold() in (name.casefold() for name in names):
        return about
    own, told, titles, labels = _words(language_of(language))
    forms = _forms(names, titles)
    for sentence in _sentences(text[:LONGEST], labels | {form[0] for form in forms}):
        words = _WORD.findall(sentence)
        lower = [word.casefold().replace("’", "'") for word in words]
        for at, word in enumerate(lower):
            inside = not about and (words[at][:1].islower() or len(word) == 1)
            if word in own and (at == 0 or inside):
                return " ".join(words[at : at + SHOWN])
        if _begins_with(words, lower, forms, titles) or told.search(" ".join(lower)):
            return " ".join(words[:SHOWN])
    return ""


@cache
def _words(
    spoken: Language,
) -> tuple[frozenset[str], re.Pattern[str], frozenset[str], frozenset[str]]:
    data = spoken.guard
    phrases = "|".join(map(re.escape, data.get("phrases", ()))) or "(?!)"
    return (
        frozenset(data.get("self", ())),
        re.compile(rf"\b(?:{phrases})\b"),
        spoken.titles,
        frozenset(data.get("labels", ())),
    )


def _forms(names: Sequence[str], titles: frozenset[str]) -> tuple[tuple[str, ...], ...]:
    """Return a character's names as words: whole, the given name, the family name."""
    found: list[tuple[str, ...]] = []
    for name in names:
        words = tuple(_WORD.findall(name.casefold()))
        telling = [word for word in words if word not in titles]
        found += [words, *((word,) for word in (*telling[:1], *telling[-1:]))]
    return tuple(dict.fromkeys(filter(None, found)))


def _sentences(text: str, labels: frozenset[str]) -> Iterator[str]:
    """Yield the sentences in the writer's own words: no quotation, nothing that others say."""
    unquoted = _QUOTED.sub(_GONE, text)
    if not _WORD.search(unquoted):
        unquoted = text  # a quotation by nobody
    for found in _SENTENCE.finditer(unquoted):
        speaker, _, said = found[0].partition(": ")
        is_label = not labels.isdisjoint(_WORD.findall(speaker.casefold()))
        yield f"{speaker} {said}" if is_label else speaker


def _begins_with(
    words: Sequence[str],
    lower: Sequence[str],
    forms: Sequence[tuple[str, ...]],
    titles: frozenset[str],
) -> bool:
    start = 1 if lower and lower[0] in titles and len(lower) > 1 else 0
    for form in forms:
        for at in {0, start}:
            end = at + len(form)
            begun = tuple(word.removesuffix("'s") for word in lower[at:end]) == form
            goes_on = words[end : end + 1] and words[end][:1].isupper()  # of a namesake
            if begun and not (len(form) == 1 and goes_on):
                return True
    return False
