"""Wording: what is heard of a model's words, what is done, and what is no answer at all."""

from importlib import resources
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.agent.turn.refusals import LONGEST, is_no_answer
from ai_assistant.agent.turn.spoken_text import gesture, in_order, spoken
from ai_assistant.prompts import load_prompt

NAME = "Tansy Brewell"
HANDLES = {"p1": "Mira", "p2": "Rolf", "o1": "a heel of bread"}
INSTRUCTIONS = load_prompt("instructions")
LORE = "The Kettle and Crow was built by two brothers who never spoke to each other again."
PROMPT = f"{INSTRUCTIONS}\n\n## Who you are\nTansy.\n\n## Now\nEvening.\n\n## What is told\n{LORE}"


class Said(NamedTuple):
    """What is heard, and what is seen."""

    words: str
    gestures: tuple[str, ...]


def said(text, name=NAME):
    """Return what is heard and seen of a text."""
    return Said(*spoken(text, name=name, handles=HANDLES)[:2])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Good day, Mira.", "Good day, Mira."),
        (
            "**Brambleford!** It is *two* days from __here__.",
            "Brambleford! It is two days from here.",
        ),
        ("We have:\n- stew\n- bread\n\nWell?", "We have: stew, bread\nWell?"),
        ("# The road\n1. Go north.\n2. Turn left.", "The road\nGo north. Turn left."),
        ("> Old saying\n\n---\nHm.", "Old saying\nHm."),
        ("See [the inn](https://inn.example/a) and `this`.", "See the inn and this."),
        ("```\nGood day.\n```", "Good day."),
        ("Good<br>day <b>Mira</b>.", "Good day Mira ."),
        ("12. Not one more.", "12. Not one more."),
        ("2*3*4 is 24, 2 * 3 is 6.", "2*3*4 is 24, 2 * 3 is 6."),
        ("*Never* do that; I *do* mean it.", "Never do that; I do mean it."),
        ("Welcome to *the Kettle*!", "Welcome to the Kettle!"),
        ("The truth: *never* again.", "The truth: never again."),
    ],
)
def test_markup_is_not_spoken(text, words):
    """Markdown becomes plain words, and none of what was said gets lost."""
    assert said(text) == (words, ())


@pytest.mark.parametrize(
    ("text", "words", "gestures"),
    [
        ("*smiles* Good day.", "Good day.", ["smiles"]),
        ("Good day *smiles*", "Good day", ["smiles"]),
        ("Aye. *leans in* You know… *nods* he lies.", "Aye. You know… he lies.", None),
        ("*Tansy smiles at p1.* Sit!", "Sit!", ["smiles at Mira."]),
        ("*Smiles warmly.* Sit!", "Sit!", ["smiles warmly."]),
        ("*smiles*", "", ["smiles"]),
        ("Well *Tansy nods* well.", "Well well.", ["nods"]),
        ("_smiles_ Sit!", "Sit!", ["smiles"]),
        ("*微笑* 你好。", "你好。", ["微笑"]),
        ("*I lean in* Sit!", "Sit!", []),
        ('Tansy smiles. "Sit down, Mira!"', "Sit down, Mira!", ["smiles."]),
    ],
)
def test_a_gesture_is_done_not_said(text, words, gestures):
    """What stands between asterisks is told apart, without the name and never as "I"."""
    expected = ("leans in", "nods") if gestures is None else tuple(gestures)
    assert said(text) == (words, expected)


@pytest.mark.parametrize(
    "text",
    [
        'Tansy Brewell says, "Good day."',
        'Tansy says softly: "Good day."',
        "Tansy: Good day.",
        "**Tansy Brewell:** Good day.",
        "[Tansy]: Good day.",
        "Tansy (softly): Good day.",
        "tansy brewell: Good day.",
        '"Good day."',
        "“Good day.”",
        '"Good day," says Tansy.',
        '"Good day," Tansy says, and wipes a mug.',
        'You say, "Good day."',
        "Tansy: Good day.\nMira: And to you!\nTansy: What will it be?",
        "Good day.\n**Rolf:** Hm.",
        '"Good day.',
    ],
)
def test_the_name_is_not_doubled(text):
    """The game says who speaks, and to whom it is said: not the words; nobody's part is played."""
    assert said(text) == ("Good day.", ())


@pytest.mark.parametrize(
    "text",
    [
        "Tansy Brewell, at your service.",
        'Tansy is my name, and "Kettle" the inn\'s.',
        'My name is Tansy, and Rolf said "no".',
        '"Rest" is what you need.',
        "Mira: come here.",
        "We have:\nA heel of bread: two coppers.\nAle: one copper.",
        "Look for p9, the x of the map, and the p1-mark.",
        "Old habits die hard.",
    ],
)
def test_words_that_only_look_like_it_stay(text):
    """Of two minds, the words are left alone."""
    assert said(text, "Tansy Brewell") == (text, ())
    assert said("Old friends: trust them.", "Old Hanne").words == "Old friends: trust them."


@pytest.mark.parametrize(
    "text",
    [
        "Welcome, all.\nTansy whispers to Mira: the key is under the mat",
        "Welcome, all.\n**Tansy Brewell pages Bob:** the key\nand the mat",
        'Tansy whispers to Mira, "The key."\nTansy: Welcome, all.',
        'You whisper to Mira, "The key."\nTansy: Welcome, all.',
        "Welcome, all. *whispers to Mira: the key*",
        'Welcome, all.\n"The key," Tansy whispers to Mira.',
        'Welcome, all. "The key," Tansy Brewell pages Bob. "Under the mat."',
    ],
)
def test_what_is_told_to_one_is_not_said(text):
    """Its label never goes without its words."""
    assert said(text) == ("Welcome, all.", ())


def test_handles_are_never_spoken():
    """Names stand in their place, once, and nothing that only looks like a handle is touched."""
    words = said("Give P1 the bread, @p2, I mean o1. Mira (p1), take p11 or p1's.").words
    assert words == ("Give Mira the bread, Rolf, I mean a heel of bread. Mira, take p11 or Mira's.")


@pytest.mark.parametrize(
    ("text", "emote"),
    [
        ("Tansy Brewell smiles", "smiles"),
        ("*Tansy nods to p2.*", "nods to Rolf."),
        ("Tansy's eyes narrow", "'s eyes narrow"),
        ("smiles at **Mira**", "smiles at Mira"),
        ("Tansy Tansy nods", "nods"),
    ],
)
def test_an_emote_begins_without_the_name(text, emote):
    """The game puts the name in front."""
    assert gesture(text, name=NAME, handles=HANDLES) == emote


@pytest.mark.parametrize(
    "text",
    [
        "",
        " … ",
        "As an AI language model, I don't have feelings.",
        "I’m sorry, but as a large language model I have no name.",
        "Als KI-Sprachmodell kann ich das nicht.",
        "Lo siento, como modelo de lenguaje no puedo.",
        "En tant que modèle de langage, je ne peux pas.",
        "作为一个AI语言模型，我不能。",
        "I am ChatGPT, a large language model trained by OpenAI.",
        "As an AI, I don't have feelings.",
        "I'm an AI assistant, so I cannot drink.",
        "I am an artificial intelligence and have no body.",
        f"Sure! {INSTRUCTIONS[:400]}",
        "## Now\nThe Kettle and Crow, evening.",
        "Sure:\n**Who you are**\nTansy, who keeps an inn.",
    ],
)
def test_no_answer_is_told(text):
    """Nothing, the prompt itself, or a model that speaks of itself: to be asked once more."""
    assert is_no_answer(text, PROMPT)


@pytest.mark.parametrize(
    "text",
    [
        "Aye.",
        "你好。",
        "As an innkeeper, I model my stew on my mother's.",
        "An AI? A language model? Never heard of such a thing.",
        "I'm sorry, but I can't help you with that door; it is locked.",
        "I am the ship's AI. Welcome aboard.",
        "I can't help with that.",
        "I cannot continue with this conversation.",
        "I can't comply with that request, captain.",
        "I act only when I am asked; who you are is all the same to me.",
        "Now\nor never!",
        LORE,
    ],
)
def test_an_answer_is_an_answer(text):
    """Short, odd or refusing in the part: a character may say all that."""
    assert not is_no_answer(text, PROMPT)


def test_what_the_offline_model_says_is_an_answer():
    """It says honestly what it is, and is not asked again for that."""
    path = resources.files("ai_assistant.prompts") / "offline_lines.md"
    lines = [one[2:] for one in path.read_text("utf-8").splitlines() if one.startswith("- ")]
    assert len(lines) > 100
    assert [one for one in lines if is_no_answer(one, PROMPT)] == []


PIECES = st.lists(
    st.sampled_from(
        [
            *'*_"“”`#>-.:,!\n []()<~ ',
            "Tansy",
            "Mira",
            "Brewell",
            " says, ",
            "p1",
            "smiles",
            "A",
            "1. ",
        ]
    )
    | st.text(max_size=4),
    max_size=30,
).map("".join)


@given(text=PIECES)
def test_what_is_said_stays_as_it_is(text):
    """Said words are said words: a second look finds nothing to change, nor a gesture."""
    words = said(text).words
    assert said(words) == (words, ())


@given(text=PIECES)
def test_wording_never_fails(text):
    """Whatever a model writes, there is an answer, and no asterisk pair or fence is in it."""
    assert "```" not in said(text).words
    assert "**" not in said(text).words
    gesture(text, name=text, handles=HANDLES)
    is_no_answer(text, text)


@given(text=PIECES)
def test_the_parts_tell_the_same_as_the_whole(text):
    """Performed in order or not, the same is said and done, and nothing besides."""
    whole = said(text)
    parts = in_order(whole, text, name=NAME, handles=HANDLES)
    assert " ".join(one.words for one in parts).split() == whole.words.split()
    assert tuple(done for one in parts for done in one.gestures) == whole.gestures


@pytest.mark.parametrize("name", ["", "(", "a|b", "Mr. *", "\\"])
def test_the_name_may_be_anything(name):
    """A name is no pattern."""
    assert said("Good day.", name) == ("Good day.", ())


def test_of_an_endless_answer_the_beginning_is_looked_at():
    """What stands behind it is neither said nor done, and costs no time."""
    answer = "*nods* " + "`" * LONGEST + "Good day. *bows*"
    assert said(answer) == ("", ("nods",))
    assert gesture(answer, name=NAME, handles=HANDLES) == "nods"
