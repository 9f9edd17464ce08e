"""A fifth pool of wordings for `bench.latest_state`: chatty players of today.

Written blind, by somebody who had not seen how anything is extracted or found; after its first run
its misses were looked at.
"""

from __future__ import annotations

from bench.wordings import Topic

SUBURBS = tuple("Kettleworth Redcliff Puddleby Whitmoor Osterley Larkspur Cindervale".split())
GIGS = tuple("bartender|florist|plumber|librarian|locksmith|dentist|cab driver|chef".split("|"))
SNACKS = tuple("waffles|ramen|garlic bread|tacos|fish pie|mango curry|lasagna".split("|"))
PETS = tuple("parrot|ferret|hedgehog|tabby cat|beagle|tortoise".split("|"))
CRUSHES = tuple("Jules Mara Theo Priya Callum Noor".split())
SPOTS = tuple("sock drawer|glovebox|flowerpot|coat pocket|biscuit tin|top shelf".split("|"))
RATES = tuple("five coppers|ten coppers|two silver|four silver|seven silver|one gold".split("|"))
NIGHTS = tuple("Monday Tuesday Wednesday Thursday Friday Sunday".split())
TUNES = tuple("drums|banjo|cello|trumpet|ukulele|accordion".split("|"))
SHADES = tuple("purple|orange|teal|silver|crimson|mustard yellow".split("|"))
CREWS = tuple("Night Owls|Iron Foxes|Lucky Sevens|Salt Rats|Velvet Daggers".split("|"))
TRIPS = tuple("tram|bike|ferry|rickshaw|mule cart|scooter".split("|"))
BOOKS = tuple("The Salt Road|Ember Queen|Nine Lanterns|A Thief's Almanac|Wolf Winter".split("|"))

FIFTH = (
    Topic(
        SUBURBS,
        (
            "So I live in {v}, it's not much but it's home.",
            "I've got a little flat in {v}, above the bakery, smells amazing.",
            "Oh I'm over in {v}, you know, past the river.",
            "we're renting a place in {v}, the landlord's a nightmare.",
        ),
        (
            "Oh, by the way, we moved! We're in {v} now, still unpacking.",
            "I got so sick of {old}, so yeah, I'm living in {v} these days.",
            "Did I tell you I've got a new place? It's in {v}, you should come by.",
            "Rent in {old} got stupid, so I packed my stuff and moved to {v}.",
            "I don't live in {old} anymore, it's {v} now, way quieter.",
        ),
        ("Hey, where's {who} living these days?", "Do you know where {who} lives?"),
        aside=(
            "I used to date someone from {v}, that didn't go well.",
            "My boss just moved to {v}, lucky them.",
            "I might check out flats in {v}, just looking though.",
            "We got totally lost in {v} last night, haha.",
        ),
    ),
    Topic(
        SUBURBS,
        (
            "I'm pretty sure {who} lives in {v}.",
            "{who}'s got a place in {v}, I've been there once.",
        ),
        (
            "Oh, didn't you hear? {who} moved to {v}.",
            "{who} isn't in {old} anymore, lives in {v} now I think.",
            "Apparently {who} packed up and went to live in {v}.",
        ),
        ("Where's {who} living now?", "Where would I find {who}'s place?"),
        aside=(
            "I bumped into {who} in {v} the other day.",
            "{who}'s brother has a house in {v}, it's huge.",
            "I think {who} was talking about maybe moving to {v}, but, you know, talk.",
        ),
    ),
    Topic(
        GIGS,
        (
            "I'm a {v}, yeah, it's a living.",
            "I work as a {v}, don't laugh.",
            "Me? Oh, I've been a {v} since forever.",
        ),
        (
            "So I finally quit being a {old} and now I'm a {v}, best thing I ever did!",
            "Guess what, I got a job as a {v}!",
            "Yeah the {old} thing didn't work out, I'm working as a {v} now.",
            "I'm actually a {v} these days, weird, I know.",
        ),
        ("What's {who} doing for work now?", "What does {who} do for a living?"),
        aside=(
            "My roommate's a {v} and never home.",
            "I had to call a {v} yesterday, cost me a fortune.",
            "When I was little I wanted to be a {v}, lol.",
            "I could never be a {v}, I'd be so bad at it.",
        ),
    ),
    Topic(
        SNACKS,
        (
            "My favorite food's {v}, hands down.",
            "I could live on {v}, honestly, it's my favourite food ever.",
        ),
        (
            "Okay, I take it back, my favourite food is {v} now, forget {old}.",
            "I've had way too much {old} lately, so my new favorite food is {v}.",
            "I tried {v} last week and wow, that's my favourite food now.",
        ),
        ("What's {who}'s favourite food again?", "What's {who}'s favorite thing to eat?"),
        aside=(
            "I burnt the {v}, sorry everyone.",
            "We had {v} for dinner, it was okay I guess.",
            "My dad's favourite food is {v}.",
        ),
    ),
    Topic(
        PETS,
        (
            "I've got a {v}, wanna see a picture?",
            "So I have this {v} at home and it's the cutest thing.",
        ),
        (
            "My {old} passed away, sadly, and, well, now I've got a {v}.",
            "I had to give the {old} to my aunt, but I got a {v} instead!",
            "It's a {v} now, the {old} ran off, long story.",
        ),
        ("What kind of pet does {who} have?", "What pet has {who} got these days?"),
        aside=(
            "Some guy walked in with a {v} on his arm, I swear.",
            "My neighbor's {v} kept me up all night.",
            "I'd love a {v}, but the mess, ugh.",
        ),
    ),
    Topic(
        CRUSHES,
        (
            "I'm dating {v}, it's still kinda new.",
            "{v} and I are together, didn't you know?",
            "So yeah, {v}'s my other half.",
        ),
        (
            "{old} and I split up, I'm fine, I'm dating {v} now anyway.",
            "Okay, so it didn't work out with {old}, but I'm with {v} now and I'm really happy.",
            "I'm seeing {v} these days, don't make it weird.",
        ),
        ("Who's {who} dating?", "Who is {who} together with right now?"),
        aside=(
            "{v} borrowed my coat and never gave it back.",
            "My best friend is dating {v}, they're adorable.",
            "I had lunch with {v}, just work stuff.",
        ),
    ),
    Topic(
        SPOTS,
        (
            "I keep my spare key in the {v}, super original, I know.",
            "The spare key's in the {v}, in case you ever need it.",
        ),
        (
            "Heads up, I moved the spare key, it's in the {v} now.",
            "Someone found the key in the {old}, so I keep my spare key in the {v}.",
            "If you're looking for my spare key, it's not in the {old} anymore, try the {v}.",
        ),
        ("Where's {who}'s spare key?", "Where does {who} keep the spare key?"),
        aside=(
            "I found a dead mouse in the {v}, gross.",
            "My mum hides her key in the {v}, everybody knows.",
            "I think I left my glasses in the {v}.",
        ),
    ),
    Topic(
        RATES,
        (
            "I charge {v} for a haircut, which is a steal if you ask me.",
            "It's {v} for a haircut at mine.",
        ),
        (
            "Sorry guys, I had to change the price, a haircut's {v} now.",
            "I can't do haircuts for {old} anymore, it's {v} from now on.",
            "So I'm charging {v} for a haircut these days, everything's so expensive.",
        ),
        ("How much is a haircut at {who}'s?", "What does {who} charge for a haircut?"),
        aside=(
            "I paid {v} for a sandwich, a sandwich!",
            "The place across the street charges {v} for a haircut, what a ripoff.",
            "I found {v} on the pavement, result.",
        ),
    ),
    Topic(
        NIGHTS,
        (
            "My day off is {v}, so don't even try to reach me.",
            "I get {v} off, usually I just sleep.",
        ),
        (
            "They changed the rota, my day off's {v} now.",
            "I swapped with someone, so I'm off on {v} now and not on {old}.",
            "My day off used to be {old} but it's {v} these days, kinda annoying.",
        ),
        ("When's {who}'s day off?", "What day does {who} have off?"),
        aside=(
            "There's a party on {v}, you coming?",
            "My sister's off on {v}, lucky her.",
            "I was so hungover on {v}, never again.",
        ),
    ),
    Topic(
        TUNES,
        (
            "I play the {v} in a band, we're terrible, it's great.",
            "I'm on {v} in our band, somebody has to be.",
        ),
        (
            "We needed someone on {v}, so I'm playing {v} in the band now.",
            "I gave up on the {old}, I play the {v} in our band these days.",
            "So I've switched from {old} to {v}, the band's not thrilled.",
        ),
        ("What does {who} play in the band?", "Which instrument does {who} play?"),
        aside=(
            "Someone was playing {v} at three in the morning, I could've screamed.",
            "My cousin plays the {v}, like, professionally.",
            "I'd love to learn {v} but I've got zero patience.",
        ),
    ),
    Topic(
        SHADES,
        (
            "My hair's {v} at the moment, in case you're wondering who that was.",
            "I've got {v} hair, you can't miss me.",
        ),
        (
            "I dyed my hair {v}! What do you think?",
            "I was bored with {old}, so my hair's {v} now.",
            "New hair, it's {v}, my mum's gonna freak.",
        ),
        ("What colour is {who}'s hair?", "What color's {who}'s hair now?"),
        aside=(
            "I bought {v} curtains, they looked better in the shop.",
            "There was a girl with {v} hair asking for you.",
            "I'd look awful with {v} hair, let's be real.",
        ),
    ),
    Topic(
        CREWS,
        (
            "I'm with the {v}, have been since last summer.",
            "I play for the {v}, we lose a lot, but it's fun.",
        ),
        (
            "I left the {old}, too much drama, I'm with the {v} now.",
            "So the {v} asked me to join and I said yes, I'm one of them now!",
            "I'm playing for the {v} these days, the {old} kicked me out, can you believe it?",
        ),
        ("Which team is {who} on?", "What crew is {who} with these days?"),
        aside=(
            "We got destroyed by the {v} last night.",
            "My ex plays for the {v}, so that's awkward.",
            "I almost joined the {v} once, glad I didn't.",
        ),
    ),
    Topic(
        TRIPS,
        (
            "I go to work by {v}, takes forever.",
            "I take the {v} to work, it's alright when it's not raining.",
        ),
        (
            "I stopped taking the {old}, I go to work by {v} now, saves me so much time.",
            "The {old} was driving me nuts, so it's the {v} to work for me now.",
            "These days I take the {v} to work, way better.",
        ),
        ("How does {who} get to work?", "How's {who} getting to work nowadays?"),
        aside=(
            "I nearly got run over by a {v} just now.",
            "My boss comes in by {v}, always late.",
            "I missed the last {v} once and had to walk home, never again.",
        ),
    ),
    Topic(
        BOOKS,
        (
            "I'm reading {v} right now, no spoilers please.",
            "So I'm halfway through {v}, it's so good.",
        ),
        (
            "I finished {old}, cried a lot, and now I'm reading {v}.",
            "I gave up on {old}, sorry, I'm on {v} now.",
            "Started {v} last night, that's what I'm reading at the moment.",
        ),
        ("What's {who} reading at the moment?", "Which book is {who} reading?"),
        aside=(
            "Someone spilled wine all over my copy of {v}.",
            "My flatmate's reading {v} and won't shut up about it.",
            "I've heard {v} is kinda overrated.",
        ),
    ),
)
