"""Questions about what has changed: is the value that holds now the first that recall gives?

python -m bench.latest_state [--seed 7] [--stories 250]

Every story is the talk of six people over some months: what each has, does and likes, in many
wordings, all of it changed later, once or twice, between small talk and what they say of others.
Retrieval was built with the wordings of `DEVELOPED_ON`; the figure that counts is taken on those
of `HELD_OUT`, which were written afterwards and are not to be tuned to.
"""

from __future__ import annotations

import argparse
import random
from dataclasses import dataclass

from ai_assistant.memory.retrieval import DAY, Index
from ai_assistant.memory.scoring import Tuning

PEOPLE = "Alice Bob Carol Dorin Edda Fenn Greta Hal Ivo Jorun".split()
KIN = ("brother", "sister", "neighbour", "cousin")


@dataclass(frozen=True)
class Topic:
    """One thing that changes: its values, how it is said first, how a change is told, and asked."""

    values: tuple[str, ...]
    first: tuple[str, ...]
    change: tuple[str, ...]
    question: tuple[str, ...]
    kin: str = ""


TOWNS = tuple("Millbrook Thornfield Oakham Greyford Ashby Wexcombe Larkhill Dunmoor".split())
JOBS = tuple("baker|guard|sailor|weaver|scribe|miner|cooper|healer".split("|"))
DRINKS = tuple("cider|ale|mead|tea|red wine|plum brandy|goat milk|water".split("|"))
MOUNTS = tuple("grey mare|mule|black stallion|donkey|pony|ox".split("|"))
PLACES = tuple("old well|chapel roof|hollow oak|cellar|mill pond|stone bridge".split("|"))
DAYS = tuple("Monday Tuesday Wednesday Thursday Friday Saturday".split())
PRICES = tuple("four coppers|six coppers|two silvers|nine coppers|one silver".split("|"))
PARTNERS = tuple("Rowan Tilda Marek Signe Anselm Brid".split())
WEAPONS = tuple("crossbow|spear|short sword|hunting knife|war hammer|sling".split("|"))

DEVELOPED_ON = (
    Topic(
        TOWNS,
        ("I live in {v}.", "My house is in {v}.", "I'm staying in {v} at the moment."),
        ("I moved to {v} last week.", "I live in {v} now.", "We've settled in {v}, after all."),
        ("Where does {who} live?", "Where does {who} live now?"),
        "My {kin} lives in {v}.",
    ),
    Topic(
        JOBS,
        ("I work as a {v}.", "I am a {v} by trade.", "They hired me as a {v}."),
        ("I work as a {v} these days.", "I have a new job: {v}.", "They made me a {v}, you know."),
        ("What is {who}'s job?", "What does {who} work as?"),
        "My {kin} works as a {v}.",
    ),
    Topic(
        DRINKS,
        ("My favourite drink is {v}.", "I like {v} best of all drinks."),
        ("My favourite drink is {v} now.", "I've switched my favourite drink to {v}."),
        ("What is {who}'s favourite drink?", "What does {who} like to drink best?"),
        "My {kin}'s favourite drink is {v}.",
    ),
    Topic(
        TOWNS,
        (
            "These days you'll find my home in {v}.",
            "I've had a little house in {v} for years.",
            "I reside in {v}, by the way.",
        ),
        (
            "Packed up everything and relocated to {v}.",
            "I've a new house now, in {v}.",
            "We moved house; it's {v} for us now.",
            "I no longer live where I did, I took a place in {v}.",
        ),
        ("Which town does {who} live in?", "Where is {who}'s home these days?"),
        "My {kin} has a house in {v}.",
    ),
    Topic(
        JOBS,
        ("I earn my bread working as a {v}.", "My trade is that of a {v}."),
        (
            "I gave up my old trade and became a {v}.",
            "Guess what: I got hired as a {v}!",
            "My work has changed, I'm a {v} now.",
        ),
        ("What work does {who} do?", "What is the trade of {who}?"),
        "My {kin} got work as a {v}.",
    ),
    Topic(
        DRINKS,
        ("Nothing beats {v}, it's my favourite drink.", "I always drink {v} when I can choose."),
        (
            "I used to drink other things, but {v} is my favourite now.",
            "I prefer to drink {v} lately.",
            "Forget what I drank before: {v} is my drink of choice.",
        ),
        ("What drink does {who} prefer?", "What is {who}'s favourite thing to drink?"),
        "My {kin} prefers to drink {v}.",
    ),
    Topic(
        MOUNTS,
        ("I ride a {v}.", "I own a {v}, a fine beast to ride."),
        (
            "I sold my old mount and bought a {v} to ride.",
            "I swapped mounts, I ride a {v} instead.",
            "My mount is a {v} now.",
        ),
        ("What does {who} ride?", "What kind of mount does {who} have?"),
        "My {kin} rides a {v}.",
    ),
    Topic(
        PLACES,
        ("I hid the chest by the {v}.", "The chest is hidden near the {v}."),
        (
            "I moved the chest, it's by the {v} now.",
            "The chest was not safe, so I hid it at the {v}.",
            "I buried the chest again, under the {v} this time.",
        ),
        ("Where did {who} hide the chest?", "Where is the chest of {who} hidden?"),
    ),
    Topic(
        DAYS,
        ("Our meeting is on {v}.", "I'll hold the meeting on {v}."),
        (
            "No, wait: the meeting is on {v}.",
            "The meeting had to be moved to {v}.",
            "I've postponed our meeting until {v}.",
        ),
        ("What day is {who}'s meeting?", "On what day does {who} hold the meeting?"),
    ),
    Topic(
        PRICES,
        ("I charge {v} for a loaf.", "A loaf costs {v} at my stall."),
        (
            "Flour is dear: a loaf costs {v} now.",
            "I changed the price of a loaf to {v}.",
            "From today I ask {v} for a loaf, that is my price.",
        ),
        ("What does a loaf cost at {who}'s stall?", "What price does {who} charge for a loaf?"),
    ),
    Topic(
        PARTNERS,
        ("I am courting {v}.", "My sweetheart is {v}."),
        (
            "It's over with the other one; {v} is my sweetheart now.",
            "I have a new sweetheart: {v}.",
            "I am courting {v} instead.",
        ),
        ("Who is {who}'s sweetheart?", "Who is {who} courting?"),
        "My {kin}'s sweetheart is {v}.",
    ),
    Topic(
        WEAPONS,
        ("I carry a {v} on the road.", "My weapon is a {v}."),
        (
            "I traded my weapon for a {v}.",
            "I carry a {v} as my weapon now.",
            "The smith made me a {v}, so that is the weapon I carry.",
        ),
        ("What weapon does {who} carry?", "Which weapon does {who} have?"),
        "My {kin} carries a {v} as a weapon.",
    ),
)
COLOURS = tuple("green|crimson|grey|yellow|blue|black".split("|"))
INSTRUMENTS = tuple("lute|fiddle|drum|flute|harp|horn".split("|"))
PASSWORDS = tuple("nightjar|amber|saltwind|thistle|lantern|driftwood".split("|"))
GUILDS = tuple("Masons|Tinkers|Wardens|Vintners|Scholars|Rangers".split("|"))
PETS = tuple("goose|ferret|tabby cat|hound|raven|tortoise".split("|"))
HELD_OUT = (
    Topic(
        TOWNS,
        ("I've got a room in {v}, above the saddler.", "Home is {v} for me."),
        (
            "We left the old house for good and live in {v} since spring.",
            "I found lodging in {v}, so that is home now.",
            "Actually, I don't live there any more; I settled in {v}.",
        ),
        ("Where does {who} reside?", "Where is {who} living nowadays?"),
        "My {kin} settled in {v}.",
    ),
    Topic(
        JOBS,
        (
            "I have been employed as a {v} since autumn.",
            "I make my living as a {v}, that is my job.",
        ),
        (
            "I've quit that job and I'm employed as a {v} instead.",
            "They promoted me, I'm a {v} now.",
            "New trade for me: I am a {v} these days.",
        ),
        ("What does {who} do for a living?", "What is {who} employed as?"),
        "My {kin} is employed as a {v}.",
    ),
    Topic(
        INSTRUMENTS,
        ("I play the {v}.", "The {v} is the instrument I am learning."),
        (
            "I gave up the old instrument, I play the {v} now.",
            "I took up the {v} as my new instrument.",
            "My instrument is the {v} since last month.",
        ),
        ("What instrument does {who} play?", "Which instrument is {who} playing these days?"),
        "My {kin} plays the {v}.",
    ),
    Topic(
        PASSWORDS,
        ("The password to my cellar is {v}.", "Say {v}, it is the password for my cellar."),
        (
            "I changed the password of the cellar to {v}.",
            "The cellar has a new password: {v}.",
            "Don't use the old password for the cellar, use {v}.",
        ),
        ("What is the password to {who}'s cellar?", "Which password opens {who}'s cellar?"),
    ),
    Topic(
        GUILDS,
        ("I belong to the guild of the {v}.", "I joined the guild of {v} as a youth."),
        (
            "I left my guild and joined the {v}.",
            "My guild is that of the {v} now.",
            "The guild of the {v} took me in after I left the other one.",
        ),
        ("Which guild does {who} belong to?", "What guild is {who} in?"),
        "My {kin} is in the guild of the {v}.",
    ),
    Topic(
        PETS,
        ("I keep a {v} as a pet.", "My pet is a {v}."),
        (
            "My old pet died, I have a {v} as a pet now.",
            "I gave that pet away and got a {v}.",
            "Look at my new pet, a {v}!",
        ),
        ("What pet does {who} have?", "What is {who}'s pet?"),
        "My {kin} has a {v} as a pet.",
    ),
    Topic(
        COLOURS,
        ("My cloak is {v}.", "I always wear my {v} cloak."),
        (
            "I dyed my cloak {v}.",
            "I lost that cloak, so I bought a {v} cloak.",
            "My cloak is {v} now.",
        ),
        ("What colour is {who}'s cloak?", "What colour of cloak does {who} wear?"),
        "My {kin}'s cloak is {v}.",
    ),
    Topic(
        DAYS,
        ("The barge comes on {v}, I was told.", "I expect my barge on {v}."),
        (
            "My barge is late, it comes on {v}.",
            "Sorry, I was wrong: the barge comes on {v}.",
            "The barge got delayed until {v}.",
        ),
        ("When does {who} expect the barge?", "On which day does {who}'s barge come?"),
    ),
)
NOISE = (
    "The weather has turned, has it not?",
    "I slept badly last night.",
    "Did you hear the bells this morning?",
    "The road to {v} is muddy again.",
    "I would love to live in {v} some day.",
    "Somebody said that {other} was in {v}.",
    "Good day to you all!",
    "I think {other} works too much.",
    "Thanks, I needed that.",
    "We had a drink with {other} at the fair.",
    "What a day, I could eat a horse.",
    "Are you coming to the market with us?",
)


@dataclass(frozen=True)
class Question:
    """What is asked of a story, and the id of the line that answers it."""

    text: str
    answer: int
    older: tuple[int, ...]


def _different(luck: random.Random, topics: tuple[Topic, ...]) -> list[Topic]:
    """Return three topics that are not about one and the same thing."""
    shuffled = luck.sample(topics, len(topics))
    by_values = {topic.values: topic for topic in shuffled}
    return list(by_values.values())[:3]


def tell(
    luck: random.Random, topics: tuple[Topic, ...], tuning: Tuning
) -> tuple[Index, list[Question], float]:
    """Return the index of one story, its questions, and the time at its end."""
    cast = luck.sample(PEOPLE, 6)
    facts: list[tuple[float, str, str, int]] = []
    questions: list[tuple[str, str, int]] = []
    for who in cast:
        for number, topic in enumerate(_different(luck, topics)):
            values = luck.sample(topic.values, luck.choice((2, 2, 3)))
            days = sorted(luck.sample(range(1, 100), len(values)))
            key = number
            for place, (day, value) in enumerate(zip(days, values, strict=True)):
                wording = luck.choice(topic.change if place else topic.first)
                facts.append((day + luck.random(), who, wording.format(v=value), key))
            if topic.kin:
                text = topic.kin.format(kin=luck.choice(KIN), v=luck.choice(topic.values))
                facts.append((luck.uniform(1, 110), who, text, -1))
            questions.append((luck.choice(topic.question).format(who=who), who, key))
    for _ in range(60):
        who, other = luck.sample(cast, 2)
        text = luck.choice(NOISE).format(v=luck.choice(TOWNS), other=other)
        facts.append((luck.uniform(0, 110), who, text, -1))
    facts.sort()
    index = Index(tuning)
    said: dict[tuple[str, int], list[int]] = {}
    for id, (day, who, text, key) in enumerate(facts, 1):
        index.add(id, text, speaker=who, session=f"day {int(day)}", at=day * DAY)
        if key >= 0:
            said.setdefault((who, key), []).append(id)
    asked = [
        Question(text, said[who, key][-1], tuple(said[who, key][:-1]))
        for text, who, key in questions
    ]
    return index, asked, 120 * DAY


def measure(
    seed: int, stories: int, topics: tuple[Topic, ...], tuning: Tuning
) -> tuple[int, int, int]:
    """Return (questions, with the latest first, with the latest before every older one)."""
    luck = random.Random(seed)
    total = first = ahead = 0
    for _ in range(stories):
        index, questions, now = tell(luck, topics, tuning)
        for question in questions:
            found = [hit.id for hit in index.search(question.text, 20, now=now)]
            place = found.index(question.answer) if question.answer in found else 99
            total += 1
            first += place == 0
            ahead += all(old not in found[:place] for old in question.older) and place < 99
    return total, first, ahead


def main() -> int:
    """Measure and tell; returns 1 where the goal is missed."""
    options = argparse.ArgumentParser(description="Is the latest value the first that is found?")
    options.add_argument("--seed", type=int, default=7)
    options.add_argument("--stories", type=int, default=60)
    chosen = options.parse_args()
    print(f"seed {chosen.seed}, {chosen.stories} stories of each kind")
    shares = {}
    for name, topics in (("developed on", DEVELOPED_ON), ("held out", HELD_OUT)):
        for state, tuning in (("on", Tuning()), ("off", Tuning(supersede=False))):
            total, first, ahead = measure(chosen.seed, chosen.stories, topics, tuning)
            shares[name, state] = first / total
            print(
                f"{name:<13} supersession {state:<4} {total} questions: latest first "
                f"{first / total:.1%}, before all older ones {ahead / total:.1%}"
            )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
