"""Reads a language from its data file, and checks it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ai_assistant.core.errors import ConfigurationError
from ai_assistant.core.text import unaccented
from ai_assistant.language.language_record import Language, Numbered, Stems, Words

DATA = Path(__file__).parent / "data"
_BARE = ("day_parts", "days_ago", "units", "about", "ago", "story_day", "lately")


def known_languages() -> list[str]:
    """Return the codes of the languages that come with the package."""
    return sorted(path.stem for path in DATA.glob("*.toml"))


@cache
def entries_everywhere(name: str) -> Words:
    """Return the words of a list in all languages that come with the package."""
    files = (tomllib.loads(path.read_text("utf-8")) for path in DATA.glob("*.toml"))
    return frozenset(word for data in files for word in data[name].split())


@cache
def load_language(code: str) -> Language:
    """Read a language by its code or by the path of its file; raises `ConfigurationError`."""
    path = Path(code) if code.endswith(".toml") else DATA / f"{code}.toml"
    told = f"AI_ASSISTANT_LANGUAGE: {path}"
    if not code.endswith(".toml") and code not in known_languages():
        raise ConfigurationError(
            f"AI_ASSISTANT_LANGUAGE: there is no '{code}'; use one of "
            f"{', '.join(known_languages())}, or the path of a file that ends in .toml."
        )
    try:
        data = tomllib.loads(path.read_text("utf-8"))
        made = _made(path.stem, data, _irregular(path))
    except (OSError, ValueError, AttributeError, TypeError, KeyError) as wrong:
        raise ConfigurationError(f"{told} cannot be used: {wrong}.") from wrong
    if data:
        raise ConfigurationError(f"{told} holds what is not known: {', '.join(data)}.")
    return made


def _irregular(path: Path) -> list[list[str]]:
    """Return the irregular forms beside a language's file, if there is such a table of it."""
    table = path.with_suffix(".forms")
    lines = table.read_text("utf-8").splitlines() if table.exists() else ()
    return [line.split() for line in lines]


def _made(code: str, data: dict[str, Any], irregular: list[list[str]]) -> Language:
    """Make a language of a file's entries, and take those out of `data`."""
    stems = Stems(
        _line(data, "stemmer"),
        _line(data, "contractions").split(),
        [*irregular, *_phrases(_line(data, "forms"))],
    )
    for name in _BARE:
        data[name] = unaccented(_line(data, name))
    parts = _line(data, "day_parts").split()
    times = _times(data, parts)
    particles = _words(data, "particles")
    importance = _by_stem(data.pop("importance", {}), stems)
    pronouns = data.pop("pronouns", {})
    return Language(
        code=code,
        name=_line(data, "name") or code,
        stems=stems,
        stop_words=_words(data, "stop_words"),
        sentence_ends=_line(data, "sentence_ends") or ".!?…",
        pronouns={who: frozenset(some.split()) for who, some in pronouns.items()},
        articles=_words(data, "articles"),
        titles=_words(data, "titles") | particles,
        particles=particles,
        possessives=tuple(_line(data, "possessives").split()),
        whispering=_words(data, "whispering") | entries_everywhere("whispering"),
        synonyms=_families(_phrases(_line(data, "synonyms")), stems),
        compounds=bool(data.pop("compounds", False)),
        importance={word: int(weight) for word, weight in importance.items()},
        tags=_by_stem(data.pop("tags", {}), stems),
        guard=dict(data.pop("guard", {})),
        steps=_listed("steps", data.pop("steps", [])),
        events=_by_stem(data.pop("events", {}), stems),
        phrases=_kinds(data, parts),
        reader=dict(data.pop("reader", {})),
        excuses=_excuses(data),
        **times,
    )


def _kinds(data: dict[str, Any], parts: list[str]) -> dict[str, tuple[str, ...]]:
    return {
        kind: tuple(_of_each(parts, _listed(f"[{table}] {kind}", phrases)))
        for table in ("manners", "talk", "story", "feelings")
        for kind, phrases in data.pop(table, {}).items()
    }


def _excuses(data: dict[str, Any]) -> dict[str, Any]:
    """Return what is done, and said, in place of an answer; in English where it is not told."""
    english = tomllib.loads((DATA / "en.toml").read_text("utf-8"))["excuses"]
    told = data.pop("excuses", {})
    for kind in ("gestures", "words"):
        told[kind] = _listed(f"[excuses] {kind}", told.get(kind, [])) or tuple(english[kind])
    return dict(told)


def _of_each(parts: Sequence[str], phrases: Iterable[str]) -> Iterator[str]:
    """Yield phrases, and each with `{day}` once for each part of a day instead of it."""
    for phrase in phrases:
        for part in parts if "{day}" in phrase else ("",):
            yield phrase.replace("{day}", part)


def _times(data: dict[str, Any], parts: list[str]) -> dict[str, Any]:
    """Return what a language says of days, months and numbers, taken out of `data`."""
    months, weekdays = _in_order(_line(data, "months")), _in_order(_line(data, "weekdays"))
    numbers, units = _numbered(_line(data, "numbers")), _numbered(_line(data, "units"))
    joins, nth = tuple(_line(data, "number_joins").split()), _numbered(_line(data, "nth"))
    days_ago = _numbered(",".join(_of_each(parts, _line(data, "days_ago").split(","))))
    fillers = _fillers(data, numbers, _either(joins), nth)
    fillers |= {"unit": f"(?P<unit>{_either(units)})", "day": f"(?:{_either(parts)})"}
    return {
        "asks_time": tuple(map(" ".join, _phrases(_line(data, "asks_time")))),
        "time_words": _words(data, "time_words") | {*months, *weekdays},
        "months": months,
        "before_months": _words(data, "before_months"),
        "numbers": numbers,
        "number_joins": joins,
        "counted": {unaccented(word): number for word, number in (numbers | nth).items()},
        "days_ago": dict(sorted(days_ago.items(), key=lambda item: -len(item[0]))),
        "ago": _forms(_line(data, "ago"), fillers),
        "story_days": _forms(_line(data, "story_day"), fillers),
        "lately": _forms(_line(data, "lately"), fillers),
        "units": units,
    }


def _line(data: dict[str, Any], name: str) -> str:
    return str(data.pop(name, ""))


def _listed(name: str, given: Any) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(text, str) for text in given):
        raise ValueError(f'{name} must be a list of texts, such as ["one", "another"]')
    return tuple(given)


def _words(data: dict[str, Any], name: str) -> Words:
    return frozenset(_line(data, name).split())


def _phrases(text: str) -> list[list[str]]:
    return [entry.split() for entry in text.split(",") if entry.strip()]


def _numbered(text: str) -> dict[str, int]:
    return {" ".join(phrase): int(number) for *phrase, number in _phrases(text)}


def _in_order(text: str) -> dict[str, int]:
    """Return words with their number in the list; several that a slash parts share one."""
    places = enumerate(text.split(), 1)
    return {word: number for number, words in places for word in words.split("/")}


def _by_stem(table: Mapping[str, str], stems: Stems) -> dict[str, str]:
    return {stems.stem(word): key for key, words in table.items() for word in words.split()}


def _families(phrases: Iterable[Iterable[str]], stems: Stems) -> dict[str, Words]:
    found: dict[str, Words] = {}
    for family in (frozenset(map(stems.stem, words)) for words in phrases):
        for stem in family:
            found[stem] = found.get(stem, frozenset()) | (family - {stem})
    return found


def _fillers(data: dict[str, Any], numbers: Numbered, join: str, nth: Numbered) -> dict[str, str]:
    """Return the patterns of numbers in such as "{n} {unit} ago" or "{nth} {day}"."""
    ones, tens, many = (
        _either(word for word, number in numbers.items() if number in some)
        for some in (range(1, 10), range(20, 100), range(100, 1001))
    )
    about = _either(_line(data, "about").split())
    count = rf"\d{{1,4}}|(?:{tens})(?:[\s-]|\s+(?:{join})\s+)(?:{ones})\b"
    count += rf"|(?:{ones})(?:{join})(?:{tens})|(?:{ones})\s?(?:{many})|{_either(numbers)}"
    before = rf"(?:{tens}|{_either(nth)})[\s-]?|(?:{ones})(?:{join})"
    which = rf"(?:{before})?(?:{_either(nth)})(?:{'|'.join(_line(data, 'nth_ends').split())})"
    which += r"|\d{1,4}(?:[^\W\d_]{1,2}\b|[.ºª])"
    through = rf"\s*(?:{_either(data.get('story', {}).get('through', ()))})\s*(?:\w{{2,3}}\s+)?"
    return {
        "n": rf"(?:(?:{about})\s+)?(?P<n>{count})(?:{through}(?P<m>{count}))?",
        "nth": rf"(?P<n>{which})(?:{through}(?P<m>{which}))?",
    }


def _forms(text: str, fillers: Mapping[str, str]) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of forms parted by commas, with what stands in them filled in."""
    made = []
    for told in (re.escape(" ".join(entry)).replace(r"\ ", r"\s+") for entry in _phrases(text)):
        for name, pattern in fillers.items():
            told = told.replace(re.escape(f"{{{name}}}"), pattern)
        made.append(re.compile(rf"\b{told}(?!\w)"))
    return tuple(made)


def _either(words: Iterable[str]) -> str:
    """Return the pattern of any of these, the longest first; of none where there are none."""
    bare = sorted(map(unaccented, words), key=len, reverse=True)
    return "|".join(map(re.escape, bare)) or r"(?!)"
