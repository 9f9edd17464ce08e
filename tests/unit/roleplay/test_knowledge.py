"""What a character newly learns: public changes, what became of the present, each once."""

from dataclasses import replace

from ai_assistant.contracts import MemoryRow
from ai_assistant.roleplay.distribution import enrich
from ai_assistant.roleplay.formats import WORLD
from ai_assistant.roleplay.knowledge import (
    MOST_AT_ONCE,
    MOST_SUBJECTS,
    News,
    Told,
    as_knowledge,
    character_update,
    news_for,
    state_update,
)

MOVED = replace(state_update("The party moved to the lair", day=6, at=1.0, location="lair"), id=1)
SWORD = replace(character_update("e-al", "Al got a sword", "item_acquired", day=7, at=2.0), id=2)
SECRET = replace(state_update("The king lies", day=7, at=3.0, readers="e-bo"), id=3)
ALL = (MOVED, SWORD, SECRET)


def test_updates_carry_the_seeds_metadata():
    """Type, location, whose it is and of what kind (appendix B.2, B.3)."""
    assert (MOVED.meta["type"], MOVED.meta["location"]) == ("world_state_update", "lair")
    assert SWORD.content == "Al got a sword. GameDay: 7"
    assert (SWORD.meta["type"], SWORD.meta["characterId"], SWORD.meta["updateType"]) == (
        "character_update", "e-al", "item_acquired",
    )  # fmt: skip


def test_who_is_with_them_learns_of_them():
    """Everybody learns of the world, and of a character those who are with it."""
    assert [one.id for one in news_for("e-bo", Told(), ALL, {"e-al", "e-bo"}).rows] == [1, 2, 3]
    assert [one.id for one in news_for("e-cy", Told(), ALL, {"e-cy", "e-bo"}).rows] == [1]


def test_what_one_may_not_know_is_not_owed():
    """A secret for others is none of one's news, now or later."""
    told = news_for("e-cy", Told(), ALL, {"e-cy"}).told
    assert told == Told(0, {WORLD: 3})


def test_news_wait_until_they_meet():
    """What became of somebody is learnt when one is with that one, and only once."""
    first = news_for("e-cy", Told(), ALL, {"e-cy"})
    later = news_for("e-cy", first.told, [SWORD], {"e-cy", "e-al"})
    assert [one.id for one in later.rows] == [2]
    assert news_for("e-cy", later.told, [], {"e-al"}).rows == []


def test_one_knows_what_became_of_oneself():
    """The one whom an update is about learns it wherever others are."""
    assert 2 in [one.id for one in news_for("e-al", Told(), ALL, set()).rows]


def test_a_flood_of_news_comes_in_portions():
    """A message carries a few; the rest comes with the next ones, and none is lost."""
    many = [replace(MOVED, id=number) for number in range(1, 201)]
    seen, told = [], Told()
    while news := news_for("e-bo", told, many, set()):
        if not news.rows:
            break
        assert len(news.rows) <= MOST_AT_ONCE
        seen += [one.id for one in news.rows]
        told = Told.from_json(news.told.to_json())
    assert seen == list(range(1, 201))


def test_of_a_multitude_only_the_newest_are_kept_in_mind():
    """What is kept of how far one is told has its limit; what was told is not told again."""
    told = Told()
    for number in range(1, MOST_SUBJECTS + 100):
        update = replace(SWORD, id=number, subject=f"e-{number}")
        news = news_for("e-bo", told, [update], {update.subject})
        assert len(news.rows) == 1
        told = news.told
    assert len(told.of) == MOST_SUBJECTS
    again = [replace(SWORD, id=number, subject=f"e-{number}") for number in (1, 300, 598)]
    assert news_for("e-bo", told, again, {one.subject for one in again}).rows == []


def test_knowledge_is_no_wider_than_update_and_message():
    """What is learnt with a whisper belongs to the whisper, on the day on which it was learnt."""
    message = MemoryRow("Psst.", readers="e-al", game_day=9, learned_at=5.0, container="e-bo")
    known = as_knowledge(MOVED, message)
    assert (known.readers, known.game_day, known.container) == ("e-al", 9, "e-bo")
    assert known.content == "The party moved to the lair"
    assert (known.meta["happened_day"], known.meta["update"]) == (6, 1)


def test_a_message_without_news_stays_as_it_was():
    """No news, no section, no row."""
    row = MemoryRow("Hi.")
    assert enrich(row, News()) == (row, [])
