"""The persona guard: sentences about others pass, those about the assistant itself do not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.memory.inner.persona_guard import self_reference
from bench.persona_guard import MOST_FALSE_ACCEPTS, MOST_FALSE_REJECTS, fill, judge, pool

OWN = ("Captain Seraphina Stormborne",)


def test_the_bar_is_kept():
    """From the text alone, few sentences about itself pass, and few of the others are refused."""
    found = judge(pool("fresh"), 200, seed=3)
    assert found.accept_percent <= MOST_FALSE_ACCEPTS
    assert found.reject_percent <= MOST_FALSE_REJECTS
    assert judge(pool("held_out"), 200, seed=3).reject_percent <= MOST_FALSE_REJECTS


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I helped Alice.", "I helped Alice"),
        ("Alice is kind. My advice helped her.", "My advice helped her"),
        ("im helping alice", "im helping alice"),
        ("I’ll help Alice.", "I’ll help Alice"),
        ("The assistant helped Alice.", "The assistant helped Alice"),
        ("Seraphina helped Alice.", "Seraphina helped Alice"),
    ],
)
def test_the_phrase_is_shown(text, found):
    """The model reads which words are about itself."""
    assert self_reference(text, OWN) == found


@pytest.mark.parametrize(
    ("own", "others"),
    [
        ("Alice said I was robbed.", "Alice said: I was robbed."),
        ('"I was robbed."', '"I was robbed," said Alice.'),
        ("Note: I was robbed.", "Alice: I was robbed."),
        ("Seraphina: I was robbed.", "Edric: I was robbed."),
        ("Seraphina asked Alice.", "Alice asked Seraphina."),
        ("Seraphina's cooking is bad.", "Alice hates Seraphina's cooking."),
        ("Captain Seraphina saved Bob.", "Captain Edric saved Bob."),
        ("Stormborne saved Bob.", "Edric Stormborne saved Bob."),
        ("Alice saw my boat.", "The inn is called My Lady's Rest."),
        ("Alice said 'I was robbed. I wept.", "Alice said 'I was robbed'. Bob wept."),
        ("Alice knows that we won.", "Alice asked me to tell nobody."),
    ],
)
def test_words_are_understood(own, others):
    """The same words are about the assistant in one sentence, and about others in the next."""
    assert self_reference(own, OWN)
    assert self_reference(others, OWN) == ""


def test_whom_it_is_about_comes_first():
    """A fact about the character is refused in any words, one about others for its words alone."""
    assert self_reference("Likes tea", OWN, about="captain seraphina stormborne")
    assert self_reference("Likes tea", OWN, about="Alice") == ""
    assert self_reference("I like tea", OWN, about="Alice")


@pytest.mark.parametrize(
    "text",
    [
        "Alice insulted me and apologised.",
        "Borrowed my lantern.",
        "Called me a fool; I forgave it.",
    ],
)
def test_what_somebody_did_to_the_character_is_about_them(text):
    """Whom it is about is known: in what they did the character may stand as itself."""
    assert self_reference(text, OWN, about="Alice") == ""


@pytest.mark.parametrize(
    ("code", "own", "others"),
    [
        ("de", "Ich habe Alice geholfen.", "Alice hat mir geholfen."),
        ("de", "Alice mag meine Suppe.", 'Alice sagte: "Ich mag Suppe."'),
        ("es", "Nosotros ayudamos a Alice.", "Alice me ayudó."),
        ("es", "A Alice le gusta mi sopa.", "Alice dijo: «Me gusta mi sopa.»"),
    ],
)
def test_other_languages_have_their_own_words(code, own, others):
    """What means oneself is data of the language."""
    assert self_reference(own, OWN, language=code)
    assert self_reference(others, OWN, language=code) == ""


def test_names_matter_only_where_given():
    """Whoever bears no such name may act as they like."""
    assert self_reference("Seraphina helped Alice.") == ""
    assert self_reference("Tilda helped Alice.", ["Tilda the Smith"])
    assert self_reference("Edric the Smith helped Alice.", ["Tilda the Smith"]) == ""


@given(st.text(max_size=60) | st.text("I'\":., ¡\nim(A[<;-", max_size=40))
def test_no_text_is_too_odd(text):
    """Whatever the text, there is an answer."""
    assert isinstance(self_reference(text, OWN), str)


@given(
    st.sampled_from([one for one in pool("fresh").own if one[0] not in "'\""]),
    st.sampled_from(pool("fresh").others),
    st.randoms(),
)
def test_one_sentence_spoils_the_text(own, others, chance):
    """A note is refused for any of its sentences, wherever it stands."""
    assert self_reference(fill(f"Alice has a cat. {others}\n{own}", chance), OWN)
