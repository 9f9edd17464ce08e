"""A language is one data file: three come with the package, a game may bring its own."""

from pathlib import Path

import pytest

from ai_assistant.core.errors import ConfigurationError
from ai_assistant.core.times import DAY
from ai_assistant.language import current_language, known_languages, language_of, use
from ai_assistant.language.named_days import NamedDay, named_day
from ai_assistant.language.story_times import story_time
from ai_assistant.language.words import asks_for_a_time, stems
from ai_assistant.memory.blocks.status_block import EMOTIONS, gauge_of
from ai_assistant.memory.search.retrieval import Index
from tests.unit.rows import a_row

DOCS = Path(__file__).resolve().parents[3] / "docs/languages.md"


@pytest.fixture(autouse=True)
def english_again():
    yield
    use("en")


def found(query, *texts):
    """Return the text that is found first of these, in the language spoken now."""
    index = Index()
    for number, text in enumerate(texts):
        index.add(a_row(number, text, session=f"s{number}", at=number * DAY))
    (hit,) = index.search(query, 1, now=9 * DAY)
    return texts[hit.id] if hit.relevance else None


def test_three_languages_come_with_the_package():
    """English, German and Spanish, each with what code goes by."""
    assert known_languages() == ["de", "en", "es"]
    for code in known_languages():
        one = language_of(code)
        assert one.code == code
        assert len(one.months) >= 12
        assert set(one.pronouns) == {"first", "second", "third"}
        assert all((one.stop_words, one.numbers, one.importance, one.sentence_ends))


@pytest.mark.parametrize(
    ("code", "one", "other"),
    [
        ("de", "Die Hunde kaufen.", "Ein Hund kaufe."),
        ("de", "Häuser", "das Haus"),
        ("es", "Los perros corrían.", "un perro correr"),
        ("es", "Fui.", "Voy."),
        ("es", "Teniendo miedo.", "Tengo miedo."),
        ("es", "Teniendo", "el la los"),
    ],
)
def test_forms_of_a_word_are_one_in_each_language(code, one, other):
    """Endings and irregular forms do not matter, small words are left out."""
    use(code)
    assert stems(one) == stems(other)


@pytest.mark.parametrize(
    ("code", "text", "day"),
    [
        ("en", "on the 3rd of May, 2022", NamedDay(2022, 5, 3)),
        ("en", "on May 3rd", NamedDay(0, 5, 3)),
        ("en", "in May", NamedDay(0, 5)),
        ("en", "it may rain", None),
        ("en", "two weeks ago", NamedDay(ago=14)),
        ("en", "on 2022-13-01", None),
        ("de", "am 3. Mai 2022", NamedDay(2022, 5, 3)),
        ("de", "im Mai", NamedDay(0, 5)),
        ("de", "vor zwei Wochen", NamedDay(ago=14)),
        ("de", "vorgestern", NamedDay(ago=2)),
        ("es", "el 3 de mayo de 2022", NamedDay(2022, 5, 3)),
        ("es", "en mayo", NamedDay(0, 5)),
        ("es", "hace dos semanas", NamedDay(ago=14)),
        ("es", "la semana pasada", NamedDay(ago=7)),
    ],
)
def test_days_are_named_in_each_language(code, text, day):
    """Dates, months, and how long ago something was."""
    use(code)
    assert named_day(text) == day


@pytest.mark.parametrize(
    ("code", "text", "days"),
    [
        ("en", "What was on day 3?", (3, 3)),
        ("en", "What was on day three?", (3, 3)),
        ("en", "What was on day forty-two?", (42, 42)),
        ("en", "On the third day?", (3, 3)),
        ("en", "What was yesterday?", (7, 7)),
        ("en", "The day before yesterday?", (6, 6)),
        ("en", "Who was that last night?", (7, 7)),
        ("en", "What a day, today!", (8, 8)),
        ("en", "Since day 5?", (5, 8)),
        ("en", "Before day 5?", (1, 4)),
        ("en", "Until the evening of day 5?", (1, 5)),
        ("en", "After day 5?", (6, 8)),
        ("en", "Between day 2 and 4?", (2, 4)),
        ("en", "From day two to day four?", (2, 4)),
        ("en", "In the last three days?", (5, 8)),
        ("en", "Twelve days ago?", (-4, -4)),
        ("en", "Three days back?", (5, 5)),
        ("en", "Who knocked two nights ago?", (6, 6)),
        ("en", "Last week?", (-5, 7)),
        ("en", "At the very beginning?", (1, 1)),
        ("en", "Have you seen him before?", (None, None)),
        ("en", "Forty nights ago?", (-32, -32)),
        ("en", "Two hundred days ago?", (-192, -192)),
        ("en", "On the twenty-first day?", (21, 21)),
        ("en", "In the first three days?", (1, 3)),
        ("en", "From the second to the fourth day?", (2, 4)),
        ("en", "On the first afternoon?", (1, 1)),
        ("en", "Three evenings ago?", (5, 5)),
        ("en", "The previous evening?", (7, 7)),
        ("en", "The evening before last?", (6, 6)),
        ("en", "Half of it, an hour ago?", (8, 8)),
        ("de", "Was war an Tag 3?", (3, 3)),
        ("de", "Was war am dritten Tag?", (3, 3)),
        ("de", "Was war am 3. Tag?", (3, 3)),
        ("de", "Was war an Tag zweiundvierzig?", (42, 42)),
        ("de", "Was war vorgestern?", (6, 6)),
        ("de", "Was war vor drei Tagen?", (5, 5)),
        ("de", "Was war vor Tag 3?", (1, 2)),
        ("de", "Von Tag 2 bis 4?", (2, 4)),
        ("de", "Das Gespräch von Tag 3?", (3, 3)),
        ("de", "Vor etwa drei Tagen?", (5, 5)),
        ("de", "Wer klopfte vor zwei Nächten?", (6, 6)),
        ("de", "Am einundzwanzigsten Tag?", (21, 21)),
        ("de", "Vierter Tag, wie war der?", (4, 4)),
        ("de", "Vor zweihundert Tagen?", (-192, -192)),
        ("de", "Drei Tage ist das her?", (5, 5)),
        ("de", "Die ersten drei Tage?", (1, 3)),
        ("de", "Vom zweiten bis zum vierten Tag?", (2, 4)),
        ("de", "Am gestrigen Abend?", (7, 7)),
        ("es", "¿Qué pasó el día 3?", (3, 3)),
        ("es", "¿Y el tercer día?", (3, 3)),
        ("es", "¿Qué pasó anoche?", (7, 7)),
        ("es", "¿Qué pasó antes de ayer?", (6, 6)),
        ("es", "¿Qué pasó entre el día 2 y el 4?", (2, 4)),
        ("es", "¿Y desde el día 5?", (5, 8)),
        ("es", "¿Y la mañana del tercer día?", (3, 3)),
        ("es", "¿Y hace unos tres días?", (5, 5)),
        ("es", "¿Quién llamó hace dos noches?", (6, 6)),
        ("es", "¿Y el vigésimo primer día?", (21, 21)),
        ("es", "¿Y tres días atrás?", (5, 5)),
        ("es", "¿Y los tres primeros días?", (1, 3)),
        ("es", "¿Y la noche anterior?", (7, 7)),
        ("es", "y el septimo dia?", (7, 7)),
        ("es", "hace ocho dias, que era", (0, 0)),
        ("en", "A year ago?", (-539, -175)),
        ("en", "Not yesterday, the day before?", (6, 6)),
        ("de", "Heute vor zwei Tagen?", (6, 6)),
    ],
)
def test_a_story_counts_its_days(code, text, days):
    """By number, or back from the eighth; from one to another, or since one."""
    use(code)
    told = story_time(text, 8)
    assert (told.first, told.last) == days


@pytest.mark.parametrize(
    ("code", "text", "anchors"),
    [
        ("en", "What did we see since we left the tavern?", (("since", "we left the tavern"),)),
        ("en", "And the day after the feast, Ann?", (("day_after", "the feast"),)),
        ("en", "And the evening after the feast?", (("day_after", "the feast"),)),
        ("de", "Was war am Tag, bevor wir assen?", (("at", "tag"), ("day_before", "wir assen"))),
        ("en", "We had a feast, and the next day?", (("day_after", "we had a feast"),)),
        (
            "de",
            "Die Schenke liegt hinter uns. Und seitdem?",
            (("since", "die schenke liegt hinter uns"),),
        ),
        ("es", "¿Y la noche anterior a la fiesta?", (("day_before", "la fiesta"),)),
        ("de", "Was war nach dem Überfall?", (("after", "überfall"),)),
        ("es", "¿Qué pasó después de la fiesta?", (("after", "la fiesta"),)),
    ],
)
def test_what_something_was_before_or_after_is_known_in_each_language(code, text, anchors):
    """By the words behind such as "since"."""
    use(code)
    assert story_time(text, 8).anchors == anchors


@pytest.mark.parametrize(
    ("code", "question"),
    [("en", "When is it?"), ("de", "Seit wann ist das so?"), ("es", "¿Cuándo fue?")],
)
def test_questions_for_a_time_are_known_in_each_language(code, question):
    """By how they begin."""
    use(code)
    assert asks_for_a_time(question)
    assert not asks_for_a_time("?")


def test_a_part_of_a_compound_is_found():
    """In German a film trilogy is one word, and a trilogy its part."""
    lines = ("Diese Trilogie liebe ich.", "Der Fluss ist tief.", "Das Dach ist rot.")
    use("de")
    assert found("Welche Filmtrilogie?", *lines) == lines[0]
    use("en")
    assert found("Filmtrilogie?", *lines) is None


def test_who_owns_something_is_known_by_the_ending_of_the_language():
    """In German a name gets an s without an apostrophe."""
    use("de")
    index = Index()
    index.add(a_row(1, "Der Hut ist rot.", speaker="Bob", at=0.0))
    index.add(a_row(2, "Der Hut ist grün.", speaker="Anna", at=0.0))
    assert index.search("Wie ist Annas Hut?", 1, now=DAY)[0].id == 2


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("剣はどこですか？", "私の剣は井戸の中です。"),
        ("你的猫叫什么？", "我的猫叫小白。"),
        ("แมวชื่ออะไร", "แมวของฉันชื่อมะลิ"),
    ],
)
def test_scripts_without_spaces_are_searched_by_pairs_of_characters(query, first):
    """Whatever the language of the game."""
    assert found(query, "The weather is fine.", "天气很好。", first, "日が暮れる。") == first


def test_a_name_of_two_characters_is_a_name_where_each_is_a_word():
    """Who is named in Han is found like anybody else."""
    index = Index()
    index.add(a_row(1, "剣は井戸の中だ。", speaker="鈴木", at=0.0))
    index.add(a_row(2, "剣は屋根の上だ。", speaker="田中", at=0.0))
    for who, id in (("田中", 2), ("鈴木", 1)):
        assert index.search(f"{who}さんの剣は？", 1, now=DAY)[0].id == id


def test_a_language_of_ones_own_is_one_file(tmp_path):
    """What the documentation gives as an example works, and needs nothing else."""
    path = tmp_path / "fr.toml"
    path.write_text(DOCS.read_text("utf-8").split("```toml\n")[1].split("```")[0], "utf-8")
    use(str(path))
    assert current_language().name == "Français"
    lines = ("Mes épées sont dans le puits.", "Le pain est cher.")
    assert found("Où est mon épée ?", *lines) == lines[0]
    assert named_day("il y a 3 jours") == NamedDay(ago=3)
    assert named_day("en mai") == NamedDay(0, 5)
    assert asks_for_a_time("Depuis quand ?")


def test_a_file_without_entries_is_a_language(tmp_path):
    """Nothing is needed: then words are what stands between spaces."""
    path = tmp_path / "xx.toml"
    path.write_text("", "utf-8")
    use(str(path))
    assert stems("Zorp the zorps") == ["zorp", "the", "zorps"]
    assert found("zorp?", "zorp frob", "frob") == "zorp frob"


@pytest.mark.parametrize(
    ("content", "hint"),
    [
        ("stemmer = 'klingon'", "Klingon|klingon"),
        ("stop_wrods = 'a b'", "stop_wrods"),
        ("numbers = 'one, two 2'", "numbers|int"),
        ("= 5", "line 1"),
        ("[talk]\nyes = 'oui'", r"\[talk\] yes must be a list of texts"),
        ("[manners]\nthreat = [1]", r"\[manners\] threat must be a list of texts"),
        ("steps = 'think'", "steps must be a list of texts"),
    ],
)
def test_what_is_wrong_with_a_file_is_named(tmp_path, content, hint):
    """The setting, the file and what is wrong in it; nothing is guessed."""
    path = tmp_path / "wrong.toml"
    path.write_text(content, "utf-8")
    with pytest.raises(ConfigurationError, match=hint) as refused:
        use(str(path))
    assert "AI_ASSISTANT_LANGUAGE" in str(refused.value)
    assert str(path) in str(refused.value)
    assert current_language().code == "en"


@pytest.mark.parametrize("code", ["xx", "en_reader", "no/such.toml"])
def test_an_unknown_language_is_refused(code):
    """With the names of those that there are."""
    with pytest.raises(ConfigurationError, match=r"de, en, es|no/such"):
        language_of(code)


@pytest.mark.parametrize(
    ("code", "felt", "gauge"),
    [
        ("en", "elated at the news", "joyful"),
        ("en", "Heartbroken, and a little scared", "grieving"),
        ("en", "crossing the furthest saddle", ""),
        ("en", "not a bit cheerful", ""),
        ("de", "besorgt um die Fähre", "worried"),
        ("de", "worried about the ferry", "worried"),
        ("de", "voller Ängste", "afraid"),
        ("de", "gar nicht glücklich", ""),
        ("es", "muy enojada con Marrek", "angry"),
        ("es", "con tristeza", "sad"),
        ("es", "tres cántaros de agua", ""),
    ],
)
def test_a_feeling_is_known_by_the_words_of_the_language(code, felt, gauge):
    """The first that is named, by any form of its words; none for what is denied or unknown."""
    use(code)
    assert gauge_of(felt) == gauge


@pytest.mark.parametrize("code", known_languages())
def test_no_word_is_two_feelings(code):
    """Each that a gauge can show has words in every language, and shares none of them."""
    use(code)
    for gauge in EMOTIONS:
        for word in current_language().phrases[gauge]:
            assert gauge_of(word.removesuffix("*")) == gauge


@pytest.mark.parametrize("code", known_languages())
def test_each_language_has_excuses(code):
    """So many of each kind that none need be made twice running; sentences, all of them."""
    for excuses in map(language_of(code).excuses.get, ("gestures", "words")):
        assert len({*excuses}) == len(excuses) >= 6
        assert all(line.endswith((".", "?", "!")) for line in excuses)


@pytest.mark.parametrize("code", known_languages())
def test_excuses_of_a_trade_are_sentences_too(code):
    """Of each kind two at least, and none that stands among the others."""
    spoken = language_of(code)
    assert spoken.excuses["suiting"]
    for some in spoken.excuses["suiting"]:
        assert some["suits"].split()
        for kind in ("gestures", "words"):
            lines = some[kind]
            assert len({*lines, *spoken.excuses[kind]}) >= 2 + len(spoken.excuses[kind])
            assert all(line.endswith((".", "?", "!")) for line in lines)


def test_a_language_without_excuses_makes_those_in_english(tmp_path):
    """Somebody who asks gets something, in any game."""
    file = tmp_path / "xx.toml"
    file.write_text('[excuses]\nwords = ["Mi ne scias."]\n')
    excuses = language_of(str(file)).excuses
    assert excuses["words"] == ("Mi ne scias.",)
    assert excuses["gestures"] == language_of("en").excuses["gestures"]
