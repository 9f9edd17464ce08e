"""The rules by which lines are heard, in words: what each goes by, what kept others from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ai_assistant.game.identity import person

RULES = {
    "disabled": "somebody plays the character",
    "own_message": "its own line",
    "channel_off": "the channel is off for it",
    "channel_mode": "the channel's mode: all lines, or those that name it",
    "assistant_talk": "another assistant's line: only where it is addressed, and energy is left",
    "sender_not_permitted": "the speaker may not address it",
    "silenced": "staff told it to be quiet",
    "addressed": "called by name",
    "direct": "said to it alone, or given to it",
    "engaged": "goes on with the one it talks with",
    "alone": "said by the only player there, with no other assistant to hear it",
    "for_all": "asked of all there, or first by somebody who came in; one answers",
    "perhaps": "perhaps for it: without a name, of those in its talk or of somebody who came in",
    "scene_policy": "its turn in the scene",
    "asked": "a task: the answer is for whoever gave it, and nobody else hears it",
    "handed": "in the scene a model gave it the floor",
    "room_default": "said here, and not to it (room_default)",
    "fallback": "nothing made it answer",
    "excused": "asked too often, or its share of the day is used up: an excuse, without a model",
    "too_often": "asked too often, or its share of the day is used up: no answer",
    "too_much": "more lines than one player may have it keep in a day",
}
"""What each rule of classification goes by."""
CAUSES = {
    "turns_to": "the line turns to {}",
    "talks_with": "it was talking with {}",
    "talked_elsewhere": "they were talking in another place",
    "long_ago": "its answer to them was too long ago",
    "interrupted": "{} spoke in between, and not to it",
    "turn_of_others": "one answers, and it was the turn of another",
    "asleep": "it was asleep",
    "another_server": "another server was in charge",
}
"""Why a rule did not decide that might have."""

DECIDED_BY = {"rule": "", "model": "as a model saw it", "staff": "as staff say"}
"""What said who took part in a line, as an owner would put it; nothing for what always does."""


def decision_in_words(by: str, *, is_sure: bool) -> str:
    """Return what said who took part in a line, and whether it is sure; often nothing."""
    return ", ".join(filter(None, (DECIDED_BY.get(by, by), "" if is_sure else "not certain")))


def rule_in_words(name: str | None, cause: Mapping[str, Sequence[str]] | None = None) -> str:
    """Return the words for a rule, and for what kept others from deciding before it."""
    told = [RULES.get(name or "", name or "no rule on record")]
    for why, ids in (cause or {}).items():
        told.append(CAUSES.get(why, why).format(" and ".join(map(person, ids))))
    return "; ".join(told)
