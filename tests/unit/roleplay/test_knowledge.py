"""What a character newly learns: public changes, what became of the present, each once."""

from dataclasses import asdict, replace

from ai_assistant.core.contracts import MemoryRow
from ai_assistant.roleplay.distribution import enrich
from ai_assistant.roleplay.knowledge import (
    MOST_AT_ONCE,
    MOST_SUBJECTS,
    HowFar,
    News,
    as_knowledge,
    character_update,
    news_for,
    state_update,
)
from ai_assistant.roleplay.message_formats import WORLD

MOVED = replace(state_update("The party moved to the lair", day=6, at=1.0, location="lair"), id=1)
SWORD = replace(character_update("e-al", "Al got a sword", "item_acquired", day=7, at=2.0), id=2)
SECRET = replace(state_update("The king lies", day=7, at=3.0, readers="e-bo"), id=3)
ALL = (MOVED, SWORD, SECRET)


def test_updates_carry_the_seeds_metadata():
    """Type, location, whose it is and of what kind."""
    assert (MOVED.meta["type"], MOVED.meta["location"]) == ("world_state_update", "lair")
    assert SWORD.content == "Al got a sword. GameDay: 7"
    assert (SWORD.meta["type"], SWORD.meta["characterId"], SWORD.meta["updateType"]) == (
        "character_update", "e-al", "item_acquired",
    )  # fmt: skip


def test_who_is_with_them_learns_of_them():
    """Everybody learns of the world, and of a character those who are with it."""
    assert [one.id for one in news_for("e-bo", HowFar(), ALL, {"e-al", "e-bo"}).rows] == [1, 2, 3]
    assert [one.id for one in news_for("e-cy", HowFar(), ALL, {"e-cy", "e-bo"}).rows] == [1]


def test_what_one_may_not_know_is_not_owed():
    """A secret for others is none of one's news, now or later."""
    told = news_for("e-cy", HowFar(), ALL, {"e-cy"}).told
    assert told == HowFar(0, {WORLD: 3})


def test_news_wait_until_they_meet():
    """What became of somebody is learnt when one is with that one, and only once."""
    first = news_for("e-cy", HowFar(), ALL, {"e-cy"})
    later = news_for("e-cy", first.told, [SWORD], {"e-cy", "e-al"})
    assert [one.id for one in later.rows] == [2]
    assert news_for("e-cy", later.told, [], {"e-al"}).rows == []


def test_one_knows_what_became_of_oneself():
    """The one whom an update is about learns it wherever others are."""
    assert 2 in [one.id for one in news_for("e-al", HowFar(), ALL, set()).rows]


def test_a_flood_of_news_comes_in_portions():
    """A message carries a few; the rest comes with the next ones, and none is lost."""
    many = [replace(MOVED, id=number) for number in range(1, 201)]
    seen, told = [], HowFar()
    while news := news_for("e-bo", told, many, set()):
        if not news.rows:
            break
        assert len(news.rows) <= MOST_AT_ONCE
        seen += [one.id for one in news.rows]
        told = HowFar.from_json(asdict(news.told))
    assert seen == list(range(1, 201))


def test_of_a_multitude_only_the_newest_are_kept_in_mind():
    """What is kept of how far one is told has its limit; what was told is not told again."""
    told = HowFar()
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


def flag(number, name, value, **more):
    """An update of a flag, as a scene makes it."""
    return replace(state_update(f"{name}: {value}", day=6, at=1.0, flag=name, **more), id=number)


def test_of_one_flag_the_newest_state_is_news():
    """What it was in between is on record, and nobody's news; another flag is another state."""
    some = [flag(1, "mood", "calm"), flag(2, "gate", "shut"), flag(3, "mood", "grim")]
    news = news_for("e-bo", HowFar(), some, set())
    assert [one.id for one in news.rows] == [2, 3]
    assert news.told.mark(WORLD) == 3


def test_a_newer_state_that_is_hidden_hides_nothing():
    """Whoever may not know how it is now still learns how it was."""
    some = [flag(1, "mood", "calm"), flag(2, "mood", "grim", readers="e-cy")]
    assert [one.id for one in news_for("e-bo", HowFar(), some, set()).rows] == [1]


def test_of_somebodys_whereabouts_the_newest_is_news():
    """Moves make earlier ones past; what somebody got stays something that happened."""
    moves = [replace(character_update("e-al", f"to {n}", "moved", day=7, at=1.0), id=n)
             for n in (1, 2, 3)]  # fmt: skip
    got = [replace(character_update("e-al", f"got {n}", "item_acquired", day=7, at=1.0), id=n)
           for n in (4, 5)]  # fmt: skip
    news = news_for("e-bo", HowFar(), [*moves, *got], {"e-al"})
    assert [one.id for one in news.rows] == [3, 4, 5]


def test_what_players_say_comes_last():
    """However much of it is older, facts of the world are learnt first, and nothing is lost."""
    word = {"author": "e-qu", "author_name": "Quinn"}
    some = [flag(number, f"f{number}", "x", **word) for number in range(1, 41)]
    some.append(replace(MOVED, id=99))
    seen, told = [], HowFar()
    while (news := news_for("e-bo", told, some, set())).rows:
        seen += [one.id for one in news.rows]
        told = HowFar.from_json(asdict(news.told))
    assert seen == [99, *range(1, 41)]
