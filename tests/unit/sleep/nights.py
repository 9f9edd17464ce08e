"""What the tests of sleep share: nights on a stage, and what is told before them."""

from ai_assistant.agent.keeping.closing import flush
from ai_assistant.core.contracts import Change, Commit
from ai_assistant.memory.inner.sleep_state import night_id
from ai_assistant.sleep.night import sleep_on
from ai_assistant.testing import Stage, TableReader
from ai_assistant.testing.scripted_model import run

MOST = 500
FILLER = ("Hm.", "Well, well.", "Is that so?", "Fine weather.", "Good ale, this.")
"""Lines that tell nothing: with them a label has enough to be read."""


def plain(*lines):
    """Return what lines in the first person tell, word for word, as a table for a reader."""
    verbs = {"am": "is", "have": "has", "do": "does"}
    table = {}
    for line in lines:
        _, verb, rest = line.rstrip(".!").split(" ", 2)
        verb = verbs.get(verb, verb if verb.endswith("ed") else f"{verb}s")
        table[line] = f"{{who}} {verb} {rest}"
    return table


def a_stage(table=None, **config):
    """Return a stage whose night is read by a table."""
    return Stage(model=TableReader(table), **config)


def note(stage, who, *contents, readers="*", source="direct", author=None, kind=""):
    """Let the character note things about somebody awake, as its tool does."""
    at = stage.clock.now()
    identity = {"name": who.name, "entity_type": who.kind, "at": at}
    changes = [Change("profile", who.id, "create_entity_profile", identity)]
    for content in contents:
        item = {"entity_id": who.id, "content": content, "source": source, "at": at}
        item |= {"author": who.id if author is None else author, "readers": readers, "kind": kind}
        changes.append(Change("profile", who.id, "add_entity_observation", item))
    stage.mind.save(Commit(at, changes=changes))


def noted(stage, who):
    """Return the notes on somebody that prove no fact yet."""
    return [one["content"] for one in stage.store.read("profile", who.id)["observations"]]


def held(stage, who, value, readers="*"):
    """Return the one trait of this value."""
    known = stage.store.read("profile", who.id)["attributes"]
    (found,) = [one for one in known if (one["value"], one["readers"]) == (value, readers)]
    return found


def told(stage, who, *lines, kind="say"):
    """Let somebody say these lines within earshot, a minute apart."""
    for line in lines:
        stage.overhear(who, line, kind)
        flush(stage.mind)
        stage.clock.advance(60)


def fall_asleep(stage):
    """Let the character fall asleep; returns the id of the night."""
    stage.clock.advance(1)
    at = stage.clock.now()
    step = {"night": night_id(at), "why": "command", "at": at}
    stage.mind.save(Commit(at, changes=[Change("sleep", "", "fall_asleep", step)]))
    return step["night"]


def wake(stage, by="done"):
    """Let it wake up."""
    step = {"by": by, "at": stage.clock.now()}
    stage.mind.save(Commit(step["at"], changes=[Change("sleep", "", "call", step)]))


def night(stage):
    """Fall asleep and sleep through; returns the id of the night."""
    id = fall_asleep(stage)
    sleep_through(stage)
    return id


def sleep_through(stage):
    """Sleep on until the night's work is done, and wake up."""
    for _ in range(MOST):
        if not run(sleep_on(stage.mind)):
            wake(stage)
            return
    raise AssertionError("The night goes on for ever.")


def traits(stage, who, readers="*"):
    """Return the values of somebody's traits under one label."""
    known = stage.store.read("profile", who.id)["attributes"]
    return [one["value"] for one in known if one["readers"] == readers]


def journal(stage, *contents, readers="*", importance=8):
    """Write entries into the journal."""
    at = stage.clock.now()
    entries = [
        {
            "content": content,
            "source_type": "observation",
            "at": at,
            "readers": readers,
            "importance": importance,
        }
        for content in contents
    ]
    changes = [Change("journal", "", "add_journal_entry", one) for one in entries]
    stage.mind.save(Commit(at, changes=changes))
