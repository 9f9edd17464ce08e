"""A threshold stands in one place: how people stand to each other, in ``people/feelings.py``."""

from ai_assistant.memory.people import feelings
from ai_assistant.testing import Stage, people

A_LITTLE = "You know each other a little"


def greeted_twice():
    """Return the prompt of the second time that a stranger says hello."""
    stage, (alice,) = Stage(), people("Alice")
    stage.world.enter(alice)
    for _ in range(2):
        stage.model.say("Well met.")
        stage.ask(alice, "Good morning!")
    return stage.model.shown()


def test_everybody_goes_by_it(monkeypatch):
    """Where strangers end at 0.1 already, the first impression makes an acquaintance."""
    assert A_LITTLE not in greeted_twice()
    monkeypatch.setattr(feelings, "STATES", ((0.1, "stranger"), *feelings.STATES[1:]))
    first = feelings.calculate_state(feelings.FIRST_IMPRESSION)
    monkeypatch.setitem(feelings.NEW_BOND, "state", first)  # as it is when the module is loaded
    assert A_LITTLE in greeted_twice()
