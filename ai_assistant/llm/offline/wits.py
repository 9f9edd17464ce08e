"""Wits: sums are reckoned, and what somebody takes back is taken as they mean it."""

from __future__ import annotations

import re

from ai_assistant.language import spoken_times, turning
from ai_assistant.language.sums import reckoned
from ai_assistant.llm.offline.askers import Asker
from ai_assistant.llm.offline.intents import Intent

MOST_WORDS = 3
"""Words of what somebody really is."""


def sum_told(asker: Asker, intent: Intent) -> str:
    """Answer a sum of two numbers; one of them may be the last that was told."""
    result = reckoned(intent.words, before=" ".join(asker.view.own[-1:]))
    if result is None:
        return asker.voice.say("sum_not")
    return asker.voice.say("sum", result=spoken_times.number(result))


def corrected(asker: Asker, intent: Intent) -> str:
    """Take somebody at their new word, in the letters they gave it: "Corvin, then." """
    given = turning.clause(re.sub(r"^(?:an?|the) ", "", intent.what)).strip()
    said = re.search(rf"\b{re.escape(given)}\b", intent.said, re.I) if given else None
    given = said[0] if said else given
    return asker.voice.say("correction", given=given if given.count(" ") < MOST_WORDS else "")
