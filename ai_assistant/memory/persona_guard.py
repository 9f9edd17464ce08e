"""The persona guard: what a character keeps as knowledge is about the world, never about itself.

A model that stores statements about itself pollutes its retrieval and slowly bends its persona
(inventory §19), so the guard stands wherever facts are extracted or synthesised. It goes by the
grammar of a sentence: who is its subject, and whose words are quoted in it.

Refused is every sentence in which the writer occurs: as I, we or my, also as a mere recipient
("Alice told me that …": the fact about Alice is that she said it); as the assistant, this NPC or
"as an AI"; under its own name where that is who acts, or whose something is; and unnamed, as the
subject that a note leaves out ("Gave Bob the key."). Its name as a mere object is fine: "Alice
asked Marrek for a net" is about Alice. Where the grammar leaves it open, the guard refuses: a model
that has to rephrase loses a moment, a persona that drifts is not noticed until too late.
"""

from __future__ import annotations

from collections.abc import Sequence

from ai_assistant.contracts import Json
from ai_assistant.memory import guard_words as lexicon
from ai_assistant.memory.guard_elided import elided
from ai_assistant.memory.guard_names import Name, begins_with, own_name
from ai_assistant.memory.guard_rules import first_person, second_person, third_person_self
from ai_assistant.memory.guard_speech import sentences

LONGEST = 4000
"""Characters that are looked at; more than any tool lets through."""


def self_reference(text: str, names: Sequence[str] = ()) -> str:
    """Return the phrase in which the text speaks of the assistant itself; empty where it is fine.

    Args:
        text: One or more sentences of English.
        names: What the assistant is called; its given name alone is recognised as well.
    """
    own = [name for one in names for name in _forms(one)]
    for row in sentences(text[:LONGEST], lambda words: any(begins_with(words, n) for n in own)):
        found = (
            first_person(row)
            or third_person_self(row)
            or own_name(row, own)
            or second_person(row)
            or elided(row)
        )
        if found:
            return found
    return ""


def refusal(text: str, names: Sequence[str] = ()) -> Json | None:
    """Return what the model is told of a text about itself (seed `self_management` §3), or None."""
    found = self_reference(text, names)
    if not found:
        return None
    return {
        "success": False,
        "error": f"This is about yourself ('{found}'). Only the world and others are kept here.",
        "suggestion": (
            "Say it in the third person about somebody else: 'Alice completed the intro quest.' "
            "Quote what others say of themselves: Alice said: 'I was robbed.'"
        ),
        "rejected_content": text,
    }


def _forms(name: str) -> list[Name]:
    """Return the forms of a name, longest first: all of it, the given name, the family name."""
    words = [word for word in name.lower().replace("'s", "").split() if word]
    telling = [word for word in words if word not in lexicon.TITLES]
    single = [(word,) for word in dict.fromkeys([*telling[:1], *telling[-1:]])]
    return [tuple(words), *single] if words else []
