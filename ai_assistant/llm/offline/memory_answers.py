"""Answers from memory: what somebody said, what was noted, what the persona has always known."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from ai_assistant.language import current_language, keeps_texts
from ai_assistant.language.words import clipped, names_a_time, word_key, word_weight
from ai_assistant.llm.offline import english
from ai_assistant.llm.offline.english import is_question
from ai_assistant.llm.offline.intents import (
    REMEMBER,
    SINGLE,
    STATED,
    Asker,
    Intent,
    intent_of,
    names_known,
    names_opening,
    persons,
)
from ai_assistant.llm.offline.persona_answers import shared_interest
from ai_assistant.llm.offline.request_view import Remark, RequestView, remarks

ENOUGH = 0.6
"""The share of a question's meaning that an answer must cover."""
RARE = 3
"""A word that stands in no more of what is known says what is meant."""
A_TIE = 0.02
"""Answers that differ by less are as good as each other, but for their length."""
_ABOUT_IS_ENOUGH = 0.7
_TELLING = ((0.3, 0.9), (0.5, 0.45))
"""Of what is known and nobody's word a smaller share will do, if so much of it is found."""
_PLACE_BEHIND = 0.4
"""By how much what one sees there comes after what is known."""
_COMMON = 0.5
"""How much a word counts that stands in many of the texts."""
_OPEN = frozenset(english.DATA["open"].split())
_ABOUT_ME = frozenset("i me my mine myself we our us".split())
_ABOUT_YOU = frozenset("your yours yourself".split())
_FOR_ME = re.compile(r"\bfor (?:me|us|myself)\b.*\Z")
_OF_MINE = re.compile(
    r"\b(?:did|have) you (?:say|said|tell|told|promise)|\byou (?:said|promised)\b"
)
_SAID_BY = re.compile(r"\b(?:did|has) (?!i\b|you\b|we\b)(\w+) (?:say|said|tell|told|mention)\b")
_NOT_WORDS = frozenset({"pose", "emote", "move", "gift", "deed"})
_LONGEST = 200
"""Characters of what is remembered that are spoken."""
_FACTS = frozenset({"observation", "note", "fact", "lore"})
_KNOWN = frozenset({"lore", "place", "", "note", "fact"})


@dataclass(frozen=True, slots=True)
class Question:
    """A question by its meaning: the stems it asks for, and whom its answer must be about.

    An `open` one wants more than a yes; one `of_mine` asks what the character itself said, and
    `said_by` names another whose words are asked for.
    """

    stems: set[str]
    about: set[str]
    open: bool
    of_mine: bool
    said_by: set[str]
    about_me: bool = False
    is_borrowed: bool = False
    """Are its words those of what was said before it?"""
    weights: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str, speaker: str, me: str, words: str = "") -> Question:
        """Take apart what `speaker` asked `me`; `words` are its words as they were meant."""
        asked = SINGLE["FRAME"].sub("", _FOR_ME.sub("", words or english.spelled_out(text)))
        parts, by = asked.split(), _SAID_BY.search(asked)
        said_by = english.meanings(by[1]) if by else set()
        named = said_by | english.meanings(" ".join(english.capitalised(text)))
        named |= english.meanings(speaker) if _ABOUT_ME & set(parts) else set()
        named |= english.meanings(me) if _ABOUT_YOU & set(parts) else set()
        is_open = not parts or parts[0] in _OPEN
        stems = english.meanings(words or text) - named
        of_mine, about_me = bool(_OF_MINE.search(asked)), is_of_me(asked)
        return cls(stems, named, is_open, of_mine, said_by, about_me)

    def weighed(self, view: RequestView) -> Question:
        """Return it with how much each stem tells among all that is known."""
        seen = Counter(stem for item in view.knowledge for stem in english.meanings(item.text))
        said = {stem for line in view.stream for stem in english.meanings(line.text)}
        unheard = 0.0 if self.is_borrowed else _COMMON
        weights = {
            stem: english.how_telling(stem)
            * (
                1.0
                if 0 < seen[stem] <= RARE or stem in said
                else _COMMON
                if seen[stem]
                else unheard
            )
            for stem in self.stems
        }
        return replace(self, weights=weights)


def _best(view: RequestView, question: Question, more: Iterable[Remark] = ()) -> Remark | None:
    """Return what answers best of all that is remembered and `more`, the latest first."""
    best, best_score = None, 0.0
    question = question.weighed(view)
    held = [item for item in view.memories if item.name]
    for item in (*reversed(view.stream), *view.observations, *held, *more, *view.knowledge):
        score = _score(question, item, view)
        if score > best_score + A_TIE:  # what came first is the later word
            best, best_score = item, score
    if best is None or _is_known(best) or best.kind == "observation":
        return best
    parts = [REMEMBER.sub("", part) for part in english.clauses(best.text, view.persona.name)]
    telling = max(
        parts, key=lambda part: len(question.stems & english.meanings(part)), default=best.text
    )
    return replace(best, text=telling)


def _score(question: Question, item: Remark, view: RequestView) -> float:
    by_me = item.name == view.persona.name
    if not item.text or item.kind in _NOT_WORDS or (item.name and by_me != question.of_mine):
        return 0.0
    who, heard = _of_name(item.name), item.text.lower()
    subjects = {"observation": view.partner.name, "lore": view.persona.name}
    unnamed = question.about - who - _of_name(subjects.get(item.kind, ""))
    if not question.said_by <= who or any(stem.removesuffix("i") not in heard for stem in unnamed):
        return 0.0
    has = english.meanings(item.text)
    if not unnamed <= has or (question.open and not has - question.stems - question.about):
        return 0.0
    is_known = _is_known(item)
    named = len(unnamed) if is_known else 0
    total = sum(question.weights.values()) + named
    found = sum(question.weights[stem] for stem in question.stems & has) + named
    facts_first = _ABOUT_IS_ENOUGH - (0 if item.kind in _FACTS else 2 * A_TIE)
    share = found / total if total else facts_first if question.about else 0.0
    if question.about_me and not (is_known or by_me or item.kind in _FACTS):
        return 0.0
    if question.is_borrowed and item.kind == "place":
        return 0.0
    enough = is_known and any(share >= part and found >= much for part, much in _TELLING)
    if not (enough or share >= ENOUGH) or not _tells(item):
        return 0.0
    behind = _PLACE_BEHIND if item.kind == "place" else 0.0
    return share - behind - 0.001 * len(has)


def _is_known(item: Remark) -> bool:
    """Is it nobody's word? Lore bears its topic as a name."""
    return item.kind == "lore" or (not item.name and item.kind in _KNOWN)


def _tells(item: Remark) -> bool:
    """Does it state something? No question, order or courtesy is knowledge."""
    if is_question(item.text):
        return False
    if not item.name or item.kind in _FACTS:
        return True
    pieces = english.clauses(item.text, "")
    return any(intent_of(piece, item).kind in STATED for piece in pieces)


@keeps_texts(512)
def _of_name(name: str) -> frozenset[str]:
    return frozenset(english.meanings(name))


_KIN = english.meanings(english.DATA["kin"])
_OF_SPEAKER = re.compile(r"\bmy\b|\b(?:do|did|am|was|have) i\b")
_OF_ME = re.compile(
    r"\byours?\b|\byourself\b|\byou\b(?! (?:\w+ )?(?:seen?|heard|know|met|tell|told)\b)"
)
_OF_US = re.compile(r"\b(?:i|me|my|mine|we|us|our)\b")
KINDS = frozenset(
    "question whois whereis topic likes have story people absent confirm_place opinion".split()
)


def is_of_me(words: str) -> bool:
    """Is a question about the one who is asked, and not about the speaker too?"""
    return bool(_OF_ME.search(words)) and not _OF_US.search(words)


def needs_search(asker: Asker, intent: Intent) -> str:
    """Return the words to search all memories for; empty where the answer is at hand already."""
    asked = intent.kind in KINDS and intent.kind != "story" and asker.view.may("recall")
    if not asked or known(asker, intent):
        return ""
    words = " ".join(word for word in intent.words.split() if english.meanings(word))
    about = _asked(asker, intent).about
    return (
        f"{words} {asker.name}".strip()
        if about and about <= english.meanings(asker.name)
        else words
    )


def answer(asker: Asker, intent: Intent) -> str:
    """Answer from what is remembered, or admit not to know."""
    if text := known(asker, intent):
        return text
    if intent.kind == "absent":
        return asker.voice.say("absent", other=intent.what)
    if intent.kind == "have" and english.meanings(intent.what) & _KIN:
        return asker.voice.say("unknown_of_me")
    if intent.kind == "opinion":
        return asker.voice.say("opinion", topic=intent.what)
    if intent.kind in {"have", "likes"}:
        return asker.voice.say(f"{intent.kind}_not", topic=intent.what)
    if intent.kind == "confirm_place":
        return asker.voice.say("unknown")
    words = intent.words or english.spelled_out(intent.said)
    whose = "_of_you" if _OF_SPEAKER.search(words) else "_of_me" if is_of_me(words) else ""
    return asker.voice.say(f"unknown{whose}")


def known(asker: Asker, intent: Intent) -> str:
    """Return the answer to what is at hand or remembered; empty where nothing is."""
    if intent.kind == "story":
        return _news(asker)
    if intent.kind == "people":
        return _people(asker)
    if intent.kind == "absent":
        here = asker.voice.say("absent", other=intent.what)
        about = _remembered(asker, replace(intent, said=f"What of {intent.what}", meant=""))
        return f"{here} {about}" if about else ""
    return _at_hand(asker, intent) or _remembered(asker, intent)


def remark(asker: Asker, intent: Intent) -> str:
    """Return what is known of something that was only mentioned, if it was not told lately."""
    found = _best(asker.view, replace(_asked(asker, intent), open=False))
    is_new = found and not any(found.text in own for own in asker.view.own)
    if found is None or not is_new or not _is_known(found):
        return ""
    return asker.voice.say("remark", text=clipped(found.text, _LONGEST))


def _asked(asker: Asker, intent: Intent) -> Question:
    """Return the question; one without a word of its own goes on with what was said before it."""
    me = asker.view.persona.name
    found = Question.of(intent.meant or intent.said, asker.name, me, intent.words)
    if found.about or any(english.how_telling(stem) == 1.0 for stem in found.stems):
        return found
    before = " ".join([line.text for line in asker.view.stream[-1:]] + [intent.line.text])
    return replace(found, stems=english.meanings(before), is_borrowed=True, about_me=False)


def _found(asker: Asker) -> list[Remark]:
    search = asker.view.result("recall")
    lists = [rows for rows in (search.data if search else {}).values() if isinstance(rows, list)]
    return [item for rows in lists for item in remarks(rows)]


def importance(text: str) -> int:
    """Return how much a text weighs as news."""
    own = current_language().pronouns["first"] & set(word_key(text))
    return sum(map(word_weight, word_key(text))) + 2 * names_a_time(text) - 2 * bool(own)


def _news(asker: Asker) -> str:
    """Tell what weighs most of what is known and was not told lately, the announced first."""
    view = asker.view
    told = [item.text for item in view.knowledge if item.kind != "place" and " " in item.text]
    fresh = [text for text in told if not any(text in own for own in view.own)]
    news = sorted(fresh or told, key=lambda text: -importance(text))[:3]
    return asker.voice.say("story" if news else "no_story", text=asker.voice.pick("lore", news))


def _people(asker: Asker) -> str:
    """Tell of two who are named in what is known."""
    told = [item.text for item in asker.view.knowledge if names_opening(item.text)]
    first = asker.voice.pick("people", told)
    rest = [text for text in told if text != first]
    return " ".join(filter(None, [first, asker.voice.pick("people more", rest)]))


def _remembered(asker: Asker, intent: Intent) -> str:
    found = _best(asker.view, _asked(asker, intent), _found(asker))
    return _spoken(asker, found) if found else ""


def _spoken(asker: Asker, item: Remark) -> str:
    text, clause = clipped(item.text, _LONGEST), ""
    if item.kind == "observation" or (asker.name and item.text.startswith(asker.name)):
        clause = clipped(english.fact_to_you(item.text, asker.name), _LONGEST)
    elif item.name == asker.name != "":
        clause = clipped(english.said_to_you(item.text), _LONGEST)
    if clause:
        return asker.voice.say("recall_told", fact=clause)
    if item.kind == "lore":
        key = "recall_lore" if " " in item.text.strip() else "recall_field"
        return asker.voice.say(key, topic=item.name, text=text)
    if not item.name or item.kind == "observation":
        return asker.voice.say("recall_text", text=text)
    key = "said_what" if item.name == asker.view.persona.name else "recall_quote"
    return asker.voice.say(key, other=item.name, text=text)


def _at_hand(asker: Asker, intent: Intent) -> str:
    if intent.kind in {"whois", "whereis"}:
        return _pointed_out(asker, intent)
    if intent.kind == "confirm_place":
        names = english.meanings(f"{asker.view.place} {asker.view.persona.home}")
        names |= {stem for name in names_known(asker.view) for stem in english.meanings(name)}
        asked = english.meanings(english.mended(intent.what, frozenset(names)))
        return asker.voice.say("confirmed", topic=intent.what) if asked and asked <= names else ""
    if intent.kind == "have":
        item = english.pick(intent.what, asker.view.carried)
        return asker.voice.say("have", item=item.name) if item else ""
    personal = intent.kind == "likes" or is_of_me(english.spelled_out(intent.said))
    shared = shared_interest(asker, intent.what or intent.said) if personal else ""
    return asker.voice.say("likes", topic=shared) if shared else ""


def _pointed_out(asker: Asker, intent: Intent) -> str:
    if intent.kind == "whereis":
        named = set(english.spelled_out(intent.what).split())
        if any(named & set(english.spelled_out(name).split()) for name in persons(asker.view)):
            return _remembered(asker, intent)
        if way := way_told(asker, intent):
            return way
    seen = english.pick(intent.what, [*asker.view.people, *asker.view.items])
    if seen and intent.kind == "whereis":
        key = "in_hand" if seen.carried else "in_sight"
        return asker.voice.say(key, thing=english.the(seen.name))
    if not seen or seen.kind == "item":
        return ""
    description = clipped(seen.description, _LONGEST)
    text = asker.voice.say("whois", other=seen.name, description=description)
    of_them = replace(intent, said=f"What of {seen.name}", meant="")
    return f"{text} {_remembered(asker, of_them)}".rstrip()


def way_told(asker: Asker, intent: Intent) -> str:
    """Tell by which way out one gets there, and past what; empty where that is not known."""
    view, result = asker.view, asker.view.result("find_way")
    near = english.pick(intent.what, view.exits) or english.pick(
        intent.what, view.exits, key="description"
    )
    if near:
        return asker.voice.say("that_way", exit=near.name)
    way = result.data.get("way") if result and result.ok else None
    if not way or not isinstance(way, list) or not result:
        return ""
    past = english.joined([str(place) for place in way[:-1]])
    slots = {"exit": str(result.data.get("exit", "")), "past": past, "topic": str(way[-1])}
    return asker.voice.say("way_past" if past else "that_way", **slots)
