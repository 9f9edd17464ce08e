"""The scheduler: one turn at a time for each, people first, nobody forgotten."""

from dataclasses import replace

import pytest

from ai_assistant.agent.attention.scheduler import (
    MAX_JOINED,
    MAX_WAITING,
    PASSED_OVER,
    Priority,
    Scheduler,
)
from ai_assistant.core.contracts import Entity
from ai_assistant.testing import SERA, FakeWorld, people

ALICE, BOB = people("Alice", "Bob")
COOK = Entity("e-cook", "The Cook", "npc")
WORLD = FakeWorld(SERA)


def line(who=ALICE, *, importance=5, **options):
    event = WORLD.event(who, "Hello.", **options)
    return replace(event, by_assistant=who is COOK, importance=importance)


def scheduler(*keys, slots=4):
    plan = Scheduler(slots)
    for key in keys:
        plan.open(key)
    return plan


def started(plan):
    """Start all that may start now; returns who."""
    turns = []
    while (turn := plan.next()) is not None:
        turns.append(turn.key)
    return turns


def test_the_first_trigger_starts_at_once():
    """Nobody waits for company."""
    plan, event = scheduler("sera"), line()
    assert plan.offer("sera", event) == []
    turn = plan.next()
    assert (turn.key, turn.events, turn.priority) == ("sera", (event,), Priority.PLAYER)
    assert plan.next() is None


def test_one_turn_at_a_time():
    """While an assistant thinks it begins nothing else; what came meanwhile joins the next."""
    plan = scheduler("sera")
    plan.offer("sera", line())
    plan.next()
    late = [line(), line(BOB)]
    for event in late:
        plan.offer("sera", event)
    assert plan.is_busy("sera")
    assert plan.next() is None
    plan.done("sera")
    assert plan.next().events == tuple(late)


def alone(who, number):
    """A whisper of its own: nothing joins it."""
    return line(replace(who, id=f"{who.id}{number}"), kind="whisper")


def test_among_equals_allies_come_first():
    """Of those who wait for one assistant the dearest is next, then whoever waited longest."""
    plan = scheduler("sera")
    first, second, ally = (alone(ALICE, number) for number in range(3))
    for event, rank in ((first, 0), (second, 0), (ally, 3)):
        plan.offer("sera", event, rank)
    order = []
    for _ in range(3):
        order += plan.next().events
        plan.done("sera")
    assert order == [ally, first, second]


def test_an_ally_of_many_words_starves_nobody():
    """However many allies go on asking, a stranger is passed over twice and no more."""
    plan, stranger = scheduler("sera"), alone(BOB, 0)
    plan.offer("sera", stranger)
    turns = []
    for number in range(6):
        plan.offer("sera", alone(ALICE, number), 3)
        turns.append(plan.next().events)
        plan.done("sera")
    assert turns.index((stranger,)) == PASSED_OVER


def test_an_ally_is_in_the_turn_that_a_crowd_gets():
    """Of more than one turn can answer, the dearest are answered in the first."""
    plan = scheduler("sera")
    for _ in range(MAX_JOINED + 3):
        plan.offer("sera", line())
    plan.offer("sera", ally := line(BOB), 3)
    assert ally in plan.next().events
    assert len(plan.waiting("sera")) == 4


def test_players_still_go_before_assistants_who_are_dear():
    """Relationship decides among equals only."""
    plan = scheduler("sera")
    plan.offer("sera", line(COOK, kind="whisper"), 3)
    plan.offer("sera", asked := line())
    assert plan.next().events == (asked,)


@pytest.mark.parametrize("other", [{"kind": "whisper"}, {"place": "room2"}])
def test_only_equal_audiences_join(other):
    """A whisper, or talk of another place, waits for a turn of its own."""
    plan, odd = scheduler("sera"), line(**other)
    first, third = line(), line(BOB)
    for event in (first, odd, third):
        plan.offer("sera", event)
    assert plan.next().events == (first, third)
    plan.done("sera")
    assert plan.next().events == (odd,)


def test_a_turn_answers_only_so_many():
    """A crowd is answered in several turns."""
    plan = scheduler("sera")
    for _ in range(MAX_JOINED + 3):
        plan.offer("sera", line())
    assert len(plan.next().events) == MAX_JOINED
    assert len(plan.waiting("sera")) == 3


def test_slots_are_limited():
    """No more turns run than there are slots; each that ends makes room for one."""
    plan = scheduler(*"abc", slots=2)
    for key in "abc":
        plan.offer(key, line())
    assert started(plan) == ["a", "b"]
    plan.done("a")
    plan.done("a")  # saying it twice makes no second place
    assert started(plan) == ["c"]


def test_people_come_first():
    """Players, then assistants, then acts of one's own accord, whoever came first."""
    plan = scheduler(*"abc", slots=1)
    plan.offer_tick("a")
    plan.offer("b", line(COOK))
    plan.offer("c", line())
    order = []
    for _ in range(3):
        order += started(plan)
        plan.done(order[-1])
    assert order == ["c", "b", "a"]


def test_a_player_moves_an_assistant_up():
    """Who waited with talk of assistants goes ahead as soon as a person asks."""
    plan = scheduler(*"ab", slots=1)
    plan.offer("a", line(COOK))
    plan.offer("b", line(COOK))
    plan.offer("b", line())
    assert started(plan) == ["b"]


def test_own_accord_leaves_room_for_people():
    """However many would act unasked, a quarter of the slots stays free."""
    plan = scheduler(*"abcdefgh", slots=4)
    for key in "abcdefg":
        plan.offer_tick(key)
    assert len(started(plan)) == 3
    plan.offer("h", line())
    assert started(plan) == ["h"]


def test_turns_go_round():
    """Somebody who is asked all the time does not keep the others waiting."""
    plan = scheduler(*"abc", slots=1)
    order = []
    for _ in range(9):
        for key in "aaabc":
            plan.offer(key, line())
        order += started(plan)
        plan.done(order[-1])
    assert order == list("abc") * 3


def test_talk_of_assistants_gives_way_first():
    """When too much waits, people are kept before assistants, whatever seems important."""
    plan = scheduler("sera")
    chatter = line(COOK, importance=10)
    plan.offer("sera", chatter)
    dropped = [gone for _ in range(MAX_WAITING) for gone in plan.offer("sera", line())]
    assert dropped == [chatter]


def test_the_talkative_give_way_first():
    """One who floods the queue loses his own lines, not those of who asked once."""
    plan, once = scheduler("sera"), line(BOB, importance=1)
    plan.offer("sera", once)
    dropped = [gone for _ in range(60) for gone in plan.offer("sera", line(importance=9))]
    assert {event.source.id for event in dropped} == {ALICE.id}
    assert once in plan.waiting("sera")
    assert len(plan.waiting("sera")) == MAX_WAITING


def test_nothing_starts_before_it_is_ready():
    """What comes while an assistant warms up is kept."""
    plan = scheduler()
    plan.offer("sera", line())
    assert plan.next() is None
    plan.open("sera")
    assert started(plan) == ["sera"]


def test_a_closed_assistant_gives_back_what_waited():
    """Its events are handed over, and it takes no more turns until it is opened."""
    plan, event = scheduler("sera"), line()
    plan.offer("sera", event)
    assert plan.close("sera") == [event]
    assert plan.next() is None
    assert plan.close("unknown") == ()
    plan.offer("sera", line())
    assert plan.next() is None


def test_what_is_played_joins_no_turn_of_the_game():
    """A line of a scene and one of the game beside it are answered apart."""
    queue = scheduler("sera")
    for session in ("", "hunt"):
        queue.offer("sera", replace(line(), id=f"x{session}", session=session))
    assert len(queue.next().events) == 1
