"""Words for retrieval: what carries meaning in a line of talk, and what kind of line it is."""

from __future__ import annotations

import re
from functools import lru_cache

import snowballstemmer

from ai_assistant.memory.sorts import TRADE, TRADES

_STEMMER = snowballstemmer.stemmer("english")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_STOP = frozenset(
    "a about above after again against all also am an and any are as at be because been before "
    "being below between both but by can cannot could did do does doing don down during each else "
    "ever few for from further get gets getting go goes going gone got had has have having he her "
    "here hers herself him himself his how i if in into is it its itself just know let like lot "
    "made make many may me might more most much must my myself need no nor not now of off oh ok "
    "okay on once one only or other our ours ourselves out over own please put quite really s same "
    "said say says she should so some something such sure t take tell than that the their theirs "
    "them themselves then there these they thing things think this those through to told too up us "
    "use used very want wants was we well went were what when where which while who whom whose why "
    "will with would yeah yes yet you your yours yourself yourselves remember mention mentioned "
    "ask asked kind type hello hi hey please".split()
)
_TITLES = frozenset(
    "captain master mistress lord lady king queen sir old young brother sister father mother "
    "doctor professor user assistant somebody world".split()
)
_CONTRACTED = re.compile(r"(?:n't|'(?:s|d|m|ll|re|ve))$")
_IRREGULAR = {
    form: first
    for first, *forms in (
        line.split()
        for line in (
            "buy bought",
            "see saw seen",
            "give gave given",
            "come came",
            "find found",
            "teach taught",
            "catch caught",
            "bring brought",
            "feel felt",
            "leave left",
            "lose lost",
            "meet met",
            "keep kept",
            "sleep slept",
            "hold held",
            "write wrote written",
            "speak spoke spoken",
            "break broke broken",
            "choose chose chosen",
            "drive drove driven",
            "ride rode ridden",
            "eat ate eaten",
            "fall fell fallen",
            "begin began begun",
            "swim swam swum",
            "sing sang sung",
            "run ran",
            "win won",
            "sell sold",
            "build built",
            "send sent",
            "spend spent",
            "grow grew grown",
            "draw drew drawn",
            "fly flew flown",
            "wear wore worn",
            "steal stole stolen",
            "fight fought",
            "swear swore sworn",
            "hear heard",
            "stand stood",
            "become became",
            "pay paid",
            "lead led",
            "feed fed",
            "hide hid hidden",
            "forget forgot forgotten",
            "child children kid kids",
            "man men",
            "woman women",
            "foot feet",
            "mouse mice",
            "wife wives",
            "knife knives",
            "wolf wolves",
            "mother mom mum",
            "father dad",
            "photo photograph picture pic",
        )
    )
    for form in forms
}
_PHRASES = (
    (re.compile(r"\bthey made (?:me|him|her) (?:an?|the|their) "), "appoint"),
    (
        re.compile(
            r"\b(?:i'm|i am|we're|we are|i've been) (?:\w+ly |now )?an? "
            r"(?!(?:bit|little|tad|touch|trifle|lot|avid|keen|(?:\w+ )?(?:fan|member))\b)"
        ),
        "profess",
    ),
    (
        re.compile(
            r"(?:\b(?:am|is|are|as|be|being|became|become|made(?: \w+)?|longer|now|turned)|"
            rf"'m|'s|'re) (?:(?:an?|the|no|new|head|master) )*(?:{'|'.join(TRADES)}|{TRADE})\b"
        ),
        "profess",
    ),
    (
        re.compile(
            r"\b(?:took|taken|found|rented|got) (?:an? |the |another )?(?:new )?"
            r"(?:rooms?|place|flat)\b"
        ),
        "resid",
    ),
    (
        re.compile(
            r"\bwhere (?:can|could|may|might|do|should|would) (?:i|we|one|you) "
            r"(?:find|meet|reach)\b|"
            r"\bwhere is \w+ to be found\b|"
            r"\b(?:you'll|you (?:can|will|may)) find (?!my|the|an?\b)\w+ (?:in|at|near|by|over)\b|"
            r"\b(?:i'm|we're|i am|we are|he's|she's|they're) (?:over|back|down|up) (?:in|at)\b"
        ),
        "resid",
    ),
    (re.compile(r"\bwhat (?:does|do|is) [\w ]+ do(?:ing)?(?: for work)?\W*$"), "work"),
    (re.compile(r"\blike \w+(?: \w+)? (?:best|most|more than|better than)\b"), "prefer"),
    (
        re.compile(
            r"\b(?:fallen|fell) for\b|\b(?:split|broke|broken) up\b|\bother half\b|"
            r"\b(?:i'm|i am|he's|she's|is) (?:seeing|with) "
            r"(?!(?:the|an?|my|you|it|him|her|them)\b)"
        ),
        "court",
    ),
    (
        re.compile(
            r"\b(?:i'm|i am|he's|she's|is) with the\b|\bone of them\b|\bplay(?:s|ing)? for\b"
        ),
        "guild",
    ),
    (re.compile(r"days? off\b|\bday of rest\b|\boff on \w+day\b"), "dayoff"),
    (re.compile(r"\b(?:walk|go|step)(?:s|ing)? out with\b"), "court"),
    (re.compile(r"\bearn(?:s|ed)? (?:my|his|her|their) (?:bread|living|keep|coin)\b"), "work"),
)
"""Phrases whose words say little, and the stem of what they mean together."""
_LIVING = re.compile(r"\b(?:for )?(?:a|my|your|his|her|our|their) living\b")
_MOVED_IT = re.compile(
    r"\bmov(?:e|es|ed|ing) "
    r"(?=(?:the|my|our|his|her|its|it|them|that|this)\b(?! (?:house|home|family)))"
)
"""Who moves something does not move house."""
_NOWADAYS = re.compile(
    r"\b(?:(?:in|on)? ?these days|at (?:the|this) moment|right now|at present|nowadays|currently|"
    r"at the end of the day|by the way)\b"
)
_ASKS = re.compile(r"\?[\"'”’)\s]*$")
_TIME = re.compile(
    r"\b(?:yesterday|today|tomorrow|tonight|last|next|ago|weeks?|weekend|months?|years?|morning|"
    r"night|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|"
    r"august|september|october|november|december|summer|winter|spring|autumn|recently|soon|"
    r"birthday|anniversary|dawn|dusk|\d{4})\b",
    re.I,
)


def plain(text: str) -> str:
    """Return a text in small letters, with straight apostrophes."""
    return text.lower().replace("’", "'")


def words(text: str) -> list[str]:
    """Return all words of a text in order, in small letters."""
    return list(word_key(text))


@lru_cache(maxsize=4096)
def word_key(text: str) -> tuple[str, ...]:
    """Return what two texts have in common that say the same word for word: their `words`."""
    return tuple(_WORD.findall(plain(text)))


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the stem of a word in small letters (Porter 2), irregular forms under their first."""
    bare = _CONTRACTED.sub("", word)
    return str(_STEMMER.stemWord(_IRREGULAR.get(bare, bare)))


@lru_cache(maxsize=65_536)
def meaning(word: str) -> str:
    """Return the stem of a word that carries meaning; empty for one that does not."""
    return "" if word in _STOP or _CONTRACTED.sub("", word) in _STOP else stem(word)


def stems(text: str) -> list[str]:
    """Return the stems of the words of a text that carry meaning, in order."""
    line = _NOWADAYS.sub(" ", plain(text))
    line = _LIVING.sub("work", _MOVED_IT.sub("shifted ", line))
    phrases = [meaning for phrase, meaning in _PHRASES if phrase.search(line)]
    return [*filter(None, map(meaning, _WORD.findall(line))), *phrases]


@lru_cache(maxsize=4096)
def stem_set(text: str) -> frozenset[str]:
    """Return the stems of the words of a text that carry meaning, each once."""
    return frozenset(stems(text))


def asks(text: str) -> bool:
    """Does a line end as a question?"""
    return bool(_ASKS.search(text[-8:]))


def names_a_time(text: str) -> bool:
    """Does a line say when something is, was or will be?"""
    return bool(_TIME.search(text))


def is_common(name: str) -> bool:
    """Is this part of a name too short, or too much of an everyday word, to mean its bearer?"""
    return len(name) < 3 or name in _STOP or name in _TITLES
