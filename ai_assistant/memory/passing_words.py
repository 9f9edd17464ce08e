"""Words of passing matters, as data: what is had, taken or lost for a day, and what nobody has."""

from __future__ import annotations

import re

NOUNS = frozenset(
    # how one feels
    "ache headache stomachache toothache backache pain throat cough cold fever rash wound cramp "
    "bruise scratch blister itch thirst hunger appetite hangover chill shivers feeling mood temper "
    "patience nerve balance cool peace doubt doubts suspicion hunch hope hopes wish wishes worry "
    "fright shock surprise pleasure honour laugh cry smile yawn sleep "
    # what one says and thinks
    "question questions request favour favor word words say message letter story tale joke jokes "
    "riddle chat talk conversation argument quarrel compliment compliments apology apologies "
    "thanks "
    "idea ideas plan plans thought thoughts opinion reason reasons point points clue hint notion "
    "proposal offer suggestion promise promises secret secrets silence complaint complaints answer "
    "track count thread mind mistake mistakes chance choice vote bet luck excuse gossip news "
    # what time brings
    "moment minute minutes hour hours while bit lot deal few time times turn day days night nights "
    "morning evening afternoon week weekend dream dreams nightmare nap rest break walk stroll look "
    "bath try go glance visit visitor visitors guest guests appointment meeting errand errands "
    "task "
    "game games round rounds match hand fun trouble problem problems difficulty accident mess fuss "
    "noise hurry rush affair affairs business matter matters thing things stuff way road path "
    "corner "
    "distance eye leave seat place end beginning course effect advantage care part pity "
    # what is eaten and drunk, and what holds it
    "drink drinks ale beer mug cup glass plate bowl pot soup stew meal bite snack breakfast lunch "
    "dinner supper dessert coin coins "
    "cloakroom bill "
    # what is had in the mind only
    "strength power push boost escape attitude energy purpose advice right way ways stress sense "
    "mix blast setback success support progress start effort interest impact ton tons "
    "deal busy quiet calm warm still fit oomph confidence chills joy respect blame courage "
    "faith trust kids future past life".split()
)
"""Nouns of what matters today only; with verbs of taste and fear they may matter for good."""
PRONOUNS = frozenset("them it this that these those him".split())
POINTERS = frozenset(
    "so there here outside inside behind upstairs downstairs "
    "aside tonight floor ground sorry".split()
)
"""Last words of what only the moment explains."""
PHRASE_ENDS = frozenset(
    "of for in on at to with by from about and or but that which who when while as since because "
    "before after near under over behind beside between there here now today again back so if it "
    "sorry too yesterday last next this these those playing selling making".split()
)
"""Words that end the noun phrase which follows a verb."""
_ABSTRACT = re.compile(
    r"\w{3,}(?:ness|[ts]ion|ity|iance|ience|uence|stance|hood|ism|acy|ement|itude)s?\Z|"
    r"(?:friend|relation|leader|hard|partner|sponsor)ship"
)
_THINGS = frozenset(
    "harness witness mansion pension potion station lotion carnation plantation cushion pavement "
    "basement city university".split()
)


def is_passing(noun: str) -> bool:
    """Is a noun in small letters a matter of the day, or nothing that one can keep?"""
    return noun in NOUNS or (bool(_ABSTRACT.match(noun)) and noun not in _THINGS)
