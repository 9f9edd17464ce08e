"""Words for reading clauses: who is a person, which verbs pass and which change something."""

from __future__ import annotations

import re

SELF, NAME, PERSON, YOU, THING = "self", "name", "person", "you", "thing"
THEY, SAME = "they", "same"
"""Kinds of subjects; the last two mean somebody, or what, the clause before was about."""
NOBODY = "nobody"
WE = frozenset("i i'm i've i'll i'd we we're we've we'll we'd".split())
FIRST = WE | frozenset("me my mine myself us our ours".split())
PRONOUNS = {
    word: kind
    for kind, words in (
        (SELF, "i i'm i've i'll i'd we we're we've we'll we'd"),
        (YOU, "you your yours yourself"),
        (THEY, "he she they his her their"),
        (SAME, "it that this here been no not has does"),
        (
            PERSON,
            "there someone somebody everyone everybody nobody people folk folks others anyone",
        ),
    )
    for word in words.split()
}
BE = frozenset("am is are isn't aren't be".split())
HAVE = frozenset("have has haven't hasn't".split())
CONTRACTED = {"m": "am", "re": "are", "s": "is", "ve": "have"}
MODALS = frozenset("can can't cannot do don't does doesn't must".split())
ADVERBS = frozenset(
    "also always never really just still only sometimes usually now finally already recently not "
    "actually both all simply lately ever long at last since then soon no longer".split()
)
DETERMINERS = frozenset("the a an some every each any this those these one".split())
PREPOSITIONS = frozenset(
    "in at on near by under over for from with behind beside before after to since without of "
    "during until instead next last".split()
)
PERSONS = frozenset(
    "brother brothers sister sisters friend friends mother father mom mum dad parents cousin "
    "cousins uncle aunt neighbour neighbours neighbor neighbors son sons daughter daughters "
    "husband wife boss master mistress grandmother grandfather grandma grandpa granny nephew niece "
    "granddaughter grandson grandchild grandchildren partner colleague apprentice roommate family "
    "fellow man men woman women boy girl lad lass child children kid kids baby folk folks people "
    "person stranger lord lady king queen baron duke count priest bishop judge captain sergeant "
    "smith blacksmith miller baker farmer innkeeper guard guards soldier merchant healer witch "
    "wizard thief beggar bard monk nun knight squire servant steward cook groom clerk porter "
    "sailor fisherman hunter shepherd tailor cooper weaver scribe miner mason tanner potter carter "
    "brewer farrier fletcher butcher cobbler carpenter doctor teacher student landlord landlady "
    "mayor pedlar peddler tinker rival enemy lover bride boyfriend girlfriend fiance fiancee ex "
    "twin flatmate housemate mate pal guy bloke chap dude buddy pupil customer patient".split()
)
PASSING = frozenset(
    "saw seen heard met visited stayed spent watched looked listened talked spoke said told asked "
    "walked waited sat stood slept dreamed dreamt ate eaten drank danced sang played rode worked "
    "lived dwelt resided wore served loved liked hated wanted needed thought believed knew "
    "felt hoped tried passed came travelled traveled read laughed helped used held quarrelled "
    "argued fought prayed rained enjoyed bet won noticed wondered called borne owned studied "
    "charged owed smelled tasted".split()
)
"""Verbs of the past that tell what happened, or lasted once, and leave nothing changed."""
NOT_PASSING = re.compile(r"\b(?:since|as an? \w+ (?:now|for))\b|\A(?:off|on) the \w+ and\b")
SETTLES = {
    "went": re.compile(
        r"\b(?:back|to live|for good|home|over to|into)\b|"
        r"\A(?:lame|blind|deaf|bald|grey|gray|mad|bad|missing|bankrupt|off)\b"
    ),
    "gone": re.compile(r"(?!to\b)"),
    "stopped": re.compile(r"ing\b"),
    "ran": re.compile(r"\b(?:off|away)\b"),
    "passed": re.compile(r"\A(?:away|on)\b"),
    "carried": re.compile(r"\b(?:to|into|over|up|down|away)\b"),
    "kept": re.compile(r"(?!)"),
    "had": re.compile(
        r"\A(?:to|enough|(?:an?|his|her|my|our|their) (?:\w+ )?"
        r"(?:birthday|baby|child|son|daughter))\b"
    ),
    "grew": re.compile(r"\b(?:tired|fond)\b"),
}
"""Verbs of the past that change something only with what follows."""
IRREGULAR_PAST = frozenset(
    "bought saw seen gave given came found taught caught brought felt left lost met kept slept "
    "held wrote written spoke spoken broke broken chose chosen drove driven rode ridden ate eaten "
    "fell fallen began begun swam swum sang sung ran won sold built sent spent grew grown drew "
    "drawn flew flown wore worn stole stolen fought swore sworn heard stood became become paid led "
    "fed hid hidden forgot forgotten went gone took taken got gotten had made quit put set wed "
    "said told thought knew known bet cut sank sunk drank drunk dwelt threw thrown shook been "
    "done".split()
)
MADE = frozenset(
    "made appointed promoted named elected hired given moved chosen sacked fired taken put sent "
    "changed dismissed transferred delayed postponed shifted sold lost born wed married".split()
)
"""What somebody "was" when something was done to them that lasts."""
ENDS = re.compile(
    r"\b(?:now|any ?more|no longer|no more|instead|these days|again|lately|over with|"
    r"back (?:in|to)|"
    r"(?:gone|went|signed|took \w+) off|(?:gave|given|giving|sold|packed) (?:\w+ )?up|left|leaving|"
    r"(?:gave|ran|went|passed|threw|given|sent) (?:\w+ ){0,3}(?:away|off|back)|sold|quit|"
    r"lost(?! in\b| at\b| again)|pawned|traded|swapped|exchanged|replaced|switched|turned|"
    r"died|is dead|broke|broken|stopped|finished|dumped|divorced|sacked|fired|the sack|"
    r"threw|sank|sunk|fled|packing|farewell|"
    r"(?:split|broke|broken|packed) up|passed away|kicked \w+ out|(?:my|our) new|"
    r"goodbye|(?:enough|sick|tired|weary) of|long enough|fed up|bores me|"
    r"retired|moved|changed|(?:did|does) (?:not|nothing)|didn't|"
    r"doesn't|can't|cannot)\b"
)
"""Words by which something is over, or is new."""
UNREAL = re.compile(
    r"\b(?:is|are|remains?|stays?) (?:\w+ )?(?:not relevant|irrelevant|none of|not your|"
    r"private(?! \w)|secret(?! \w)|confidential|nobody's|no business of|(?:own|private|personal) "
    r"(?:matter|affair|business))\b|"
    r"\b(?:would|wouldn't|i'd|he'd|she'd|they'd|we'd|might|maybe|perhaps|wish|wished|dream\w*|"
    r"hope|hopes|hoped|hoping|someday|one day|some day|if|if only|almost|nearly|"
    r"thinking (?:of|about)|think about|consider\w*|want to|wants to|wanted to|plan to|plans to|"
    r"planning|imagine|pretend\w*|joked?|supposed to|tempted|could(?! not|n't)|used to|never|"
    r"i (?:think|believe|guess|suppose|reckon|doubt))\b"
)
"""Words of a clause that tells of what is wished, planned, supposed, long over, or kept secret."""
FUTURE = re.compile(r"\b(?:going to|(?:will|\w+'ll)(?! find)|shall)\b")
"""What somebody will do is not done; what will be held on Friday is on Friday."""
TO_BE_TOLD = re.compile(
    r"\b((?:tell|told|say|said|ask\w*|guess\w*|know\w*|knew|forg[eo]t\w*|remember\w*|show\w*|"
    r"reveal\w*|wonder\w*|see|care|explain\w*)(?: (?:to )?\w+)?) "
    r"(?:who|what|where|when|why|how|which|whether)\b.*",
    re.I,
)
"""A question within a clause ("I won't tell where I live"): it answers nothing."""
LEADS = re.compile(
    r"\A(?:(?:oh|ah|well|actually|sorry|no|nope|yes|yeah|aye|wait|look|listen|hey|now|so|and|but|"
    r"then|also|still|anyway|honestly|truly|alas|luckily|today|lately|finally|guess what|after all|"
    r"good news|bad news|at last|these days|nowadays|right now|for now|i was wrong|my mistake|"
    r"as you know|you know|by the way|in truth|in fact|from today|from now on|this time|okay|ok|"
    r"right|hm+|wow|apparently|obviously|sadly|heads up|fyi|btw|to be honest|i mean|sure|ha(?:ha)*|"
    r"turns out|as it happens|funny thing)"
    r"(?:[,:!.]+ |, | (?=(?:I|I'm|I've|we|my|our|you|your|it|the|(?-i:[A-Z])\w*)\b)))",
    re.I,
)
"""What leads up to a clause."""
REPORTS = re.compile(
    r"\A(?:(?:they|people|folks?) say|word is|rumou?r has it|last I heard,?|as far as I know,?|"
    r"(?:someone|somebody) (?:told me|said)|(?:I'm|I am) (?:\w+ )?(?:sure|certain)|"
    r"(?:i|we) (?:hear|heard|know|say|said|was told|am told|swear))"
    r"(?: that)? (?=(?:I|my|we|the|[A-Z][\w']+) )|\Ait is true that ",
    re.I,
)
"""How a clause comes to be known."""
FILLERS = re.compile(
    r"(?:(?<=,)|(?<= and)|(?<= but)),? (?:well|like|wow|yeah|you know|i mean|honestly|sadly|"
    r"actually|apparently|i guess|anyway|ha(?:ha)*|lol|sorry|of course|obviously)(?=,),?",
    re.I,
)
"""What is thrown in between commas."""
HAVE_YOU_HEARD = re.compile(
    r"\A(?:\w+,? )?(?:did|have|didn't|haven't) (?:I|you|we) (?:\w+ )?(?:tell|told|mention|"
    r"mentioned|hear|heard|say|said)(?: (?:to )?you)?(?: that)? "
    r"(?=(?:I|I'm|I've|we|we're|we've|my|our)\b)",
    re.I,
)
"""A question that tells what it asks about."""
