"""Energy: a person's line pays for all that follows from it, so every conversation ends."""

from dataclasses import replace

import pytest

from ai_assistant.agent.attention.classify import Circumstances, classify
from ai_assistant.agent.attention.energy import HUMAN_ENERGY, MAX_ROOTS, Energy
from ai_assistant.core.contracts import Entity, Verdict
from ai_assistant.core.model_records import ModelReply
from ai_assistant.core.ports import Model
from ai_assistant.testing import Stage, people

(ALICE,) = people("Alice")


def test_a_root_is_minted_once():
    """Whoever hears the same line does not make it richer."""
    energy = Energy()
    energy.mint("line", 12)
    energy.spend(("line",))
    energy.mint("line", 12)
    assert energy.left("line") == 11


def test_the_richest_root_pays():
    """Of several lines answered together the one with most left pays."""
    energy = Energy()
    energy.mint("old", 1)
    energy.mint("new", 2)
    assert [energy.spend(("old", "new")) for _ in range(4)] == [True, True, True, False]
    assert energy.left("old") == energy.left("new") == 0


def test_what_was_never_minted_pays_nothing():
    """Talk without a human root, or without any, has no energy."""
    energy = Energy()
    assert not energy.spend(("unknown",))
    assert not energy.spend(())


def test_old_roots_are_forgotten():
    """However many lines are spoken, the book of them stays small."""
    energy = Energy()
    for number in range(MAX_ROOTS + 5):
        energy.mint(str(number), 1)
    assert energy.left("4") == 0
    assert energy.left("5") == energy.left(str(MAX_ROOTS + 4)) == 1


class Chatterbox(Model):
    """A model that always has something to say to everybody."""

    calls = 0

    async def complete(self, request):
        self.calls += 1
        return ModelReply(text="And you, Npc?")


@pytest.mark.parametrize("size", [2, 12])
@pytest.mark.parametrize("shape", ["ring", "star"])
def test_talk_among_assistants_dies_down(shape, size):
    """One human line makes at most twelve calls, however many assistants always answer."""
    cast = [Entity(f"e-{number}", f"Npc {number}", "npc") for number in range(size)]
    stages = [Stage(me=one, model=Chatterbox()) for one in cast]
    energy = stages[0].energy
    for stage in stages:
        stage.mind.energy = energy
        stage.world.enter(ALICE)
    queue = [(0, stages[0].hear(ALICE, "Npc, tell everybody!"))]
    turns = 0
    while queue:
        at, event = queue.pop(0)
        before = len(stages[at].world.deliveries)
        stages[at].turn(event)
        turns += 1
        assert turns <= HUMAN_ENERGY * size
        for speech, _ in stages[at].world.deliveries[before:]:
            for heir in [(at + 1) % size] if shape == "ring" else set(range(size)) - {at}:
                heard = stages[heir].world.event(cast[at], speech.text)
                heard = replace(heard, root=speech.root, by_assistant=True)
                left = energy.left(heard.root)
                now = Circumstances(me=cast[heir].id, names=("Npc",), energy=left)
                if classify(heard, now).verdict is Verdict.TRIGGER:
                    queue.append((heir, heard))
    assert sum(stage.model.calls for stage in stages) == HUMAN_ENERGY
    assert classify(heard, now) == classify(heard, replace(now, energy=0))
