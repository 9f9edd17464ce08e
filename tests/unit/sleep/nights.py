"""What the tests of sleep share: nights on a stage, and what is told before them."""

from ai_assistant.agent.closing import flush
from ai_assistant.contracts import Change, Commit
from ai_assistant.memory.sleep import night_id
from ai_assistant.sleep.night import sleep_on
from ai_assistant.testing.model import run

MOST = 500


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
