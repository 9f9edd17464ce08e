"""What the tests of the prompt begin with: a turn as far as its prompt, and a crowded mind."""

from ai_assistant.agent.prompt.build import build_prompt
from ai_assistant.agent.prompt.draft import length_of
from ai_assistant.agent.turn.opening import begin
from ai_assistant.core.contracts import Change, Commit, MemoryRow, Speech
from ai_assistant.core.readers import OPEN
from ai_assistant.memory.talk.stream import own_entry
from ai_assistant.testing import Stage, people
from ai_assistant.testing.scripted_model import run

ALICE, BOB = people("Alice", "Bob")


def on_stage(**config):
    """Alice stands before the captain, who carries a rose and sees a way north."""
    stage = Stage(**config)
    stage.world.enter(ALICE)
    stage.world.carry("rose")
    stage.world.place_exit("north")
    return stage


def remembered(stage, *rows):
    """Put rows into memory."""
    stage.mind.save(Commit(at=stage.clock.now(), rows=list(rows)))


def changed(stage, part, op, key="", **args):
    """Take one step on a part of the state."""
    stage.mind.save(Commit(at=stage.clock.now(), changes=[Change(part, key, op, args)]))


def prompted(stage, text="What of the dragon?", kind="say", who=ALICE):
    """Begin a turn as far as its prompt."""
    turn = begin(stage.mind, [stage.hear(who, text, kind)], "turn0")
    run(build_prompt(turn))
    return turn


def part(turn, component):
    """The words of one component."""
    return "\n".join(one.content for _, one in turn.prompt.parts if one.component == component)


def section(turn, key):
    """The words of one section."""
    return "\n".join(one.content for name, one in turn.prompt.parts if name == key)


def rows(turn, key):
    """The rows of a section, as data."""
    return list(next((one.rows for one in turn.prompt.sections if one.key == key), ()))


FIRST = ("instructions", "persona")


def shown(turn):
    """Everything but instructions, persona, conversation and what is answered."""
    apart = (*FIRST, "stream", "event")
    return "\n".join(one.content for name, one in turn.prompt.parts if name not in apart)


def whole(turn):
    """All the words of the prompt."""
    return "\n".join(one.content for one in turn.prompt.messages)


def size(turn):
    """How many characters the prompt has."""
    return sum(map(length_of, turn.prompt.messages))


def conversation(turn):
    """The messages of the conversation."""
    return [one for name, one in turn.prompt.parts if name == "stream"]


def crowded(**config):
    """A stage with more in every component than a small prompt can hold."""
    stage = on_stage(**config)
    stage.model.say("Aye.")
    stage.ask(ALICE, "Hello.")
    for number in range(12):
        fact = f"fact {number} " + "f" * 250
        remembered(stage, MemoryRow(f"The dragon {number} " + "m" * 250))
        common = {"at": 0.0, "readers": OPEN, "author": ALICE.id}
        changed(stage, "profile", "add_entity_observation", ALICE.id, entity_id=ALICE.id,
                content=fact, source="direct", **common)  # fmt: skip
        changed(stage, "notebook", "append", content=f"note {number} " + "n" * 250, **common)
        changed(stage, "session", "add_session_memory", memory_type="fact", content=fact, **common)
        changed(stage, "stream", "append", added=[own_entry_of(stage, number)])
        for said in range(3):
            stage.overhear(BOB, f"line {number}.{said} " + "c" * 300)
    stage.model.call("wait")
    stage.ask(ALICE, "Hm.")
    return stage


def own_entry_of(stage, number):
    """Something the captain did once upon a time."""
    waving = Speech("emote", "waves " + "w" * 300, OPEN, frozenset())
    entry = own_entry(stage.mind.world.me(), waving, at=stage.clock.now(), turn_id=f"old{number}")
    return {**entry, "importance": 2}
