"""Wordings for `bench.latest_state`: what people say of themselves, its changes, and questions.

Retrieval was built with the wordings of `DEVELOPED_ON`; those of `HELD_OUT` were written
afterwards, and a miss among them was mended only by what holds for talk in general.
"""

from __future__ import annotations

from dataclasses import dataclass

PEOPLE = "Alice Bob Carol Dorin Edda Fenn Greta Hal Ivo Jorun".split()
KIN = ("brother", "sister", "neighbour", "cousin")


@dataclass(frozen=True)
class Topic:
    """One thing that changes: its values, how it is said first, how a change is told, and asked.

    What names `{who}` is said of them by somebody else, all other lines by themselves; `{old}` is
    the value before. `aside` speaks of the same things and changes nothing.
    """

    values: tuple[str, ...]
    first: tuple[str, ...]
    change: tuple[str, ...]
    question: tuple[str, ...]
    kin: str = ""
    aside: tuple[str, ...] = ()


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
