"""Retrieval: what shares the question's words is found; what may not be used does not exist."""

import gc
import math
import pickle
import random

import pytest

from ai_assistant.core.search_port import Scoring
from ai_assistant.core.times import DAY
from ai_assistant.language import forget_texts
from ai_assistant.language.words import stem
from ai_assistant.memory.search.ranking import Tuning
from ai_assistant.memory.search.retrieval import Index
from tests.unit.rows import a_row

_ASIDE = {"line", "coverage", "held", "age_days"}
"""What is told beside the factors of a score."""
WORDS = "dragon gold sword tavern ship storm captain whiskers cat harbour map key".split()


def index_of(*texts, **options):
    index = Index()
    for number, text in enumerate(texts, 1):
        index.add(a_row(number, text, **options))
    return index


def ids(hits):
    return [hit.id for hit in hits]


def test_the_garbage_collector_passes_memories_over():
    """However many there are, a full round, in which the game stands still, visits none of them."""
    facts = {"event": "e1", "participants": ["a", "b"], "is_speaker": True}
    index = index_of("The ferry is in.", meta=facts)
    gc.collect()
    before = len(gc.get_objects())
    for number in range(2, 1002):
        index.add(a_row(number, "The ferry is late.", meta={**facts, "event": f"e{number}"}))
    gc.collect()
    assert len(gc.get_objects()) - before < 100
    (hit,) = index.search("ferry", 1, now=0.0, where={"participants": "b", "event": "e7"})
    assert hit.id == 7


def test_what_answers_comes_first_and_the_rest_is_worth_nothing():
    """Rows that share meaning words with the question lead; what shares nothing says so."""
    index = Index()
    for number, text in enumerate(("My cat is Whiskers.", "A storm took a cat.", "Gold!"), 1):
        index.add(a_row(number, text, at=number * DAY))
    hits = index.search("What is the name of your cat Whiskers?", 5, now=0.0)
    assert ids(hits) == [1, 2, 3]
    assert [hit.relevance > 0 for hit in hits] == [True, True, False]
    assert not any(hit.relevance for hit in index.search("What is it?", 5, now=0.0))
    assert Index().search("cat", 5, now=0.0) == []


@pytest.mark.parametrize("k", [0, 1, 2, 3, 50])
def test_as_many_as_asked_for_or_as_there_are(k):
    """A small container returns all that fits, a large one the best k."""
    index = index_of("a dragon", "the dragons", "dragon gold")
    assert len(index.search("dragon", k, now=0.0)) == min(k, 3)


def test_what_stands_in_the_prompt_takes_nobodys_place():
    """What tells of events that are left out is ranked with the rest, and makes room for others."""
    index = Index()
    for number in range(1, 6):
        index.add(a_row(number, "the dragon of the north", meta={"event": f"e{number}"}))
    whole = ids(index.search("dragon", 5, now=0.0))
    found = index.search("dragon", 2, now=0.0, besides={f"e{id}" for id in whole[:3]})
    assert ids(found) == whole[3:]


@pytest.mark.parametrize("seed", range(12))
def test_what_may_not_be_used_influences_nothing(seed):
    """Unusable rows change no score, no order and no count, by label and by metadata."""
    luck = random.Random(seed)
    pure, mixed, spare = Index(), Index(), 1000

    def text():
        return " ".join(luck.choices(WORDS, k=luck.randint(1, 6)))

    for number in range(1, 25):
        row = {"at": luck.random() * 90 * DAY, "importance": luck.randint(1, 10)}
        words = text()
        pure.add(a_row(number, words, meta={"kind": "fact"}, **row))
        mixed.add(a_row(number, words, meta={"kind": "fact"}, **row))
        for _ in range(luck.randint(0, 3)):
            spare += 1
            if luck.random() < 0.5:
                mixed.add(a_row(spare, text(), readers="e-bob", meta={"kind": "fact"}, **row))
            else:
                mixed.add(a_row(spare, text(), meta={"kind": "rumour"}, **row))
    options = {"now": 90 * DAY, "explain": True, "allow": lambda label: label == "*"}
    for _ in range(5):
        query = text()
        expected = pure.search(query, 8, **options)
        assert mixed.search(query, 8, where={"kind": "fact"}, **options) == expected


def test_an_unusable_label_changes_no_score():
    """Also without metadata: with secrets beside it, a row scores as it would alone."""
    alone, beside = Index(), Index()
    for index in (alone, beside):
        index.add(a_row(1, "dragon gold"))
        index.add(a_row(2, "dragon ship"))
    for number in range(3, 40):
        beside.add(a_row(number, "gold map", readers="e-bob"))
    options = {"now": 0.0, "explain": True, "allow": lambda label: label == "*"}
    query = "gold dragon whiskers"
    assert beside.search(query, 5, **options) == alone.search(query, 5, **options)


def test_each_label_is_asked_once():
    """The question who may read is asked for each distinct label, not for each row."""
    index, asked = Index(), []
    for number in range(50):
        index.add(a_row(number, "dragon", readers=("*", "e-bob")[number % 2]))
    index.search("dragon", 5, now=0.0, allow=lambda label: not asked.append(label))
    assert sorted(asked) == ["*", "e-bob"]


def test_rare_words_tell_more():
    """A word that few rows have weighs more than one that all have."""
    index = Index()
    for number, text in enumerate(("dragon ship", "dragon gold", "ship song", "ship map"), 1):
        index.add(a_row(number, text, at=number * DAY))
    assert ids(index.search("ship gold", 1, now=0.0)) == [2]


def test_recency_importance_and_trust_only_nudge():
    """Between equals the newer, weightier and surer win; they never beat relevance."""
    index = Index(Tuning(collapse=False))
    index.add(a_row(1, "dragon gold", at=0.0, importance=1))
    index.add(a_row(2, "dragon gold", at=90 * DAY, importance=1))
    index.add(a_row(3, "dragon gold", at=10 * DAY, importance=10))
    index.add(a_row(4, "dragon gold", at=20 * DAY, importance=1, trust=0.1))
    index.add(a_row(5, "dragon tale", at=80 * DAY, importance=10, trust=1.0))
    found = ids(index.search("dragon gold", 9, now=90 * DAY))
    assert found[-1] == 5
    assert found.index(2) < found.index(1)
    assert found.index(3) < found.index(1)
    assert found.index(1) < found.index(4)


def test_who_is_named_is_who_spoke():
    """A name in a question leads to what that one said, or what names them, not to the word."""
    index = Index()
    index.add(a_row(1, "The mill burned down.", speaker="Bob", at=0.0))
    index.add(a_row(2, "The mill burned down!", speaker="Carol", at=DAY))
    index.add(a_row(3, "They say that Bob saw the mill burn.", speaker="Dorin", at=2 * DAY))
    found = ids(index.search("What did Bob say of the mill?", 5, now=3 * DAY))
    assert found[0] == 1
    assert found.index(3) < found.index(2)


def test_who_is_named_is_found_without_a_word_in_common():
    """Where no row holds what is asked of somebody, theirs come before all others."""
    index = Index()
    index.add(a_row(1, "I have a newt called Button.", speaker="Edda", at=0.0))
    index.add(a_row(2, "Bread is dear.", speaker="Mira", at=DAY))
    for query in ("What companion does Edda have?", "Edda"):
        hits = index.search(query, 5, now=2 * DAY, explain=True)
        assert ids(hits)[0] == 1
        assert [bool(hit.why["line"]) for hit in hits] == [True, False]
        assert [hit.relevance > 0 for hit in hits] == [True, False]


def test_numbers_out_of_range_lose_no_row():
    """A row keeps what it was where its new time cannot be understood; importance has bounds."""
    index = index_of("dragon")
    with pytest.raises(ValueError, match="finite"):
        index.add(a_row(1, "gold", at=math.nan))
    index.add(a_row(2, "dragon", importance=40_000))
    assert sorted(ids(index.search("dragon", 5, now=0.0))) == [1, 2]


def test_an_answer_is_found_by_its_question():
    """A line without any of the words is found by its neighbours in the same talk, no other."""
    index = Index()
    index.add(
        a_row(1, "Where did you hide the golden key?", speaker="Bob", session="tavern", at=0.0)
    )
    index.add(a_row(2, "Under the third stone.", speaker="Al", session="tavern", at=5.0))
    index.add(a_row(3, "Nice weather.", speaker="Al", session="market", at=6.0))
    hits = {hit.id: hit.relevance for hit in index.search("golden key", 5, now=DAY)}
    assert hits[2] > 0.0 == hits[3]


def test_what_follows_a_question_answers_it():
    """Of the lines beside a question, the reply to it stands before what led up to it."""
    index = Index()
    lines = ("Bob", "Rain again."), ("Ann", "Where is the golden key?"), ("Bob", "On the shelf.")
    for number, (who, text) in enumerate(lines, 1):
        index.add(
            a_row(number, text, speaker=who, session="inn", at=float(number), importance=9 - number)
        )
    assert ids(index.search("golden key", 3, now=0.0)) == [2, 3, 1]


def test_of_two_who_are_named_the_first_is_asked_about():
    """The subject of a question is mostly who spoke; who is named after it counts for less."""
    index = Index()
    for number, who in enumerate(("Ann", "Bob"), 1):
        index.add(a_row(number, f"{who[0]} found the hat ugly.", speaker=who, at=number * DAY))
    for first, other in (("Ann", "Bob"), ("Bob", "Ann")):
        found = ids(index.search(f"What did {first} think of {other}'s hat?", 2, now=0.0))
        assert found[0] == (1 if first == "Ann" else 2)


def test_another_word_for_the_same_is_found():
    """A trade is a job; but whoever uses the very word is found before."""
    index = Index()
    for number, text in enumerate(("A job is hard.", "A crow!", "My trade is hard."), 1):
        index.add(a_row(number, text, at=number * DAY))
    hits = index.search("What is your job?", 3, now=0.0)
    assert [hit.id for hit in hits if hit.relevance] == [1, 3]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What happened on 11 January 1970?", 2),
        ("What happened on January 11th?", 2),
        ("What happened on 1970-01-11?", 2),
        ("What happened in February?", 3),
        ("What happened yesterday?", 4),
        ("What happened 3 weeks ago?", 3),
    ],
)
def test_a_date_leads_to_its_day(question, found):
    """Days, months and such as yesterday raise what was said then."""
    index = Index()
    for number, day in enumerate((1, 10, 40, 60), 1):
        index.add(a_row(number, f"Event {number}", session=f"s{number}", at=day * DAY))
    assert ids(index.search(question, 1, now=61 * DAY)) == [found]


def test_a_hit_explains_itself():
    """Asked to, each hit tells what each channel said, and its age."""
    (hit,) = index_of("dragon gold", at=DAY).search("dragon ship", 1, now=3 * DAY, explain=True)
    channels = {name: value for name, value in hit.why.items() if name not in _ASIDE}
    assert math.prod(channels.values()) == pytest.approx(hit.score)
    assert hit.why["age_days"] == 2.0
    assert index_of("dragon").search("dragon", 1, now=0.0)[0].why == {}


def test_the_seeds_formula():
    """Additive scoring is the sum of recency, importance and relevance, each with its weight."""
    index = Index()
    index.add(a_row(1, "dragon gold", at=0.0, importance=4))
    scoring = Scoring("additive", alpha_recency=2.0, alpha_importance=3.0, decay_constant=10.0)
    (hit,) = index.search("dragon", 1, now=20 * DAY, scoring=scoring)
    assert hit.score == pytest.approx(2 * math.exp(-2) + 3 * 0.4 + 1.0)


def test_old_and_light_rows_can_be_left_out():
    """`days_back` and `min_importance` filter before anything is ranked."""
    index = Index()
    index.add(a_row(1, "dragon", at=0.0, importance=9))
    index.add(a_row(2, "dragon", at=90 * DAY, importance=2))
    for scoring, found in ((Scoring(days_back=7), [2]), (Scoring(min_importance=5), [1])):
        assert ids(index.search("dragon", 5, now=91 * DAY, scoring=scoring)) == found


def test_what_was_repeated_counts_once():
    """Of the same words by the same one the newest is found; the older explain themselves."""
    index = Index()
    for number in (1, 2):
        index.add(a_row(number, "The dragon sleeps.", speaker="Bob", at=number * DAY))
    index.add(a_row(3, "The dragon has gold.", speaker="Bob", at=0.0))
    hits = index.search("dragon", 5, now=3 * DAY, explain=True)
    assert ids(hits) == [2, 3, 1]
    assert hits[-1].why["repeated_by"] == 2
    assert not hits[-1].relevance


def test_rows_are_replaced_and_forgotten():
    """An id added again is the new text; a removed one is gone, and an unknown one no matter."""
    index = index_of("dragon", "dragon")
    index.add(a_row(1, "gold"))
    index.remove(2)
    index.remove(77)
    assert not index.search("dragon", 5, now=0.0)[0].relevance
    assert ids(index.search("gold", 5, now=0.0)) == [1]
    assert len(index) == 1


def test_nothing_of_a_forgotten_row_stays():
    """Neither its text nor its words are kept anywhere in the index."""
    index = index_of("the dragon sleeps", "whiskers")
    index.remove(2)
    assert b"whisker" not in pickle.dumps(vars(index))
    assert b"dragon" in pickle.dumps(vars(index))


def test_to_forget_takes_no_word_apart_again():
    """A hundred long lines of made-up words held up a game that took them back or folded them."""
    index = index_of(" ".join(f"bel{word}x" for word in range(99)))
    forget_texts()
    index.remove(1)
    assert stem.cache_info().misses == 0
    assert b"bel0x" not in pickle.dumps(vars(index))


def test_thousands_of_rows_come_and_go():
    """The columns grow, replaced and removed rows leave the others as they were."""
    luck, index = random.Random(1), Index()
    for number in range(600):
        index.add(
            a_row(number, " ".join(luck.choices(WORDS, k=6)) + f" w{number}", at=float(number))
        )
    for number in range(0, 600, 2):
        index.remove(number)
    assert len(index) == 300
    assert ids(index.search("w7", 1, now=0.0)) == [7]
    assert len(index.search("dragon", 1000, now=0.0)) == 300


def test_a_monstrous_text_is_found_by_its_beginning():
    """Neither as a row nor as a question: what it begins with is what it is found by."""
    endless = "anchor " + " ".join(f"word{n}" for n in range(30_000))
    index = Index()
    index.add(a_row(1, endless))
    index.add(a_row(2, "A bell and a rope."))
    assert [one.id for one in index.search("anchor", 1, now=1.0)] == [1]
    assert [one.id for one in index.search(f"bell {endless}", 2, now=1.0)]
    index.remove(1)
