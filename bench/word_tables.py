"""Makes the word tables of the languages from well-kept sources, at need and not at run time.

python -m bench.word_tables

It wants `simplemma` (lemmas) and `wordfreq` (how often words are used); nothing else here does.
What it writes is committed: `language/data/<code>.forms`, the irregular forms of common words
behind their first form, and `language/data/en.words`, the words that are no slips of the pen.
"""

from __future__ import annotations

import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import Stemmer

PACKAGE = Path(__file__).parents[1] / "ai_assistant"
LANGUAGES = PACKAGE / "language" / "data"
COMMON = LANGUAGES / "en.words"
MOST_WORDS = 20_000
"""The words of a language whose forms are looked at, by how often they are used."""
MOST_COMMON = 8_000
OFTEN, NOT_SELDOM = 3.3, 3.0
"""How often a first form and another form are used at least, on the scale of `wordfreq`."""
SHORTEST, SHORTEST_COMMON = 3, 4


def forms(code: str, data: dict[str, str]) -> Iterator[tuple[str, list[str]]]:
    """Yield common words with the forms of theirs that the stemmer does not find."""
    import simplemma
    import wordfreq

    stemmer = Stemmer.Stemmer(data["stemmer"])
    small = {*data["stop_words"].split(), *data.get("forms", "").replace(",", " ").split()}
    found: dict[str, list[str]] = defaultdict(list)
    for word in wordfreq.top_n_list(code, MOST_WORDS):
        if len(word) < SHORTEST or not word.isalpha() or word in small:
            continue
        first = simplemma.lemmatize(word, lang=code).lower()
        if first == word or first in small or not first.isalpha():
            continue
        often = wordfreq.zipf_frequency(first, code) > OFTEN
        used = wordfreq.zipf_frequency(word, code) > NOT_SELDOM
        if often and used and stemmer.stemWord(first) != stemmer.stemWord(word):
            found[first].append(word)
    yield from sorted(found.items())


def main() -> int:
    """Write all tables; returns the exit status."""
    import wordfreq

    for path in sorted(LANGUAGES.glob("*.toml")):
        data = tomllib.loads(path.read_text("utf-8"))
        lines = [" ".join([first, *others]) for first, others in forms(path.stem, data)]
        path.with_suffix(".forms").write_text("\n".join(lines) + "\n", "utf-8")
        print(f"{path.stem}: {len(lines)} words with irregular forms")
    words = (word for word in wordfreq.top_n_list("en", MOST_COMMON) if word.isalpha())
    common = sorted(word for word in words if len(word) >= SHORTEST_COMMON and word.isascii())
    COMMON.write_text("\n".join(common) + "\n", "utf-8")
    print(f"{len(common)} common words")
    return 0


if __name__ == "__main__":
    sys.exit(main())
