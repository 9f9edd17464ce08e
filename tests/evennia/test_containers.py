"""Containers: filtered before they are cut, and no way from one to another."""

import pytest
from django.db import connection

from ai_assistant.core.contracts import Commit, MemoryRow
from ai_assistant.storage import Container
from ai_assistant.storage.containers import heard_from
from tests.evennia.storehouse import sqlite_only

HOSTILE = ("s1", "s1-", "s", "%", "*", "s1:e", "'; DROP TABLE", "world", "", "s1-e1", "é\u200b")


def row(content, **options):
    return MemoryRow(content, learned_at=1.0, **options)


def texts(found):
    return [one.content for one in found]


@pytest.fixture
def container(db):
    """Ten days in a scene, one line each, every other of them private."""
    made = Container("scene", "e-sera")
    made.add(
        [
            row(
                f"day {day}",
                game_day=day,
                location="tavern" if day < 5 else "mill",
                readers="*" if day % 2 else "e-bob",
                importance=day,
                meta={"speaker": "e-bob", "mood": day / 10, "odd__key'": "x", 'sa"id': day},
            )
            for day in range(1, 11)
        ],
        at=1.0,
    )
    return made


@pytest.mark.parametrize(
    ("where", "days"),
    [
        ({"location": "tavern"}, [4, 3, 2, 1]),
        ({"location": "Tavern"}, []),
        ({"location": "%"}, []),
        ({"game_day": (">=", 9)}, [10, 9]),
        ({"game_day": (">", 9)}, [10]),
        ({"game_day": ("<", 2)}, [1]),
        ({"game_day": ("<=", 2), "location": "tavern"}, [2, 1]),
        ({"game_day": 7}, [7]),
        ({"speaker": "e-bob", "game_day": ("==", 3)}, [3]),
        ({"mood": (">", 0.85)}, [10, 9]),
        ({"speaker": (">", 3)}, []),
        ({"odd__key'": "x", "game_day": 1}, [1]),
        ({'sa"id': (">", 9)}, [10]),
        ({"gameDay": [(">=", 3), ("<=", 4)]}, [4, 3]),
        ({"location": ("in", ["tavern", "cave"])}, [4, 3, 2, 1]),
        ({"isSpeaker": True}, []),
    ],
)
def test_conditions_hold_all_together(container, where, days):
    """Texts are exact, numbers are compared, in columns and in metadata alike."""
    assert texts(container.find(where=where, limit=20)) == [f"day {day}" for day in days]


def test_conditions_come_before_the_limit(container):
    """The newest that fit are returned, however many newer ones do not."""
    assert texts(container.find(where={"location": "tavern"}, limit=2)) == ["day 4", "day 3"]


def test_less_than_nothing_is_nothing(container):
    """No limit below one finds anything."""
    assert container.find(limit=0) == container.find(limit=-1) == []


def test_labels_are_filtered(container):
    """Only rows under the labels that were named are returned."""
    assert texts(container.find(readers=["*"], limit=2)) == ["day 9", "day 7"]
    assert container.find(readers=[], limit=9) == []


def test_an_unknown_field_is_an_error(container):
    """One that no row of the container has is named, with those that there are."""
    with pytest.raises(ValueError, match=r"no field 'nowhere'.*gameDay, .*participants"):
        container.find(where={"nowhere": "x"}, limit=1)


def test_nonsense_is_an_error(container):
    """A condition that is none says which."""
    with pytest.raises(ValueError, match="game_day"):
        container.find(where={"game_day": ("~", 3)}, limit=1)


@pytest.mark.django_db
def test_no_container_leads_to_another():
    """Whatever ids are made of, each pair has its own rows, also where the names print alike."""
    pairs = [(session, who) for session in HOSTILE for who in ("e1", "1-e1", "*", "%", "world")]
    for number, (session, who) in enumerate(pairs):
        Container(session, who).add([row(f"own {number}")], at=1.0)
    for number, (session, who) in enumerate(pairs):
        assert texts(Container(session, who).find(limit=99)) == [f"own {number}"]
        assert Container(session, who).count() == 1
    assert str(Container("s", "1-e1")) == str(Container("s-1", "e1"))


def test_what_is_archived_is_out_of_use(container):
    """A row that was superseded is neither found nor counted."""
    from ai_assistant.storage import memory_rows

    newest = container.find(limit=1)[0]
    memory_rows.amend("e-sera", Commit(at=2.0, archived=[newest.id]), {})
    assert texts(container.find(limit=1)) == ["day 9"]
    assert container.count() == 9


@sqlite_only
@pytest.mark.django_db
def test_who_heard_somebody_is_found_however_much_they_said():
    """In as many steps of the database for a thousand lines as for ten."""
    work = []
    for count in (10, 990):
        for who in ("e-sera", "e-bob"):
            Container("", who).add([row("a line", author="e-pia")] * count, at=1.0)
        steps = []
        connection.connection.set_progress_handler(lambda steps=steps: steps.append(1), 1)
        assert heard_from("e-pia") == {"e-sera", "e-bob"}
        connection.connection.set_progress_handler(None, 1)
        work.append(len(steps))
    assert work[0] == work[1]
    assert heard_from("e-bob") == set()
