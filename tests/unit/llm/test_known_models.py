"""What is known of a model before it is asked: its list, its size, its price."""

import json

import pytest

from ai_assistant.core.errors import BadReply
from ai_assistant.llm.model_list import KnownModel, known_model, names_of, parse_models, window_in
from ai_assistant.llm.model_profiles import Profile

OPENAI = "https://api.openai.com/v1"
KEY = "sk-1234567890abcdef"


def listed(*models):
    return parse_models(json.dumps({"data": models}).encode())


def test_a_published_model_has_a_price_and_a_size():
    """A turn of gpt-4o-mini costs less than a cent, and it takes 128,000 tokens."""
    known = known_model(Profile("default", "openai", OPENAI, "gpt-4o-mini"))
    assert 0 < known.price < 0.01
    assert known.window == 128_000


@pytest.mark.parametrize(("url", "model"), [("http://127.0.0.1:1/v1", "x"), (OPENAI, "nobodys")])
def test_of_others_nothing_is_claimed(url, model):
    """A server of one's own has no price that is published, and no guess is made."""
    assert known_model(Profile("default", "local", url, model)) == KnownModel()


def test_a_list_is_read_by_whoever_made_it():
    """Sizes stand under several names; a model's tag may be left out."""
    models = listed(
        {"id": "b", "context_length": 4096},
        {"id": "a:latest", "meta": {"n_ctx_train": 8192}},
        {"id": 5},
        "c",
        {"id": "two words"},
    )
    assert names_of(models) == ["a:latest", "b"]
    assert (window_in(models, "b"), window_in(models, "a"), window_in(models, "c")) == (
        4096,
        8192,
        0,
    )


@pytest.mark.parametrize("raw", [b"<html>", b"[]", b'{"data": 5}', b'{"models": []}'])
def test_what_is_no_list_is_refused(raw):
    """As one error that says so."""
    with pytest.raises(BadReply):
        parse_models(raw)


@pytest.mark.parametrize("spelled", ["{}".format, lambda letter: f"\\u{ord(letter):04x}"])
def test_a_list_that_holds_the_key_is_dropped(spelled):
    """Nothing of it is shown, however it is spelled."""
    told = "".join(map(spelled, KEY))
    with pytest.raises(BadReply):
        parse_models(b'{"data": [{"id": "%s"}]}' % told.encode(), KEY)
