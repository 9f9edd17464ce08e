"""Whose words these are: turns what was said into a fact about the speaker, and back into "you".

Only what can be turned safely is turned; everything else is quoted, which is always good English.
"""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_BARE = "i am|i'm|i was|i have|i've|i do not|i don't|i had|i did|i"
_ADVERB = (
    r"(?P<adverb>(?:no longer|also|always|never|often|really|just|once|still|only|sometimes|"
    r"usually) )?"
)
_I = re.compile(rf"(?P<i>{_BARE})\b ?{_ADVERB}(?P<verb>[a-z']+)?(?P<rest>.*)", re.I | re.S)

_BECOMES = {
    "i am": "is", "i'm": "is", "i was": "was", "i have": "has", "i've": "has", "i had": "had",
    "i did": "did", "i do not": "does not", "i don't": "does not",
}  # fmt: skip
_MODALS = frozenset("can could will would shall should may might must cannot can't won't".split())
_PAST = frozenset(
    "became began bought broke brought built came caught did drank drew ate fell felt fought found "
    "forgot gave got grew had heard held hid hurt kept knew led left lent lost made met paid ran "
    "rode said sang sat saw sent slept sold spent spoke stole stood swam swore taught thought told "
    "repaid forgave overcame outgrew chose threw tore bound fled bred fed struck "
    "took went woke won wore wrote was quit wed dug slew sank shot wove swept left".split()
)
_PRESENT = frozenset(
    "admire adore bake believe belong breed brew build buy carry collect come cook craft dance "
    "despise dislike dream drink eat enjoy fear fight fish grow guard hate have hope hunt keep "
    "know lead learn like live look love make mean mend miss need own paint play practise prefer "
    "earn gather share touch read remember ride run sail seek sell serve sew sing sleep "
    "speak study teach tend trade train "
    "travel trust use visit walk want wear wish work worship write "
    "owe dwell reside lodge stay detest dread raise weave carve forge hail lead rent tend mend "
    "climb juggle manage support admire respect distrust favour favor repair stem descend cherish "
    "treasure loathe resent gamble pray host smoke herd swim command come".split()
)
_THIRD = {
    "i am": "they are", "i'm": "they are", "i was": "they were", "i've": "they have",
    "we are": "they are", "we": "they", "our": "their", "us": "them",
    "i": "they", "me": "them", "my": "their", "mine": "theirs", "myself": "themselves",
}  # fmt: skip
_SECOND = {
    "i am": "you are", "i'm": "you are", "i was": "you were", "i've": "you have",
    "i'll": "you will", "i'd": "you would", "i": "you", "me": "you", "my": "your",
    "mine": "yours", "myself": "yourself", "we": "you", "we're": "you are", "our": "your",
    "ours": "yours", "us": "you", "you are": "I am", "you're": "I am", "you were": "I was",
    "you have": "I have", "your": "my", "yours": "mine", "yourself": "myself", "you": "me",
}  # fmt: skip
_THEIR = {
    "they are": "you are", "she is": "you are", "he is": "you are", "they": "you", "she": "you",
    "he": "you", "their": "your", "his": "your", "her": "your", "them": "you", "him": "you",
    "theirs": "yours", "hers": "yours", "themselves": "yourself", "herself": "yourself",
    "himself": "yourself",
}  # fmt: skip
_AGREES = {
    "is": "are", "was": "were", "has": "have", "does": "do", "isn't": "aren't",
    "doesn't": "don't", "wasn't": "weren't", "hasn't": "haven't",
}  # fmt: skip
_SMALL = frozenset(
    "a an the this that these those there it its our we my your some many most all no every each "
    "he she they his her their in on at by from when if he's she's it's that's there's".split()
)
_REPORTS = (
    r"(?:has )?(?:said|says|mentioned|told (?:me|us|you)|tells me|shared|claims|noted|once said)"
)


@lru_cache(maxsize=8)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(map(re.escape, words), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(longest_first)})\b(?!')", re.I)


def _swap(text: str, table: dict[str, str]) -> str:
    text = text.replace("’", "'")
    return _pattern(tuple(table)).sub(lambda hit: table[hit[0].lower()], text)


def capital(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[:1].upper() + text[1:]


def clause(text: str) -> str:
    """Return a sentence as part of another one: no final stop, no capital but a name's."""
    text = text.strip().rstrip(".!… ")
    first = _WORD.match(text)
    if first and first[0].lower() in _SMALL:
        text = text[:1].lower() + text[1:]
    return text


def the(name: str) -> str:
    """Return "a copper key" as "the copper key"; a name without an article stays."""
    return re.sub(r"\A(?:an?|some) ", "the ", name)


def shorten(text: str, limit: int = 200) -> str:
    """Return at most `limit` characters, cut between words."""
    if len(text) <= limit:
        return text
    return text[:limit].rsplit(" ", 1)[0].rstrip(",;: ") + "…"


def joined(items: list[str], last: str = "and") -> str:
    """Return "a, b and c"."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def base(verb: str) -> str:
    """Return the plain form of a verb in the third person: "likes" → "like"."""
    lower = verb.lower()
    if lower in _AGREES:
        return _AGREES[lower]
    if len(verb) < 4 or not lower.endswith("s") or lower.endswith(("ss", "us")):
        return verb
    if lower.endswith("ies"):
        return verb[:-3] + "y"
    return verb[:-2] if lower.endswith(("shes", "ches", "sses", "xes", "oes")) else verb[:-1]


def third(verb: str) -> str:
    """Return a verb in the third person: "like" → "likes"."""
    if verb == "have":
        return "has"
    if verb.endswith("y") and verb[-2:-1] not in tuple("aeiou"):
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")


def fact_about(sentence: str, name: str, me: str) -> str:
    """Return what the speaker `name` told `me` as a fact in the third person.

    "My cat is named Whiskers" becomes "Alice's cat is named Whiskers".
    """
    said = sentence.strip().rstrip(".! ").replace("’", "'")
    table = {**_THIRD, "you": me or "me", "your": f"{me}'s" if me else "my"}
    if said[:3].lower() == "my ":
        return f"{name}'s {_swap(said[3:], table)}"
    hit = _I.fullmatch(said)
    if not hit:
        return f"{name} says {_swap(clause(said), table)}"
    verb = _conjugated(hit)
    if not verb:
        return f'{name} said: "{said}"'
    rest = _swap(hit["rest"], table)
    return f"{name} {verb}{' ' * rest[:1].isalnum()}{rest}"


def _conjugated(hit: re.Match[str]) -> str:
    opening, adverb, verb = hit["i"].lower(), hit["adverb"] or "", hit["verb"] or ""
    if opening in _BECOMES:
        return f"{_BECOMES[opening]} {adverb}{_THIRD.get(verb.lower(), verb)}".rstrip()
    lower = verb.lower()
    if lower in _MODALS or lower in _PAST or lower.endswith("ed"):
        return adverb + lower
    return adverb + third(lower) if lower in _PRESENT else ""


def said_to_you(sentence: str) -> str:
    """Return the speaker's own words turned to them: "My cat…" → "your cat…"."""
    text = clause(sentence)
    turned = _swap(text, _SECOND)
    if re.match(r"you\b", text, re.I) and turned.startswith("me "):
        turned = "I" + turned[2:]
    return turned


def fact_to_you(fact: str, name: str) -> str:
    """Return a fact about `name` turned to them: "Alice likes chess" → "you like chess".

    Empty when the fact does not speak of them by name.
    """
    fact = clause(fact)
    if not name or not fact.startswith(name):
        return ""
    rest = fact[len(name) :]
    report = re.match(rf" {_REPORTS}(?: that)?:? (?P<what>.+)", rest, re.S)
    if report:
        return _reported(report["what"], name)
    if rest.startswith(("'s ", "’s ")):
        return "your" + _theirs(rest[2:])
    hit = re.match(rf" {_ADVERB}(?P<verb>[a-z']+)(?P<rest>.*)", rest, re.S)
    if not hit:
        return ""
    return f"you {hit['adverb'] or ''}{base(hit['verb'])}{_theirs(hit['rest'])}"


def _reported(what: str, name: str) -> str:
    if what.startswith(('"', "“")):
        return said_to_you(what.strip('"“”'))
    return fact_to_you(what, name) or clause(_theirs(what))


def _theirs(text: str) -> str:
    """Turn their pronouns to "you", unless somebody else is named whom those might mean."""
    found = _pattern(tuple(_THEIR)).search(text)
    if found and not any(word[0].isupper() for word in _WORD.findall(text[: found.start()])):
        return _swap(text, _THEIR)
    return text
