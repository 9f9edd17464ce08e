"""Classification: which words are meant for a character, and which rule says so."""

from dataclasses import replace

import pytest

from ai_assistant.agent.attention.classify import RULES, Circumstances, classify
from ai_assistant.agent.attention.engagement import Engagement, whom_meant
from ai_assistant.core.contracts import Entity, Event, Verdict
from ai_assistant.testing import people

ALICE, BOB = people("Alice", "Bob")
SERA = "Captain Seraphina Stormborne"
NOW = Circumstances(
    me="e-sera", names=(SERA, "sera"), others={"Bob": BOB.id, "Old Tom the Cook": "e-tom"}
)
TRIGGER, CONTEXT, IGNORE = Verdict.TRIGGER, Verdict.CONTEXT, Verdict.IGNORE


def event(text="Nice weather.", kind="say", *, who=ALICE, at=100.0, **options):
    return Event(
        id="1", timestamp=at, event_type="external", source=who, source_type=kind,
        content=text, place="room1", **options,
    )  # fmt: skip


def engaged(**changes):
    bond = {"who": ALICE.id, "place": "room1", "since": 90.0, **changes}
    return replace(NOW, engagement=Engagement(**bond))


@pytest.mark.parametrize(
    ("heard", "now", "verdict", "rule"),
    [
        # forbidding rules come first: no address gets around them
        (event("Sera!"), replace(NOW, enabled=False), IGNORE, "disabled"),
        (event("Sera!", "whisper"), replace(NOW, enabled=False), IGNORE, "disabled"),
        (event("Sera!", who=Entity("e-sera", SERA)), NOW, IGNORE, "own_message"),
        (event("Sera!", "page"), replace(NOW, silenced=True), CONTEXT, "silenced"),
        (event("Sera?", by_assistant=True), replace(NOW, silenced=True), CONTEXT, "silenced"),
        (event("Sera!"), replace(NOW, permitted=False), CONTEXT, "sender_not_permitted"),
        (event("Sera!", "page"), replace(NOW, permitted=False), CONTEXT, "sender_not_permitted"),
        # another assistant: addressed, and while the root has energy
        (event("Sera?", by_assistant=True), NOW, TRIGGER, "assistant_talk"),
        (event("Psst.", "whisper", by_assistant=True), NOW, TRIGGER, "assistant_talk"),
        (event(by_assistant=True), NOW, CONTEXT, "assistant_talk"),
        (event("Sera?", by_assistant=True), replace(NOW, energy=0), CONTEXT, "assistant_talk"),
        (event("I met Sera there.", by_assistant=True), NOW, CONTEXT, "assistant_talk"),
        (event(by_assistant=True), engaged(), CONTEXT, "assistant_talk"),
        # addressed and direct
        (event("Sera, a word?"), NOW, TRIGGER, "addressed"),
        (event("waves at Sera.", "pose"), NOW, TRIGGER, "addressed"),
        (event("Sera?", "channel"), NOW, TRIGGER, "addressed"),
        (event("Goodnight Sera and sleep well", by_assistant=True), NOW, TRIGGER, "assistant_talk"),
        (event("Yes Sera, it is.", by_assistant=True), NOW, TRIGGER, "assistant_talk"),
        (event("No Sera here today.", by_assistant=True), NOW, CONTEXT, "assistant_talk"),
        (event("Does Sera know, Bob?"), NOW, CONTEXT, "room_default"),  # said to Bob, of her
        (event("Bob, Sera, come here!"), NOW, TRIGGER, "addressed"),
        (event("Psst.", "whisper"), NOW, TRIGGER, "direct"),
        (event("Are you there?", "page"), NOW, TRIGGER, "direct"),
        (event("Alice gives you a rose.", "gift"), NOW, TRIGGER, "direct"),
        (event("Sera?", "page"), replace(NOW, energy=0), TRIGGER, "direct"),
        # channels
        (event("Hi all.", "channel"), NOW, CONTEXT, "channel_mode"),
        (event("Hi.", "channel"), replace(NOW, channel_mode="all"), TRIGGER,
         "channel_mode"),
        (event("Sera?", "channel"), replace(NOW, channel_mode="off"), IGNORE,
         "channel_off"),
        (event("Sera?", "channel", by_assistant=True), replace(NOW, channel_mode="off"), IGNORE,
         "channel_off"),
        # nobody else there
        (event(), replace(NOW, alone=True), TRIGGER, "alone"),
        (event("waves.", "pose"), replace(NOW, alone=True), TRIGGER, "alone"),
        (event(kind="channel"), replace(NOW, alone=True), CONTEXT, "channel_mode"),
        (event(), replace(NOW, alone=True, has_floor=False), CONTEXT, "room_default"),
        (event(), replace(NOW, alone=True, room_default="ignore"), IGNORE, "room_default"),
        (event(by_assistant=True), replace(NOW, alone=True), CONTEXT, "assistant_talk"),
        (event(), replace(NOW, alone=True, permitted=False), CONTEXT, "sender_not_permitted"),
        # said to all who are there: one of them answers
        (event(), replace(NOW, for_all=True), TRIGGER, "for_all"),
        (event(), replace(NOW, for_all=False), CONTEXT, "room_default"),
        (event(), replace(engaged(), for_all=False), CONTEXT, "room_default"),
        (event("Friends, and you, Sera!"), replace(NOW, for_all=False), TRIGGER, "addressed"),
        (event(), replace(NOW, for_all=True, permitted=False), CONTEXT, "sender_not_permitted"),
        # perhaps for it: the first words of somebody, and words of those in its talk
        (event(), replace(NOW, perhaps=True), TRIGGER, "perhaps"),
        (event("So, Bob, as I said."), replace(NOW, perhaps=True), CONTEXT, "room_default"),
        (event(), replace(NOW, perhaps=True, room_default="ignore"), IGNORE, "room_default"),
        (event(), replace(NOW, perhaps=True, has_floor=False), CONTEXT, "room_default"),
        # a title is enough for a gesture, and no part of another's whole name calls
        (event("Alice waves at the captain.", "pose"), NOW, TRIGGER, "addressed"),
        (event("Captain Bo waves.", "pose", who=Entity("e-bo", "Captain Bo")), NOW, CONTEXT,
         "room_default"),
        (event("I saw the captain."), NOW, CONTEXT, "room_default"),
        (event("Hello Sera Moon"), replace(NOW, others={"Sera Moon": "e-moon"}), CONTEXT,
         "room_default"),
        (event("Hello Sera and Sera Moon"), replace(NOW, others={"Sera Moon": "e-moon"}),
         TRIGGER, "addressed"),
        (event("Tom, a word!"), replace(NOW, alone=True), CONTEXT, "room_default"),
        # a scene in which it is its turn
        (event(), replace(NOW, has_floor=True), TRIGGER, "scene_policy"),
        (event(), replace(NOW, has_floor=False), CONTEXT, "room_default"),
        (event(by_assistant=True), replace(NOW, has_floor=True), TRIGGER, "assistant_talk"),
        # what is left
        (event(), NOW, CONTEXT, "room_default"),
        (event("waves.", "pose"), NOW, CONTEXT, "room_default"),
        (event(), replace(NOW, room_default="trigger"), TRIGGER, "room_default"),
        (event(), replace(NOW, room_default="ignore"), IGNORE, "room_default"),
        (event("Alice arrives.", "move"), NOW, CONTEXT, "fallback"),
        (event("It rains.", "system"), NOW, CONTEXT, "fallback"),
    ],
)  # fmt: skip
def test_every_event_is_decided_by_one_rule(heard, now, verdict, rule):
    """The first rule with an opinion decides, and says its name."""
    decided = classify(heard, now)
    assert (decided.verdict, decided.rule) == (verdict, rule)


def test_every_rule_is_tested():
    """The table above leaves no rule out."""
    table = test_every_event_is_decided_by_one_rule.pytestmark[0].args[1]
    assert {name for name, _ in RULES} | {"fallback"} == {row[3] for row in table} | {"engaged"}


# -- engaged


@pytest.mark.parametrize(
    ("heard", "now", "verdict"),
    [
        (event("And then?"), engaged(), TRIGGER),
        (event("And then?", "channel"), engaged(), TRIGGER),
        (event("And then?", at=150.0), engaged(), TRIGGER),
        (event("And then?", at=150.1), engaged(), CONTEXT),  # a minute has passed
        (event("And then?", at=110.1), replace(engaged(), engaged_seconds=20.0), CONTEXT),
        (event("And then?", at=89.0), engaged(), CONTEXT),  # said before the answer
        (event("And then?", who=BOB), engaged(), CONTEXT),
        (event("That is him!", who=BOB), engaged(words="Bob, is it he?"), TRIGGER),
        (event("Tom, come!", who=BOB), engaged(words="Bob, is it he?"), CONTEXT),
        (event("That is him!", who=BOB), engaged(words="I know Bob."), CONTEXT),  # of him
        (event("And then?"), engaged(place="room2"), CONTEXT),
        (event("And then?"), engaged(who=""), CONTEXT),
        (event("shrugs.", "pose"), engaged(), CONTEXT),
        (event("Bob, and then?"), engaged(), CONTEXT),  # meant for somebody else
        (event("What do you say, Tom?"), engaged(), CONTEXT),
        (event("Does Bob have a cat?"), engaged(), TRIGGER),  # of him, not to him
        (event("Who is Bob?"), engaged(), TRIGGER),
        (event("Hello Bob, and then?"), engaged(), CONTEXT),
        (event("Bob and Sera, come!"), engaged(), TRIGGER),
        (event("That bobbin?"), engaged(), TRIGGER),
    ],
)
def test_whoever_was_answered_or_called_needs_no_name(heard, now, verdict):
    """For a minute, in the same place, unless the line turns to somebody else who is present."""
    assert classify(heard, now).verdict is verdict


def test_another_player_ends_the_engagement():
    """As soon as somebody else speaks there, a name is needed again."""
    bond = Engagement(ALICE.id, "room1", 90.0)
    for harmless in (
        event(),
        event("waves.", "pose", who=BOB),
        event(who=BOB, by_assistant=True),
        replace(event(who=BOB), place="room2"),
    ):
        bond.overhear(harmless)
        assert bond.gap(event(), 60) is None
    bond.overhear(event(who=BOB))
    assert bond.gap(event(), 60) == {"interrupted": [BOB.id]}


def test_two_may_talk_with_one_at_a_time():
    """Words of another that are for it end no talk: whoever was in it goes on by a question."""
    bond = Engagement()
    bond.turn_to(ALICE.id, 90.0, "room1")
    bond.overhear(event("And my bed?", who=BOB), is_asked=True)
    bond.turn_to(BOB.id, 95.0, "room1")
    assert bond.gap(event("And mine?"), 60) is None
    assert bond.gap(event("A fine bed."), 60) == {"talks_with": [BOB.id]}
    assert bond.gap(event("And mine?", at=151.0), 60) is None  # as long as the talk lasts
    bond.overhear(event("Alice, you snore.", who=BOB))
    assert bond.gap(event("And mine?"), 60) == {"talks_with": [BOB.id]}
    bond.overhear(event("You snore, Bob."))
    assert bond.gap(event("And mine?"), 60) == {}
    assert bond.gap(event("And mine?", who=BOB), 60) == {"interrupted": [ALICE.id]}


def test_a_talk_elsewhere_is_another_talk():
    """Who was in a talk in one room is not in that of another."""
    bond = Engagement()
    bond.turn_to(ALICE.id, 90.0, "room1")
    bond.turn_to(BOB.id, 95.0, "room2")
    assert bond.gap(replace(event("And mine?"), place="room2"), 60) == {"talks_with": [BOB.id]}


def test_whoever_said_nothing_since_coming_is_new():
    """So is whoever was silent for an hour; poses and comings say nothing."""
    bond, line = Engagement(), event("Is there a bed free?")
    for silent in (event("waves.", "pose"), event("A bed, Sera!", who=BOB)):
        bond.overhear(silent, is_asked=True)
    assert bond.is_new(line, 60)
    bond.overhear(line, is_asked=True)
    assert not bond.is_new(line, 60)
    bond.overhear(event("Alice goes out.", "move"))
    assert bond.is_new(line, 60)
    bond.overhear(line, is_asked=True)
    assert bond.is_new(replace(line, timestamp=line.timestamp + 3601), 60)


def test_what_may_answer_another_player_opens_no_talk():
    """For a minute after words there that were not for the character."""
    bond, line = Engagement(), event("Is it?")
    bond.overhear(event("Alice, the gate is open.", who=BOB))
    assert not bond.is_new(line, 60)
    assert bond.is_new(replace(line, timestamp=line.timestamp + 61), 60)


def test_who_is_there_where_it_comes_is_not_new():
    """Whoever comes after it is, and so is anybody where it begins."""
    bond, there = Engagement(), [ALICE.id]
    assert bond.is_new(event("Is it?"), 60)
    bond.overhear(event("waves.", "pose"), present=lambda: there)
    in_another = replace(event("Is it?"), place="room2")
    assert not bond.is_new(in_another, 60)
    carl = event("Carl comes in.", "move", who=Entity("e-carl", "Carl"))
    bond.overhear(replace(carl, place="room2"), present=lambda: there)
    assert not bond.is_new(in_another, 60)
    assert bond.is_new(replace(event("Is it?", who=BOB), place="room2"), 60)


def test_nobody_is_engaged_at_first():
    """An event without a speaker's id does not pass for a conversation."""
    assert Engagement().gap(replace(event(at=0.0, who=Entity("", "?")), place=""), 60) == {}


def test_each_rule_has_a_name_of_its_own():
    names = [name for name, _ in RULES]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("heard", "now", "cause"),
    [
        (event("Does Sera know, Bob?"), NOW, {"turns_to": [BOB.id]}),
        (event("Bob, and then?"), engaged(), {"turns_to": [BOB.id]}),
        (event("And then?"), engaged(who=BOB.id), {"talks_with": [BOB.id]}),
        (event("And then?"), engaged(place="room2"), {"talked_elsewhere": []}),
        (event("And then?", at=150.1), engaged(), {"long_ago": []}),
        (event("And then?", at=150.1), engaged(who=BOB.id), {}),
        (event(), replace(NOW, has_floor=False), {"turn_of_others": []}),
        (event("Sera?"), engaged(place="room2"), {}),
        (event(), NOW, {}),
    ],
)
def test_what_kept_a_rule_from_deciding_is_told(heard, now, cause):
    """With the ids of those on whose account; nothing, where no rule came near."""
    assert classify(heard, now).cause == cause


def test_words_in_its_talk_are_perhaps_for_it():
    """Of any of those in it; what is let pass parts them, and whom that broke in on may go on."""
    bond, seconds = Engagement(), 60.0
    bond.turn_to(ALICE.id, 90.0, "room1")
    bond.turn_to(BOB.id, 95.0, "room1")
    aside = event("I bring it back tomorrow.")
    assert bond.may_mean(aside, seconds)
    bond.part(aside)
    assert not bond.may_mean(aside, seconds)
    of_bob = event("Well, Tuesday.", who=BOB)
    assert bond.may_mean(of_bob, seconds)
    bond.part(of_bob)
    assert not bond.may_mean(of_bob, seconds)


def test_a_line_without_a_name_is_for_one_of_several():
    """With whom its speaker talked last; to all or by a newcomer the first."""
    sera, marrek = Engagement(), Engagement()
    talks, aside = {"sera": sera, "marrek": marrek}, event("Well, well.")
    assert whom_meant(event("Everybody, listen!"), talks, 60.0) == ["sera", "marrek"]
    for bond, at in ((sera, 90.0), (marrek, 95.0)):
        bond.turn_to(ALICE.id, at, "room1")
    assert whom_meant(aside, talks, 60.0) == ["marrek", "sera"]
    assert classify(aside, replace(NOW, engagement=sera, for_all=False)).cause == {
        "turn_of_others": []
    }
    for bond in (sera, marrek):
        bond.turn_to(BOB.id, 97.0, "room1")
    assert whom_meant(aside, talks, 60.0)[0] == "marrek"
    assert whom_meant(event("Well, well.", who=BOB), talks, 60.0)[0] == "sera"
    marrek.overhear(aside)
    assert whom_meant(aside, {"marrek": marrek}, 60.0) == []
