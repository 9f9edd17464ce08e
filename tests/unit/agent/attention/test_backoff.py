"""Back-off: what comes to nothing is tried ever less often, and never forgotten altogether."""

from ai_assistant.agent.attention.backoff import MOST_KEYS, Backoff


def tries(backoff, key, until):
    """Try whenever that is allowed; returns the seconds at which it was."""
    at = []
    for now in range(until):
        if key not in backoff.waiting(float(now)):
            backoff.tried(key, float(now))
            at.append(now)
    return at


def test_each_wait_is_twice_the_one_before():
    """Up to the longest, at which it stays."""
    assert tries(Backoff(10.0, 45.0), "talk", 200) == [0, 10, 30, 70, 115, 160]


def test_what_came_to_something_may_go_on():
    """Another success needs no patience, and another thing never had to wait."""
    backoff = Backoff(10.0, 40.0)
    backoff.tried("talk", 0.0)
    assert backoff.waiting(1.0) == {"talk"}
    backoff.done("talk")
    assert backoff.waiting(1.0) == set()


def test_what_was_left_alone_begins_anew():
    """After a pause as long as its last wait it waits as at first."""
    backoff = Backoff(10.0, 400.0)
    tries(backoff, "talk", 40)
    backoff.tried("talk", 200.0)
    assert backoff.waiting(209.0) == {"talk"}
    assert not backoff.waiting(210.0)


def test_it_remembers_only_so_many():
    """The one that was tried longest ago may go again."""
    backoff = Backoff(10.0, 40.0)
    for number in range(MOST_KEYS + 1):
        backoff.tried(str(number), 0.0)
    assert len(backoff.waiting(1.0)) == MOST_KEYS
    assert "0" not in backoff.waiting(1.0)
