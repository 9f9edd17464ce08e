"""Who took part in what the character says itself: judged before it is said, for all to go by."""

from __future__ import annotations

from ai_assistant.agent.turn import Turn
from ai_assistant.contracts import Json, Speech
from ai_assistant.readers import Audience
from ai_assistant.roleplay.participants import Present, Utterance

_KINDS = {"emote": "pose"}


def judge_own(turn: Turn, speech: Speech, event: str, heard_by: Audience) -> Json | None:
    """Return the World Agent's decision on the character's own words, `event` being their id.

    A channel's hearers are the channel, so nobody is known to have taken part.
    """
    if speech.kind == "channel":
        return None
    me = Present(turn.own_id, turn.me.name, has_mind=True)
    partner = speech.target or turn.partner
    said = Utterance(
        event=event,
        speaker=me,
        content=speech.text,
        kind=_KINDS.get(speech.kind, speech.kind),
        at=turn.commit.at,
        answers=partner.id if partner else "",
    )
    found = turn.mind.world_agent.judge(
        turn.play.session, speech.place, said, lambda: _hearers(turn, heard_by)
    )
    scene = {"place": turn.play.place, "fiction": turn.play.fiction}
    return {**found, **{key: value for key, value in scene.items() if value}}


def _hearers(turn: Turn, heard_by: Audience) -> list[Present]:
    """Return those who hear it; whom the character does not see has no name for it."""
    seen = {thing.entity.id: thing for thing in turn.surroundings.things}
    players = turn.world.company()
    if turn.trigger and turn.trigger.source.kind == "player":
        players |= {turn.trigger.source.id}
    found = []
    for one in sorted(heard_by):
        thing = seen.get(one)
        name = thing.entity.name if thing else ""
        found.append(Present(one, name, hidden=thing is None, has_mind=one not in players))
    return found
