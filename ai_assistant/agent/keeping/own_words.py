"""The character's own words: who took part in them, and which memories they pass on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ai_assistant.agent.turn.turn_state import TurnState, may_use
from ai_assistant.core.contracts import TO_ONE, Json, MemoryRow, Speech
from ai_assistant.core.readers import Audience, canonical, meet
from ai_assistant.memory.search.searchable_parts import searchable_items
from ai_assistant.memory.talk.stream import perceived_row
from ai_assistant.roleplay.participants import Present, Utterance
from ai_assistant.roleplay.play import is_fiction
from ai_assistant.roleplay.retelling import is_from_play, retells, told_with

_KINDS = {"emote": "pose"}
_ALOUD = frozenset({"say", "emote"})


def passes_on(turn: TurnState, speech: Speech) -> Speech:
    """Return a speech with the memories that it passes on; see `retelling`.

    Only what the turn had in view counts, and all of that was usable for the audience. The speech
    is marked as played if the turn is, or if it repeats what was played. A gesture passes nothing
    on.
    """
    if speech.kind == "emote":
        return replace(speech, played=turn.play.fiction)
    asked = [event.content for event in turn.events]
    places = [("session", ""), ("notebook", "")]  # always before its eyes
    places += [("profile", who) for who in sorted(turn.lookups)]
    at_hand = (
        item.make()
        for part, key in places
        for item in searchable_items(part, key, turn.store.view(part, key))
    )
    before = had_before(turn, speech.text)
    before += (row for row in at_hand if may_use(turn, row.readers))
    if not before:
        return replace(speech, played=turn.play.fiction)
    told = told_with(speech.text, before, turn.me.id, asked)
    return replace(speech, told=told, played=is_play(turn, speech.text, before))


def had_before(turn: TurnState, words: str) -> list[MemoryRow]:
    """Return the memories and lines in the turn's view that these words may tell again."""
    if not turn.source_lines:
        return [*turn.source_rows]
    tells = retells(words)
    lines = (entry for entry in turn.source_lines if tells(entry["content"]))
    return [*turn.source_rows, *map(perceived_row, lines)]


def is_play(turn: TurnState, words: str, before: Sequence[MemoryRow] | None = None) -> bool:
    """Are these words part of a play, or drawn from what was only played?

    They are compared with the memories in `before`, else with all that the turn had in view.
    """
    if turn.play.fiction:
        return True
    asked = [event.content for event in turn.events]
    rows = had_before(turn, words) if before is None else before
    return any(map(is_fiction, rows)) and is_from_play(words, rows, asked)


def as_kept(turn: TurnState, speech: Speech, heard_by: Audience) -> Speech:
    """Return a speech with the label under which it is kept, never wider than its place.

    Words in a private room belong to those who heard them, a whisper to its one hearer.
    """
    if speech.kind in TO_ONE and speech.target:
        place = speech.target.id
    elif speech.kind != "channel" and turn.surroundings.private:
        place = canonical({turn.me.id, *heard_by})
    else:
        return speech
    return replace(speech, readers=meet(speech.readers, place, turn.world.belongs))


def deed_label(turn: TurnState) -> str:
    """Return the label of what the character did: in a private room, of those who were there.

    What it did alone is open.
    """
    if not (turn.surroundings.private and turn.audience):
        return turn.ceiling
    there = canonical({turn.me.id, *turn.audience})
    return meet(turn.ceiling, there, turn.world.belongs)


def judge_own(turn: TurnState, speech: Speech, event: str, heard_by: Audience) -> Json | None:
    """Return the World Agent's decision on the character's own words, whose id is `event`.

    The hearers of a channel are the channel, so nobody is known to have taken part.
    """
    if speech.kind == "channel":
        return None
    me = Present(turn.me.id, turn.me.name, has_mind=True)
    asking = [speech.target or turn.partner]
    if not speech.target and turn.events:
        asking = [event.source for event in turn.events]
    said = Utterance(
        event=event,
        speaker=me,
        content=speech.text,
        kind=_KINDS.get(speech.kind, speech.kind),
        at=turn.commit.at,
        answers=frozenset(entity.id for entity in asking if entity),
    )
    found = turn.mind.world_agent.judge(
        turn.play.session, speech.place, said, lambda: _hearers(turn, speech, heard_by)
    )
    scene = {"place": turn.play.place, "fiction": speech.played}
    return {**found, **{key: value for key, value in scene.items() if value}}


def _hearers(turn: TurnState, speech: Speech, heard_by: Audience) -> list[Present]:
    """Return those who hear a speech; whom the character does not see is hidden from it.

    The name of such a one counts where it sees nobody, as in lines of players. In a scene, a hearer
    who does not play in it is `apart`; outside of one, a hearer who does.
    """
    session = turn.play.session
    fellows = (turn.play if session else turn.mind.plays(None)).members
    seen = {thing.entity.id: thing for thing in turn.surroundings.things}
    players = turn.world.company()
    if turn.trigger and turn.trigger.source.kind == "player":
        players |= {turn.trigger.source.id}
    hiding = turn.world.unseen(heard_by) if speech.kind in _ALOUD else {}
    found = []
    for hearer in sorted(heard_by):
        thing = seen.get(hearer)
        who = thing.entity if thing else turn.world.who_is(hearer)
        name = who.name if who else ""
        apart = (hearer in fellows) != bool(session)
        keeps = hearer not in players or (speech.kind != "page" and turn.world.keeps_own(hearer))
        unseen_by = hiding.get(hearer, frozenset())
        hears = Present(hearer, name, (), thing is None, keeps, apart, unseen_by)
        found.append(hears)
    return found
