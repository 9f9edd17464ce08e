"""The persona guard: sentences about others pass, those about the assistant itself do not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.memory.persona_guard import refusal, self_reference
from bench.persona_guard import MOST_FALSE_REJECTS, fill, judge, pool

OWN = ("Captain Seraphina Stormborne",)


@pytest.mark.parametrize("name", ["held_out", "build"])
def test_the_bar_is_kept(name):
    """Of 200 sentences none about itself passes, and at most 2 % of the others are refused."""
    found = judge(pool(name), 200, seed=3)
    assert found.accepted == []
    assert found.reject_percent <= MOST_FALSE_REJECTS


def test_the_pools_share_no_wording():
    """What the guard is measured by is not what it was built on."""
    build, held_out = pool("build"), pool("held_out")
    assert not {*build.own, *build.others} & {*held_out.own, *held_out.others}
    assert min(map(len, (held_out.own, held_out.others))) > 80


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I helped Alice.", "I helped Alice"),
        ("My advice helped Alice.", "My advice helped"),
        ("Alice was helped by me.", "me"),
        ("Alice told me that she was robbed.", "me that she"),
        ("im helping alice", "im helping alice"),
        ("I’ll help Alice.", "I'll help Alice"),
        ("As an AI, I help.", "I help"),
        ("The assistant helped Alice.", "The assistant helped"),
        ("Seraphina helped Alice.", "Seraphina helped"),
        ("Gave Bob the key.", "Gave Bob the"),
        ("After the fight, gave Bob the key.", "gave Bob the"),
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
        ("The level I reached is high.", "Level I is easy."),
        ("It was I. Alice left.", "I. M. Pei left."),
        ("Helped Alice, then left.", "Helped by Alice, Bob left."),
        ("Told Alice the truth.", "Told the truth, Alice wept."),
        ("The assistant cooked for Alice.", "The assistant cook left Alice."),
        ("The mine and the gold are mine.", "The mine is Alice's."),
        ("Tell us more.", "The US is large."),
        ("Seraphina: I was robbed.", "Edric: I was robbed."),
        ("Seraphina asked Alice.", "Alice asked Seraphina."),
        ("Alice hates Seraphina's cooking.", "Alice hates Bob's cooking."),
        ("The bartender AI forgot Alice.", "The bartender forgot Alice."),
        ("As the inn's AI model, one is polite.", "The wizard's AI companion follows Alice."),
        ("Alice saw My boat.", "The inn is called My Lady's Rest."),
        ("Thanks to Seraphina, Bob lives.", "Edric Stormborne saved Bob."),
        ("Alice: I helped her.", "Alice: I helped Bob."),
        ("When Alice asked, I spoke.", "Alice whispered, I was robbed."),
        ("You promised Alice a key.", "You need a key."),
    ],
)
def test_words_are_understood(own, others):
    """The same words are about the assistant in one sentence, and about others in the next."""
    assert self_reference(own, OWN)
    assert self_reference(others, OWN) == ""


def test_a_quotation_ends_where_it_ends():
    """What follows a quotation is the writer's again."""
    assert not self_reference("Alice said 'I was robbed'. Bob wept.")
    assert self_reference("Alice said 'I was robbed'. I wept.")
    assert self_reference("Alice said 'I was robbed. I wept.")


def test_names_matter_only_where_given():
    """Whoever bears no such name may act as they like."""
    assert self_reference("Seraphina helped Alice.") == ""
    assert self_reference("Tilda helped Alice.", ["Tilda the Smith"])
    assert self_reference("Edric the Smith helped Alice.", ["Tilda the Smith"]) == ""


def test_a_refusal_has_the_seed_s_fields():
    """The model learns what was wrong, what to do instead, and gets its text back."""
    refused = refusal("I helped Alice.", OWN)
    assert refused["success"] is False
    assert "'I helped Alice'" in refused["error"]
    assert "third person" in refused["suggestion"]
    assert refused["rejected_content"] == "I helped Alice."
    assert refusal("Player Alice completed the intro quest.", OWN) is None


@given(st.text(max_size=60) | st.text("I'\":., ¡\nim(A[<;-", max_size=40))
def test_no_text_is_too_odd(text):
    """Whatever the text, there is an answer."""
    assert isinstance(self_reference(text, OWN), str)


ON_ITS_OWN = [one for one in pool("held_out").own if one[0] not in "'\""]
"""Without those that, behind somebody's quotation, could be the next words of the same speaker."""


@given(st.sampled_from(ON_ITS_OWN), st.sampled_from(pool("held_out").others), st.randoms())
def test_one_sentence_spoils_the_text(own, others, chance):
    """A note is refused for any of its sentences, wherever it stands."""
    assert self_reference(fill(f"Alice has a cat. {others}\n{own}", chance), OWN)


def test_a_long_text_takes_no_time():
    """Neither many quotation marks nor many commas keep the game waiting."""
    for part in ("'a \"b ", "I, said ", ": (", "A. ", "the AI "):
        self_reference(part * 2000, OWN)
