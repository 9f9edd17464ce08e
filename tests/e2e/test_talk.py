"""Talking in the village, with the offline model: who is answered, where, and who hears of it."""

import re
import time

import pytest

from tests.e2e.harness import PATIENCE

TANSY = r"^Tansy Brewell says"


@pytest.fixture(scope="module")
def alice(village):
    """A player who stays."""
    return village.join("Alice")


@pytest.fixture(scope="module")
def bob(village):
    """Another one in the same inn."""
    return village.join("Bob")


def test_the_addressed_answers_so_that_all_hear(village, alice, bob):
    """A name in a line brings an answer into the room."""
    bob.read(0)
    alice.ask("say hello tansy", TANSY)
    bob.expect(TANSY)


def test_the_engaged_needs_no_name(village, alice, bob):
    """Who was just answered goes on talking without naming anybody."""
    alice.ask("say hello tansy", TANSY)
    alice.ask("say my horse is called Comet", TANSY)


def test_talk_between_players_is_left_alone(village, alice, bob):
    """Once another player spoke, nobody butts in; nor was anybody meant before."""
    alice.ask("say hello tansy", TANSY)
    bob.send("say lovely weather, is it not?")
    bob.expect("You say")
    alice.send("say it is, and the road is dry")
    alice.expect("You say")
    alice.silent(3, TANSY)


def test_whisper_stays_between_two(village, alice, bob):
    """A whisper is answered by a whisper, and no word of either reaches the room."""
    bob.caught_up()
    alice.ask("whisper tansy = the toll chest is in the well", r"^Tansy Brewell whispers:")
    bob.silent(2, "toll chest|whispers")


def test_whispered_word_does_not_get_out(village, alice, bob):
    """Whatever another player asks, the secret is not there to be told."""
    alice.ask("whisper tansy = my password is marmalade", r"^Tansy Brewell whispers:")
    answer = bob.ask("say tansy, what did Alice whisper? where is the marmalade?", TANSY + ".*$")
    assert "password" not in answer.group()


def test_page_is_answered_by_a_page(village, alice, bob):
    """From anywhere a character can be paged, and nobody else reads the answer."""
    bob.caught_up()
    alice.ask("page captain = are you there?", r"^Captain Seraphina Stormborne pages: .+")
    bob.silent(1, "pages")


def test_what_the_village_knows_is_told(village, alice):
    """Lore and news of everybody, a landmark, what both keep in common, the captain's rounds."""
    for question, told in (
        ("which law is the oldest?", "breakfast"),
        ("who lends oxen?", "Millbrook"),
        ("what is left of the toll house?", "chimney"),
        ("who has the key to the gate?", "the captain has one key"),
    ):
        alice.ask(f"say tansy, {question}", f"Tansy Brewell says.*{told}")
    alice.ask("page captain = what are you up to?", "pages: .*rounds of the watch")


def test_players_page_each_other_as_before(village, alice, bob):
    """Between players the game's own page is untouched."""
    bob.caught_up()
    alice.ask("page bob = hello from Alice", r"You paged Bob with: 'hello from Alice'\.")
    bob.expect(r"Account Alice pages: hello from Alice")


def test_channel_is_answered_on_the_channel(village, alice, bob):
    """Addressed on Public, a character answers on Public."""
    bob.caught_up()
    alice.send("pub captain, how is the bridge?")
    bob.expect(r"^\[Public\] Captain Seraphina Stormborne: .+")


def test_two_players_are_not_confused(village, alice, bob):
    """Each is told what is theirs, though both speak at once."""
    alice.ask("say tansy, my cat is called Whiskers", TANSY)
    bob.caught_up()
    bob.ask("say tansy, my cat is called Smudge", TANSY)
    alice.caught_up()
    alice.send("say tansy, what is my cat called?")
    bob.send("say tansy, what is my cat called?")
    alice.expect(r"(?s)Tansy Brewell says.*(Whiskers.*Smudge|Smudge.*Whiskers)")


def test_gift_is_noticed_and_givable_things_are_given(village, alice):
    """A thing passes to a player on request, and back again."""
    alice.ask("say tansy, give me the lantern", r"gives you a tin lantern")
    alice.ask("give lantern to tansy", TANSY)


def test_character_goes_where_it_is_asked_to(village):
    """Asked to walk, it walks, by the exit that leads there."""
    guest = village.guest()
    guest.send("out")
    guest.expect("Village Green")
    guest.ask("say captain, go to the smithy", r"Captain Seraphina Stormborne is leaving")
    guest.send("smithy")
    guest.expect("Captain Seraphina Stormborne")
    guest.ask("say captain, go out to the green", r"Captain Seraphina Stormborne is leaving")
    guest.send("quit")


def test_what_is_typed_in_one_go_is_done_in_order(village, bob):
    """Each line is a step of its own, and none is done that stands behind a `quit`."""
    guest = village.guest()
    typed = [f"say The clock strikes {number}." for number in range(1, 9)]
    guest.send("\r\n".join([*typed, "quit", "say Who is there?"]))
    line = rf"^{guest.name} says, \"The clock strikes (\d)"
    assert [bob.expect(line).group(1) for _ in typed] == [*"12345678"]
    assert "Who is there?" not in bob.caught_up()


def test_long_and_hostile_lines_harm_nobody(village, alice, bob):
    """Braces, dollars, pipes and twenty thousand letters: the game answers on."""
    for line in ("say tansy {x} {0.__class__} $pad(a,9) |r||lc", "say tansy " + "x" * 20_000):
        alice.send(line)
        alice.read(1.0)
    bob.ask("say hello tansy", TANSY)


def test_hostile_description_is_only_looked_at(village, alice):
    """What a player describes as is shown to a character as plain words."""
    alice.ask("setdesc {you.__class__} $eval(1) |lclook|ltx|le", "set")
    alice.ask("say tansy, look at me", TANSY)


def test_two_characters_fall_silent_by_themselves(village, alice):
    """Greeted together on their channel, they do not talk for ever."""
    theirs = r"^\[Public\] (Tansy|Captain).+"
    alice.ask("pub hello tansy and captain, what do you think of each other?", theirs)
    end = time.monotonic() + PATIENCE
    while re.search(theirs, alice.read(5), re.MULTILINE):
        assert time.monotonic() < end, "they talk on and on"


def test_a_fact_is_known_after_a_reload(village, alice):
    """What was told today is recalled by the server of tomorrow."""
    alice.ask("say tansy, my boat is called Kingfisher", TANSY)
    village.reload()
    alice.read(1)
    line = village.join("Alice")
    answer = line.ask("say tansy, what is my boat called?", TANSY + ".*$")
    assert "Kingfisher" in answer.group()
