"""Words of passing matters, as data for `memory.lasting`: what is had, taken or lost for a day."""

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
    "dinner supper dessert candle fire door window chair stool table bench bed coin coins purse "
    "hat coat gloves cloakroom bill".split()
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
