"""Delivery: who hears it in the end is decided by who is there in the end."""

import pytest

from ai_assistant.agent.turn.speech_rules import route
from ai_assistant.core.contracts import Delivery, Speech
from ai_assistant.core.readers import OPEN

A, B, C, CHANNEL = "e-alice", "e-bob", "e-carol", "c-guild"


@pytest.mark.parametrize(
    ("readers", "audience", "hearers", "outcome", "heard_by"),
    [
        (OPEN, {A}, {A}, "said", {A}),
        (OPEN, {A}, {A, B}, "said", {A, B}),  # newcomers simply hear
        (OPEN, {A, B}, {B}, "said", {B}),
        (OPEN, {A}, {B}, "dropped", set()),  # nobody shouts into a room of strangers
        (OPEN, {A}, set(), "dropped", set()),
        (OPEN, set(), {A}, "dropped", set()),
        (A, {A}, {A}, "said", {A}),
        (A, {A}, {A, B}, "privately", {A}),
        (f"{A},{B}", {A, B}, {A, B, C}, "privately", {A, B}),
        (f"{A},{B}", {A, B}, {B, C}, "privately", {B}),
        (f"{A},{B}", {A}, {A, B}, "said", {A, B}),
        (A, {A, B}, {B, C}, "dropped", set()),
        ("", {A}, {A}, "dropped", set()),
        (CHANNEL, {CHANNEL}, {CHANNEL}, "said", {CHANNEL}),
        (A, {CHANNEL}, {CHANNEL}, "dropped", set()),
        (CHANNEL, {A}, {A, B}, "privately", {A}),
    ],
)
def test_a_speech_ends_as_its_label_allows(readers, audience, hearers, outcome, heard_by):
    """Said where all who hear may know, told privately to those who may, else dropped."""
    speech = Speech("say", "…", readers, frozenset(audience))
    end = route(speech, frozenset(hearers), lambda one, channel: one == A)
    assert (end.outcome, end.hearers) == (outcome, heard_by)
    assert bool(end.reason) is (outcome != "said")


def test_a_dropped_speech_says_why():
    """The reason can be put on record in words."""
    end = route(Speech("say", "…", OPEN, frozenset({A})), frozenset())
    assert end == Delivery("dropped", reason="nobody is there to hear it")
