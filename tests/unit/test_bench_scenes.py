"""The generator of the scenes' bench: places that occur once, and lines that mean who is near."""

import random
from itertools import count

from bench.scene_script import NICKNAMES, Person, Said, Script, setting, town, towns_in
from bench.scene_words import LINES

NAMES = ("Edna", "Falk", "Gwen", "Ada Thorne", "Bram", "Captain Holt")
CAST = [
    Person(name, (name, nick), mind=at > 2)
    for at, (name, nick) in enumerate(zip(NAMES, NICKNAMES, strict=False))
]


def test_places_are_found_again():
    """Each line has a place of its own, which is found in colours, in any case, and never else."""
    towns = {town(number) for number in range(20_000)}
    assert len(towns) == 20_000
    text = f"\x1b[0m{town(1)} says |n{town(2).lower()} and candlewicks"
    assert towns_in(text) == [town(1), town(2)]


def test_lines_are_for_those_who_are_near():
    """Whoever is meant is in the speaker's room; what is said names the line's own place alone."""
    numbers, kinds = count(), set()
    for number in range(60):
        luck = random.Random(number)
        start = setting(number, CAST, luck)
        script = Script(start, CAST, luck, lambda: town(next(numbers)))
        for _ in range(12):
            act = script.next()
            if isinstance(act, Said):
                kinds.add(act.kind)
                assert towns_in(act.typed) == [act.town]
                assert act.speaker not in act.meant
                assert {script.where[one] for one in act.meant} <= {script.where[act.speaker]}
    assert kinds >= {*LINES, "whisper"} - {"both"}
