"""Cards that somebody broke: each is read, or refused with the one card error."""

import json
import os
import random
from copy import deepcopy
from itertools import chain

import pytest

from ai_assistant.core.errors import CardError
from ai_assistant.roleplay.cards import (
    card_from_bytes,
    card_of,
    card_to_bytes,
    in_version,
    json_to_bytes,
    persona_of,
    read_card,
)
from ai_assistant.roleplay.lorebook import Lorebook, Scan, activate, is_book, read_book
from tests.unit.roleplay.decks import ALL, card, world_info

JUNK = (
    *(None, True, False, 0, -1, 3.7, 10**30, 1e300, "", "x", "|r{x}$pad(1)", "\u202e\0", "\ud800"),
    *([], [None], ["x", 1], [[]], {}, {"": {}}, {"entries": None}, {"entries": [1]}),
    *("A" * 30_000, ["k"] * 300, "/(a+)+$/", "chara_card_v3", {"ai_assistant": {"persona": 1}}),
)
pytestmark = pytest.mark.hypothesis  # by hand: `bench.properties` runs it too, on more cards
SEEDS = range(int(os.environ.get("PROPERTY_EXAMPLES", "40")) // 20)


def places(value, found):
    """Every place in some JSON: (what holds it, its name there)."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for name, one in list(items):
        found.append((value, name))
        if isinstance(one, dict | list):
            places(one, found)
    return found


def mutated(raw, chance):
    """The same JSON with some values replaced, removed, renamed, nested or swapped."""
    raw = deepcopy(raw)
    for _ in range(chance.randint(1, 4)):
        holder, name = chance.choice(places(raw, []) or [({"x": 0}, "x")])
        way = chance.randrange(5)
        if way < 2:
            holder[name] = deepcopy(chance.choice(JUNK))
        elif way == 2:
            del holder[name]
        elif way == 3 and isinstance(holder, dict):
            holder[chance.choice(("spec", "data", "entries", "name", "é"))] = holder.pop(name)
        else:
            holder[name] = [deepcopy(holder[name]) for _ in range(chance.randint(1, 30))]
    return raw


def damaged(data, chance):
    """The same bytes with some of them changed, lost or doubled."""
    data = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(data))
        way = chance.randrange(3)
        if way == 0:
            data[at] = chance.randrange(256)
        elif way == 1:
            del data[at : at + chance.randint(1, 40)]
        else:
            data[at:at] = data[at : at + chance.randint(1, 40)]
    return bytes(data)


def whole_way(data):
    """All that is done with a file: read, into the game, prompt's lore, and out again."""
    read = card_from_bytes(data)
    persona = persona_of(read)
    book = read_book(read.book, "card")
    fired(book)
    out = card_of(persona | {"role": "miller"}, read)
    for version in (1, 2, 3):
        again = card_from_bytes(json_to_bytes(in_version(out, version).raw))
        assert card_from_bytes(card_to_bytes(again)) == again
    assert card_from_bytes(json_to_bytes(card_of(persona, read).raw)) == read
    return True


def fired(book):
    """What such a book brings to mind, after it was kept and read again."""
    book = Lorebook.from_json(json.loads(json.dumps(book.to_json())))
    return activate([book], Scan(messages=["key0 key1 and", "KEY2 ferry"], seed="x"))


def survived(read, data):
    """Was it read? Any other error than that of cards ends the test."""
    try:
        read(data)
    except CardError:
        return False
    return True


@pytest.mark.parametrize("seed", SEEDS)
def test_only_card_errors(seed):
    """Sixty cards with broken values and forty with broken bytes for each seed."""
    chance = random.Random(seed)
    wrong_values = [
        json.dumps(mutated(card(*chance.choice(ALL)), chance)).encode() for _ in range(60)
    ]
    wrong_bytes = [
        damaged(
            chance.choice((json_to_bytes(one.raw), card_to_bytes(one))),
            chance,
        )
        for one in (read_card(card(*chance.choice(ALL))) for _ in range(40))
    ]
    outcomes = [survived(whole_way, one) for one in chain(wrong_values, wrong_bytes)]
    assert len(outcomes) == 100
    assert any(outcomes)
    assert not all(outcomes)


@pytest.mark.parametrize("seed", SEEDS)
def test_only_card_errors_of_lorebooks(seed):
    """Broken lorebooks of the world are read or refused as cards are."""
    chance = random.Random(seed)

    def through(raw):
        assert is_book(raw) in (True, False)
        fired(read_book(raw, "world"))

    for _ in range(50):
        survived(through, mutated(world_info(), chance))
