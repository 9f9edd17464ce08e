"""One view computes at a time; who waits for something long lets the next one in."""

from threading import Event, Thread

from django.test import RequestFactory

from ai_assistant.web.access import TURNSTILE, Turnstile
from ai_assistant.web.rest.api_gate import Nowhere

SECONDS = 60
A_MOMENT = 0.05


def entering(turnstile, arrived):
    """Start a thread that comes in, says so, and leaves."""

    def come():
        with turnstile.inside():
            arrived.set()

    thread = Thread(target=come, daemon=True)
    thread.start()
    return thread


def test_one_at_a_time():
    """The second comes in when the first has left."""
    turnstile, arrived = Turnstile(), Event()
    with turnstile.inside():
        entering(turnstile, arrived)
        assert not arrived.wait(A_MOMENT)
    assert arrived.wait(SECONDS)


def test_who_waits_lets_the_next_one_in():
    """And has the place again for itself when it goes on."""
    turnstile, arrived = Turnstile(), Event()
    with turnstile.inside():
        with turnstile.waiting() as let_in:
            let_in()
            let_in()
            entering(turnstile, arrived).join(SECONDS)
            assert arrived.is_set()
        late = Event()
        entering(turnstile, late)
        assert not late.wait(A_MOMENT)
    assert late.wait(SECONDS)


def test_an_error_leaves_the_place():
    """Whatever a view raises, the next one comes in."""
    turnstile, arrived = Turnstile(), Event()
    try:
        with turnstile.inside(), turnstile.waiting() as let_in:
            let_in()
            raise ValueError
    except ValueError:
        pass
    entering(turnstile, arrived).join(SECONDS)
    assert arrived.is_set()


def test_outside_nothing_is_given_up():
    """A thread that never came in has no place to let anybody have."""
    turnstile, arrived = Turnstile(), Event()
    with turnstile.waiting() as let_in:
        let_in()
    entering(turnstile, arrived).join(SECONDS)
    assert arrived.is_set()


def test_a_program_waits_its_turn_as_a_page_does():
    """Ten requests of a script at once would hold up the game as ten pages do."""
    answered = Event()

    def call():
        assert Nowhere.as_view()(RequestFactory().get("/")).status_code == 404
        answered.set()

    with TURNSTILE.inside():
        Thread(target=call, daemon=True).start()
        assert not answered.wait(A_MOMENT * 10)
    assert answered.wait(SECONDS)
