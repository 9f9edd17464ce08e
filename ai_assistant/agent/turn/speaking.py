"""Speaking: a turn's pieces of speech, each saved before it is said, in the order of the answer.

The last piece is saved with the turn. One before it, which an act, another piece or another model
call follows, is saved by itself, with what was heard and noted so far and with a claim: a turn that
has spoken never runs again.
"""

from __future__ import annotations

from functools import partial

from ai_assistant.agent.keeping.remember import remember_speech
from ai_assistant.agent.turn.deeds import await_answer, ensure_pending
from ai_assistant.agent.turn.patient_writes import written
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.core.contracts import Commit, Speech


async def say_pending(turn: Turn) -> None:
    """Save and say the piece that waits, if one does; raises `StoreError` before it is said."""
    if turn.speech is not None:
        await written(turn, partial(_save_piece, turn, turn.speech))
        say_saved(turn)


def _save_piece(turn: Turn, proposed: Speech) -> None:
    """Write what there is up to the piece that waits.

    Who hears it, and the game's moderation for those, is asked at each try.
    """
    ensure_pending(turn)
    turn.speech = proposed = turn.world.moderated(proposed)
    expected = turn.world.route(proposed)
    kept = remember_speech(turn, expected)
    speech = kept or proposed
    claim = {"id": speech.event, "tool": speech.kind, "arguments": {"text": speech.text}}
    result = {"said": speech.text} if kept else {"error": expected.reason}
    turn.commit.claims.append(claim | {"result": result, "readers": speech.readers, "saved": True})
    turn.mind.save(turn.commit)
    turn.mind.heard.clear()
    turn.commit = Commit(at=turn.clock.now(), turn_id=turn.id)


def say_saved(turn: Turn) -> None:
    """Deliver the piece that is saved, if there is one, and note with whom it talks now."""
    speech, turn.speech = turn.speech, None
    if speech is None:
        return
    mind, now = turn.mind, turn.clock.now()
    end = turn.world.deliver(speech)
    turn.deliveries.append((speech, end))
    if end.outcome == "dropped":
        return
    partner = turn.partner.id if turn.partner else ""
    if not turn.events:
        company = mind.world.company()
        mind.patience.spoke(mind.key, speech.place, company, now)
        partner = partner or (min(company) if len(company) == 1 else "")
    if partner and speech.kind != "page":  # they need no name to be answered now
        talk = mind.channel_talk if speech.kind == "channel" else mind.engagement
        talk.turn_to(partner, now, speech.place, speech.text)
    if speech.kind != "emote" and (turn.moved or turn.occasion):
        await_answer(turn)
