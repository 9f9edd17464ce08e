"""Acts: on disk before they happen, settled afterwards, and never done twice."""

import pytest

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.core.contracts import Category
from ai_assistant.core.errors import StoreError, ToolError, TurnSuperseded
from ai_assistant.core.readers import OPEN
from ai_assistant.testing import DictStore, Hold, Stage, people
from ai_assistant.testing.fake_store import DictTriggers
from ai_assistant.tools import ToolRegistry, tool

(ALICE,) = people("Alice")


@tool(Category.DANGEROUS)
async def ring(turn):
    """Ring the bell."""
    turn.world.deeds.append("ring")
    return {"rang": "The bell rings."}


@tool(reads=True)
def count(turn):
    """Count the guests."""
    turn.world.deeds.append("count")
    return {"guests": 3}


@tool(Category.DANGEROUS)
def slip(turn):
    """Fail in the middle of an act."""
    turn.world.deeds.append("slip")
    raise ZeroDivisionError("oops")


@pytest.fixture
def stage():
    """Alice stands before the captain, who may give the rose, not the crown, and ring the bell."""
    stage = Stage()
    stage.world.enter(ALICE)
    stage.world.carry("rose")
    stage.world.carry("crown", givable=False)
    stage.mind.registry = ToolRegistry([*stage.mind.registry.values(), ring, count, slip])
    return stage


def test_an_act_is_claimed_then_settled(stage):
    """Before the act the disk says that it begins, afterwards how it ended."""
    moments = []

    async def limit(awaitable, seconds):
        moments.append(_claims(stage))
        result = await awaitable
        moments.append(_claims(stage))
        return result

    stage.mind.limit = limit
    stage.model.call("give", item="o1", to="p1").call("wait")
    stage.ask(ALICE, "The rose?")
    asked, answered, began, ended, asked_again, _ = moments
    begun = {"tool": "give", "arguments": {"item": "o1", "to": "p1"}, "readers": OPEN}
    done = {**begun, "result": {"gave": "You gave the rose to Alice."}}
    assert asked == answered == []
    assert began == ended == [begun]
    assert asked_again == [done]


def _claims(stage):
    """The acts on disk, without their ids."""
    claims = [claim for one in stage.store.triggers.waiting() for claim in one.claims]
    return [{key: claim[key] for key in claim if key != "id"} for claim in claims]


def test_looking_and_speaking_claim_nothing(stage):
    """Only acts are claimed: a turn without one may be repeated after a crash."""
    hold = stage.model.call("count").say("Three.").pause()
    running = stage.start(stage.hear(ALICE, "How many?"))
    hold.release()
    stage.store.refuse = True
    with pytest.raises(StoreError):
        running.step()
    assert _claims(stage) == []


def test_a_refused_act_is_settled_as_refused(stage):
    """The disk knows that nothing was done."""
    stage.model.call("give", item="o2", to="p1").call("wait")
    event = stage.hear(ALICE, "The crown!")
    stage.store.refuse = True
    with pytest.raises(StoreError):
        stage.start(event)
    (claim,) = _claims(stage)
    assert claim["result"] == {"error": "That is not yours to give away."}


def test_a_broken_act_stays_open(stage):
    """Where an act broke in the middle nobody knows how it ended, and it is not tried again."""
    stage.model.call("slip").call("ring").call("wait")
    event = stage.hear(ALICE, "Careful!")
    stage.store.refuse = True
    with pytest.raises(StoreError):
        stage.start(event)
    (claim,) = _claims(stage)
    assert (claim["tool"], "result" in claim) == ("slip", False)
    assert stage.world.deeds == ["slip"]


def test_an_act_ends_before_its_turn_does(stage):
    """A turn stopped during an act still settles it, and does nothing more."""
    hold = Hold()

    async def limit(awaitable, seconds):
        result = await awaitable
        if seconds == ring.timeout:
            await hold
        return result

    stage.mind.limit = limit
    stage.model.calls(("ring", {}), ("give", {"item": "o1", "to": "p1"}))
    running = stage.start(stage.hear(ALICE, "Ring and give!"))
    stage.mind.epoch += 1
    hold.release()
    with pytest.raises(TurnSuperseded):
        running.step()
    (claim,) = _claims(stage)
    assert claim["result"] == {"rang": "The bell rings."}
    assert stage.world.deeds == ["ring"]


def test_a_stopped_turn_tries_nothing_else(stage):
    """Also after a refused act the turn looks whether it may go on."""
    hold = Hold()

    @tool(Category.DANGEROUS)
    async def hesitate(turn):
        """Wait, then refuse."""
        await hold
        raise ToolError("Not now.")

    stage.mind.registry.add(hesitate)
    stage.model.calls(("hesitate", {}), ("ring", {}))
    running = stage.start(stage.hear(ALICE, "Ring!"))
    stage.mind.epoch += 1
    hold.release()
    with pytest.raises(TurnSuperseded):
        running.step()
    assert stage.world.deeds == []
    assert stage.errors == []


def test_no_act_without_a_claim(stage):
    """When the disk cannot note that an act begins, it does not begin, and the turn ends."""

    class Full(DictTriggers):
        def claim(self, turn_id, *calls):
            raise StoreError

    stage.mind.store = store = DictStore(PARTS)
    store.triggers = Full(store.waiting)
    event = stage.hear(ALICE, "Ring!")
    store.triggers.add(event)
    stage.model.call("ring")
    with pytest.raises(StoreError):
        stage.start(event)
    assert stage.world.deeds == stage.world.deliveries == stage.errors == []
    assert [one.event for one in store.triggers.waiting()] == [event]
