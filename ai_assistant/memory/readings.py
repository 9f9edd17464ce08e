"""Readings: what relation a clause tells of somebody, with which value, and whether it is over.

A clause is read in the first person: "I am scared of moths", "moths scare me" and "my greatest
fear is moths" all tell that the speaker fears moths. A clause that tells no known relation, or
one of something that only the moment explains, has no reading.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ai_assistant.memory.antecedents import topics_of
from ai_assistant.memory.nouns import KIN, SPOUSE
from ai_assistant.memory.relations import GOOD, I_SAY, MY, OF_ME, OVER, Told
from ai_assistant.memory.values import MONEY, NAMED, PRONOUNS, Fit, cut, favourite, fits
from ai_assistant.memory.verbs import is_verb
from ai_assistant.memory.wording import Words, words_of

_CLEFT = re.compile(
    r"(?:.* )?(?P<what>\w+) (?:that |who )?i (?P<said>\w+)(?: (?P<at>in|at)| \w+)??(?P<most> "
    r"most| best| above "
    r"all|"
    r" more than anything)? (?:be|it be) (?P<v>.+)\Z"
)
_TURNED = re.compile(
    r"(?P<v>.+?) be (?:best |worst |only |one )?(?P<what>\w+)(?: that| who)? i (?P<said>\w+)"
    r"(?P<most> most| best| more than anything)?\Z"
)
_INVERTED = re.compile(r"(?P<v>.+?) (?:be|become|have become|have be) my (?P<n>.+)\Z")
_KIN = re.compile(
    rf"(?:.*?\b)??(?:my|have|have one|grow up with) (?:\w+ )??(?P<k>{KIN})(?:'s name)?"
    r"(?: be| have be)?(?: call| name| go by(?: name of)?| answer to)? (?P<v>\S+)"
)
_IS_KIN = re.compile(rf"(?:.*?\b)??(?P<v>\S+) be my (?:\w+ )?(?P<k>{KIN})(?:'s name)?\Z")
_BLOCKS = frozenset(
    "what who whom where when why how which whether if unless wish dream dreamt pretend imagine "
    "would will might may shall should could must nothing almost nearly hardly barely scarcely "
    "as than until till want hope plan whatever suppose go try".split()
)
"""Words before "I" that make what follows a question, a wish, or a part of something else."""
_UNREAL = frozenset(
    "would will might may shall should could if unless wish hope want whether how almost".split()
)
"""Words that make a whole clause no statement of what is."""
_LEADS_ON = frozenset(
    "that and but so because well oh then now day days week month year night morning today "
    "yesterday know say guess mean believe swear tell confess admit mention hear gather "
    "sure truth fact thing all soul else no yeah yes okay right me us it tough sorry this think "
    "trade birth blood profession secret least out".split()
)
_WHENCE = frozenset("after in since last at by for during from of among".split())
"""Words before "I", the last or the first, after which it begins a clause that stands alone."""
_MUST_SAY = {("must", verb) for verb in ("confess", "admit", "say", "tell")}
_SAYING = frozenset("said say that know believe think guess told everyone".split())
_OF_ME = frozenset(
    "me my mine i home nothing best better allergic job go".split()
)  # fmt: skip
"""One of these is in every clause that tells of somebody without beginning with them."""
_STOPPED = frozenset("use stop quit cease give".split())
_CHANGING = frozenset(
    "move relocate buy sell leave join marry wed trade get quit pay adopt give find take become "
    "settle sign steal".split()
)
"""Verbs of change: "I am moving" is a plan, "I am living" is none."""
_TASTES = frozenset(
    "like love adore enjoy favour cherish treasure relish prefer appreciate hate dislike detest "
    "despise loathe resent abhor".split()
)
_ROUNDABOUT = frozenset("trade swap give walk part come end pay kick boot chuck toss".split())
_GENERAL = frozenset({"likes", "fears", "allergy"})
"""Kinds of what is told of a whole sort: who is scared of "the dog" may like dogs."""
_PLAIN_HELPERS = frozenset({"have", "be"})
_A_NO = re.compile(r"\bno (?!longer\b)", re.I)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a clause tells: `kind` and `value`, whether it is `good` or not so, and `ended` by now.

    `start` is the place of the word with which it begins, where it says so of "I" or "my" in the
    plainest way; -1 where it is put in a roundabout one.
    """

    kind: str
    value: str
    good: bool = True
    ended: bool = False
    start: int = -1


@dataclass(frozen=True, slots=True)
class Around:
    """The whole `line` around a clause, and the clauses `before` it, the last one first."""

    before: tuple[str, ...] = ()
    line: str = ""

    @property
    def topics(self) -> Iterator[str]:
        """What "it" may mean, the likeliest first."""
        return (topic for clause in self.before for topic in topics_of(clause))

    @property
    def topic(self) -> str:
        """What was spoken of last."""
        return next(self.topics, "")


NOWHERE = Around()


def read(text: str, around: Around = NOWHERE) -> Reading | None:
    """Return what a clause in the first person tells, or None."""
    words = words_of(text)
    for way in (_kin, _cleft, _i_say, _my, _of_me):
        if found := way(words, around):
            return found
    return None


def subjects_of(text: str) -> list[int]:
    """Return the places of each word "I" or "my" with which a clause may say something."""
    words = words_of(text)
    if words.plain[:1] == ("my",):
        return [words.places[0]]
    return [words.places[at] for at in _subjects(words)]


def _kin(words: Words, around: Around) -> Reading | None:
    """Read how a relative is called: to name "my sister Mara" is to say so, whatever follows."""
    line = words.line.rstrip()
    found = _KIN.match(line) or _IS_KIN.match(line)
    if not found or words.negative or {"you", "your"}.intersection(words.plain):
        return None
    name = words.said_from(found.start("v"), found.end("v"))[:1]
    if name and name[0].lower() in PRONOUNS and found.re is _IS_KIN:
        name = next((one.split()[-1:] for one in around.topics if one[:1].isupper()), [])
    if not name or not name[0][:1].isupper() or name[0] == "I":
        return None
    kind = "spouse" if re.match(SPOUSE, found["k"]) else f"own:{found['k']}"
    plain = line.startswith("my ") and " be " in line[: found.start("v")]
    return Reading(kind, name[0], start=0 if plain else -1)


def _cleft(words: Words, around: Around) -> Reading | None:
    """Read "what I fear most is moths" and "moths are what I fear" as "I fear moths"."""
    line = words.line.rstrip()
    found = _CLEFT.match(line) or _TURNED.match(line)
    if not found:
        return None
    value = " ".join(words.said_from(found.start("v"), found.end("v")))
    if found["said"] == "be":
        topic = around.topic if value.lower() in PRONOUNS else value
        return Reading("is", topic) if found["what"] in ("who", "what") and topic else None
    if found["most"] and found["what"] not in ("what", "thing", "one", "that"):
        return Reading(favourite(found["what"], ""), value)
    verb = f"{found['said']} {found.groupdict().get('at') or ''}"
    return _loose(read(f"I {verb} {value}", around)) if is_verb(found["said"]) else None


def _i_say(words: Words, around: Around) -> Reading | None:
    """Read what follows "I"."""
    for at in _subjects(words):
        rest = replace(words, plain=words.plain[at + 1 :], places=words.places[at + 1 :])
        if found := _first(I_SAY, rest, around):
            return replace(found, start=words.places[at] if found.start >= 0 else -1)
    return None


def _subjects(words: Words) -> list[int]:
    """Return where "I" may be the subject of a clause that stands for itself."""
    found = []
    for at, word in enumerate(words.plain):
        before = words.plain[:at]
        if before[1:3] in _MUST_SAY:
            before = before[2:]
        if word != "i" or _BLOCKS.intersection(before) or (words.negative and "i" in before):
            continue
        with_me = before[:1] == ("my",) and before[-1:] == ("and",)
        if not before or with_me or before[-1] in _LEADS_ON or before[0] in _WHENCE:
            found.append(at)
    return found


def _my(words: Words, around: Around) -> Reading | None:
    """Read "my home is Ashby", and "Ashby is my home", as well as "that's my home"."""
    if turned := _INVERTED.match(words.line.rstrip()):
        value = words.said_from(turned.start("v"), turned.end("v"))
        said = [at for at, one in enumerate(value) if one.lower() in _SAYING]
        what = " ".join(value[said[-1] + 1 :] if said and len(value) > 1 else value)
        topic = around.topic if turned["v"] in ("it", "that", "this", "which") else ""
        return _loose(_first(MY, words_of(f"my {turned['n']} is {topic or what}"), around))
    return _first(MY, words, around) if "my" in words.plain else None


def _of_me(words: Words, around: Around) -> Reading | None:
    """Read a clause that tells something of "me"."""
    if _UNREAL.intersection(words.plain) or not _OF_ME.intersection(words.plain):
        return None
    return _loose(_first(OF_ME, words, around))


def _loose(found: Reading | None) -> Reading | None:
    return replace(found, start=-1) if found else None


def _first(ways: Iterable[Told], words: Words, around: Around) -> Reading | None:
    """Return the first reading that fits, with a value that is one."""
    line = words.line.rstrip()
    for told in ways:
        if told.denied and not words.negative:
            continue
        if (found := told.pattern.match(line)) and (made := _made(Fit(told, words, found), around)):
            return made
    return None


def _made(fit: Fit, around: Around) -> Reading | None:
    kind, told = fit.told.kind, fit.told
    if kind == "favourite":
        kind = favourite(fit.part("what"), around.line)
    if not kind or _is_unreal(fit):
        return None
    value, is_plain = _value(kind, fit, around)
    if value is None:
        return None
    stopped = bool(_STOPPED.intersection(fit.helpers))
    turned = stopped ^ (fit.words.negative and not told.denied)
    ended = stopped or fit.words.over or told.sense == OVER
    is_plain = is_plain and _is_plain(kind, fit)
    return Reading(kind, value, (told.sense == GOOD) ^ turned, ended, 0 if is_plain else -1)


def _is_unreal(fit: Fit) -> bool:
    """Is it long past, not done, or only on its way ("I am moving to Ashby")?"""
    if "use" in fit.helpers and fit.told.kind not in ("likes", "fears"):
        return True
    if fit.told.kind == "has" and fit.words.negative and "can" in fit.helpers:
        return True
    going = fit.part("aux").split()[-1:] == ["be"] and "have" not in fit.helpers
    return going and fit.verb in _CHANGING and fit.verb_said.endswith("ing")


def _value(kind: str, fit: Fit, around: Around) -> tuple[str | None, bool]:
    """Return (the value, or None; does it stand in the clause itself, as it is?)."""
    if fit.has_none:
        return "", True
    said = fit.value
    if kind == "likes" and said and said[0].lower() in ("her", "him"):
        return None, False
    if said and not (said[0].lower() in PRONOUNS and len(said) < 3):
        value = " ".join(cut(kind, said))
        bare = value.removesuffix("'s") if kind in ("spouse", "owes") else value
        return (bare if fits(kind, value.split(), fit) else None), bare == value
    spoken = (one for one in around.topics if kind != "owes" or not MONEY & set(one.split()))
    meant = (" ".join(cut(kind, one.split())) for one in spoken)
    return next((one for one in meant if _can_be(kind, one, fit)), None), False


def _can_be(kind: str, topic: str, fit: Fit) -> bool:
    """Can what was spoken of be the value that "it" or "them" stands for?"""
    if kind in _GENERAL and not _is_sort(topic, fit):
        return False
    if kind == "has" and fit.told.sense == GOOD and not fit.words.negative:
        return False
    named = kind not in NAMED or any(one[:1].isupper() for one in topic.split())
    return named and fits(kind, topic.split(), fit)


def _is_sort(topic: str, fit: Fit) -> bool:
    """Is this a whole sort of things, and spoken of as one ("them", not "it")?"""
    pronoun = next(iter(fit.value), "").lower()
    article = topic.startswith(("a ", "an ", "the ", "my ", "your "))
    several = pronoun in ("them", "they", "those", "these") or topic.endswith("s")
    return several and not article and pronoun not in ("it", "that", "this")


def _is_plain(kind: str, fit: Fit) -> bool:
    """Are the words of the teller plain enough to be kept?"""
    if fit.told in MY or fit.has_none:
        return True
    if fit.told.denied or fit.told in OF_ME or fit.helpers - _PLAIN_HELPERS:
        return False
    if kind.startswith("favourite") or _A_NO.search(" ".join(fit.words.said)):
        return False
    if fit.words.plain[:2] == ("be", "give") or (fit.verb == "leave" and kind == "home"):
        return False
    return (kind != "likes" or fit.verb in _TASTES) and fit.verb not in _ROUNDABOUT
