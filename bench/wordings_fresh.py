"""More wordings for `bench.latest_state`, in the roundabout ways in which people really tell.

Here others tell of somebody as well (`{who}`), a change is told by what it leaves behind (`{old}`),
and asides speak of the same things without changing any: visits, childhoods, other people's.
Retrieval was improved with them; `bench/README.md` tells how later pools did at their first run.
"""

from __future__ import annotations

from bench.wordings import DAYS, Topic

VALES = tuple("Saltmarsh Harrow Pinfold Eastgate Rookhope Tarnside Coldbeck Wyke".split())
TRADES = tuple("tanner|carter|fletcher|potter|brewer|farrier|mason|tailor".split("|"))
BEASTS = tuple("dog|cat|goat|parrot|rabbit|fox|donkey|owl".split("|"))
FOLK = tuple("Garrick Ottilie Tomas Nell Wystan Hesper Corin Maud".split())
BREWS = tuple("ale|cider|mead|wine|rum|tea".split("|"))
ARMS = tuple("axe|sword|spear|bow|dagger|mace".split("|"))
SUMS = tuple("ten silver|four silver|twenty silver|six coppers|three gold".split("|"))
HUES = tuple("red|blue|green|black|white|brown".split("|"))
SPOTS = tuple("hollow elm|chapel crypt|dry well|sheepfold|smithy|orchard".split("|"))
ILLS = tuple("fever|cough|bad back|broken wrist|toothache|limp".split("|"))

FRESH = (
    Topic(
        VALES,
        ("{who} lives in {v}.", "{who} has a cottage in {v}.", "I know {who}'s home is in {v}."),
        (
            "{who} lives in {v} now.",
            "{who} moved from {old} to {v}.",
            "{who} left {old} and took a room in {v}.",
            "{who}'s new home is {v}.",
            "Have you heard? {who} has moved to {v}.",
        ),
        ("Where does {who} live?", "Where can I find {who}?", "In which town does {who} live now?"),
        aside=(
            "{who} spent a night in {v} on the way home.",
            "When {who} was small they all lived in {v}.",
            "{who}'s aunt lives in {v}.",
        ),
    ),
    Topic(
        VALES,
        ("I live in {v}.", "I have a little cottage in {v}.", "My home is in {v}."),
        (
            "We packed up the cart last week; I'm over in {v} now.",
            "{old} did not suit me, so I went to {v} for good.",
            "I have left {old}. You'll find me in {v}.",
            "I left {old} for {v}.",
            "I'm living in {v} now.",
        ),
        ("Where does {who} live?", "Where is {who} living?", "Where is {who}'s home?"),
        aside=(
            "I stayed a night in {v} on the way home.",
            "When I was a child we lived in {v}.",
            "I visited my aunt in {v}; she lives in a big house.",
            "The folk who live in {v} are rude, I tell you.",
            "You live in {v}, don't you? I like it there.",
        ),
    ),
    Topic(
        TRADES,
        ("{who} works as a {v}.", "{who} is a {v}.", "{who} earns a living as a {v}."),
        (
            "{who} works as a {v} now.",
            "{who} is no longer a {old}; now a {v}.",
            "{who} was made {v} last week.",
            "{who} quit and became a {v}.",
            "{who} got the sack as a {old} and does odd work for a {v}.",
        ),
        ("What does {who} do for a living?", "What is {who}'s job?", "What work does {who} do?"),
        aside=(
            "{who} had words with the {v} today.",
            "{who}'s father was a {v}.",
            "{who} worked so hard in the garden today.",
        ),
    ),
    Topic(
        TRADES,
        ("I'm a {v}.", "I work as a {v}.", "I've been a {v} all my life."),
        (
            "They've put me to work as a {v}. No more of the {old}'s life for me.",
            "I gave up being a {old}. I'm learning to be a {v}.",
            "The guild took me on as a {v}.",
            "I am no {old} any more, I am a {v}.",
        ),
        ("What does {who} do for a living?", "What is {who}'s job?", "What is {who}'s trade?"),
        aside=(
            "I have worked so hard on my garden this week.",
            "My neighbour got a new job as a {v}.",
            "Someone at work has become a father.",
            "I'd hate to be a {v}.",
            "Next year I am going to work as a {v}, if they take me.",
        ),
    ),
    Topic(
        BEASTS,
        ("I have a {v} called Pip.", "My {v} sleeps on the stove all day.", "I keep a {v}."),
        (
            "I gave the {old} away and got a {v} called Nim.",
            "The {old} ran off. I keep a {v} now.",
            "My {old} died in the winter, poor thing. I have a {v} to keep me company.",
            "I sold the {old} and bought a {v}.",
        ),
        ("What pet does {who} have?", "What animal does {who} keep?"),
        aside=(
            "I met a {v} on the road, a fierce one.",
            "The smith has a {v} that bites.",
            "My cousin keeps a {v}.",
        ),
    ),
    Topic(
        FOLK,
        ("{v} and I are courting.", "My sweetheart is {v}.", "I'm in love with {v}."),
        (
            "I sent {old} packing. Been walking out with {v} since the harvest dance.",
            "{old} left me. I am courting {v} now.",
            "It is all over with {old}; I love {v} now.",
            "{v} is my sweetheart these days, not {old}.",
        ),
        ("Who is {who}'s sweetheart?", "Who is {who} courting?"),
        aside=(
            "I've been to a wedding, {v} looked lovely.",
            "My sister is courting {v}.",
            "I saw {v} at the well with a basket.",
        ),
    ),
    Topic(
        BREWS,
        ("{v} is my favourite drink, always will be.", "I drink {v} and nothing else."),
        (
            "I've gone off {old}. It's {v} for me these days.",
            "I can't stand {old} any more, I drink {v}.",
            "I prefer {v} to {old} now.",
            "These days I like {v} best.",
        ),
        ("What is {who}'s favourite drink?", "What does {who} like to drink?"),
        aside=(
            "I had a drink of {v} with the priest.",
            "My uncle drinks {v} from dawn to dusk.",
            "The {v} at this inn tastes of soap.",
        ),
    ),
    Topic(
        ARMS,
        ("I carry my father's {v}.", "My weapon is the {v}.", "I fight with a {v}."),
        (
            "Pawned the {old}. There's a {v} on my belt instead.",
            "My {old} broke, so I carry a {v}.",
            "I lost the {old} at dice and bought a {v}.",
            "The smith took my {old} in trade for a {v}.",
        ),
        ("What weapon does {who} carry?", "What does {who} fight with?"),
        aside=(
            "I've seen a fine {v} at the smith's.",
            "The captain carries a {v}.",
            "Somebody left a {v} on the bench.",
        ),
    ),
    Topic(
        SUMS,
        ("I owe the smith {v}.", "I borrowed {v} from the smith."),
        (
            "I paid the smith back a bit, so it's {v} I owe him.",
            "I still owe the smith {v}.",
            "The smith says that with interest I owe {v}.",
        ),
        ("How much does {who} owe the smith?", "What is {who}'s debt to the smith?"),
        aside=(
            "My brother owes the miller {v}.",
            "The smith asked {v} for a horseshoe, the thief.",
        ),
    ),
    Topic(
        HUES,
        ("{who} has {v} hair.", "{who}'s hair is {v}."),
        (
            "{who} dyed it: {v} hair!",
            "{who}'s hair is {v} again.",
            "{who} has gone {v}, you would not know that hair.",
        ),
        ("What colour is {who}'s hair?", "What colour of hair does {who} have?"),
        aside=("{who}'s sister has {v} hair.", "{who} wore a {v} hat yesterday."),
    ),
    Topic(
        SPOTS,
        ("I keep the strongbox in the {v}.", "The strongbox is in the {v}."),
        (
            "The strongbox is in the {v} since the burglary.",
            "I took the strongbox from the {old} to the {v}.",
            "The {old} got damp, so the strongbox lies in the {v}.",
        ),
        ("Where is {who}'s strongbox?", "Where does {who} keep the strongbox?"),
        aside=("I found a dead crow in the {v}.", "There is a strongbox in every bank, they say."),
    ),
    Topic(
        DAYS,
        ("My guild meets on {v}.", "We hold the guild meeting on {v}."),
        (
            "Change of plan: the guild will gather on {v} instead.",
            "The guild does not meet on {old} any more, it is {v}.",
            "They moved the guild meeting to {v}.",
        ),
        ("When does {who}'s guild meet?", "On what day is {who}'s guild meeting?"),
        aside=("It rained all {v}.", "I was at the market on {v}."),
    ),
)
