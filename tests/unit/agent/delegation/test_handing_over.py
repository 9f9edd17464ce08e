"""Handing a task on: to whom, within which bounds, and what becomes of the answer."""

import itertools

import pytest

from ai_assistant.agent.attention.energy import HUMAN_ENERGY
from ai_assistant.agent.attention.layers import MOST_DELEGATES
from ai_assistant.agent.delegation.errands import ERRAND_SECONDS
from ai_assistant.agent.delegation.handing_over import SHORT_ANSWER
from ai_assistant.agent.delegation.serving import bounds_of
from ai_assistant.core.contracts import Category, Change, Commit, Entity, MemoryRow
from ai_assistant.core.errors import ModelUnavailable, ToolError, TurnSuperseded
from ai_assistant.core.readers import OPEN
from ai_assistant.llm.offline import OfflineModel
from ai_assistant.planning.goals import new_goal
from ai_assistant.testing import SERA, Neighbours, Stage, people
from ai_assistant.tools import tool

ALICE, BOB = people("Alice", "Bob")
BRAM = Entity("e-bram", "Bram", "npc")
CORA = Entity("e-cora", "Cora", "npc")
ON = {"sub_agents_enabled": True}


@pytest.fixture
def sera():
    """Alice stands before the captain, who may hand tasks on."""
    stage = Stage(**ON)
    stage.world.enter(ALICE)
    return stage


@pytest.fixture
def bram(sera):
    """Bram the archivist is somewhere else, and may be asked by the captain."""
    stage = Stage(me=BRAM, **ON)
    stage.mind.persona = {"name": "Bram", "role": "archivist who knows old deeds"}
    sera.neighbours = Neighbours(sera, stage)
    return stage


LONG = "".join(f"As roll {number} has it, Hob built it in a wet year. " for number in range(60))
"""Sixty sentences, none of which is said again."""


def remembers(stage, content, readers=OPEN, author=""):
    """Put a memory into a mind."""
    row = MemoryRow(content, readers=readers, author=author, learned_at=stage.clock.now())
    stage.mind.save(Commit(at=0.0, rows=[row]))


def wants(stage, id, description, **options):
    """Give a mind a goal."""
    goal = new_goal(id, description, at=0.0, **options)
    change = Change("goals", "", "add_goal", {"goal": goal, "at": 0.0})
    stage.mind.save(Commit(at=0.0, changes=[change]))


def memories(stage):
    """Return (content, readers) of all that a mind remembers."""
    return [(row.content, row.readers) for row in stage.store.memories.values()]


def of_type(stage, type):
    """Return the audit records of one type."""
    return [one.data for one in stage.store.audit if one.type == type]


def ask(sera, bram, question="Who built the mill?", kind="say", answer="Old Hob built it."):
    """Let Alice ask the captain, who asks Bram and passes his answer on."""
    sera.model.call("delegate_task", task="Find out who built the mill", to="Bram")
    bram.model.text(answer)
    last = {"whisper": {"to": "p1"}}.get(kind, {})
    sera.model.call(kind, text="Hob did.", **last)
    return sera.ask(ALICE, question, kind)


# -- out and back


def test_a_task_is_done_by_another_mind(sera, bram):
    """The delegate thinks about it with its own model, and its words come back as a result."""
    report = ask(sera, bram)
    assert report.outcome == "answered"
    assert "Find out who built the mill" in bram.model.shown()
    assert '"answer": "Old Hob built it."' in sera.model.shown()
    assert sera.world.said == ["Hob did."]
    assert bram.world.deliveries == []


def test_a_delegate_has_no_speech(sera, bram):
    """Nobody hears it: there is nothing to say or wait with, only work and words."""
    ask(sera, bram)
    speech = {one.name for one in bram.mind.registry.values() if one.category is Category.TERMINAL}
    assert not speech & set(bram.model.offered())
    assert "recall" in bram.model.offered()


def test_both_sides_remember(sera, bram):
    """Question and answer are in both memories, and both audit logs."""
    ask(sera, bram)
    assert any("Bram" in text and "Old Hob" in text for text, _ in memories(sera))
    assert ("Find out who built the mill", OPEN) in memories(bram)
    assert ("Old Hob built it.", OPEN) in memories(bram)
    (record,) = of_type(sera, "Delegated")
    assert (record["to"], record["outcome"]) == ("Bram", "answered")
    told = of_type(bram, "TurnCompleted")[0]
    assert (told["outcome"], told["speech"]) == ("answered", "Old Hob built it.")


def test_the_offline_model_answers_errands(sera, bram):
    """With no model at all a delegate still answers from what it knows."""
    bram.mind.model = OfflineModel()
    remembers(bram, "Old Hob built the mill in a single summer.")
    sera.model.call("delegate_task", task="Who built the mill?").say("So it was.")
    sera.ask(ALICE, "Who built the mill?")
    assert "Hob" in sera.model.shown()


def test_without_a_name_the_fitting_one_is_asked(sera, bram):
    """The trade decides: old deeds are for the archivist, not for the baker."""
    cora = Stage(me=CORA)
    cora.mind.persona = {"name": "Cora", "role": "baker"}
    Neighbours(sera, cora, bram)
    bram.model.text("Hob.")
    sera.model.call("delegate_task", task="Look up the old deeds of the mill").say("Hob.")
    sera.ask(ALICE, "The mill?")
    assert len(bram.model.requests) == 1


def test_delegates_are_listed(sera, bram):
    """The model can see whom it may ask."""
    sera.model.call("list_delegates").say("Bram knows.")
    sera.ask(ALICE, "Who knows?")
    assert '"name": "Bram", "about": "archivist who knows old deeds"' in sera.model.shown()


# -- who may read what


def test_a_whispered_task_stays_private(sera, bram):
    """The requester's ceiling is on everything that either side writes of it."""
    ask(sera, bram, "Who built it? Tell nobody.", "whisper")
    hidden = [text for text, readers in memories(bram) if readers == ALICE.id]
    assert len(hidden) == len(memories(bram)) == 2
    kept = [readers for text, readers in memories(sera) if "Bram" in text]
    assert kept == [ALICE.id]
    entries = bram.store.read("stream")["entries"]
    assert {one["readers"] for one in entries} == {ALICE.id}


def test_a_delegates_secrets_stay_with_it(sera, bram):
    """What was whispered to the delegate is not loaded for the requester, by whom it would pass."""
    remembers(bram, "The mill hides Alice's gold.", ALICE.id, ALICE.id)
    remembers(bram, "The mill hides Bob's gold.", BOB.id, BOB.id)
    ask(sera, bram, "What of the mill?", "whisper")
    assert "gold" not in bram.model.shown()


def test_what_both_may_know_is_used_and_sinks_the_ceiling(sera, bram):
    """A memory that everybody there and the requester may read is used; the answer carries it."""
    both = ",".join(sorted([ALICE.id, SERA.id]))
    remembers(bram, "The mill was built by old Hob, said the council.", both)
    sera.model.call("delegate_task", task="Who built the mill, said the council?")
    bram.model.text("Old Hob.")
    sera.model.say("Hob.")
    sera.ask(ALICE, "Who built the mill?")
    assert "said the council" in bram.model.shown()
    assert [readers for text, readers in memories(bram) if text == "Old Hob."] == [both]
    assert [readers for text, readers in memories(sera) if "answered: Old Hob." in text] == [both]


def test_bystanders_bound_the_delegate(sera, bram):
    """In company only what all of them may read is used."""
    sera.world.enter(BOB)
    both = ",".join(sorted([ALICE.id, SERA.id]))
    remembers(bram, "The mill hides Alice's gold.", both)
    ask(sera, bram)
    assert "gold" not in bram.model.shown()


# -- whose words permit what


@tool(Category.SAFE_CHAIN, permission="Archivist")
def open_vault(turn):
    """Open the vault."""
    return {"opened": True}


@pytest.mark.parametrize(
    ("holders", "offered"),
    [
        ({BRAM.id}, False),
        ({BRAM.id, SERA.id}, False),
        ({BRAM.id, ALICE.id}, False),
        ({BRAM.id, SERA.id, ALICE.id}, True),
    ],
)
def test_the_least_authority_counts(sera, bram, holders, offered):
    """A tool exists for a delegate only if everybody in the chain holds its permission."""
    bram.mind.registry.add(open_vault)
    bram.world.permissions["Archivist"] = holders
    ask(sera, bram)
    assert ("open_vault" in bram.model.offered()) == offered


def test_the_answers_authors_join_the_requesters(sera, bram):
    """Words that came through a delegate permit no more than whoever wrote them may."""
    sera.mind.registry.add(open_vault)
    sera.world.permissions["Archivist"] = {SERA.id, ALICE.id}
    ask(sera, bram)
    assert "open_vault" in sera.model.offered(0)
    assert "open_vault" not in sera.model.offered(1)


def test_a_delegate_changes_nothing_unless_staff_want_it(sera, bram):
    """Dangerous acts need a yes, and nobody is there to give it."""
    bram.world.carry("rose")
    sera.model.call("delegate_task", task="Give the rose away").say("He would not.")
    bram.model.call("give", item="o1", to="p1").text("I must not.")
    sera.ask(ALICE, "The rose!")
    assert bram.world.deeds == []
    assert "Nobody is here who could say yes" in bram.model.shown()


# -- energy, budget, depth, time


def test_the_same_utterance_pays(sera, bram):
    """Each call of the delegate is taken from the event that started it all."""
    event = sera.hear(ALICE, "Who built the mill?")
    sera.model.call("delegate_task", task="Find out who built the mill").say("Hob did.")
    bram.model.text("Hob.")
    sera.turn(event)
    assert sera.mind.energy.left(event.root) == HUMAN_ENERGY - 3


def test_without_energy_nothing_is_handed_on(sera, bram):
    """The last call of an utterance may still ask, but nobody can work on it."""
    event = sera.hear(ALICE, "Who built the mill?")
    while sera.mind.energy.left(event.root) > 1:
        sera.mind.energy.spend((event.root,))
    sera.model.call("delegate_task", task="Find out who built the mill")
    sera.turn(event)
    assert bram.model.requests == []
    calls = of_type(sera, "ToolExecuted")
    assert "no energy left" in calls[0]["error"]


def test_the_budget_of_delegates_holds(sera, bram):
    """As many tasks as configured, and not one more."""
    sera.mind.config.values["sub_agent_budget"] = 1
    sera.model.calls(
        ("delegate_task", {"task": "first"}), ("delegate_task", {"task": "second"})
    ).say("Hm.")
    bram.model.text("Done.")
    sera.ask(ALICE, "Two things.")
    assert len(bram.model.requests) == 1
    assert "At most 1 tasks may be in other hands" in sera.model.shown()


def test_delegation_does_not_exist_unless_switched_on(sera, bram):
    """Neither tool is offered by default."""
    sera.mind.config.values["sub_agents_enabled"] = False
    sera.model.say("Hm.")
    sera.ask(ALICE, "Hello.")
    assert not {"delegate_task", "list_delegates"} & set(sera.model.offered())


def test_cycles_are_impossible(sera, bram):
    """Whoever passed a task on is not asked about it again, whatever the name given."""
    Neighbours(bram, sera)
    bram.mind.delegates.stages = {SERA.id: sera}
    sera.model.call("delegate_task", task="Who built it?")
    bram.model.call("delegate_task", task="Who built it?", to=SERA.name).text("I do not know.")
    sera.model.say("Nobody knows.")
    sera.ask(ALICE, "Who built it?")
    assert len(sera.model.requests) == 2
    assert "You have: nobody." in bram.model.shown()


def test_a_chain_has_an_end(sera):
    """Three may hand a task on; the fourth has to do it, or say that it cannot."""
    chain = [sera, *(Stage(me=Entity(f"e-{n}", f"N{n}", "npc"), **ON) for n in range(1, 6))]
    for one, other in itertools.pairwise(chain):
        Neighbours(one, other)
    for one in chain[1:]:
        one.mind.energy = sera.mind.energy
    for one in chain[:3]:
        one.model.call("delegate_task", task="Who built it?")
    chain[3].model.text("I did.")
    for one in (chain[2], chain[1]):
        one.model.text("N3 did.")
    sera.model.say("N3 did.")
    sera.ask(ALICE, "Who built it?")
    assert "delegate_task" not in chain[3].model.offered()
    assert sera.world.said == ["N3 did."]
    assert bounds_of(chain[1].mind.delegates.errands[0]).sub_agents == MOST_DELEGATES


def test_a_hindered_delegate_says_why(sera, bram):
    """Asleep, busy or stopped: the requester hears it and goes on."""
    sera.neighbours.hindrance = "asleep"
    sera.model.call("delegate_task", task="Who built it?", to="bram").say("He sleeps.")
    sera.ask(ALICE, "Who built it?")
    assert "Bram cannot do it now: asleep." in sera.model.shown()
    assert sera.world.said == ["He sleeps."]


def test_an_unknown_name_lists_the_known(sera, bram):
    """A wrong name is answered with those that there are."""
    sera.model.call("delegate_task", task="Who built it?", to="Zed").say("Hm.")
    sera.ask(ALICE, "Who built it?")
    assert "There is no 'Zed' to hand it to. You have: Bram." in sera.model.shown()


def test_a_delegates_failing_model_is_a_result(sera, bram):
    """The requester's turn survives what happens to the delegate's, and both note it."""
    sera.model.call("delegate_task", task="Who built it?").say("He is lost in thought.")
    bram.model.fail(ModelUnavailable())
    sera.ask(ALICE, "Who built it?")
    assert "Bram found no answer." in sera.model.shown()
    assert of_type(sera, "Delegated")[0]["outcome"] == "failed"
    assert of_type(bram, "TurnCompleted")[0]["outcome"].startswith("failed")


def test_a_slow_delegate_is_given_up(sera, bram):
    """Its time is limited, whatever it does."""
    hold = bram.model.pause()
    seconds = []

    async def impatient(awaitable, limit):
        if limit == ERRAND_SECONDS:
            seconds.append(limit)
            awaitable.close()
            raise TimeoutError
        return await awaitable

    sera.mind.limit = impatient
    sera.model.call("delegate_task", task="Who built it?").say("He is slow.")
    sera.ask(ALICE, "Who built it?")
    assert seconds == [ERRAND_SECONDS]
    assert "It took too long." in sera.model.shown()
    assert not hold.released


def test_a_requester_stopped_meanwhile_says_nothing(sera, bram):
    """While it waited its epoch rose: what comes back is not used."""
    hold = bram.model.text("Hob.").pause()
    sera.model.call("delegate_task", task="Who built it?")
    running = sera.start(sera.hear(ALICE, "Who built it?"))
    sera.mind.epoch += 1
    hold.release()
    with pytest.raises(TurnSuperseded):
        running.step()
    assert sera.world.said == []


def test_an_errand_is_claimed_before_it_starts(sera, bram):
    """After a crash nobody repeats it: it is on disk that it had begun."""
    bram.model.text("Hob.").pause()
    sera.model.call("delegate_task", task="Who built it?")
    sera.start(sera.hear(ALICE, "Who built it?"))
    ((claim,),) = [one.claims for one in sera.store.triggers.waiting()]
    assert (claim["tool"], claim["readers"]) == ("delegate_task", OPEN)
    assert "result" not in claim


# -- what the delegate is told


@pytest.mark.parametrize(
    ("insulation", "goals", "talk"),
    [("orchestrator", 0, False), ("delegate", 3, False), ("none", 4, True)],
)
def test_insulation_decides_what_goes_along(sera, bram, insulation, goals, talk):
    """Nothing but the task; its top three goals; or goals, recent talk and condition."""
    sera.mind.config.values["personality_insulation"] = insulation
    sera.mind.condition = lambda: {"mode": "awake"}
    priorities = ["low", "high", "critical", "medium"]
    for number, one in enumerate(priorities):
        wants(sera, f"goal_{number}", f"purpose {one}", priority=one, readers=OPEN)
    sera.model.say("Good day.")
    sera.ask(ALICE, "Remember the lighthouse.")
    ask(sera, bram)
    shown = bram.model.shown()
    assert shown.count("purpose ") == goals
    assert ("purpose low" in shown) == (goals == 4)
    assert ("Remember the lighthouse." in shown) == talk
    assert ('"mode": "awake"' in shown) == talk


def test_a_private_goal_does_not_go_along(sera, bram):
    """What Bob asked for in private is not told for Alice."""
    sera.mind.config.values["personality_insulation"] = "none"
    wants(sera, "goal_1", "dig up Bob's gold", readers=BOB.id)
    ask(sera, bram)
    assert "gold" not in bram.model.shown()


# -- long answers


def test_long_answers_are_cut_at_sentences(sera, bram):
    """What is too long is shortened to whole sentences."""
    ask(sera, bram, answer=LONG)
    entry = next(text for text, _ in memories(sera) if "Hob built it" in text)
    assert len(entry) < SHORT_ANSWER + 100
    assert entry.endswith("wet year.")


def test_long_answers_may_be_kept(sera, bram):
    """With summaries off the requester reads all of it."""
    sera.mind.config.values["result_summarization"] = False
    ask(sera, bram, answer=LONG)
    assert sera.model.shown().count("wet year") > 50


def test_a_model_may_shorten_answers(sera, bram):
    """Where that is switched on; and where it fails, sentences are kept."""
    sera.mind.config.values["result_summarization_model"] = True
    sera.model.call("delegate_task", task="Who built it?").text("Hob, in a wet year.").say("Hob.")
    bram.model.text(LONG)
    sera.ask(ALICE, "Who built it?")
    assert '"answer": "Hob, in a wet year."' in sera.model.shown()
    assert sera.model.requests[1].job == "summarise"
    sera.model.call("delegate_task", task="Who?").fail(ModelUnavailable()).say("Hob.")
    bram.model.text(LONG)
    sera.ask(ALICE, "Who built it?")
    assert "Hob built it in a wet year." in sera.model.shown()


def test_a_stage_without_neighbours_refuses(sera):
    """Nobody is there to be asked."""
    with pytest.raises(ToolError):
        sera.mind.delegates.send("e-x", None)
    sera.model.call("delegate_task", task="Who built it?").say("Hm.")
    sera.ask(ALICE, "Who built it?")
    assert "You have: nobody." in sera.model.shown()
