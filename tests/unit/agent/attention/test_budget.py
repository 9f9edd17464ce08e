"""Money: no cap is ever passed, whatever happens between a reservation and its settlement."""

import random

import pytest

from ai_assistant.agent.attention.budget import FREE, GAME, Budget
from ai_assistant.core.errors import BadReply, BudgetExhausted, EmptyReply, ModelTimeout
from ai_assistant.core.model_records import TokenUsage
from ai_assistant.llm.breaker import CallEnding, Unavailable
from ai_assistant.testing import DictBook, ManualClock


def half_a_day(payer):
    return {payer: 0.5}


def budget(**caps):
    return Budget(DictBook(), ManualClock(), lambda owner: caps.get(owner or "game", (10, 1000)))


def test_a_reservation_counts_for_both():
    """A call is booked for the assistant and for the game."""
    money = budget()
    money.reserve("sera", 300)
    assert money.spent("sera") == money.spent(GAME) == (1, 300)


def test_settling_books_what_was_used():
    """What the provider counted replaces the worst case; the call itself stays counted."""
    money = budget()
    money.settle(money.reserve("sera", 300), TokenUsage(40, 2, known=True))
    assert money.spent("sera") == money.spent(GAME) == (1, 42)


@pytest.mark.parametrize(
    ("caps", "whose"),
    [
        ({"sera": (1, 1000)}, "This assistant's"),
        ({"sera": (9, 400)}, "This assistant's"),
        ({"game": (1, 1000)}, "The game's"),
        ({"game": (9, 400)}, "The game's"),
        ({"sera": (0, 0)}, "This assistant's"),
    ],
)
def test_a_cap_refuses_before_the_call(caps, whose):
    """Calls and tokens, of the assistant and of the game, are each a limit; the text says whose."""
    money = budget(**caps)
    if caps != {"sera": (0, 0)}:
        money.reserve("sera", 300)
    with pytest.raises(BudgetExhausted, match=whose):
        money.reserve("sera", 300)


def test_a_refusal_books_nothing():
    """A call that was not made costs nobody anything."""
    money = budget(game=(10, 100))
    with pytest.raises(BudgetExhausted):
        money.reserve("sera", 300)
    assert money.spent("sera") == money.spent(GAME) == (0, 0)


@pytest.mark.parametrize("tokens", [301, 20_000_000, 0, -1])
def test_absurd_usage_keeps_the_reservation(tokens):
    """What is over the reservation, or nothing at all, is not believed, and counted as such."""
    money = budget()
    used = money.settle(money.reserve("sera", 300), TokenUsage(tokens, 0, known=True))
    assert money.spent("sera") == (1, 300)
    assert used == TokenUsage(absurd=True)
    assert money.doubted["sera"] == 1


@pytest.mark.parametrize("usage", [TokenUsage(absurd=True), TokenUsage()])
def test_what_is_no_figure_is_told_apart_from_what_was_not_said(usage):
    """Both are booked at the worst case; only what cannot be is flagged, as the wire read it."""
    money = budget()
    assert money.settle(money.reserve("sera", 300), usage) == usage
    assert money.spent("sera") == (1, 300)


@pytest.mark.parametrize(
    ("error", "booked"),
    [
        (Unavailable(CallEnding.AUTH, "No key."), (0, 0)),
        (Unavailable(CallEnding.SERVER, "It broke.", charge="prompt"), (1, 40)),
        (ModelTimeout(), (1, 300)),
        (BadReply(), (1, 300)),
        (EmptyReply(spent=55), (1, 55)),
        (EmptyReply(), (1, 300)),
        (EmptyReply(spent=301), (1, 300)),
    ],
)
def test_a_failed_call_is_booked_at_what_it_can_have_cost(error, booked):
    """Nothing where nobody was reached or we were refused, and it is no call then; the prompt
    where the server broke; what it says itself, if that can be; else all of the reservation,
    and staff can see how often that was so."""
    money = budget()
    money.fail(money.reserve("sera", 300), error, 40)
    assert money.spent("sera") == money.spent(GAME) == booked
    assert money.doubted["sera"] == (booked == (1, 300))


def test_a_prompt_is_booked_at_its_reservation_at_most():
    """How long a prompt was is an estimate: it passes neither what was set aside nor a cap."""
    money = budget()
    broke = Unavailable(CallEnding.SERVER, "It broke.", charge="prompt")
    money.fail(money.reserve("sera", 300), broke, 4000)
    assert money.spent("sera") == money.spent(GAME) == (1, 300)


def test_what_costs_nothing_is_counted_apart():
    """The offline model's work is on record, and takes nothing of any cap."""
    money = budget(sera=(0, 0))
    money.count_free("sera", 120)
    assert money.spent("sera") == money.spent(GAME) == (0, 0)
    assert money.spent(f"sera{FREE}") == money.spent(FREE) == (1, 120)


def test_a_new_day_begins_at_midnight():
    """The caps start anew, and a call of yesterday is settled on yesterday."""
    clock = ManualClock(86_400.0 * 20_000 - 1)
    money = Budget(DictBook(), clock, lambda owner: (1, 1000))
    late = money.reserve("sera", 900)
    clock.advance(1)
    money.reserve("sera", 500)
    money.settle(late, TokenUsage(1, 1, known=True))
    assert money.spent("sera") == (1, 500)


def test_no_day_begins_twice():
    """What was spent of a day is spent when a clock that was wrong shows that day again."""
    clock = ManualClock()
    money = Budget(DictBook(), clock, lambda owner: (2, 1000))
    open_call = money.reserve("sera", 300)
    clock.ahead = 90_000
    assert money.spent("sera") == (0, 0)
    money.settle(open_call, TokenUsage(40, 2, known=True))
    money.reserve("sera", 200)
    clock.ahead = 0
    assert money.spent("sera") == (1, 42)
    money.reserve("sera", 300)
    with pytest.raises(BudgetExhausted):
        money.reserve("sera", 300)
    clock.ahead = 90_000
    assert money.spent("sera") == (1, 200)


def test_what_fails_after_midnight_is_given_back_to_its_own_day():
    """The new day neither gains a call by it, nor has it a call that cost nothing."""
    clock = ManualClock()
    money = Budget(DictBook(), clock, lambda owner: (2, 1000))
    open_call = money.reserve("sera", 300)
    clock.ahead = 90_000
    money.fail(open_call, Unavailable(CallEnding.NETWORK, "It is down."), 100)
    assert money.spent("sera") == (0, 0)
    clock.ahead = 0
    assert money.spent("sera") == (0, 0)


def test_no_schedule_overspends():
    """Many calls at once, lost, settled and over midnight: spending stays within every cap."""
    for seed in range(60):
        luck, book, clock = random.Random(seed), DictBook(), ManualClock()
        caps = {"a": (luck.randint(0, 8), 900), "b": (9, luck.randint(0, 900)), GAME: (12, 1500)}
        money = Budget(book, clock, caps.__getitem__)
        open_calls = []
        for _ in range(40):
            if luck.random() < 0.6:
                try:
                    open_calls.append(money.reserve(luck.choice("ab"), luck.randint(1, 300)))
                except BudgetExhausted:
                    clock.advance(luck.choice((0, 0, 40_000)))
            elif open_calls:
                call = open_calls.pop(luck.randrange(len(open_calls)))
                used = TokenUsage(luck.randint(-9, 9 * call.tokens), 0, known=luck.random() < 0.7)
                money.settle(call, used)
            for (_, owner), (calls, tokens) in book.days.items():
                assert calls <= caps[owner][0]
                assert 0 <= tokens <= caps[owner][1]


def test_the_share_is_that_of_the_scarcest():
    """Calls or tokens, its own or the game's: what is nearest to its end counts."""
    money = budget(sera=(10, 1000), game=(4, 100_000))
    money.reserve("sera", 300)
    assert money.share("sera") == 0.3
    assert budget(sera=(0, 0)).share("sera") == 1.0


def test_a_purpose_takes_its_share_and_no_more():
    """A tenth of twenty calls are two a day, for each assistant by itself."""
    clock = ManualClock()
    money = Budget(DictBook(), clock, lambda owner: (20, 1000))
    assert money.within("sera", "upkeep", 2, 0.1)
    assert not money.within("sera", "upkeep", 1, 0.1)
    assert money.within("tom", "upkeep", 2, 0.1)
    assert money.spent("sera") == (0, 0)
    clock.advance(86_400)
    assert money.within("sera", "upkeep", 1, 0.1)


def test_one_player_takes_a_share_of_the_day():
    """Half of an assistant's calls are one player's; the others keep theirs, and the game's count
    goes on."""
    clock = ManualClock()
    money = Budget(DictBook(), clock, lambda owner: (6 if owner else 60, 9000), half_a_day)
    for _ in range(3):
        money.reserve("sera", 10, "alice")
    assert not money.is_spent("sera", ["alice"])
    with pytest.raises(BudgetExhausted, match="One player's share"):
        money.reserve("sera", 10, "alice")
    assert money.is_spent("sera", ["alice"])
    money.reserve("sera", 10, "bob")
    money.reserve("sera", 10)
    money.reserve("tom", 10, "alice")
    assert money.spent("sera") == (5, 50)
    clock.advance(86_400)
    assert not money.is_spent("sera", ["alice"])
    money.reserve("sera", 10, "alice")


def test_one_player_takes_a_share_of_the_games_day():
    """However many assistants it turns to: what is left of the game's is for the others."""
    money = Budget(DictBook(), ManualClock(), lambda owner: (6, 9000), half_a_day)
    for who in ("sera", "tom", "sera"):
        money.reserve(who, 10, "alice")
    with pytest.raises(BudgetExhausted, match="One player's share"):
        money.reserve("tom", 10, "alice")
    assert money.is_spent("tom", ["alice"])
    assert money.spent("tom") == (1, 10)
    money.reserve("tom", 10, "bob")


def test_settling_gives_a_player_back_what_was_not_used():
    """The share is counted by what calls took, like the rest."""
    money = Budget(DictBook(), ManualClock(), lambda owner: (100, 1000), half_a_day)
    money.settle(money.reserve("sera", 500, "alice"), TokenUsage(5, 5, known=True))
    money.reserve("sera", 490, "alice")
    with pytest.raises(BudgetExhausted):
        money.reserve("sera", 1, "alice")
