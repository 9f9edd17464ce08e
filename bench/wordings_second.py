"""A second pool of roundabout wordings for `bench.latest_state`.

Written before retrieval was improved with `FRESH` and put aside; after its first run, of which
`bench/README.md` tells, its misses were looked at too.
"""

from __future__ import annotations

from bench.wordings import Topic
from bench.wordings_fresh import FOLK

POSTS = tuple("cook|groom|steward|porter|clerk|cellarer".split("|"))
ISLES = tuple("Fenwick Stonehaven Brackwater Hollin Upcott Merrow".split())
HORSES = tuple("Thunder|Clover|Bramble|Ash|Duchess|Pepper".split("|"))
CURES = tuple("willow bark|nettle tea|goose fat|honey|poppy milk".split("|"))
SONGS = tuple("fiddle|pipes|lute|drum|harp".split("|"))
GODS = tuple("Lady of Rain|Old Shepherd|Twin Moons|Forge Father|Quiet One".split("|"))
SHIPS = tuple("Gull|Marigold|Swift|Widow|Heron".split("|"))
FOODS = tuple("eel pie|barley soup|roast goose|cheese|plum cake".split("|"))
SECOND = (
    Topic(
        ISLES,
        ("{who} dwells in {v}.", "You can find {who} in {v}.", "{who} bought a house in {v}."),
        (
            "{who} sold up and went to live in {v}.",
            "{who} resides in {v} since the flood.",
            "{who} could not stand {old}, so it is {v} now.",
            "{who} has settled in {v}.",
        ),
        ("Where does {who} live?", "Where is {who} to be found?", "Where is {who}'s house?"),
        aside=(
            "{who} grew up in {v}.",
            "{who} went to {v} for the fair.",
            "{who} sold a cow to a man who lives in {v}.",
        ),
    ),
    Topic(
        ISLES,
        ("I was born in {v} and I live there still.", "Our house stands in {v}."),
        (
            "The landlord of our house in {old} threw us out. We live in {v} for the time being.",
            "I've taken lodgings in {v}.",
            "Farewell {old}! I've moved in with my niece in {v}.",
            "We are back in {v} again, and here we stay.",
        ),
        ("Where does {who} live?", "Which village does {who} live in?"),
        aside=(
            "I passed through {v} with the caravan.",
            "My grandmother lived in {v} until she died.",
            "Is it true that you live in {v}?",
            "They live well in {v}, I hear.",
        ),
    ),
    Topic(
        POSTS,
        ("I serve at the castle as a {v}.", "I am the {v} at the castle."),
        (
            "The steward promoted me: I am {v} at the castle now.",
            "They took me off the {old}'s duties, I serve as {v}.",
            "I was a {old} long enough. My new post is {v}.",
        ),
        ("What is {who}'s post at the castle?", "What does {who} do at the castle?"),
        aside=(
            "The {v} at the castle is a drunkard.",
            "I once served under a {v}, years ago.",
            "My nephew hopes to be {v}.",
        ),
    ),
    Topic(
        POSTS,
        ("{who} is employed as a {v}.", "{who} found work as a {v}."),
        (
            "{who} stopped being a {old} and is a {v} these days.",
            "{who} has a new job as a {v}.",
            "They made {who} a {v}.",
        ),
        ("What is {who}'s occupation?", "What does {who} work as?"),
        aside=("{who} quarrelled with a {v}.", "{who}'s wife used to be a {v}."),
    ),
    Topic(
        HORSES,
        ("My horse is called {v}.", "I ride {v}, the best horse in the shire."),
        (
            "{old} went lame, so I ride {v} now.",
            "I sold {old}; my new horse is {v}.",
            "I lost {old} in the bog. My horse is {v} these days.",
        ),
        ("What is {who}'s horse called?", "Which horse does {who} ride?"),
        aside=("The miller's horse is called {v}.", "I bet a silver on {v} at the races and lost."),
    ),
    Topic(
        FOLK,
        ("I am married to {v}.", "{v} is my spouse."),
        (
            "{old} passed away, bless them. I married {v} in spring.",
            "I divorced {old} and wed {v}.",
            "{v} and I got married.",
        ),
        ("Who is {who} married to?", "Who is {who}'s spouse?"),
        aside=(
            "I danced with {v} at the wedding.",
            "My friend is married to {v}.",
            "I nearly married {v} once.",
        ),
    ),
    Topic(
        CURES,
        ("I take {v} for my knees.", "For my knees I swear by {v}."),
        (
            "The {old} did nothing for my knees, I take {v} now.",
            "I have switched to {v} for my knees.",
            "No more {old}: the healer gave me {v} for my knees.",
        ),
        ("What does {who} take for the knees?", "What does {who} use on the knees?"),
        aside=("I had {v} with my supper.", "My father takes {v} for everything."),
    ),
    Topic(
        SONGS,
        ("{who} plays the {v}.", "{who} is good on the {v}."),
        (
            "{who} gave up the {old} and took up the {v}.",
            "{who} plays the {v} now.",
            "{who} sold the {old}, and bought a {v}.",
        ),
        ("What instrument does {who} play?", "What does {who} play?"),
        aside=("{who} danced to the {v}.", "{who}'s friend plays the {v}."),
    ),
    Topic(
        GODS,
        ("I pray to the {v}.", "I follow the {v}."),
        (
            "I have turned from the {old} to the {v}.",
            "I lost my faith in the {old}. I pray to the {v} now.",
            "The {v} has my prayers these days.",
        ),
        ("Whom does {who} pray to?", "Which god does {who} follow?"),
        aside=("There is a shrine of the {v} on the hill.", "My aunt prays to the {v}."),
    ),
    Topic(
        SHIPS,
        ("I sail on the {v}.", "My ship is the {v}."),
        (
            "I signed off the {old} and sail on the {v}.",
            "The {old} sank. The {v} is my ship now.",
            "I've been given a berth on another ship, the {v}.",
        ),
        ("What ship does {who} sail on?", "Which is {who}'s ship?"),
        aside=("I saw the {v} come in this morning.", "My brother sails on the {v}."),
    ),
    Topic(
        FOODS,
        ("Nothing beats {v}, my favourite meal.", "{v} is what I like to eat most."),
        (
            "I have had enough of {old}. {v} is my favourite now.",
            "I used to love {old}, but I prefer {v}.",
            "My favourite meal is {v} lately.",
        ),
        ("What is {who}'s favourite meal?", "What food does {who} like best?"),
        aside=("I ate {v} at the fair.", "My son would live on {v} if I let him."),
    ),
)
