"""Does an entry come to mind by what was said? Its keys, and the four logics of the secondary ones.

Keys are plain words, never patterns. What is searched is prepared once for all entries.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ai_assistant.language import keeps_texts
from ai_assistant.roleplay.lorebook.entries import Entry


class ScannedTalk:
    """What was said, newest first, and what entries have brought to mind so far."""

    def __init__(self, messages: Sequence[str]) -> None:
        self._messages = messages
        self._recalled: list[str] = []
        self._texts: dict[tuple[int, bool], tuple[str, str]] = {}

    def remind(self, content: str) -> None:
        """Let entries be found by the content of another one from now on."""
        self._recalled.append(content)
        self._texts.clear()

    def key_in(self, entry: Entry, depth: int, *, recalled: bool) -> str:
        """Return the first key by which an entry is found; empty where it is not.

        Searched are the newest `depth` messages, and what came to mind if `recalled`. The secondary
        keys must agree, and none of the excluded ones may be there.
        """
        if (depth, recalled) not in self._texts:
            text = "\n".join([*self._messages[:depth], *(self._recalled if recalled else ())])
            self._texts[depth, recalled] = (text, text.casefold())
        texts = self._texts[depth, recalled]
        found = next((key for key in entry.keys if _holds(texts, key, entry)), "")
        if not found or any(_holds(texts, key, entry) for key in entry.excluded):
            return ""
        hits = [_holds(texts, key, entry) for key in entry.secondary]
        agreed = {
            "and_any": any(hits),
            "and_all": all(hits),
            "not_any": not any(hits),
            "not_all": not all(hits),
        }
        return found if not hits or agreed[entry.logic] else ""


def _holds(texts: tuple[str, str], key: str, entry: Entry) -> bool:
    """Does a text, as it is and in small letters, hold the key in the way that the entry wants?"""
    as_it_is, small = texts
    text, wanted = (as_it_is, key) if entry.case_sensitive else (small, key.casefold())
    if wanted not in text:
        return False
    return not entry.whole_words or bool(_whole(wanted).search(text))


@keeps_texts(4096)
def _whole(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
