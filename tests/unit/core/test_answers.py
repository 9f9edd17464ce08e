"""What jobs answer: lists and objects, whatever stands around them and wherever they break."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.core.model_json import answer_list, answer_object, answer_objects

FACTS = [{"about": "Mira", "lines": [3, 4]}, {"about": "Rolf", "lines": [7]}]
FULL = '[{"about": "Mira", "lines": [3, 4]}, {"about": "Rolf", "lines": [7]}]'


@pytest.mark.parametrize(
    "text",
    [
        FULL,
        f"Here are the facts [as asked]:\n```json\n{FULL}\n```\nThat is all [really].",
        f'{{"facts": {FULL}}}',
        FULL.replace("}, {", "}\n{")[1:-1],
        FULL.replace("]}]", "],},]"),
        FULL.replace('"', "'"),
        FULL.replace("}, {", "}, // and\n {"),
        FULL[:-1],
        FULL[:-3],
    ],
)
def test_a_list_is_found(text):
    """Fences, wrapping, slips and a missing end are no reason to lose a night's work."""
    assert answer_list(text) == FACTS


def test_a_quote_inside_a_text_is_mended():
    """The commonest slip of all: quotation marks within a text."""
    assert answer_list('[{"quote": "He said "no" to her", "lines": [1]}]')[0]["lines"] == [1]
    assert answer_object('{"quote": "He said "no" to her", "score": 2}')["score"] == 2


def test_only_the_objects_of_a_list():
    """What a job is to judge one by one are objects."""
    assert answer_objects(f"Facts: {FULL[:-1]}, 3, null] and no more.") == FACTS


@pytest.mark.parametrize(
    "text",
    ["", "None.", "[sic]", "{smiles}", "[]", "[" * 9000, '{"a":' * 9000, "{'" * 9000, '{"' * 9000],
)
def test_no_list_is_an_empty_one(text):
    """Where nothing is meant, or no end is in sight, nothing is found."""
    assert answer_list(text) == []
    assert answer_object(text) == {}


def test_an_object_is_found():
    """The first one, repaired where it breaks off; a list is none."""
    assert answer_object('Sure {smile}: {"score": 3, "mode": null} {"score": 4}')["score"] == 3
    assert answer_object('{"score": 3, "mode": "re') == {"score": 3, "mode": "re"}
    assert answer_object("[1, 2]") == {}


@given(
    text=st.lists(
        st.sampled_from([*"[]{}:,\"'\\1a \n", '"a"', "1e999", "\\ud800"]), max_size=30
    ).map("".join)
)
def test_no_answer_breaks_a_job(text):
    """Whatever a model writes, a list and an object come of it."""
    assert isinstance(answer_list(text), list)
    assert isinstance(answer_object(text), dict)
