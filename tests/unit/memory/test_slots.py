"""Slots: two facts are known to be the same, to disagree, or to stand side by side."""

import pytest

from ai_assistant.memory.slots import compare, slot_of, type_of


def verdict(one, other):
    """Compare two facts about Alice, the earlier first."""
    return compare(slot_of(f"Alice{one}", "Alice"), slot_of(f"Alice{other}", "Alice"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (" lives in Oakvale", "'s home is in Oakvale"),
        (" lives in Oakvale", " has got a little house in Oakvale"),
        (" works as a cook", " is a cook by trade"),
        (" is afraid of spiders", " has a terrible fear of spiders"),
        (" owns a mule", " inherited a mule from their aunt"),
        (" owns a mule", "'s mule is one of their dearest possessions"),
        (" has a sister, Hedda", "'s sister's name is Hedda"),
        (" is married to Rowan", "'s husband is called Rowan"),
        (" speaks Elvish", "'s mother tongue is Elvish"),
        (" collects keys", "'s hobby is collecting keys"),
        (" belongs to the Town Watch", " has joined the Town Watch this month"),
        (" owes the miller money", " still owes the miller five coppers"),
        (" no longer has the mule", "'s mule was stolen"),
        (" gave up their trade and became a cook", " works as a cook"),
        (" is in love with Cosima", "'s heart belongs to Cosima"),
    ],
)
def test_the_same_in_other_words_is_the_same(one, other):
    """Several ways to say one thing are one thing, whichever comes first."""
    assert verdict(one, other) == "same"
    assert verdict(other, one) == "same"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (" lives in Oakvale", " moved to Riverton last week"),
        (" lives in Oakvale", " no longer lives in Oakvale"),
        (" no longer lives in Oakvale", " moved to Riverton"),
        (" is a cook", " has taken up work as a weaver"),
        ("'s favourite song is Seven Swans", "'s favourite tune is now Red Rowan"),
        (" has a mule", " sold the mule"),
        (" has a mule", " lost their mule while travelling"),
        (" won a mule at dice", " traded the mule away"),
        (" loves chess", " no longer likes chess"),
        (" hates onions", " likes onions now"),
        (" belongs to the Town Watch", " was thrown out of the Town Watch"),
        (" owes the miller five coppers", " paid the miller back"),
        (" has three goats", " has five goats"),
        (" is married to Rowan", " is married to Brid"),
    ],
)
def test_another_value_is_a_change(one, other):
    """What cannot hold at the same time has changed."""
    assert verdict(one, other) == "changed"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (" likes tea", " likes apples"),
        (" has a sword", " has a boat"),
        (" lives in Oakvale", " was born in Vey"),
        (" has a dog named Rex", " has a dog called Fang"),
        (" likes the harp", " fears the dark"),
        ("'s sister is called Mara", "'s sister is a healer"),
        (" is the heir of Aldermoor", " works as a tailor"),
    ],
)
def test_what_differs_stands_side_by_side(one, other):
    """Two tastes, goods or relatives are two facts."""
    assert verdict(one, other) == "other"


def test_the_end_of_what_is_over_anyway_is_no_news():
    """Who lives somewhere else by now tells nothing new by not living there any more."""
    assert verdict(" lives in Vey", " no longer lives in Oakvale") == "same"
    assert verdict(" is a cook", " is no longer a weaver") == "same"


def test_a_name_alone_tells_people_apart():
    """The same words with another name or number in them are no repetition."""
    assert verdict(" is a friend of Bob", " is a friend of Carol") == "other"
    assert verdict(" is allergic to eggs, so none for them", " is allergic to eggs") == "same"


def test_a_fact_has_a_type():
    """Traits are sorted by what they are about."""
    assert type_of("Alice lives in Oakvale", "Alice") == "home"
    assert type_of("Alice fears spiders", "Alice") == "fear"


def test_the_end_of_a_small_thing_is_marked():
    """The end of a debt or a taste is news only to whom it was known."""
    assert slot_of("Alice no longer has the mule", "Alice").is_mere_end
    assert not slot_of("Alice hates onions", "Alice").is_mere_end
    assert not slot_of("Alice left the Town Watch", "Alice").is_mere_end
