"""What the forty acquaintances say and do in ten days, by their manner, and how a listener took it.

Lines are plain talk, written for what somebody of that manner would say, and not for the words that
`ai_assistant.language.talk_signs` knows. The number is what a sensible listener would feel, -2
to 2.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

DAYS = 10
LONGEST_TRUSTED = 4
"""Days after which sensible people see through one who promises and never brings anything."""


@dataclass(frozen=True, slots=True)
class Act:
    """One line or gift of one person: the day, the words, the kind, and how it was meant."""

    day: int
    text: str
    felt: int = 0
    kind: str = "say"


MANNERS = {
    "kind": 8,
    "rude": 6,
    "begging": 5,
    "silent": 4,
    "generous": 5,
    "liar": 6,
    "mixed": 6,
}
NAMES = (
    "Ada Bram Cato Dora Egon Fenna Gero Hilde Ivo Jutta Kuno Lore Mats Nele Odo Pia Quint Runa "
    "Sven Tilda Udo Vera Wim Xenia Yorick Zita Arno Berta Clara Detlef Elin Falk Greta Hanno "
    "Ilse Jorg Kaja Lutz Mina Nils"
).split()
SMALL = (
    "Good morning.",
    "Rain again, and the roof leaks as ever.",
    "Is the ferry running today?",
    "They say the road north is open again.",
    "I am only passing through.",
    "What is there to eat tonight?",
    "Good night, then.",
    "The fair is on Saturday, are you going?",
)
KIND = (
    ("How is your shoulder? You should rest it.", 1),
    ("I kept you the seat by the fire.", 1),
    ("Thank you for waiting up for us last night.", 1),
    ("You did that very well. I could not have.", 1),
    ("I am glad you are on the gate; the children sleep better.", 1),
    ("You look tired. Let me carry that for you.", 1),
    ("My wife says you are the kindest face in this town.", 1),
    ("I told the reeve that the credit is yours.", 2),
    ("Take your time, I am in no hurry.", 0),
    ("Thanks, that helped me a great deal.", 1),
    ("It is always good to see you.", 1),
    ("Was your sister pleased with the news?", 1),
)
RUDE = (
    ("Move, you are in my way.", -1),
    ("Do they pay you to stand about and look stupid?", -2),
    ("I have met doors with more sense than you.", -2),
    ("Faster. I have not got all day.", -1),
    ("You people make me sick.", -2),
    ("Shut up and listen for once.", -2),
    ("What an ugly hole this is, and you fit right in.", -2),
    ("Nobody asked you, idiot.", -2),
    ("Just do as you are told.", -1),
    ("You will never be more than a doorman.", -1),
    ("I could have you thrown out with one word.", -1),
    ("Useless, as always.", -2),
)
BEGGING = (
    ("Could you spare a coin? Only one.", 0),
    ("You gave the other one something, why not me?", -1),
    ("Please, I have not eaten since yesterday.", 0),
    ("Come on, you must have something in that purse.", -1),
    ("Give me the lantern, you do not need it.", -1),
    ("Just a little bread. I will not ask again.", 0),
    ("I asked you yesterday and you promised to think about it.", -1),
    ("Bless you if you help me.", 0),
)
FLATTERY = (
    ("A great captain like you surely has better things to do.", 0),
    ("You are the wisest head in the whole garrison.", 1),
    ("I tell everybody how brave you are.", 1),
    ("You know I would do anything for you.", 0),
)
PROMISES = (
    "I will bring you a barrel of the good ale tomorrow, on my honour.",
    "Tomorrow I'll bring you the silver that I owe you.",
    "My cousin has a fine saddle. I will get you that saddle.",
    "I promise to bring you the letter before the week is out.",
)
EXCUSES = (
    ("The ale? It went sour on the way. Next time.", -1),
    ("I never said which week.", -2),
    ("You must have misheard me about the silver.", -2),
)
GIFTS = ("a loaf of bread", "a woollen scarf", "a jar of honey", "a carved pipe", "some apples",
         "a pair of gloves", "a bottle of plum brandy", "a whetstone")  # fmt: skip
NODS = ("nods to the captain.", "sits down in the corner without a word.", "looks out at the rain.")


def scripts(seed: int) -> Iterator[tuple[str, str, list[Act]]]:
    """Yield (name, manner, acts in order) of each acquaintance."""
    luck, names = random.Random(seed), iter(NAMES)
    for manner, count in MANNERS.items():
        for _ in range(count):
            name = next(names)
            acts = [act for day in range(DAYS) for act in _day(manner, name, day, luck)]
            yield name, manner, acts


def _day(manner: str, name: str, day: int, luck: random.Random) -> list[Act]:
    acts = [Act(day, luck.choice(SMALL))]
    if manner == "silent":
        return [Act(day, f"{name} {luck.choice(NODS)}", kind="pose") if luck.random() < 0.5
                else acts[0]]  # fmt: skip
    said = {"kind": KIND, "rude": RUDE, "begging": BEGGING, "generous": KIND, "liar": FLATTERY}
    lines = said.get(manner) or luck.choice((KIND, RUDE, BEGGING))
    count = 1 if manner in ("generous", "liar") else luck.randint(2, 4)
    seen_through = manner == "liar" and day > LONGEST_TRUSTED
    acts += [
        Act(day, text, -1 if seen_through else felt) for text, felt in luck.sample(lines, count)
    ]
    return acts + list(_deeds(manner, name, day, luck))


def _deeds(manner: str, name: str, day: int, luck: random.Random) -> Iterator[Act]:
    """Yield promises, excuses and gifts: the generous bring something, liars say that they will."""
    chance = {"generous": 0.9, "kind": 0.2, "mixed": 0.25}.get(manner, 0.0)
    if manner == "liar":
        if day % 3 == 0:
            yield Act(day, luck.choice(PROMISES))
        elif day > 3 and luck.random() < 0.5:
            text, felt = luck.choice(EXCUSES)
            yield Act(day, text, felt)
    if manner in ("generous", "kind") and day == 4:
        yield Act(day, luck.choice(PROMISES))
        chance = 0.0
    if luck.random() < chance or (manner in ("generous", "kind") and day == 5):
        yield _gift(day, name, luck)
    if manner == "generous" and luck.random() < 0.3:
        yield _gift(day, name, luck)


def _gift(day: int, name: str, luck: random.Random) -> Act:
    return Act(day, f"{name} gives you {luck.choice(GIFTS)}.", kind="gift")
