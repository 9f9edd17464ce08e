"""Finding what answers a question, among all that is known, remembered and seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from ai_assistant.language import plain_english as english
from ai_assistant.language.address import opening_name
from ai_assistant.language.plain_english import is_question
from ai_assistant.llm.offline.intents import KINDS, SINGLE, intent_of
from ai_assistant.llm.offline.request_view import NEWS
from ai_assistant.llm.request_records import Remark, RequestView

_ENOUGH = 0.5  # the share of a question's meaning that somebody's words must cover to answer it
_RARE = 3  # a word that stands in no more of what is known says what is meant
_A_TIE = 0.02  # answers that differ by less are as good as each other, but for their length
_ABOUT_IS_ENOUGH = 0.7
_TELLING = ((0.6, 0.45), (0.3, 1.4))
"""The shares of what is known, which must cover more, or hold this much of what tells."""
_BEHIND = 0.4  # by how much what one sees there, or only played, comes after what is known
_SUBJECT = 4  # words with which a sentence says what it is about
_COMMON, _UNHEARD = 0.5, 0.7  # how much a word counts that stands in many texts, or in none
_OPEN = frozenset(english.DATA["open"].split())
_NOT_WORDS = frozenset({"pose", "emote", "move", "gift", "deed"})
_FACTS = frozenset({"observation", "note", "fact", "lore", "account", NEWS})
_KNOWN = frozenset({"lore", "place", "map", "", "note", "fact", NEWS})
_DEEDS = english.meanings("promise confess")  # what somebody does by saying it, in any words
_PLAY = english.meanings("scene story play happen")
_TITLED = " scene "  # behind it an account of a scene has its title


def asked_for(words: str) -> str:
    """Return what a question wants to be told, as a place, a number, or of whom; or nothing."""
    kinds = "way place time number distance age duration price whom reason".split()
    return next((kind for kind in kinds if SINGLE[f"OF_{kind.upper()}"].search(words)), "")


def is_of_me(words: str) -> bool:
    """Is a question about the one who is asked, and not about the speaker too?"""
    return bool(SINGLE["OF_ME"].search(words)) and not SINGLE["ABOUT_ME"].search(words)


@dataclass(frozen=True, slots=True)
class Question:
    """A question by its meaning."""

    stems: frozenset[str]
    """Stems of words that it asks for, names left out."""
    about: frozenset[str]
    """Stems of the names that its answer must be about."""
    open: bool
    """Does it want more than a yes?"""
    of_mine: bool
    """Does it ask what the character itself said?"""
    said_by: frozenset[str]
    """Stems of the name whose words are asked for; empty: anybody's."""
    about_me: bool = False
    """Is it about the character, and not about the speaker too?"""
    wants: str = ""
    """What it wants to be told; see `asked_for`."""
    of_self: bool = False
    """Has it no word of its own but what it wants to be told of the character?"""
    is_borrowed: bool = False
    """Is it about what was said before it?"""
    days: range = range(0)
    """Days of the story that it asks of; empty: any."""
    text: str = ""
    """The question as it was asked."""
    stood_for: frozenset[str] = frozenset()
    """Stems of what its pronouns stand for: what has no other of its stems answers it not."""
    is_of_play: bool = False
    """Does it ask of what was played in a scene?"""
    weights: Mapping[str, float] = field(default_factory=dict)
    """How much each of the stems tells among all that is known; `weighed` fills it."""

    @classmethod
    def of(cls, text: str, speaker: str, me: str, words: str = "") -> Question:
        """Take apart what `speaker` asked `me`; `words` are its words as they were meant."""
        spoken = SINGLE["FOR_ME"].sub("", words or english.spelled_out(text))
        asked = SINGLE["FRAME"].sub("", spoken)
        parts, by = asked.split(), SINGLE["SAID_BY"].search(asked)
        said_by = english.meanings(by[1]) if by else frozenset()
        named = said_by | english.meanings(" ".join(english.capitalised(text)))
        named |= english.meanings(speaker) if SINGLE["ABOUT_ME"].search(asked) else frozenset()
        named |= english.meanings(me) if SINGLE["ABOUT_YOU"].search(asked) else frozenset()
        is_open = not parts or parts[0] in _OPEN
        stems = english.meanings(words or text) - named
        of_mine, about_me = bool(SINGLE["OF_MINE"].search(asked)), is_of_me(asked)
        if SINGLE["OF_ASKER"].search(asked):  # whatever that was
            stems = frozenset()
        return cls(stems, named, is_open, of_mine, said_by, about_me, asked_for(asked), text=text)

    def within(self, item: Remark) -> Question:
        """Return it as asked of what was played there, if it says in which scene; else itself."""
        said, title = self.text.rstrip(" ?.!"), item.of.partition(_TITLED)[2]
        is_named = title and (title in said or said.lower().endswith(f" in {title.lower()}"))
        if not item.of or not (is_named or SINGLE["OF_PLAY"].search(said.lower())):
            return self
        of_it = _PLAY | english.meanings(item.of)
        return replace(self, stems=self.stems - of_it, about=self.about - of_it, is_of_play=True)

    def weighed(self, view: RequestView) -> Question:
        """Return it with how much each stem tells among all that is known."""
        seen = Counter(stem for item in view.knowledge for stem in english.meanings(item.text))
        said = {stem for line in view.stream for stem in english.meanings(line.text)}
        worth = {stem: _COMMON if seen[stem] else _UNHEARD for stem in self.stems}
        worth |= {stem: 1.0 for stem in worth if stem in said or 0 < seen[stem] <= _RARE}
        weights = {stem: english.how_telling(stem) * much for stem, much in worth.items()}
        return replace(self, weights=weights)


def best_of(view: RequestView, question: Question, more: Iterable[Remark] = ()) -> Remark | None:
    """Return what answers best of all that is remembered and `more`, the latest first."""
    best, best_score = None, 0.0
    question = question.weighed(view)
    held = [item for item in view.memories if item.name or item.of]
    for item in (*reversed(view.stream), *view.observations, *held, *more, *view.knowledge):
        score = _score(question.within(item), item, view)
        if score > best_score + _A_TIE:  # what came first is the later word
            best, best_score = item, score
    if best is None or is_known(best) or best.kind == "observation" or not question.stems:
        return best
    parts = pieces(best, view.persona.name) or [best.text]
    telling = max(parts, key=lambda part: len(question.stems & english.meanings(part)))
    return replace(best, text=telling)


def nearest(view: RequestView, question: Question) -> str:
    """Return what is known of a thing, where no fact answers what is asked of it."""
    asked, best = question.weighed(view), (0, "")
    for item in () if asked.wants in "place way distance duration whom".split() else view.knowledge:
        subject = english.meanings(" ".join(item.text.split()[:_SUBJECT])) & asked.stems
        rare = sum(asked.weights[stem] == 1.0 for stem in subject)
        if rare > best[0] and item.kind != "place" and not opening_name(item.text):
            best = (rare, item.text)
    return best[1]


def pieces(item: Remark, me: str) -> list[str]:
    """Return what a line says piece by piece, without whom it calls."""
    return [SINGLE["REMEMBER"].sub("", part) for part in english.clauses(item.text, me)]


def _score(question: Question, item: Remark, view: RequestView) -> float:
    by_me = item.name == view.persona.name
    if not item.text or item.kind in _NOT_WORDS or (item.name and by_me != question.of_mine):
        return 0.0
    who, heard, partner = english.meanings(item.name), item.text.lower(), view.partner.name
    subjects = {"observation": partner, "account": partner, "lore": view.persona.name}
    unnamed = question.about - who - english.meanings(subjects.get(item.kind, ""))
    if not question.said_by <= who or any(stem.removesuffix("i") not in heard for stem in unnamed):
        return 0.0
    has = english.meanings(item.text)
    new = sum(map(english.how_telling, has - question.stems - question.about))
    if not unnamed <= has or (question.open and new < (0.1 if question.wants else 1.0)):
        return 0.0
    if item.name and question.stems & _DEEDS:
        kinds = (intent_of(piece, item).kind for piece in pieces(item, view.persona.name))
        has |= english.meanings(" ".join(kinds))
    for way in view.exits:  # "the inn" is what the way there is called, and the place by its name
        has |= english.meanings(way.name) if english.meanings(way.description) <= has else set()
    is_held = is_known(item)
    named = len(unnamed) if is_held else 0
    total = sum(question.weights[stem] for stem in question.stems) + named
    found = sum(question.weights[stem] for stem in question.stems & has) + named
    facts_first = _ABOUT_IS_ENOUGH - (0 if item.kind in _FACTS else 2 * _A_TIE)
    asks_all = question.about or question.days or question.is_of_play or question.of_self
    share = found / total if total else facts_first if asks_all else 0.0
    limits = _TELLING if is_held and total else ((_ENOUGH, 0.0),)
    enough = any(share >= part and found >= much for part, much in limits)
    elsewise = question.about and question.stems and found == named  # of them, but of another thing
    apt = enough and not elsewise and _is_apt(question, item, by_me)
    if not apt or not _tells(item, view.persona.name):
        return 0.0
    opening = english.meanings(" ".join(item.text.split()[:2])) if is_held else frozenset()
    share += 3 * _A_TIE * bool(opening & (question.stems | question.about))  # it is the subject
    tells = len(has) * (_A_TIE if question.days and not total else -0.001)
    nobody = question.wants == "whom" and is_held and not SINGLE["A_WHOM"].search(item.text.lower())
    is_second = item.kind == "place" or nobody or (item.of and not question.is_of_play)
    return share + question.is_of_play - _BEHIND * bool(is_second) + tells


def _is_apt(question: Question, item: Remark, by_me: bool) -> bool:
    """Is it of a kind that may answer? Who asks when is told a time, and who asks where a place."""
    heard, needed = item.text.lower(), SINGLE.get(f"A_{question.wants.upper()}")
    if question.of_self and not (item.kind == "lore" and SINGLE["OF_MYSELF"].match(heard)):
        return False
    counted = SINGLE["OF_NUMBER"].search(question.text.lower())
    if counted and not english.meanings(counted["counted"]) <= english.meanings(heard):
        return False
    is_hint = question.wants in ("whom", "reason") and not question.of_self
    if needed and not is_hint and not needed.search(heard):
        return False
    if item.text == item.of and not question.is_of_play:
        return False
    if question.days and not (item.name and item.day in question.days):
        return False
    if item.kind == "place" and question.wants == "whom":
        return False
    own = question.stems - question.stood_for
    if question.is_borrowed or (own and question.stood_for and not own & english.meanings(heard)):
        return is_known(item)
    return not question.about_me or by_me or is_known(item) or item.kind in _FACTS


def is_known(item: Remark) -> bool:
    """Is it nobody's word? Lore bears its topic as a name."""
    return item.kind == "lore" or (not item.name and item.kind in _KNOWN)


def _tells(item: Remark, me: str) -> bool:
    """Does it state something? No question, order or courtesy is knowledge."""
    if item.of or not item.name or item.kind in _FACTS:
        return item.text == item.of or not is_question(item.text)
    told = (piece for piece in pieces(item, me) if not is_question(piece))
    return any(intent_of(piece, item).kind in KINDS["stated"] for piece in told)
