"""Time is bounded for any text: every function that takes text is found, and fed with the worst."""

import pytest

from ai_assistant.language.small_reader import warm
from bench.texts import MADE_UP, MOST_GROWTH, MOST_MS, PIECES, TOLD, costs
from bench.texts_fed import ROOMS, fed, functions
from bench.texts_table import EXEMPT, MAKERS

FED = list(fed(MAKERS, EXEMPT))
SOME = (*PIECES[::3], *TOLD, MADE_UP)
"""Pieces of the worst texts; `bench.texts` has them all."""
MOST = 4 * MOST_MS
"""Milliseconds that count as a fault here: where checks run may be slow and busy."""


def dear(functions):
    """Return the costs over what is allowed."""
    found = costs(functions, pieces=SOME, most_ms=MOST)
    return [cost for cost in found if cost.ms > MOST or cost.growth > MOST_GROWTH]


@pytest.mark.parametrize("room", ROOMS)
def test_no_text_takes_long(room):
    """Nothing hangs on a text, and twice of it takes no more than two and a half times as long.

    Whatever seems to is measured once more; the figure itself is `bench.texts`' to tell.
    """
    warm()
    functions = [one for one in FED if f"{one.name}.".startswith(f"{room}.")]
    seems = {cost.name for cost in dear(functions)}
    again = dear(one for one in functions if f"{one.name}({one.long})" in seems)
    assert not again, "\n".join(map(str, again))


def test_what_is_not_fed_has_its_reason():
    """An exemption names what there is, and says why; all other functions are fed."""
    names = [name for name, *_ in functions()]
    for left_out, reason in EXEMPT.items():
        assert reason
        assert any(f"{name}.".startswith(f"{left_out}.") for name in names), left_out
