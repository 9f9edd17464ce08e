"""What a turn does in the world: on disk before it happens, remembered, and seen afterwards."""

from __future__ import annotations

from dataclasses import replace

from ai_assistant.agent.keeping.own_words import deed_label, is_play
from ai_assistant.agent.turn.handles import extend, names_of_handles
from ai_assistant.agent.turn.spoken_text import with_names
from ai_assistant.agent.turn.turn_state import TurnState
from ai_assistant.core.contracts import Event, Json
from ai_assistant.core.seen import SeenPlace
from ai_assistant.core.text import clean
from ai_assistant.language.words import sentences
from ai_assistant.memory.talk import stream
from ai_assistant.tools.schema import is_handle

LONGEST_REFUSAL = 300
"""Characters of a failed attempt, as later turns are told of it."""


def ensure_pending(turn: TurnState) -> None:
    """Put a turn that nobody asked for on disk, so that what it claims outlives a crash."""
    if turn.events or turn.is_on_disk:
        return
    tick = Event(
        id=turn.id,
        timestamp=turn.commit.at,
        event_type="tick",
        source=turn.me,
        source_type="system",
        content=turn.goal["description"] if turn.goal else "",
        readers=turn.ceiling,
        place=turn.place,
        root=turn.id,
    )
    turn.store.triggers.add(tick)
    turn.store.triggers.begin(turn.id, [turn.id])
    turn.is_on_disk = True


def note_deed(
    turn: TurnState, text: str, call: Json | None = None, *, played: bool = False
) -> None:
    """Note something that it did, under the label of this moment; `call` is what did it."""
    turn.deeds_done += 1
    entry = stream.deed_entry(
        turn.me,
        text,
        at=turn.clock.now(),
        turn_id=turn.id,
        readers=deed_label(turn),
        session=turn.play.session,
        day=turn.play.day,
        played=played or is_play(turn, text),
        call=call,
        n=turn.deeds_done,
    )
    turn.deeds.append(entry)


def note_refusal(turn: TurnState, act: str, refusal: str) -> None:
    """Note an act that was refused, with the first sentence of the refusal, and without handles.

    What to do instead concerned this turn alone; so did handles, and an unknown one is left out.
    """
    names = names_of_handles(turn)

    def plain(text: str) -> str:
        words = with_names(text, names).split()
        return " ".join(word for word in words if not is_handle(word.strip("'\".,").lower()))

    why = plain((sentences(refusal) or [""])[0])
    if not any(deed["content"].endswith(f": {why}") for deed in turn.deeds):  # once is enough
        note_deed(turn, clean(f"You tried in vain to {plain(act)}: {why}", LONGEST_REFUSAL))


def seen_now(turn: TurnState) -> SeenPlace:
    """Return what is seen there now; beside staff's words no name stands that others chose."""
    scene = turn.world.scene()
    if not turn.heeds:
        return scene
    told = [
        thing
        for thing in scene.things
        if thing.entity.kind != "player" or thing.entity.id in turn.heeds
    ]
    return replace(scene, things=tuple(told))


def await_answer(turn: TurnState) -> None:
    """Note that it said or gave something where it was sent, and waits there for a word."""
    was_sent = turn.moved or (turn.occasion is not None and turn.occasion.kind == "arrival")
    if was_sent:
        talk = turn.mind.engagement
        talk.asked, talk.since = turn.surroundings.place, turn.clock.now()


def look_again(turn: TurnState) -> None:
    """See what is there after an act. In another place its hearers count from now on, too."""
    before, turn.surroundings = turn.surroundings.place, seen_now(turn)
    turn.things = extend(turn.things, turn.surroundings.things)
    if turn.surroundings.place != before:
        turn.moved = True
        if turn.partner:  # it came for them: they need no name here, and it waits beside them
            talk, here = turn.mind.engagement, turn.surroundings.place
            talk.turn_to(turn.partner.id, turn.clock.now(), here, talk.words)
            talk.asked = here
        if not turn.in_kind:
            turn.place = turn.surroundings.place
            turn.audience |= turn.world.hearers("say", turn.place)
