"""What the documentation of scenes prints of both cards of the demo is what happens."""

import re

from bench.evening import EVENINGS, played, printed
from tests.e2e.harness import Game

TYPED = re.compile(r"(?m)^(\w+> .+)\n((?:(?!\w+> |```).*\n)*)")
"""A line that was typed, and all that it brought to every screen."""


def answers(told):
    """Return what each line typed brought, whatever numbers the database gave.

    Of those who saw a thing at once none stands first.
    """
    found = []
    for typed, brought in TYPED.findall(told):
        lines = re.sub(r"#\d+", "#", brought).splitlines()
        found.append((typed, sorted(lines) if "aiscene/who" in typed else lines))
    return found


def test_the_evenings_are_played_as_printed(tmp_path, opened):
    """A mystery and a quest: each line brings what is shown, and who knows what is told."""
    with Game.village(tmp_path, opened) as game:
        told = "\n\n".join(played(game.open()))
    assert answers(told) == answers(printed())
    bell, sword = (told.partition(f"### {title}")[2] for title in EVENINGS)
    knows_of_boots = bell.partition("Who knows of 'wet boots'")[2].partition("Ann>")[0]
    assert "heard from Tansy Brewell" in knows_of_boots
    knows_of_gift, knows_of_pillar = sword.split("Who knows of")[1:]
    assert "Tansy Brewell" in knows_of_gift
    assert "Tansy Brewell" not in knows_of_pillar.partition("Bram>")[0]
