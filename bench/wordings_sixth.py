"""A sixth pool of wordings for `bench.latest_state`: plain statements, as in a data set.

Written blind, by somebody who had not seen how anything is extracted or found.
"""

from __future__ import annotations

from bench.wordings import Topic

CITIES = tuple("Ashford Glenhaven Westbrook Silverton Riverbend Eastvale Brightwater".split())
PROFESSIONS = tuple(
    "teacher|chemist|surveyor|nurse|journalist|courier|veterinarian|photographer".split("|")
)
DISHES = tuple("mushroom risotto|grilled salmon|lentil soup|beef stew|apple pie".split("|"))
VEHICLES = tuple("carriage|bicycle|sailboat|hay wagon|dog sled|rowboat".split("|"))
SPOUSES = tuple("Daniel Maria Viktor Helena Samuel Clara".split())
VAULTS = tuple("wooden chest|desk drawer|bank vault|wall safe|linen closet|bookcase".split("|"))
WAGES = tuple("ten silver|twelve silver|fifteen silver|twenty silver|thirty silver".split("|"))
WEEKDAYS = tuple("Monday Tuesday Wednesday Thursday Friday Saturday".split())
HOBBIES = tuple("pottery|archery|knitting|photography|fencing|calligraphy".split("|"))
COLOURS = tuple("red|blue|green|yellow|white|violet".split("|"))
GUILDS = tuple("Merchants' Guild|Mages' Circle|Hunters' Lodge|Order of Dawn|City Watch".split("|"))
MENTORS = tuple("Aldric Beatrix Cassius Dagny Emeric Fiona".split())
RANKS = tuple("private|corporal|sergeant|lieutenant|captain|colonel".split("|"))

SIXTH = (
    Topic(
        CITIES,
        (
            "I currently reside in {v}.",
            "My home is in {v}.",
            "I have been living in {v} for two years.",
            "The city I live in is {v}.",
        ),
        (
            "I relocated to {v}.",
            "I moved from {old} to {v} last month.",
            "These days I reside in {v}.",
            "I no longer live in {old}; my new home is in {v}.",
            "I have settled in {v} after leaving {old}.",
        ),
        ("Where does {who} currently live?", "In which city does {who} reside?"),
        aside=(
            "I was born in {v}.",
            "I visited {v} on business last week.",
            "My parents relocated to {v}.",
            "I am considering a move to {v}.",
        ),
    ),
    Topic(
        CITIES,
        ("{who} lives in {v}.", "{who}'s residence is located in {v}."),
        (
            "{who} relocated to {v}.",
            "These days {who} resides in {v}.",
            "It turns out that {who} has moved from {old} to {v}.",
            "{who} sold the house in {old} and now lives in {v}.",
        ),
        ("Where is {who} living now?", "What is {who}'s current place of residence?"),
        aside=(
            "{who} attended a wedding in {v}.",
            "{who}'s sister lives in {v}.",
            "{who} has never been to {v}.",
        ),
    ),
    Topic(
        PROFESSIONS,
        (
            "I work as a {v}.",
            "My profession is {v}.",
            "I am employed as a {v}.",
        ),
        (
            "My profession is {v} now.",
            "I changed careers and became a {v}.",
            "I resigned as a {old} and accepted a position as a {v}.",
            "I am no longer a {old}; I currently work as a {v}.",
        ),
        ("What is {who}'s current occupation?", "What does {who} work as?"),
        aside=(
            "My uncle is a {v}.",
            "I consulted a {v} yesterday.",
            "I would never want to work as a {v}.",
            "I once applied for a job as a {v}, but I was rejected.",
        ),
    ),
    Topic(
        PROFESSIONS,
        ("{who} is a {v}.", "{who} is employed as a {v}."),
        (
            "{who}'s profession is {v} now.",
            "{who} stopped working as a {old} and became a {v}.",
            "It turns out that {who} was hired as a {v}.",
        ),
        ("What is {who}'s profession?", "Which job does {who} have now?"),
        aside=(
            "{who} argued with a {v} this morning.",
            "{who}'s daughter is training to become a {v}.",
        ),
    ),
    Topic(
        DISHES,
        ("My favorite dish is {v}.", "{v} is the dish I enjoy most."),
        (
            "My favorite dish has changed from {old} to {v}.",
            "I now prefer {v} over any other dish.",
            "{v} has become my new favorite dish.",
        ),
        ("What is {who}'s favorite dish?", "Which dish does {who} prefer now?"),
        aside=(
            "I prepared {v} for the guests.",
            "My grandmother's favorite dish is {v}.",
            "The restaurant no longer serves {v}.",
        ),
    ),
    Topic(
        VEHICLES,
        ("I travel by {v}.", "My means of transportation is a {v}."),
        (
            "I replaced my {old} with a {v}.",
            "I sold the {old} and now travel by {v}.",
            "My current means of transportation is a {v}.",
        ),
        ("What does {who} travel by?", "What is {who}'s means of transportation?"),
        aside=(
            "A {v} was left in front of the house.",
            "My neighbor repaired a {v}.",
            "I cannot afford a {v}.",
        ),
    ),
    Topic(
        SPOUSES,
        ("I am married to {v}.", "My spouse is {v}.", "{v} and I are married."),
        (
            "I divorced {old} and married {v}.",
            "After separating from {old}, I got married to {v}.",
            "My spouse is now {v}.",
        ),
        ("Who is {who} married to?", "What is the name of {who}'s spouse?"),
        aside=(
            "I attended school with {v}.",
            "My colleague is married to {v}.",
            "{v} sent me a letter.",
        ),
    ),
    Topic(
        VAULTS,
        ("I store my savings in the {v}.", "My savings are kept in the {v}."),
        (
            "I transferred my savings from the {old} to the {v}.",
            "My savings are now stored in the {v}.",
            "For security reasons, I keep my savings in the {v} instead of the {old}.",
        ),
        ("Where does {who} keep the savings?", "Where are {who}'s savings stored?"),
        aside=(
            "I painted the {v} last weekend.",
            "My brother stores his savings in the {v}.",
            "A spider was hiding behind the {v}.",
        ),
    ),
    Topic(
        WAGES,
        ("I earn {v} per week.", "My weekly salary is {v}."),
        (
            "My weekly salary was adjusted to {v}.",
            "I received a new contract and now earn {v} per week.",
            "My weekly salary is {v} now instead of {old}.",
        ),
        ("How much does {who} earn per week?", "What is {who}'s weekly salary?"),
        aside=(
            "I spent {v} on groceries.",
            "My assistant earns {v} per week.",
            "I lost {v} in a bet.",
        ),
    ),
    Topic(
        WEEKDAYS,
        ("My weekly lesson takes place on {v}.", "I attend my weekly lesson on {v}."),
        (
            "My weekly lesson was rescheduled to {v}.",
            "My weekly lesson now takes place on {v} instead of {old}.",
            "The teacher moved my weekly lesson from {old} to {v}.",
        ),
        ("On which day is {who}'s weekly lesson?", "When does {who}'s lesson take place?"),
        aside=(
            "The library is closed on {v}.",
            "My friend's weekly lesson is on {v}.",
            "I returned from my trip on {v}.",
        ),
    ),
    Topic(
        HOBBIES,
        ("My hobby is {v}.", "I practice {v} in my spare time."),
        (
            "I abandoned {old} and took up {v}.",
            "My new hobby is {v}.",
            "In my spare time, I now practice {v} rather than {old}.",
        ),
        ("What is {who}'s hobby?", "What does {who} practice in the spare time?"),
        aside=(
            "I read an article about {v}.",
            "My cousin's hobby is {v}.",
            "The school offers a course in {v}.",
        ),
    ),
    Topic(
        COLOURS,
        ("The front door of my house is {v}.", "My front door is painted {v}."),
        (
            "I repainted my front door {v}.",
            "My front door used to be {old}, but now it is {v}.",
            "The color of my front door was changed to {v}.",
        ),
        ("What color is {who}'s front door?", "Which color is the front door of {who}'s house?"),
        aside=(
            "I purchased a {v} umbrella.",
            "The mayor's front door is {v}.",
            "The bottle on the table was {v}.",
        ),
    ),
    Topic(
        GUILDS,
        ("I am a member of the {v}.", "I belong to the {v}."),
        (
            "I left the {old} and joined the {v}.",
            "I am now a member of the {v}.",
            "I transferred my membership from the {old} to the {v}.",
        ),
        ("Which organization does {who} belong to?", "What group is {who} a member of?"),
        aside=(
            "The {v} held a meeting yesterday.",
            "My employer belongs to the {v}.",
            "I was invited to a dinner hosted by the {v}.",
        ),
    ),
    Topic(
        MENTORS,
        ("My mentor is {v}.", "I am being trained by {v}.", "I study under {v}."),
        (
            "{v} has replaced {old} as my mentor.",
            "My new mentor is {v}.",
            "I ended my training with {old} and now study under {v}.",
        ),
        ("Who is {who}'s mentor?", "Who does {who} study under?"),
        aside=(
            "I had a conversation with {v} yesterday.",
            "My roommate's mentor is {v}.",
            "{v} declined to train me.",
        ),
    ),
    Topic(
        RANKS,
        ("I hold the rank of {v}.", "My rank is {v}."),
        (
            "My rank was changed from {old} to {v}.",
            "I now hold the rank of {v}.",
            "The army assigned me the rank of {v}.",
        ),
        ("What rank does {who} hold?", "What is {who}'s current rank?"),
        aside=(
            "A {v} gave a speech in the square.",
            "My father held the rank of {v}.",
            "I wrote a complaint to a {v}.",
        ),
    ),
)
