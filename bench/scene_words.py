"""What is said in generated scenes, and whom each wording is for.

`{n}` and `{m}` are those who are spoken to, `{x}` is somebody who is only spoken of, and `{w}` is a
place whose name occurs in no other line. The rules were mended with another pool of wordings, and
did well on it when these were first run.
"""

from __future__ import annotations

CALL, TWO, BOTH, ALL, OPEN, FOLLOW, WE, ABSENT, THIRD, PAIR, POSE = (
    *("call", "two", "both", "all", "open", "follow", "we", "absent", "third", "pair", "pose"),
)
"""To one; to two by name; to those two; to all; to nobody named; on with the talk; "we" in a talk;
of somebody who is not here; of somebody who is; "X and I"; a gesture at somebody."""

LINES: dict[str, tuple[str, ...]] = {
    CALL: (
        "{n}? You look as if you came from {w}.",
        "Oi, {n}, who minds the geese at {w}?",
        "Well met, {n}! Still living at {w}?",
        "Look, {n}, I never wanted {w}.",
        "Between ourselves, {n}, {w} is a ruin.",
        "It's no use, {n} - {w} is closed.",
        "What would you give for {w}, {n}?",
        "Mind the step, {n}. It is as rotten as {w}.",
        "Well, {n}, that is the end of {w}.",
        "I heard of {w}, yes. But you, {n}, how do you know it?",
        "For the last time, {n}: keep away from {w}!",
        "Ho there, {n}! Any news from {w}?",
        "Sit down, {n}, and I'll tell you how {w} was built.",
        "My dear {n}, {w} was never yours.",
        "Goodnight {n}, and dream of {w}.",
        "Pardon me, {n}, does this road go to {w}?",
        "The fishers of {w} send their regards, {n}.",
        "Yes {n}, {w} it is.",
    ),
    TWO: (
        "{n}! {m}! The bells of {w} are ringing!",
        "I leave {w} to {n} and {m}. See that you keep it.",
        "You, {n}, and you, {m}, will guard {w}.",
        "{n} or {m}, has either of you a key to {w}?",
    ),
    BOTH: (
        "The pair of you are as mad as they are at {w}.",
        "Neither of you would last a day at {w}.",
        "So the two of you met at {w}?",
        "I trust you both with {w}.",
    ),
    ALL: (
        "Good people, who will come with me to {w}?",
        "Can anybody lend me a mule as far as {w}?",
        "A round for the whole room, on the lord of {w}!",
        "Somebody must have heard the thunder over {w}.",
        "Quiet, all of you! The herald of {w} is coming.",
        "Gentlemen, the coach to {w} is leaving.",
        "Which of you left the gate of {w} open?",
        "Well, everyone, here is to {w}!",
        "Will no one speak of {w}?",
        "Hello all! What is the news from {w}?",
    ),
    OPEN: (
        "There is a fine smell tonight, as in the bakery of {w}.",
        "Nothing ever happens at {w}.",
        "The days are getting shorter, and {w} is far.",
        "Bless me, if that wasn't the horn of {w}.",
        "It takes three days by cart to {w}.",
    ),
    FOLLOW: (
        "Perhaps. But they have no well at {w}.",
        "What makes you think of {w}?",
        "Three barrels, and the fourth goes to {w}.",
        "She did? At {w}?",
        "I'd sooner marry the miller of {w}.",
        "That's not how I heard it at {w}.",
        "You're joking. The priest of {w}?",
        "And there's more: it came from {w}.",
        "Never mind. It was only {w}.",
        "Indeed, and the bridge at {w} too.",
        "How much did they want for it at {w}?",
        "Don't look at me, I was at {w}.",
    ),
    WE: (
        "That leaves us with {w}.",
        "We had better ask at {w}.",
        "It's ours now, all of {w}.",
        "Shall we say midnight, at {w}?",
        "They will hang us for {w}.",
        "Let me think. We've still the cellar of {w}.",
    ),
    ABSENT: (
        "It was {x} who sold me the hut at {w}.",
        "They took {x} away to {w}.",
        "{x} sends word from {w}.",
        "Everything at {w} belongs to {x} now.",
    ),
    THIRD: (
        "I'd ask {x}, if it is about {w}.",
        "That was {x}'s doing, back at {w}.",
        "Don't let {x} hear that about {w}.",
    ),
    PAIR: (
        "{x} and I carried the beam to {w} alone.",
        "It is settled: {x} and me, at {w}.",
    ),
    POSE: (
        "bows before {n} as they do at {w}.",
        "leans over to {n}, drawing the walls of {w} into the ale.",
        "frowns at {n}: so much for {w}.",
        "raises a glass to {n} and to the vines of {w}.",
        "steps between {n} and the picture of {w}.",
    ),
}

ANSWERS = (
    "The road to {w} is closed.",
    "That was long ago, at {w}.",
    "Nobody goes to {w} these days.",
    "Ask me again when you have seen {w}.",
)
NAMING = ("{n}, I left it at {w}.", "Then you had better go to {w}, {n}.")
PASSING = ("{m}, you know more about {w} than I.", "I cannot say. What do you say of {w}, {m}?")
"""What assistants say: to whom they answer, to them by name, and with it on to somebody else."""
