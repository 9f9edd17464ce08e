"""The offline model in the first hour: what newcomers ask, mistype, claim and grieve about."""

import pytest

from ai_assistant.prompts.phrase_book import sheets
from tests.unit.llm.offline.stage import CAPTAIN, INNKEEPER, Stage, row

WAY = {
    "ok": True,
    "place": "The Old Bridge",
    "exit": "north",
    "way": ["The Green", "The Old Bridge"],
}
LORE = [
    "Orrin the smith goes fishing whenever there is work.",
    "Captain Stormborne of the Guard wears a grey cloak.",
]


@pytest.mark.parametrize(
    "asked", ["Where is the old bridge?", "wher is teh old brigde", "bridge where is?"]
)
def test_the_way_is_told_place_by_place(asked):
    """Also to a place out of sight, and where it is written wrongly."""
    text = Stage(persona=INNKEEPER, results={"find_way": WAY}).hears(asked).text
    assert "north" in text.lower()
    assert "The Green" in text


@pytest.mark.parametrize("asked", ["What did I say I want to sell?", "what am I selling again"])
def test_what_the_speaker_sells_is_no_question_for_our_goods(asked):
    """It is remembered, not offered."""
    told = (row("Alice", "I am taking wool to Vey, to sell it there."),)
    assert "wool" in Stage(persona=INNKEEPER, memories=told).hears(asked).text
    assert "wool" not in Stage(persona=INNKEEPER, memories=told).hears("What do you sell?").text


@pytest.mark.parametrize("asked", ["What do you serve?", "What do you serve here?"])
def test_who_asks_what_is_served_is_offered_the_pot(asked):
    assert "the pot" in Stage(persona=INNKEEPER).hears(asked).text


def test_a_long_confession_is_answered_as_one():
    """Whatever in it has the form of a question that our own life could answer."""
    said = (
        "I was a soldier once, and they made me throw a family off their farm in winter, and I did "
        "it, and I cannot sleep since then. How do you live with that?"
    )
    own = {"lore": ["I live in Capital City, and here I sleep in a room above the inn."]}
    assert "above the inn" not in Stage(persona=CAPTAIN | own).hears(said).text


def test_slips_are_understood_and_never_said():
    """The lore answers a question with three slips; what is unknown stays unknown."""
    assert "fourth arch" in Stage().hears("waht hapened to the brigde?").text
    assert "fourth arch" not in Stage().hears("What happened to the bride?").text


@pytest.mark.parametrize(
    ("asked", "result"),
    [("What is nine times six?", "54"), ("whats 23 minus 9", "ourteen"), ("2 x 5 = ?", "en"),
     ("If I have 23 coppers and pay 9, how many have I left?", "ourteen")],
)  # fmt: skip
def test_sums_are_reckoned(asked, result):
    """In digits, in words, and with the toll taken off."""
    assert result in Stage().hears(asked).text


@pytest.mark.parametrize(
    "told",
    ["I stole the steel badge.", "You are a liar, Tansy!", "My father died in the autumn.",
     "asdfghj", "Knock, knock!", "tell me a riddle", "You have lovely eyes.", "brr, it is freezing",
     "Have you got any children?", "I promise to pay tomorrow.", "What do you think of me?"],
)  # fmt: skip
def test_nothing_personal_gets_a_fact_in_return(told):
    """What wants a reaction is not answered from lore or memory, and never with silence."""
    stage = Stage(memories=(row("Bob", "The bridge is out."),))
    text = stage.hears(told).text
    assert text
    assert "arch" not in text
    assert "Bob" not in text


def test_orders_and_questions_are_no_knowledge():
    """What somebody wanted says nothing of what there is."""
    stage = Stage(persona=INNKEEPER, memories=(row("Bob", "Give me the stew!"),))
    assert "Bob" not in stage.hears("What is in the stew?").text


def test_you_is_the_one_who_is_asked():
    """What a guest told of themselves does not answer a question about the host."""
    stage = Stage(persona=INNKEEPER)
    stage.hears("My wife Ingrid bakes, and we have two kids.")
    assert "Ingrid" not in stage.hears("Do you have children?").text
    assert "Ingrid" in stage.hears("What is my wife called?").text


def test_irregular_verbs_are_one_word():
    """Who stole remembers what they did steal."""
    stage = Stage()
    stage.hears("I stole the badge and buried it.")
    assert "badge" in stage.hears("What did I steal?").text


def test_who_is_not_here_is_said_not_to_be():
    """A line to somebody else, heard by one alone, is answered as such."""
    text = Stage(persona=INNKEEPER, sight=()).hears("Orrin, can you mend my knife?").text
    assert "Orrin" in text


def test_several_questions_get_several_answers():
    """In one breath."""
    text = Stage().hears("Who are you, what time is it, and what happened to the bridge?").text
    assert "Seraphina" in text
    assert "six" in text
    assert "fourth arch" in text


def test_a_gesture_before_any_word_is_a_greeting():
    """Later it is returned."""
    stage = Stage()
    assert stage.hears("Alice waves at the captain.", kind="pose").text
    assert stage.hears("Alice waves.", kind="pose").called("emote")


@pytest.mark.parametrize("line", ["hello", "hm", "What is in the box?", "thanks", "You fool!"])
def test_no_answer_comes_twice_in_twenty(line):
    """However often somebody says the same."""
    stage, heard = Stage(), []
    for _ in range(20):
        heard.append(stage.hears(line).text)
    assert len({*heard}) == 20


@pytest.mark.parametrize(
    ("asked", "lore"),
    [
        ("how much is the stew", "The stew has barley, leeks and a bone."),
        ("What do you keep behind that curtain?", "Behind the curtain is the snug."),
        ("why is the mitten still here", "A grey mitten was found at the toll house."),
    ],
)
def test_what_is_known_of_a_thing_is_told_as_no_answer(asked, lore):
    """Where nothing answers, it says that it does not know, and what it knows of that thing."""
    text = Stage(persona={**INNKEEPER, "lore": [lore]}).hears(asked).text
    assert text.endswith(lore)
    assert text != lore


@pytest.mark.parametrize("asked", ["How long is the walk from here?", "how far is it to walk"])
def test_how_far_is_not_answered_by_what_is_known_of_the_walk(asked):
    """Where, when and how far something is, no other fact of it tells."""
    lore = "I walk the rounds of the watch at night."
    assert lore not in Stage(persona={**CAPTAIN, "lore": [lore]}).hears(asked).text


@pytest.mark.parametrize(
    "asked",
    [
        "what did i tell you",
        "What was it that I told you in confidence just now?",
        "what i have said to you secret befor?",
    ],
)
def test_what_somebody_told_is_told_back(asked):
    """However they call it; of a thing that they did not speak of, they hear that they did not."""
    stage = Stage()
    stage.hears("A man buried something behind the smithy last night.", kind="whisper")
    assert "smithy" in stage.hears(asked, kind="whisper").text
    assert "smithy" not in stage.hears("What did I tell you about my brother?").text


def test_a_word_that_it_stands_for_answers_nothing():
    """What somebody said of a bird does not tell its name."""
    stage = Stage()
    stage.hears("That bird over there gives me the creeps.")
    assert "creeps" not in stage.hears("Does it have a name?").text


def test_he_is_whom_the_same_line_spoke_of():
    """And the way to him is asked by where he is known to be."""
    known = {**INNKEEPER, "lore": ["Orrin the smith goes fishing by the river."]}
    asked = "I was told to see the smith about a horseshoe. How do I get to him from here?"
    assert "river" in Stage(persona=known).hears(asked).text


def test_who_has_another_thing_offers_it_without_a_no():
    """A lantern is a light, whatever it is called."""
    lantern = {"handle": "o1", "item": "a tin lantern", "carried": True, "givable": True}
    text = Stage(persona=INNKEEPER, sight=(lantern,)).hears("Could you lend me a light?").text
    assert "lantern" in text
    assert "nothing" not in text
    assert "no such" not in text


def test_a_day_of_something_is_no_day_of_the_calendar():
    """Who asks on which day something is, is not told which day it is today."""
    fair = "The autumn fair is held as soon as the bridge bears a wagon."
    for asked in ("which day is starting the fair?", "what day is the fair"):
        assert fair in Stage(persona={**INNKEEPER, "lore": [fair]}).hears(asked).text
    assert "November" in Stage().hears("What day is it today?").text


@pytest.mark.parametrize(
    "asked",
    [
        "Do you believe in arches?",
        "Who reigns in spring?",
    ],
)
def test_one_word_in_common_is_no_answer(asked):
    """What is known is told only where it holds what is asked about."""
    assert "fourth arch" not in Stage().hears(asked).text


def test_not_knowing_points_to_somebody():
    """To one who is known of, or to what the character likes to speak of."""
    baker = {**INNKEEPER, "lore": ["Orrin the smith mends whatever is brought to him."]}
    text = Stage(persona=baker).hears("When does the market open?").text
    assert "Orrin" in text or "gossip" in text


@pytest.mark.parametrize("said", ["give up", "I give up, what is it?", "What is the answer?"])
def test_a_riddle_of_ones_own_is_remembered(said):
    """Who gives up hears the answer, and is not asked for it."""
    stage = Stage()
    riddle = stage.hears("Tell me a riddle!").text
    stage.hears("Hm, let me think.")
    assert riddle.rpartition("?")[2].strip() in stage.hears(said).text


@pytest.mark.parametrize(
    ("said", "key"),
    [("anybody in?", "greet_stranger"), ("gotta go, see ya", "farewell"), ("bbl", "farewell")],
)
def test_coming_and_going_in_slang(said, key):
    """A knock is a greeting, and who must run is let go."""
    heard = Stage(persona={"name": "Ada"}).hears(said).text
    lines = sheets("lines")[0].lines[key]
    assert any(heard == line.format(me="Ada", who="") for line in lines)


@pytest.mark.parametrize(
    "plan", ["I want a bread oven for my bakery.", "Give me some advice on bread!"]
)
def test_a_word_in_a_plan_is_no_wish(plan):
    """What is only spoken of is not handed over."""
    sight = ({"handle": "o1", "item": "a heel of bread", "carried": True, "givable": True},)
    assert not Stage(persona=INNKEEPER, sight=sight).hears(plan).called("give")


def test_a_polite_question_asks_no_leave():
    """Who asks whether they may ask wants to know, and not to be let."""
    book = [*sheets("lines"), *sheets("tempers"), *sheets("trades")]
    leave = [line for sheet in book for line in sheet.lines.get("may_i", ())]
    assert Stage().hears("May I ask how old you are?").text not in leave


def test_a_booking_is_corrected():
    """With the words that were meant."""
    assert "three nights" in Stage(persona=INNKEEPER).hears("Sorry, I meant three nights.").text


@pytest.mark.parametrize(
    "told",
    ["is drownd, my wife, in the river", "I lost my mother, and the inn, the fire, all is empty.",
     "My best friend got hanged."],
)  # fmt: skip
def test_grief_is_heard_as_grief(told):
    """No matter how it is put; nothing is repeated, recited or noted."""
    played = Stage(persona=INNKEEPER).hears(told)
    assert played.text
    assert not played.calls
    assert not any(word in played.text for word in ("drownd", "your mother", "warm room", "?"))


@pytest.mark.parametrize(
    "asked",
    ["Where in this village could I find a bed and a hot meal?",
     "Where I can find in this village a bed?"],
)  # fmt: skip
def test_a_bed_is_where_the_inn_is(asked):
    """However the question is put together, the way in sight is the answer."""
    text = Stage().hears(asked).text
    assert "inn" in text
    assert "north" not in text


def test_what_is_on_no_map_is_not_told_beside_the_ways():
    """Who does not know a place names no way as if it led there."""
    book = [*sheets("lines"), *sheets("tempers"), *sheets("trades")]
    lines = [line for sheet in book for line in sheet.lines.get("unknown_place", ())]
    assert lines
    assert not any("{exits}" in line for line in lines)


FAR = "It is nine leagues to Capital City by the north road, two south to Millbrook."


@pytest.mark.parametrize(
    "asked",
    ["Which road do I take to reach Millbrook?", "how do i get to millbrook",
     "I must go to Milbrook, wich road is it?"],
)  # fmt: skip
def test_who_asks_for_the_way_asks_not_about_themselves(asked):
    """The "I" of a question for the way is whoever goes it: what is known of it is told."""
    assert FAR in Stage(persona={**CAPTAIN, "lore": [FAR]}).hears(asked).text


def test_own_knowledge_is_found_in_other_forms_of_its_words():
    """Irregular verbs and what is left of small words do not stand in the way."""
    hearth = "The fire in my hearth has not gone out since the old miller's time."
    cart = "On the night the toll house burned, a cart without lamps crossed the bridge."
    burned = "The toll house burned down three nights before I arrived."
    stage = Stage(persona={**INNKEEPER, "lore": [cart, hearth]})
    assert hearth in stage.hears("They say this fire never went of, it is true?").text
    stage = Stage(persona={**CAPTAIN, "lore": [burned]})
    assert burned in stage.hears("what happend w the toll house").text


@pytest.mark.parametrize("asked", ["Can you tell to me some jok, captain?", "Tell a story!"])
def test_what_is_to_be_told_is_no_message(asked):
    """Whoever asks for a joke or a story sends nobody a word."""
    text = Stage().hears(asked).text
    assert text
    assert not any(line in text for line in sheets("lines")[0].lines["tell_on"])


@pytest.mark.parametrize("asked", ["u got any siblings?", "Have you got any cousins?"])
def test_kin_are_no_goods(asked):
    """Nobody is offered a key where brothers are asked about."""
    assert "copper key" not in Stage().hears(asked).text


def test_what_was_announced_is_told_before_all_else_as_news():
    """Each of it once; then what is known anyway."""
    news = [{"news": "The fair is on."}, {"news": "The ox is mended."}]
    lore = [{"lore": "On Sunday the king was murdered in war and fire."}]
    stage = Stage(kept={"world": [*lore, {"place": "Gate", "is": "It burns."}, *news]})
    told = [stage.hears(asked).text for asked in ("What's new?", "Any news?", "Any gossip?")]
    assert {"fair" in text for text in told[:2]} == {True, False}
    assert {"ox" in text for text in told[:2]} == {True, False}
    assert "It burns" not in told[2]


def test_the_day_is_told_as_the_game_counts_it():
    """A clock of the game's own need not tell a date."""
    stage = Stage(time="the third day of the Goose")
    assert "the third day of the Goose" in stage.hears("What day is it?").text
    assert "third day of the Goose" in stage.hears("Which day is today?").text


def test_the_day_of_something_is_not_today():
    stage = Stage(time="the third day of the Goose")
    assert "third day" not in stage.hears("What day is the fair?").text


def test_from_afar_it_tells_where_it_is_itself():
    """Who pages stands elsewhere."""
    stage = Stage(sight=tuple(row for row in Stage().sight if row.get("name") != "Alice"))
    told = stage.hears("Where are you?", kind="page").text
    assert "Gull and Lantern" in told
    assert "You are" not in told


def test_known_texts_are_told_in_whole_sentences():
    """Also long ones; a note without a stop gets one."""
    long = "The mill is old. " + "Its wheel has turned for many years. " * 6 + "Hob owns it."
    assert (
        "Hob owns it." in Stage(persona={**CAPTAIN, "mill": long}).hears("What of the mill?").text
    )
    noted = Stage(memories=({"note": "Bob sells ribbons"},)).hears("What does Bob sell?").text
    assert "ribbons." in noted


def test_a_promise_is_found_whatever_its_words():
    """What a line does is one of its words."""
    stage = Stage()
    stage.hears("I will bring you the thief tomorrow.")
    stage.hears("The geese are loud.")
    assert "thief" in stage.hears("What did I promise you?").text


def test_who_asks_who_they_are_hears_their_name():
    """And what they told, if anything."""
    stage = Stage()
    stage.hears("I sell ribbons.")
    told = stage.hears("Who am I?").text
    assert "Alice" in told
    assert "you sell ribbons" in told


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Where is he?", "fishing"),
        ("Who is the captain I saw outside?", "grey cloak"),
        ("What is your name, innkeeper?", "Tansy"),
        ("Who's the captain now?", "grey cloak"),
    ],
)
def test_asides_in_a_question_are_no_part_of_it(asked, told):
    """Whom somebody points to, where they saw them, and whom they ask."""
    stage = Stage(persona={**INNKEEPER, "lore": LORE})
    stage.hears("Who is Orrin?")
    assert told in stage.hears(asked).text


def test_a_trade_is_what_one_does_for_a_living():
    """Whatever it was called."""
    stage = Stage(persona=INNKEEPER)
    stage.hears("I am a fisherman.")
    assert "fisherman" in stage.hears("What do I do for a living?").text


def test_a_plan_is_told_without_figures_before_it_began():
    """And its first step without the goal that it is part of."""
    goals = ({"goal": "g1", "description": "Help Alice build a boat", "progress": 0.0},
             {"goal": "g2", "description": "Make clear what is needed: Help Alice build a boat",
              "under": "g1", "next": True, "progress": 0.0})  # fmt: skip
    told = Stage(kept={"goals": goals}).hears("What are you up to?").text
    assert "build a boat" in told
    assert "percent" not in told
    assert "needed:" not in told


def test_what_was_announced_is_nobodys_word():
    """It is told as known, not quoted from the world."""
    news = {
        "on": "2026-11-20",
        "who": "the world",
        "kind": "announcement",
        "text": "The ferry is mended.",
    }
    told = Stage(memories=(news,)).hears("What about the ferry?").text
    assert "The ferry is mended." in told
    assert "the world" not in told


def test_the_map_is_known_as_well_as_lore():
    """A place elsewhere is no news, and answers what is asked about it."""
    world = [{"place": "North Gate", "is": "Of the toll house only the chimney is left."}]
    persona = {**CAPTAIN, "lore": ["The night the toll house burned, a cart went south over it."]}
    told = Stage(persona=persona, kept={"world": world}).hears("What is left of the toll house?")
    assert "chimney" in told.text


@pytest.mark.parametrize(
    ("asked", "lore"),
    [("How far is it to Millbrook?", "Millbrook lends six oxen to the smith."),
     ("how long have you had this inn", "Guests sleep above the inn for two coppers."),
     ("where can i find the captain", "The captain loses at chess with great dignity.")],
)  # fmt: skip
def test_what_does_not_tell_what_was_asked_is_no_answer(asked, lore):
    """A distance, a time, a place or a price is told, or it is not known."""
    assert lore not in Stage(persona={**INNKEEPER, "lore": [lore]}).hears(asked).text


def test_a_reason_behind_a_question_does_not_hide_it():
    """What somebody adds to a question is not what they ask."""
    way = {"ok": True, "exit": "north", "way": ["The Green", "The Smithy"]}
    stage = Stage(persona=INNKEEPER, results={"find_way": way})
    assert "The Smithy" in stage.hears("is there a blacksmith here, my sword is blunt").text


def test_secrecy_is_promised_only_where_it_is_kept():
    """In a whisper; aloud it is told to whisper it."""
    stage = Stage(persona=INNKEEPER)
    assert "whisper" in stage.hears("Can you keep a secret?").text.lower()
    whispered = stage.hears("Please tell nobody.", kind="whisper").text
    assert "messages" not in whispered
    assert "whisper" not in whispered.lower()


@pytest.mark.parametrize("said", ["yes, I would like that", "sorry, didnt mean that"])
def test_a_courtesy_with_a_rest_stays_one(said):
    """It is no order and no question."""
    text = Stage(persona=INNKEEPER).hears(said).text
    assert "copper key" not in text
    assert "Ask" not in text


def test_what_is_about_the_thing_comes_before_what_mentions_it():
    """Of two sentences with a name, the one that begins with it tells who that is."""
    lore = ["Tom plays chess against Orrin.", "Orrin the smith goes fishing and has excuses."]
    assert "fishing" in Stage(persona={**INNKEEPER, "lore": lore}).hears("who is orrin").text


def test_what_was_told_before_a_question_is_kept():
    """A line that ends in a question states what stands before it."""
    stage = Stage(persona=INNKEEPER)
    stage.hears("i lost my dog, brown with a white ear. have you seen him?")
    assert "brown" in stage.hears("what colour is my dog").text


def test_who_asks_how_many_is_told_a_number_or_that_nobody_counted():
    """No word that is shared makes an answer of what holds no number."""
    persona = {
        **CAPTAIN,
        "lore": ["People live well in the village.", "The village keeps nineteen geese."],
    }
    assert "nineteen" in Stage(persona=persona).hears("How many geese does the village keep?").text
    assert "well" not in Stage(persona=persona).hears("How many people live in the village?").text


@pytest.mark.parametrize(
    "asked", ["Where do I come from?", "where do i live", "Where do I belong?"]
)
def test_where_the_speaker_is_from_is_no_way_to_be_told(asked):
    """It is remembered, or they are asked for it; no place and no round of the watch answers it."""
    rounds = {**CAPTAIN, "lore": ["The watch comes from the green and goes to the north gate."]}
    stage = Stage(persona=rounds)
    assert "watch" not in (first := stage.hears(asked)).text
    assert not first.called("find_way")
    home = (row("Alice", "I come from Vey, I live and belong there."),)
    assert "Vey" in Stage(memories=home).hears(asked).text


@pytest.mark.parametrize("sign", [":D", ";-)", "<3", ":P"])
def test_no_smiley_is_said_back(sign):
    """A line is answered as without the signs behind it."""
    for line in ("I walked all day to get here", "I have a cat", "bye"):
        assert Stage().hears(f"{line} {sign}").text == Stage().hears(line).text
