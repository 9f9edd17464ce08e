"""A third pool of roundabout wordings for `bench.latest_state`.

Written when retrieval did well with the two before; after its first run, of which
`bench/README.md` tells, its misses were looked at too.
"""

from __future__ import annotations

from bench.wordings import Topic

PORTS = tuple("Marrowgate Sandwick Osterley Brine Cinderford Lowfold Thrush Vessary".split())
CRAFTS = tuple(
    "glazier|chandler|tinsmith|ropemaker|bookbinder|midwife|falconer|locksmith".split("|")
)
NAMES = tuple("Bess|Rufus|Nimble|Sorrel|Patch|Juniper".split("|"))
LOVES = tuple("Edmund Sabine Lorcan Petra Roderick Isolde".split())
CROPS = tuple("barley|turnips|hops|flax|cabbages|beans".split("|"))
TEACHERS = tuple("Master Quill|Dame Orla|Brother Anselm|old Hobb|Mistress Vane".split("|"))
HOURS = tuple("noon|dawn|dusk|midnight|six|nine".split("|"))
RENTS = tuple("five silver|seven silver|nine silver|twelve silver|one gold".split("|"))
HATS = tuple("straw|felt|leather|fur|velvet|woollen".split("|"))
FEARS = tuple("spiders|heights|ghosts|wolves|thunder|deep water".split("|"))
KEEPS = tuple("under the mattress|in the teapot|behind the loose brick|up the chimney".split("|"))

THIRD = (
    Topic(
        PORTS,
        ("I make my home in {v}.", "We have lived in {v} for ages.", "I come from {v}."),
        (
            "Since the fire I sleep at my cousin's in {v}.",
            "I finally got out of {old}! {v} is where I hang my hat.",
            "We moved again, this time it is {v}.",
            "I traded the house in {old} for one in {v}.",
        ),
        ("Where does {who} live?", "Where does {who} live at present?", "Where is {who}'s home?"),
        aside=(
            "I sell my wool in {v} twice a year.",
            "My grandfather built a house in {v}.",
            "You would like it in {v}.",
            "The ferry from {v} was late.",
        ),
    ),
    Topic(
        PORTS,
        ("{who} lives over in {v}.", "{who} keeps a house in {v}."),
        (
            "{who} packed up and moved away to {v}.",
            "{who} does not live in {old} any longer, but in {v}.",
            "{who} has found a new place in {v}.",
            "If you look for {who}: it is {v} now, not {old}.",
        ),
        ("Where does {who} live?", "In which town does {who} live?"),
        aside=("{who} was in {v} for the market.", "{who}'s brother moved to {v}."),
    ),
    Topic(
        CRAFTS,
        ("I earn my living as a {v}.", "I'm the {v} here.", "I trained as a {v} and work as one."),
        (
            "I closed the shop and hired on as a {v}.",
            "You may call me {v} now, I have my letter from the guild.",
            "I left off being a {old}, it did not pay. I work as a {v} instead.",
            "I am working as a {v} since midsummer.",
        ),
        ("What does {who} do for a living?", "What is {who}'s job?", "What does {who} work as?"),
        aside=(
            "I need a {v} to look at this.",
            "My brother works as a {v}.",
            "The {v} cheated me.",
        ),
    ),
    Topic(
        CRAFTS,
        ("{who} is the {v} in our street.", "{who} works as a {v}."),
        (
            "{who} has turned {v}, of all things.",
            "{who} gave up the {old}'s trade to become a {v}.",
            "{who} now works as a {v}.",
        ),
        ("What is {who}'s trade?", "What does {who} do for work?"),
        aside=("{who} owes money to the {v}.", "{who}'s cousin is a {v}."),
    ),
    Topic(
        NAMES,
        ("My dog is called {v}.", "{v} is my dog, a good one."),
        (
            "{old} got old and died. My new dog is called {v}.",
            "I have another dog since {old} ran away: {v}.",
            "My dog is {v} now, I gave {old} to the shepherd.",
        ),
        ("What is {who}'s dog called?", "What is the name of {who}'s dog?"),
        aside=("The baker's dog is called {v}.", "A dog bit me, {v} I think it was."),
    ),
    Topic(
        LOVES,
        ("I am engaged to {v}.", "{v} is my betrothed."),
        (
            "{old} broke it off. Now I am engaged to {v}.",
            "I gave {old} the ring back; I am to marry {v}.",
            "I'm engaged to {v} now, can you believe it?",
        ),
        ("Who is {who} engaged to?", "Who is {who}'s betrothed?"),
        aside=("My sister is engaged to {v}.", "I played cards with {v} last night."),
    ),
    Topic(
        CROPS,
        ("I grow {v} on the lower field.", "The lower field is all {v}."),
        (
            "The {old} failed, so I sowed {v} on the lower field.",
            "I grow {v} on the lower field this year.",
            "No more {old}: the lower field has {v} now.",
        ),
        ("What does {who} grow on the lower field?", "What grows on {who}'s lower field?"),
        aside=("We had {v} for supper.", "My uncle grows {v} on his field."),
    ),
    Topic(
        TEACHERS,
        ("I study with {v}.", "My teacher is {v}."),
        (
            "{old} threw me out. I study with {v} now.",
            "I have a new teacher, {v}.",
            "I learn from {v} these days.",
        ),
        ("Who is {who}'s teacher?", "Who does {who} study with?"),
        aside=("I met {v} at the fair.", "My cousin studies with {v}."),
    ),
    Topic(
        HOURS,
        ("I open my stall at {v}.", "My stall opens at {v}."),
        (
            "I open the stall at {v} from now on.",
            "The days are short, so my stall opens at {v} now.",
            "Not at {old}, I have changed it: the stall opens at {v}.",
        ),
        ("When does {who} open the stall?", "At what hour does {who}'s stall open?"),
        aside=("I woke at {v}.", "The other stalls open at {v}."),
    ),
    Topic(
        RENTS,
        ("I pay {v} for my room.", "The rent for my room is {v}."),
        (
            "They raised my rent to {v}.",
            "My room costs me {v} now.",
            "I talked the landlord down, I pay {v} for the room.",
        ),
        ("How much rent does {who} pay?", "What does {who} pay for the room?"),
        aside=("My friend pays {v} for a room.", "I found {v} in the street!"),
    ),
    Topic(
        HATS,
        ("I wear a {v} hat.", "My hat is {v}."),
        (
            "The wind took my {old} hat, so I wear a {v} one.",
            "I got myself a {v} hat.",
            "My hat is a {v} one now.",
        ),
        ("What kind of hat does {who} wear?", "What is {who}'s hat made of?"),
        aside=("The mayor wears a {v} hat.", "I saw a {v} hat at the market."),
    ),
    Topic(
        KEEPS,
        ("I keep my savings {v}.", "My savings are {v}."),
        (
            "I was afraid of thieves, so my savings are {v} now.",
            "I moved my savings, they lie {v}.",
            "My savings? I put them {v} yesterday.",
        ),
        ("Where does {who} keep the savings?", "Where are {who}'s savings?"),
        aside=("My aunt keeps her savings {v}.", "There was a mouse {v}."),
    ),
    Topic(
        FEARS,
        ("I am afraid of {v}.", "What I fear most is {v}."),
        (
            "I am not afraid of {old} any more, but of {v}.",
            "These days it is {v} I am afraid of.",
            "I got over {old}; now I fear {v}.",
        ),
        ("What is {who} afraid of?", "What does {who} fear?"),
        aside=("My son is afraid of {v}.", "I dreamed of {v}."),
    ),
)
