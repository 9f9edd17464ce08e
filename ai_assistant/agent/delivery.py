"""Who hears a speech in the end: decided anew at delivery, from the hearers of that moment."""

from __future__ import annotations

from ai_assistant.contracts import Delivery, Speech
from ai_assistant.readers import Audience, Belongs, alone, may_read, usable


def route(speech: Speech, hearers: Audience, belongs: Belongs = alone) -> Delivery:
    """Return how a speech ends when `hearers` are those who would hear it now (design §3.7).

    Said, if all of them may know what it is made of; else told privately to those of its audience
    who are still there and may; else dropped. Once all whom it was meant for have left, it is
    dropped too: nobody shouts an answer into a room of strangers.
    """
    there = speech.audience & hearers
    if not hearers:
        return Delivery("dropped", reason="nobody is there to hear it")
    if not there:
        return Delivery("dropped", reason="those it was meant for have left")
    if usable(speech.readers, hearers, belongs):
        return Delivery("said", hearers)
    may = frozenset(one for one in there if may_read(one, speech.readers, belongs))
    if may:
        return Delivery("privately", may, "somebody is there who must not hear it")
    return Delivery("dropped", reason="nobody there may hear it")
