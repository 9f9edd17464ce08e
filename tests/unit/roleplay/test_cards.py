"""Character cards: what comes in goes out again, and nothing else than a card comes in."""

import json
from copy import deepcopy

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
from ai_assistant.roleplay.cards.limited_json import MAX_BYTES, MAX_DEPTH, parse
from ai_assistant.roleplay.cards.png import read_texts
from tests.unit.roleplay.decks import ALL, card

A_CARD = card(1, 2)


def refused(data):
    """The words with which bytes are refused."""
    with pytest.raises(CardError) as refusal:
        card_from_bytes(data)
    return str(refusal.value)


def test_a_card_survives_json_unchanged():
    """Import, export, import: the same JSON, value for value, whatever it holds."""
    for number, version in ALL:
        raw = card(number, version)
        first = card_from_bytes(json.dumps(raw).encode())
        again = card_of(persona_of(first), first)
        assert again.raw == raw
        assert card_from_bytes(json_to_bytes(again.raw)) == first


def holds(value, part):
    """Is all of the one value in the other? What a version asks for may be there besides."""
    if isinstance(part, dict):
        return all(name in value and holds(value[name], one) for name, one in part.items())
    if isinstance(part, list):
        return len(value) == len(part) and all(map(holds, value, part))
    return value == part


def test_a_card_survives_a_picture_unchanged():
    """The same through a PNG; other kinds of text chunks are read in `cards/test_png.py`."""
    for number, version in ALL:
        first = read_card(card(number, version))
        assert card_from_bytes(card_to_bytes(first)) == first


def test_other_versions_lose_nothing():
    """Through every version and back, each field has the value that it had."""
    for number, version in ALL:
        first = read_card(card(number, version))
        there = first
        for other in (1, 2, 3, 1, 3, 2):
            there = read_card(in_version(there, other).raw)
            assert there.version == other
            assert persona_of(there) == persona_of(first)
        assert holds(in_version(there, version).data, first.data)


def test_a_newer_card_is_in_pictures_for_older_programs_too():
    """Version 3 is found by programs that know only the older keyword, as version 2."""
    first = read_card(card(3, 3))
    texts = read_texts(card_to_bytes(first), ("chara", "ccv3"))
    assert set(texts) == {"chara", "ccv3"}


def test_what_was_changed_in_the_game_is_exported():
    """An edited field is in the card, also in its copy beside the data; the rest is as it came."""
    raw = card(4, 2)
    first = read_card(deepcopy(raw))
    persona = persona_of(first) | {"char_description": "Mended the bridge."}
    persona |= {"role": "Smith", "sayings": ["Hot iron.", "Cold water."]}
    made = card_of(persona, first)
    assert made.raw["description"] == made.data["description"] == "Mended the bridge."
    assert made.data["creator_notes"] == raw["data"]["creator_notes"]
    assert made.data["extensions"]["unknown/ours"] == raw["data"]["extensions"]["unknown/ours"]
    assert persona_of(read_card(made.raw)) == persona
    assert first.raw == raw


def test_whoever_never_had_a_card_gets_one():
    """A persona made in the game leaves as version 3, and comes back as it was."""
    persona = {
        "name": "Marrek",
        "role": "Ferryman",
        "personality": "gruff",
        "interests": ["riddles"],
        "home_location": "The pier",
        "greeting": "Mind the step.",
        "lore": ["The river has no name."],
        "scenario": "At the ferry.",
    }
    made = card_of(persona)
    assert persona_of(read_card(made.raw)) == persona
    assert made.data["description"] == "Ferryman"
    assert made.data["personality"] == "gruff"
    described = persona | {"char_description": "He mends boats.", "char_personality": "Sings."}
    made = card_of(described)
    assert made.data["description"] == "He mends boats."
    assert persona_of(read_card(made.raw)) == described


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({}, "describes"),
        ({"spec": "chara_card_v9", "data": {}}, "no kind of card"),
        ({"spec": ["chara_card_v2"], "data": {}}, "no kind of card"),
        ({"spec": "chara_card_v2"}, "no 'data'"),
        ({"spec": "chara_card_v2", "data": {"name": " \u200b "}}, "no name"),
        ({"spec": "chara_card_v2", "data": {"name": 7}}, "'name' must be a text"),
        ({"spec": "chara_card_v2", "data": {"name": "A", "tags": "x"}}, "'tags' must be a list"),
        ({"spec": "chara_card_v2", "data": {"name": "A", "tags": [1]}}, "list of texts"),
        ({"spec": "chara_card_v3", "data": {"name": "A", "assets": [1]}}, "assets"),
        ({"data": {"name": "A"}}, "'spec' is missing"),
        ({"name": "A", "description": "x" * 20_001}, "20000 are allowed"),
        ({"name": "A", "description": "nul \0"}, "cannot be stored"),
        ({"name": "A", "description": "half \ud800"}, "cannot be stored"),
    ],
)
def test_what_is_no_card_is_refused(raw, words):
    """Each refusal says what is wrong."""
    assert words in refused(json.dumps(raw).encode())


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no JSON"),
        (b"\xff\xfe{}", "no JSON"),
        (b"GIF89a", "no picture (PNG) that holds a card"),
        (b"[]", "no JSON object"),
        (b'{"a": NaN}', "NaN"),
        (b'{"a": 1e999}', "too large"),
        (b'{"a": ' + b"9" * 6000 + b"}", "no JSON"),
        (b"PK\x03\x04rest", "charx"),
        (b'{"a": "' + b"x" * MAX_BYTES + b'"}', "are allowed"),
        (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "levels deep"),
        (b'{"a": ' + b"[" * MAX_DEPTH + b"]" * MAX_DEPTH + b"}", "levels deep"),
        (b'{"a": [' + b"0," * 60_000 + b"0]}", "values"),
    ],
)
def test_hostile_json_is_refused(data, words):
    """Too large, too deep, too much, or no JSON at all: one error, and at once."""
    assert words in refused(data)


def test_what_is_just_deep_enough_is_read():
    """The limit itself is allowed."""
    inner = MAX_DEPTH - 2
    assert parse(b'{"a": ' + b"[" * inner + b"0" + b"]" * inner + b"}")


# -- what becomes of it in a persona


def words_of(persona):
    """All words of a persona."""
    return json.dumps(persona, ensure_ascii=False)


def test_notes_and_instructions_never_enter_a_persona():
    """Neither what the author tells other authors, nor what a card would tell the model."""
    for number, version in ALL:
        assert "SECRET" not in words_of(persona_of(read_card(card(number, version))))


def test_a_persona_is_inert():
    """Of all that programs act on, only our own two macros are left."""
    for number, version in ALL:
        words = words_of(persona_of(read_card(card(number, version))))
        for macro in ("{{char}}", "{{user}}"):
            words = words.replace(macro, "")
        inside = json.loads(words)
        texts = [one for one in inside.values() if isinstance(one, str)]
        assert not any(mark in text for text in texts for mark in ("{", "}", "|", "$pad", "\\"))


def test_old_macros_become_ours_and_strange_ones_words():
    """Spelled as years ago they still mean somebody; what nobody resolves means nothing."""
    text = "<BOT> and <user> and {{ CHAR }}, {{random:a,b}}, {{time}}, {{// hush }}{{memories}}."
    made = persona_of(read_card({"name": "A", "description": text}))
    told = "{{char}} and {{user}} and {{char}}, ((random:a,b)), ((time)), ((memories))."
    assert made["char_description"] == told


def test_what_others_put_into_our_extension_is_checked():
    """Our own fields in a stranger's card are as inert as the rest; other fields do not enter."""
    own = {"role": "{{time}} |r", "lore": ["a", 7, {"b": 1}], "name": "Root", "interests": {"x": 1}}
    raw = card(1, 2)
    raw["data"]["extensions"]["ai_assistant"] = {"persona": own}
    made = persona_of(read_card(raw))
    assert made["role"] == "((time)) /r"
    assert made["lore"] == ["a"]
    assert made["name"] == "Tansy Brewell"
    assert "interests" not in made
    raw["data"]["extensions"]["ai_assistant"] = {"persona": [own]}
    assert "role" not in persona_of(read_card(raw))
