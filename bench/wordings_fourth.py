"""A fourth pool of roundabout wordings for `bench.latest_state`.

Written when retrieval did well with those before; after its first run, of which `bench/README.md`
tells, its misses were looked at too.
"""

from __future__ import annotations

from bench.wordings import Topic

VILLAGES = tuple("Elmstead Quarrel Nettlewick Foxholt Birchover Saltby Dray Wendle".split())
CALLINGS = tuple("barber|gardener|teacher|butcher|nurse|painter|soldier|shepherd".split("|"))
TREATS = tuple("plum jam|goat cheese|smoked eel|honey cake|pickled onions|nut bread".split("|"))
RIDES = tuple("bay gelding|white mare|mule|donkey|camel|pony".split("|"))
BELOVED = tuple("Harald Minna Osric Linnea Joan Piers".split())
SHELVES = tuple("kitchen|attic|stable|cellar|barn|shed".split("|"))
FEES = tuple("two coppers|eight coppers|three silver|six silver|two gold".split("|"))
EVES = tuple("Monday Tuesday Wednesday Thursday Friday Sunday".split())
GAMES = tuple("dice|chess|cards|skittles|darts|draughts".split("|"))
TONGUES = tuple("Elvish|Dwarvish|Old Norse|Latin|Orcish".split("|"))

FOURTH = (
    Topic(
        VILLAGES,
        ("I've a farm near {v}.", "I am settled in {v}.", "My family and I live in {v}."),
        (
            "I could not afford {old} any more, so I live in {v}.",
            "We have moved house, to {v}.",
            "I'm staying with friends in {v} now, {old} is behind me.",
            "I just moved to {v} and I love it.",
        ),
        ("Where does {who} live?", "Where is {who} living these days?"),
        aside=(
            "I grew up in {v}.",
            "My best friend moved to {v} last year.",
            "I might move to {v} one day.",
            "We drove the cattle through {v}.",
        ),
    ),
    Topic(
        VILLAGES,
        ("{who} lives in {v} with two cats.", "{who}'s house is in {v}."),
        (
            "{who} has left {old} for {v}.",
            "{who} lives in {v} these days, so I heard.",
            "They say {who} moved to {v}.",
        ),
        ("Where does {who} live?", "Where could I find {who}?"),
        aside=("{who} travelled to {v} last spring.", "{who}'s mother lives in {v}."),
    ),
    Topic(
        CALLINGS,
        ("I work as a {v} in town.", "I've always been a {v}.", "I am a {v}, like my father."),
        (
            "I just started a new job as a {v}!",
            "I lost my place as a {old}, so I became a {v}.",
            "I retrained, I'm a {v} these days.",
            "After years as a {old} I am now a {v}.",
        ),
        ("What is {who}'s job?", "What does {who} do for work?", "What does {who} do?"),
        aside=("My daughter wants to be a {v}.", "A {v} lives next door.", "I talked to the {v}."),
    ),
    Topic(
        TREATS,
        ("I could eat {v} every day, it's my favourite.", "{v} is my favourite food."),
        (
            "I'm sick of {old}. Now my favourite is {v}.",
            "Lately I like {v} more than {old}.",
            "My new favourite food is {v}.",
        ),
        ("What is {who}'s favourite food?", "What does {who} like best to eat?"),
        aside=("I burned the {v} yesterday.", "My wife's favourite food is {v}."),
    ),
    Topic(
        RIDES,
        ("I've got a {v} to ride.", "I go about on a {v}."),
        (
            "I had to sell the {old}. I ride a {v} now.",
            "The {old} broke a leg, so I bought a {v}.",
            "My new mount is a {v}.",
        ),
        ("What does {who} ride?", "What kind of mount has {who} got?"),
        aside=("I nearly got kicked by a {v}.", "The sergeant rides a {v}."),
    ),
    Topic(
        BELOVED,
        ("I'm seeing {v}.", "{v} and I are sweethearts.", "{v} is my boyfriend."),
        (
            "{old} and I broke up. I am with {v} now.",
            "I have fallen for {v}, it is finished with {old}.",
            "{v} is my sweetheart now.",
        ),
        ("Who is {who} in love with?", "Who is {who}'s sweetheart?"),
        aside=("I had a quarrel with {v}.", "My cousin is in love with {v}."),
    ),
    Topic(
        SHELVES,
        ("My tools are in the {v}.", "I store my tools in the {v}."),
        (
            "I carried all my tools over to the {v}.",
            "My tools hang in the {v} now, the {old} leaks.",
            "You will find my tools in the {v} from now on.",
        ),
        ("Where are {who}'s tools?", "Where does {who} keep the tools?"),
        aside=("I swept the {v} this morning.", "My neighbour keeps tools in the {v}."),
    ),
    Topic(
        FEES,
        ("I ask {v} for a pair of shoes.", "A pair of shoes costs {v} at my shop."),
        (
            "Leather is dear, I take {v} for a pair of shoes now.",
            "I lowered the price for a pair of shoes to {v}.",
            "A pair of shoes is {v} now, not {old}.",
        ),
        ("What does {who} charge for a pair of shoes?", "How much are {who}'s shoes?"),
        aside=("I paid {v} for a new awl.", "The other cobbler asks {v} for shoes."),
    ),
    Topic(
        EVES,
        ("I sing at the inn on {v}.", "My evening at the inn is {v}."),
        (
            "I sing at the inn on {v} now.",
            "The innkeeper gave my {old} to somebody else; I sing on {v}.",
            "They moved me to {v} at the inn.",
        ),
        ("When does {who} sing at the inn?", "On what day does {who} sing?"),
        aside=("I slept late on {v}.", "The choir sings on {v}."),
    ),
    Topic(
        GAMES,
        ("I play {v} every night.", "My game is {v}."),
        (
            "I've given up {old}, I play {v} now.",
            "I prefer {v} these days, {old} bores me.",
            "My game is {v} now.",
        ),
        ("What game does {who} play?", "What does {who} like to play?"),
        aside=("I watched them play {v}.", "My brother plays {v}."),
    ),
    Topic(
        TONGUES,
        ("I am learning {v}.", "I take lessons in {v}."),
        (
            "I dropped {old} and I am learning {v} instead.",
            "I've switched to learning {v}.",
            "{old} was too hard, so I am learning {v}.",
        ),
        ("What language is {who} learning?", "Which language does {who} study?"),
        aside=("Nobody here speaks {v}.", "My friend is learning {v}."),
    ),
)
