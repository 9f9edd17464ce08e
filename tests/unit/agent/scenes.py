"""Scenes that several tests of privacy begin with."""

from ai_assistant.agent.prompt.build import build_prompt
from ai_assistant.agent.turn.opening import begin
from ai_assistant.core.contracts import Commit
from ai_assistant.testing import Stage, people
from ai_assistant.testing.scripted_model import run

ALICE, BOB, CAROL = people("Alice", "Bob", "Carol")
GUILD, DOCKS = "c-guild", "c-docks"
SECRET = "The vault opens at midnight."


def before_the_captain():
    """Return a stage on which Alice stands before the captain, alone with her."""
    stage = Stage()
    stage.world.enter(ALICE)
    return stage


def whispered(stage, who=ALICE, text=SECRET):
    """Let a whisper be answered, so that it is remembered."""
    stage.model.call("whisper", to="p1", text="I shall keep it.")
    return stage.ask(who, text, "whisper")


def stored(stage, row):
    """Put a row into the character's memory."""
    stage.mind.save(Commit(at=0.0, rows=[row]))


def begun(stage, event):
    """Begin a turn as far as its prompt."""
    turn = begin(stage.mind, [event], "turn0")
    run(build_prompt(turn))
    return turn
