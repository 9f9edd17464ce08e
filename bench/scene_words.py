"""What is said in generated scenes: two pools of wordings, and whom each wording is for.

`{n}` and `{m}` are those who are spoken to, `{x}` is somebody who is only spoken of, and `{w}` is a
place whose name occurs in no other line. The rules were mended with the first pool; the second was
written together with it, and first run when the rules did well on the first.
"""

from __future__ import annotations

CALL, TWO, BOTH, ALL, OPEN, FOLLOW, WE, ABSENT, THIRD, PAIR, POSE = (
    *("call", "two", "both", "all", "open", "follow", "we", "absent", "third", "pair", "pose"),
)
"""To one; to two by name; to those two; to all; to nobody named; on with the talk; "we" in a talk;
of somebody who is not here; of somebody who is; "X and I"; a gesture at somebody."""

FIRST: dict[str, tuple[str, ...]] = {
    CALL: (
        "{n}, what became of {w}?",
        "Hey {n}! Have you ever been to {w}?",
        "{n}: the cart to {w} is late again.",
        "Good morrow, {n}. How are things at {w}?",
        "Tell me, {n}, where is {w}?",
        "I tell you, {n}, {w} is cursed.",
        "It is a long way to {w}, {n}, and a muddy one.",
        "What do you make of {w}, {n}?",
        "I was never at {w}, {n}.",
        "Do you remember the mill at {w}, {n}? I do.",
        "{n}! They are asking for you at {w}.",
        "So, {n}, is it {w} this time?",
        "Thanks, {n}. I owe you a barrel from {w}.",
        "You are wrong about {w}, {n}!",
        "{n} - come here and tell me of {w}.",
        "Is that so? {n}, you said the same of {w}.",
        "By the gods, {n}, not {w} again.",
        "Ask them at {w}, {n}, they know.",
    ),
    TWO: (
        "{n} and {m}, come with me to {w}.",
        "{n}, {m}, the gate of {w} is open.",
        "What do you two think of {w}, {n} and {m}?",
        "Listen, {n} and {m}: {w} is no place for you.",
    ),
    BOTH: (
        "You two should have seen {w}.",
        "Have you both been to {w}?",
        "I want both of you out of {w} by noon.",
        "And what will you two do at {w}?",
    ),
    ALL: (
        "Everybody, {w} is on fire!",
        "Has anyone here been to {w}?",
        "Friends, let me sing of {w}.",
        "Does anybody know the way to {w}?",
        "Listen up! The fair of {w} is tomorrow.",
        "All of you must leave {w}.",
        "Hear me, all: {w} has fallen.",
        "Who among you has seen {w}?",
        "Who knows the way to {w}?",
        "Is there someone from {w} here?",
    ),
    OPEN: (
        "{w} is a cold place in winter.",
        "They say that {w} has burnt down.",
        "What a night. It was like this at {w}.",
        "It rains. It always rains since {w}.",
        "Ah, for a bed at {w}.",
    ),
    FOLLOW: (
        "And what did she say of {w}?",
        "Yes, that was at {w}.",
        "No, not {w}.",
        "Then it must be {w}.",
        "Why {w}?",
        "I don't believe a word about {w}.",
        "You never told me about {w}.",
        "He never came back from {w}.",
        "And you? Were you at {w} as well?",
        "I could show you {w} one day.",
        "That is what they do at {w}.",
        "Go on, how did it end at {w}?",
    ),
    WE: (
        "We could still go to {w}.",
        "Let us meet at {w}.",
        "Our road leads by {w}.",
        "Nobody saw us at {w}.",
        "Let's not speak of {w}.",
        "We'll be at {w} by dusk.",
    ),
    ABSENT: (
        "{x} told me about {w}.",
        "I have not seen {x} since {w}.",
        "If {x} were here, they would tell you of {w}.",
        "This is how {x} lost the mule at {w}.",
    ),
    THIRD: (
        "I think {x} has been at {w}.",
        "{x} would never go to {w}.",
        "As {x} says, {w} is what you make of it.",
    ),
    PAIR: (
        "{x} and I are going to {w}.",
        "I and {x} have a wager about {w}.",
    ),
    POSE: (
        "nods to {n} at the word of {w}.",
        "hands {n} a map of {w}.",
        "winks at {n} and whistles the song of {w}.",
        "shakes hands with {n} and swears by {w}.",
        "pushes {n} a mug that was stolen at {w}.",
    ),
}

SECOND: dict[str, tuple[str, ...]] = {
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

POOLS = {"first": FIRST, "second": SECOND}

ANSWERS = (
    "The road to {w} is closed.",
    "That was long ago, at {w}.",
    "Nobody goes to {w} these days.",
    "Ask me again when you have seen {w}.",
)
NAMING = ("{n}, I left it at {w}.", "Then you had better go to {w}, {n}.")
PASSING = ("{m}, you know more about {w} than I.", "I cannot say. What do you say of {w}, {m}?")
"""What assistants say: to whom they answer, to them by name, and with it on to somebody else."""
