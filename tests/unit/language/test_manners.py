"""Manners in each language: the four kinds, and lines that only look like them."""

import pytest

from ai_assistant.language import known_languages, language_of, use
from ai_assistant.language.talk_signs import is_promise, manner_of

CODES = known_languages()


@pytest.fixture(autouse=True)
def english_again():
    yield
    use("en")


@pytest.mark.parametrize(
    ("code", "text", "manner"),
    [
        ("en", "Thanks for the stew, Tansy!", "thanks"),
        ("en", "No thanks.", ""),
        ("en", "You have been very kind to my sister.", "praise"),
        ("en", "Well done!", "praise"),
        ("en", "It was a great storm, the worst in many years.", ""),
        ("en", "Shut up, you pig.", "insult"),
        ("en", "They sold us a pig at the market in Brambleford.", ""),
        ("en", "You’ll regret this.", "threat"),
        ("de", "Vielen Dank für die Suppe.", "thanks"),
        ("de", "Du bist wirklich großartig.", "praise"),
        ("de", "Du bist ein dummer Narr.", "insult"),
        ("de", "Der Weg zum Hafen war lang und dunkel.", ""),
        ("de", "Das wirst du bereuen!", "threat"),
        ("es", "Muchas gracias por la sopa.", "thanks"),
        ("es", "Eres muy amable.", "praise"),
        ("es", "¡Eres un idiota!", "insult"),
        ("es", "Te mataré.", "threat"),
        ("es", "El camino al puerto era largo.", ""),
    ],
)
def test_how_one_is_treated(code, text, manner):
    """By its words, in the sentence that speaks to the listener."""
    use(code)
    assert manner_of(text) == manner


@pytest.mark.parametrize(
    ("code", "text", "promised"),
    [
        ("en", "I'll bring you the flour tomorrow.", True),
        ("en", "I will not bring you anything.", False),
        ("en", "Bring me the flour.", False),
        ("de", "Ich bringe dir morgen das Mehl.", True),
        ("es", "Mañana te traeré la harina.", True),
    ],
)
def test_what_one_promises_to_bring(code, text, promised):
    """A promise of the speaker's own, and no refusal."""
    use(code)
    assert is_promise(text) is promised


def test_every_language_has_every_kind():
    """A language that is added is whole."""
    assert CODES == ["de", "en", "es"]
    kinds = {frozenset(language_of(code).phrases) for code in CODES}
    assert len(kinds) == 1
    for code in CODES:
        assert all(language_of(code).phrases.values())
        assert set(language_of(code).events.values()) == set(language_of("en").events.values())
