"""A night that is cut short anywhere goes on where it was, and comes to what it would have been."""

from copy import copy, deepcopy
from dataclasses import replace
from functools import cache

import pytest

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.core.contracts import Change, Commit
from ai_assistant.core.errors import StoreError
from ai_assistant.memory.inner.sleep_state import is_asleep
from ai_assistant.memory.talk.working import key_of
from ai_assistant.sleep.night import STAGES, sleep_on, work_is_done
from ai_assistant.testing import Stage
from ai_assistant.testing.scripted_model import Run, run
from tests.unit.sleep.days import (
    ALICE,
    CAROL,
    DORA,
    PLEASURES,
    SECRETS,
    Killed,
    Mortal,
    NightModel,
    born_again,
    live_a_day,
    observations,
    observe,
    picture,
    recorded,
    talk,
)
from tests.unit.sleep.nights import fall_asleep, night, sleep_through, traits, wake

MOST_DEATHS = 300
WITH_AND_WITHOUT = pytest.mark.parametrize("by_model", [False, True], ids=["by rules", "by model"])


@cache
def the_day():
    """Return a stage with a day behind it; lived once, for all nights that follow it."""
    stage = Stage(store=Mortal())
    live_a_day(stage)
    return stage


def bedtime(*, by_model=False, **model):
    """Return a stage with that day behind it, asleep, in a process that can die."""
    lived = copy(the_day())
    lived.model, lived.clock = NightModel(**model), deepcopy(lived.clock)
    lived.store = deepcopy(lived.store, {id(PARTS): PARTS})
    stage = born_again(lived)
    if by_model:
        stage.model.is_offline = lambda job: False
        stage.mind.role = replace(stage.mind.role, llm_compaction=True)
    fall_asleep(stage)
    return stage


def undisturbed(by_model=False):
    """Return a stage that slept a whole night in peace."""
    stage = bedtime(by_model=by_model)
    sleep_through(stage)
    return stage


@cache
def peaceful(by_model=False):
    """Return such a stage, slept once, for all who only look at it."""
    return undisturbed(by_model)


def sleep_whatever_happens(stage):
    """Sleep through; each time the process dies, or a write is refused, another takes over."""
    for _ in range(MOST_DEATHS):
        try:
            sleep_through(stage)
        except (Killed, StoreError):
            stage = born_again(stage)
        if not is_asleep(stage.store.read("sleep")):
            return stage
    raise AssertionError("The night gets nowhere.")


@WITH_AND_WITHOUT
def test_every_stage_has_something_to_do(by_model):
    """The night of these tests leaves no stage out, and asks every kind of question."""
    stage = peaceful(by_model)
    done = {one.data["stage"] for one in recorded(stage)}
    learned = {"consolidate", *(["reflect"] if by_model else [])}
    assert done == {"file", "talks", "settle", "prune"} | learned
    jobs = {"consolidate", "questions", "insights", "rescue", "summarise"}
    assert set(stage.model.asked) == (jobs if by_model else {"consolidate"})


def test_what_a_model_put_together_is_written_with_its_mark():
    """So that no kill lets the same talk be paid for twice."""
    stage = bedtime(by_model=True)
    written = []
    write = stage.store.commit
    stage.store.commit = lambda one: written.append(one) or write(one)
    sleep_through(stage)
    ops = [{change.op for change in one.changes} for one in written]
    (summary, *_) = [one for one in ops if "replace_summary" in one]
    assert "advance" in summary
    assert sum("Compacted" in {record.type for record in one.audit} for one in written) >= 1


@pytest.mark.parametrize("silent", ["questions", "insights", "summarise"])
def test_what_got_no_answer_is_asked_the_next_night(silent):
    """A model that is away costs a night's look back and summaries, and none that follows."""
    stage = bedtime(by_model=True)
    stage.model.silent = {silent}
    sleep_through(stage)
    asked = stage.model.asked
    assert asked.count(silent) == 1
    stage.model.silent = frozenset()
    night(stage)
    assert asked.count(silent) == peaceful(by_model=True).model.asked.count(silent) + 1


@WITH_AND_WITHOUT
class TestKilled:
    def test_between_any_two_pieces(self, by_model):
        """Each piece done by a process of its own, the night comes to the same."""
        stage = bedtime(by_model=by_model)
        while run(sleep_on(stage.mind)):
            stage = born_again(stage)
        wake(stage)
        assert picture(stage) == picture(peaceful(by_model))

    @pytest.mark.parametrize("moment", ["before", "after", "refused"])
    def test_at_every_commit(self, by_model, moment):
        """Killed just before or after each commit, or refused it: the same in the morning."""
        stage = bedtime(by_model=by_model)
        stage.store.fails, stage.store.tries = moment, 0
        stage = sleep_whatever_happens(stage)
        assert stage.store.tries > 2 * len(STAGES)
        assert picture(stage) == picture(peaceful(by_model))


def test_killed_at_every_answer():
    """Killed once while a model answers each of its questions, it asks again."""
    stage = sleep_whatever_happens(bedtime(by_model=True, deadly=True))
    assert picture(stage) == picture(peaceful(True))
    assert len(stage.model.asked) >= 2 * len(peaceful(True).model.asked)


@WITH_AND_WITHOUT
def test_second_night_writes_nothing(by_model):
    """Right after a night there is nothing to do: no row, no state, no record, no question."""
    stage = undisturbed(by_model)
    before, asked = picture(stage), len(stage.model.asked)
    night(stage)
    after = picture(stage)
    for state, *_ in (before, after):
        del state["sleep", ""]
    assert after == before
    assert len(stage.model.asked) == asked


class TestWoken:
    @pytest.mark.parametrize("name", ["read", "reflect", "talks", "settle", "prune"])
    def test_next_night_does_the_rest(self, name):
        """Woken in any stage that has work, and asleep again: nothing is lost, or doubled."""
        stage = bedtime()
        while STAGES[stage.store.read("sleep")["stage"]][0] != name:
            assert run(sleep_on(stage.mind))
        assert run(sleep_on(stage.mind))
        wake(stage, by="touch")
        assert not run(sleep_on(stage.mind))
        night(stage)
        for who in (ALICE, CAROL, DORA):
            assert traits(stage, who) == traits(peaceful(), who)
            assert observations(stage, who) == []
        rows = [row.content for row in stage.store.memories.values()]
        assert sorted(rows) == sorted(row.content for row in peaceful().store.memories.values())


class TestMeanwhile:
    """What happens while the night's model is thinking."""

    def thinking(self, job):
        """Return a stage and its night, which stands still at its first question of this job."""
        stage = bedtime(by_model=True, holds_at=job)
        while (dreaming := Run(sleep_on(stage.mind))).done:
            assert not work_is_done(stage.store.read("sleep")), f"nobody asks for {job}"
        return stage, dreaming

    def answered(self, stage, dreaming):
        """Let the model answer; says whether the night goes on."""
        stage.model.hold.release()
        dreaming.step()
        assert dreaming.done
        return dreaming.result

    JOBS = pytest.mark.parametrize("job", ["consolidate", "questions", "insights", "summarise"])

    @JOBS
    def test_it_is_woken(self, job):
        """Woken before the answer came, it makes nothing of it."""
        stage, dreaming = self.thinking(job)
        wake(stage, by="emergency")
        stage.mind.epoch += 1  # as whoever wakes it does: the piece under way is left
        before = picture(stage)
        assert self.answered(stage, dreaming) is False
        assert picture(stage) == before

    @JOBS
    def test_its_epoch_rises(self, job):
        """Stopped, reconfigured or taken over: the same."""
        stage, dreaming = self.thinking(job)
        stage.mind.epoch += 1
        before = picture(stage)
        assert self.answered(stage, dreaming) is False
        assert picture(stage) == before

    @pytest.mark.parametrize("job", ["consolidate", "questions", "insights"])
    def test_it_wakes_and_falls_asleep_again(self, job):
        """An answer that belongs to the night before is none for this one."""
        stage, dreaming = self.thinking(job)
        wake(stage, by="touch")
        fall_asleep(stage)
        before = picture(stage)
        assert self.answered(stage, dreaming) is False
        assert picture(stage) == before

    def test_something_new_is_noted(self):
        """The answer knew less; whatever comes of it, nothing that is noted meanwhile is lost."""
        stage, dreaming = self.thinking("consolidate")
        observe(stage, CAROL, ["Carol keeps a boat"])
        assert self.answered(stage, dreaming) is True
        sleep_through(stage)
        night(stage)
        assert sorted(traits(stage, CAROL)) == sorted(
            ["Carol keeps a boat", *(f"Carol likes the {one}" for one in PLEASURES)]
        )
        assert observations(stage, CAROL) == []

    def test_staff_take_an_observation_away(self):
        """What is gone by the time of the answer is not made a trait."""
        stage, dreaming = self.thinking("consolidate")
        item = stage.store.read("profile", CAROL.id)["observations"][0]
        self.redact(stage, "profile", CAROL.id, item)
        assert self.answered(stage, dreaming) is True
        sleep_through(stage)
        night(stage)
        assert item["content"] not in traits(stage, CAROL)
        assert len(traits(stage, CAROL)) == len(PLEASURES) - 1

    def between(self, stage, deed):
        """Let something happen after the answer was checked and before it is saved."""
        done = []

        async def pause(seconds):
            if not done:
                assert not traits(stage, CAROL)
                done.append(seconds)
                deed()

        stage.mind.pause = pause

    def test_it_is_taken_away_once_the_answer_was_checked(self):
        """That is saved in a later step of the game, and is no trait if it is gone by then."""
        stage, dreaming = self.thinking("consolidate")
        item = stage.store.read("profile", CAROL.id)["observations"][0]
        self.between(stage, lambda: self.redact(stage, "profile", CAROL.id, item))
        assert self.answered(stage, dreaming) is True
        sleep_through(stage)
        night(stage)
        assert item["content"] not in traits(stage, CAROL)
        assert len(traits(stage, CAROL)) == len(PLEASURES) - 1

    def test_it_is_stopped_once_the_answer_was_checked(self):
        """Nothing is saved of it then."""
        stage, dreaming = self.thinking("consolidate")
        before = picture(stage)
        self.between(stage, lambda: setattr(stage.mind, "epoch", stage.mind.epoch + 1))
        assert self.answered(stage, dreaming) is False
        assert picture(stage) == before

    def redact(self, stage, part, key, item):
        """Take an item out of a part, as forgetting does."""
        from ai_assistant.memory.redaction import fingerprint

        change = Change(part, key, "redact", {"edits": {fingerprint(item): None}})
        stage.mind.save(Commit(stage.clock.now(), changes=[change]))

    def test_evidence_of_an_insight_is_forgotten(self):
        """No insight tells what was forgotten while it was thought of."""
        stage, dreaming = self.thinking("insights")
        shown = [row.id for row in stage.store.memories.values() if "vault" in row.content]
        assert shown
        stage.mind.save(Commit(stage.clock.now(), archived=shown))
        self.answered(stage, dreaming)
        sleep_through(stage)
        insights = [row for row in stage.store.memories.values() if row.kind == "insight"]
        assert not any("vault" in row.content for row in insights)

    def test_a_talk_goes_on(self):
        """A summary of lines that changed meanwhile is not taken, and none of them is lost."""
        stage, dreaming = self.thinking("summarise")
        key = key_of(ALICE.id, ALICE.id)
        talk(stage, ALICE, 50, ALICE.id)
        fold = Change("working", key, "fold", {"at": stage.clock.now(), "keep": 20})
        stage.mind.save(Commit(stage.clock.now(), changes=[fold]))
        summary = stage.store.read("working", key)["summary"]
        assert "Line 20" in summary
        self.answered(stage, dreaming)
        assert stage.store.read("working", key)["summary"] == summary
        assert not any(one in summary for one in SECRETS)
