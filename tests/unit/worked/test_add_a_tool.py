"""A tool is a function, in a module that ``AI_ASSISTANT_TOOL_MODULES`` names."""

from ai_assistant import tool
from ai_assistant.testing import Stage, people


@tool(kit="plain", reads=True, about={"sign": "A sign of the zodiac."})
def read_stars(turn, sign: str):
    """Read in the stars what somebody of this sign has to expect."""
    return {"omen": f"Whoever is a {sign} will travel."}


def test_the_model_may_call_it():
    """It is shown among the others, checked, run, and the answer can tell what it returned."""
    stage, (alice,) = Stage(), people("Alice")
    stage.world.enter(alice)
    stage.mind.registry.add(read_stars)
    stage.model.call("read_stars", sign="Leo").say("You will travel.")
    stage.ask(alice, "I am a Leo. What is to come?")
    assert "read_stars" in stage.model.offered()
    assert "Whoever is a Leo will travel." in stage.model.shown()
    assert [speech.text for speech, _ in stage.world.deliveries] == ["You will travel."]
