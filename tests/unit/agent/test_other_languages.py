"""A game in German or Spanish works like an English one: a yes, a call, an alarm, who is meant."""

import pytest

from ai_assistant.agent.attention.classify import Circumstances, classify
from ai_assistant.core.contracts import Entity, Event, MemoryRow, Verdict
from ai_assistant.language.address import addresses, speaks_to
from ai_assistant.language.talk_signs import says_yes
from ai_assistant.memory.inner.persona_guard import self_reference
from ai_assistant.roleplay.refinement import is_supported
from ai_assistant.roleplay.retelling import told_with
from ai_assistant.sleep.waking import caller
from ai_assistant.testing import Stage, people
from tests.unit.roleplay.company import ALICE, BOB, CHARLIE, TABLE, Room, found

(ADA,) = people("Ada")


def heard(text, kind="say"):
    return Event("e1", 0.0, "external", Entity("e-ada", "Ada"), kind, text)


# -- a yes


@pytest.mark.parametrize(
    ("code", "answer", "deeds"),
    [
        ("de", "Ja, bitte!", ["give rose to Ada"]),
        ("de", "Einverstanden, mach es.", ["give rose to Ada"]),
        ("de", "Nein, lieber nicht.", []),
        ("de", "Ja, tu das bloß nicht.", []),
        ("de", "Ja, aber nur wenn sie echt ist.", []),
        ("de", "Ja?", []),
        ("de", "Yes.", []),
        ("es", "¡Sí, claro!", ["give rose to Ada"]),
        ("es", "De acuerdo.", ["give rose to Ada"]),
        ("es", "No, gracias.", []),
        ("es", "Claro que no.", []),
        ("es", "Sí, pero espera.", []),
        ("es", "¿Sí?", []),
    ],
)
def test_a_yes_of_the_language_lets_an_act_pass(speaking, code, answer, deeds):
    """Asked for a rose, the captain asks back, and gives it after a plain yes."""
    speaking(code)
    stage = Stage(confirm_dangerous=True)
    stage.world.enter(ADA)
    stage.world.carry("rose")
    stage.model.call("give", item="o1", to="p1").call("say", text="Soll ich?")
    stage.ask(ADA, "Die Rose.")
    stage.model.call("give", item="o1", to="p1").call("say", text="Nun.")
    stage.ask(ADA, answer)
    assert stage.world.deeds == deeds


def test_a_language_without_words_for_yes_has_none(speaking, tmp_path):
    """Whoever does not tell it how people say yes gets nothing dangerous done by a word."""
    path = tmp_path / "xx.toml"
    path.write_text('name = "X"', "utf-8")
    speaking(str(path))
    assert not says_yes("Yes.")
    assert addresses("Tansy, hm", ["Tansy Brewell"])
    assert set(found(ALICE, "Bob, hm")) == {"alice", "bob"}


# -- whom a line is for


@pytest.mark.parametrize(
    ("code", "line", "turned_to"),
    [
        ("de", "Grüß dich Tansy wie geht es dir", True),
        ("de", "Kannst du mir helfen, Tansy?", True),
        ("de", "Guten Abend Tansy hast du Bier", True),
        ("de", "Bob und Tansy, kommt ihr?", True),
        ("de", "Ja Tansy, ich sehe dich.", True),
        ("de", "Wirtin Tansy!", False),
        ("de", "Ich habe Tansy gestern gesehen", False),
        ("es", "Hola Tansy qué tal estás", True),
        ("es", "¿Me ayudas, Tansy?", True),
        ("es", "¡Tansy, ven aquí!", True),
        ("es", "Buenas tardes Tansy tienes pan", True),
        ("es", "Ayer vi a Tansy en el molino", False),
    ],
)
def test_greetings_and_calls_of_the_language_turn_to_somebody(speaking, code, line, turned_to):
    """A name is called behind a greeting, a "well", an "and" or a sign; else it is mentioned."""
    speaking(code)
    assert speaks_to(line, ["Old Tansy Brewell"]) is turned_to


@pytest.mark.parametrize(
    ("code", "name", "call", "passing"),
    [
        ("de", "Hauptmann Falk von Rabenstein", "Hauptmann, ein Wort!", "Der Hauptmann schläft"),
        ("de", "Die alte Grete", "Grete!", "Die alte Mühle brennt"),
        ("es", "Capitana Luz del Río", "¡Buenos días capitana!", "La capitana duerme"),
        ("es", "El viejo Tomás", "¿Tomás?", "El viejo molino arde"),
    ],
)
def test_a_title_calls_and_does_not_mean_somebody(speaking, code, name, call, passing):
    """Titles and small words of names belong to the language."""
    speaking(code)
    assert addresses(call, [name])
    assert not addresses(passing, [name])


@pytest.mark.parametrize(
    ("code", "line"),
    [("de", "Danke Bob für dein Bier, Tansy hat keins"), ("es", "Hola Bob viste a Tansy")],
)
def test_what_is_said_to_another_is_no_trigger(speaking, code, line):
    """Whoever is thanked or greeted is spoken to; the character is only spoken of."""
    now = Circumstances(me="e-tansy", names=("Tansy",), others={"Bob": "e-bob"})
    speaking(code)
    assert classify(heard(line), now).verdict is Verdict.CONTEXT
    assert classify(heard(line.replace("Bob", "Tansy")), now).verdict is Verdict.TRIGGER


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("de", "Hört her, ihr Leute!"), ("de", "Guten Abend, Freunde."),
        ("de", "Wer von euch hat eine Lampe?"), ("de", "Ist jemand aus der Mühle hier?"),
        ("es", "¡Escuchad!"), ("es", "Buenas noches, amigos."),
        ("es", "¿Hay alguien del molino?"), ("es", "Todo el mundo fuera."),
    ],
)  # fmt: skip
def test_all_are_asked(speaking, code, line):
    """What is called out to all is for all who hear it."""
    speaking(code)
    assert {rule for _, rule in found(ALICE, line).values()} == {"speaker", "all"}


@pytest.mark.parametrize(
    ("code", "first", "together", "apart", "both"),
    [
        ("de", "Bob, bist du bereit?", "Charlie, wir gehen.", "Unter uns, Charlie.",
         "Kommt, ihr beide!"),
        ("es", "Bob, ¿vienes?", "Charlie, vamos.", "Entre nosotros, Charlie.",
         "Venid, vosotros dos."),
    ],
)  # fmt: skip
def test_we_and_you_two(speaking, code, first, together, apart, both):
    """ "We" means the talk as well, "between us" nobody else, "you two" the two who are there."""
    speaking(code)
    room = Room(*TABLE)
    room.says(ALICE, first)
    assert room.took_part(ALICE, together) == {"bob", "charlie"}
    room = Room(*TABLE)
    room.says(ALICE, first)
    assert room.took_part(ALICE, apart) == {"charlie"}
    two = found(ALICE, both, [BOB, CHARLIE])
    assert {two["bob"][1], two["charlie"][1]} == {"addressed"}


# -- asleep


@pytest.mark.parametrize(
    ("code", "line", "way"),
    [
        ("de", "Hilfe! Es brennt!", "emergency"),
        ("de", "Wacht auf!", "emergency"),
        ("de", "Danke für deine Hilfe!", ""),
        ("de", "Das Feuer ist aus.", ""),
        ("de", "Feuer? Hilfe, ach was.", ""),
        ("de", "Tansy, wach doch bitte auf.", "addressed"),
        ("es", "¡Socorro!", "emergency"),
        ("es", "Bob, ¡fuego!", "emergency"),
        ("es", "¡Gracias por tu ayuda!", ""),
        ("es", "Oye Tansy, levántate.", "addressed"),
    ],
)
def test_what_wakes_a_dreamer(speaking, code, line, way):
    """A cry of alarm does, and a call by name; talk of either lets it sleep."""
    speaking(code)
    verdict = Verdict.TRIGGER if way == "addressed" else Verdict.CONTEXT
    assert caller(heard(line), verdict, ["Tansy"]) == way


# -- what is passed on, and kept


@pytest.mark.parametrize(
    ("code", "line", "memory", "told"),
    [
        ("de", "Man sagt, der nördliche Turm ist eingestürzt.",
         "Der nördliche Turm ist heute früh eingestürzt.", True),
        ("de", "Danke, mein Freund, die Arbeit war gut.",
         "Danke, die Arbeit war heute gut, Freund.", False),
        ("es", "Dicen que la torre del norte cayó, pero el molino arde.",
         "Anoche cayó la torre del norte.", True),
        ("es", "Gracias por tu ayuda, amigo, buen trabajo.",
         "Gracias por la ayuda, amigo, es trabajo.", False),
    ],
)  # fmt: skip
def test_a_line_drawn_from_a_memory_passes_it_on(speaking, code, line, memory, told):
    """Small talk passes nothing on, in whichever language."""
    speaking(code)
    row = MemoryRow(memory, author="e-bob", author_name="Bob", meta={"event": "1"})
    assert bool(told_with(line, [row], "e-ada")) is told


@pytest.mark.parametrize(
    ("code", "source", "denied", "short"),
    [
        ("de", "Das Tor ist nicht offen", "Das Tor ist offen", "Tor ist nicht offen"),
        ("es", "La puerta no está abierta", "La puerta está abierta", "Puerta no está abierta"),
    ],
)
def test_a_denial_is_not_left_out(speaking, code, source, denied, short):
    """What is denied cannot be told as a fact; articles may go."""
    speaking(code)
    assert not is_supported(denied, [source])
    assert is_supported(short, [source])


@pytest.mark.parametrize(
    ("code", "name", "text", "own"),
    [
        ("de", "Hauptmann Falk", "Der Hauptmann Falk ist müde.", True),
        ("de", "Hauptmann Falk", "Hauptmann zu sein ist schwer.", False),
        ("es", "Capitana Luz", "La capitana Luz duerme.", True),
        ("es", "Capitana Luz", "Capitana del barco es otra.", False),
    ],
)
def test_the_guard_knows_titles_of_the_language(code, name, text, own):
    """The character's own name begins the sentence, not a title that others bear too."""
    assert bool(self_reference(text, [name], language=code)) is own
