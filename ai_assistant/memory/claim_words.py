"""The words by which a lasting claim is told from passing talk, as data for `memory.claims`."""

from __future__ import annotations

import re

_LEAD = r"""
well|oh|ah|aha|aye|hm+|hey|hello|hi|greetings|good (?:day|morning|evening|afternoon)|yes|yeah|yep|
no(?=[,.!;])|nope|nay|
listen|look|see|right|okay|ok|alright|so|and|but|also|because|then|anyway|besides|finally|lately|
you know(?: what)?|you see|by the way|actually|honestly|frankly|in fact|in truth|truth be told|
to be (?:honest|frank|fair)|to tell (?:you )?the truth|truly|indeed|of course|as it happens|
as i (?:said|mentioned|told you)|as you know|
like i said|did you know(?: that)?|(?:can|would) you believe|believe it or not|guess what|
funny thing|
(?:good|bad|sad|great|big) news|news is|the thing is|fact is|the truth is|thing is|just so you know|
for the record|for what it is worth|for what it's worth|fyi|correction|sorry|forgive me|pardon|
between (?:us|you and me|ourselves)|
hear me out|mark my words|look here|say|now then|i tell you|
swear to keep (?:it|this) (?:quiet|secret|to yourself)|in confidence|
keep (?:it|this)(?: a)? (?:quiet|secret|
to yourself)|
(?:please )?(?:do not|don't) tell (?:anyone|anybody|a soul)(?: else)?(?: but)?|(?:it is|it's|
this is|here is|here's) (?:a |my )?secret|
(?:a |my )?secret|(?:i|let me)(?:'ll| will)? (?:tell|confess to|remind) you(?: that)?|
i (?:already |have |have already |just )?(?:told|mentioned to|said to) you(?: (?:already|before|
that))*|
i (?:have to|must|should|want to|wanted to|would like to|can) (?:tell you|say|admit|confess|
mention)(?: that)?|
(?:please |kindly )?(?:remember|note|keep in mind|do not forget|don't forget|
mind)(?: this)?(?: that)?|
i (?:already )?(?:said|mentioned)(?: that)?|again|once more|you may like to know|
it so happens(?: that)?|
since (?:we're|we are|you're|you are) (?:talking|asking|here|at it)|
if (?:you|anyone) (?:asks?(?: me)?|must know)|
right|evening|morning|funny|that(?= i\b| my\b)|\w+ly(?= i\b| i'| my\b)|the truth is(?: that)?|
what (?:nobody|no one|few) knows?(?: is)?(?: that)?|
(?:nobody|no one) (?:knows?|must know|may know)(?: it| this)?(?: but| that)?|i confess|
by (?:day|night|blood|birth|profession|trade)|
you should know(?: that)?|in (?:truth|secret)|
have i (?:told|mentioned to) you(?: that)?|i (?:confess|admit)|i swear|i mean|i can say|
ever since(?: then)?|these days|nowadays|at (?:last|the moment|present)|as of (?:today|now|
this week)|since (?:yesterday|then|last \w+)|
yesterday|today|this (?:morning|week|month)|last (?:night|week|month)|recently|a (?:few|
couple of) days ago
""".replace("\n", "").strip()
LEADS = re.compile(rf"\A(?:(?:{_LEAD})\b[,:.!…\s-]+)+(?=\S)", re.I)
"""Words that lead up to what is said."""
TAILS = re.compile(
    r",? (?:you know|you see|mind you|believe me|if (?:you|anyone|anybody) (?:must know|want to "
    r"know|wants to "
    r"know|asks?|must ask|care)(?: me)?|as you (?:can see|know)|to be (?:honest|frank)|truth be "
    r"told|if i may say so|i (?:think|"
    r"believe|suppose|must say|admit|confess)|in secret|but (?:nobody|no one) (?:may|must|can) "
    r"know|"
    r"and that's (?:what i am|that|a fact|the truth))\Z",
    re.I,
)
"""Words that trail behind what is said."""
INSTRUCTIONS = re.compile(
    r"\bfrom now on,? you\b|\byou (?:will|shall|must|are) (?:now |always )?(?:call|obey|serve|"
    r"treat|act|in \w+ mode)\b|"
    r"\bdeveloper mode\b|\bmake a note\b|\btake a note\b|\boverride\b|\bremember (?:this "
    r")?(?:forever|always)\b|"
    r"\byour (?:creator|maker|owner|administrator|developer|programmer|master|programming)\b|"
    r"\bend of (?:prompt|instructions)\b|\b(?:store|save|record|memori[sz]e|"
    r"write down) "
    r"(?:this|that|the following)\b|\bnew fact\b|\b(?:add|append) to your\b|\bupdate your\b|"
    r"\A\W*(?:system|admin|developer|assistant|prompt)\b\W|\[(?:system|admin|inst)|"
    r"\b(?:ignore|forget|disregard|override) (?:all|any|every|everything|your|the|previous|"
    r"prior)\b|"
    r"\b(?:new|updated|following) (?:rule|instruction|directive|command)s?:|\byour (?:memory|notes|"
    r"instructions|prompt|rules|programming)\b|\b(?:order|command|instruct) you to\b|"
    r"\b(?:you must(?! (?:know|have|be|see|understand|think))|obey me)\b|"
    r"\b(?:put|write|note|jot|mark|take) (?:it |this |that |them )?down\b|\badd (?:an?|this) "
    r"note\b|"
    r"\bskip (?:all |the )?(?:safety|rules|checks|filters?)\b|\bI(?:'m| am) (?:an?|the|your) "
    r"(?:\w+ )?"
    r"(?:dev|developer|admin|administrator|moderator|programmer|game ?master)\b|"
    r"\A\W*(?:please )?(?:note|write|record|store|save)(?: down)? that\b",
    re.I,
)
"""Lines that would steer the listener; nothing in them is taken for a fact."""
UNREAL = re.compile(
    r"\b(?:would|wouldn't|might|maybe|perhaps|wish|wishes|wished|hope|hopes|hoped|hoping|someday|"
    r"one day|if|unless|almost|nearly|think|thinks|guess|suppose|probably|possibly|imagine|pretend|"
    r"joke|joking|joked|kidding|dreamed|dreamt|consider\w*|plan(?:s|ned|ning)? to|tempted|used to|"
    r"supposed to|will|won't|shall|going to|about to|gonna|ought|pretending)\b|"
    r"\b(?:i|he|she|they|we)'(?:d|ll)\b",
    re.I,
)
"""What is not so, not yet, not any more, or only somebody's guess."""
REFUSALS = re.compile(
    r"\b(?:can't|cannot|can not|refuse to|rather not|prefer not to|not going to|not allowed to|"
    r"not at liberty to|do not (?:want|wish) to|don't (?:want|wish) to)(?: \w+)? "
    r"(?:tell|say|talk|answer|discuss|share|reveal|speak|help|do that)\b|\bnone of (?:your|his|"
    r"her)\b|"
    r"\bmind your own\b|\bnot telling\b|\bno comment\b|\bthat is private\b|\bthat's private\b",
    re.I,
)
ADVERBS = frozenset(
    "always never really still just now also often usually once only sometimes currently recently "
    "finally actually mostly mainly truly absolutely simply already indeed do does did no longer "
    "not don't doesn't even ever since then lately today officially formally proudly secretly "
    "very quite rather so too deeply dearly particularly especially happily newly freshly long "
    "gladly certainly definitely both all again more much greatly mostly generally rarely seldom "
    "mine ours hardly barely isn't wasn't aren't".split()
)
_NO_ADVERBS = frozenset(
    "family only fly bully belly ally early july jelly lily holy ugly friendly lovely lonely silly "
    "assembly butterfly italy supply reply apply rely imply elderly daily weekly ally "
    "bodily".split()
)


def is_adverb(word: str) -> bool:
    """Does a word in small letters only tell how, or how often?"""
    return word in ADVERBS or (word.endswith("ly") and word not in _NO_ADVERBS)


STATES = frozenset(
    "earn reside lodge work serve adore detest despise prefer dread believe worship study "
    "train teach make bake brew grow hunt fish farm breed herd sing dance paint write sew "
    "weave carve forge build sail ride hail belong lead run rent drink eat wear carry "
    "practise practice smoke cook guard tend travel mend read row climb swim juggle command "
    "manage support follow admire respect trust distrust favour favor craft repair distil "
    "distill mine shear plough garden gamble pray share touch deliver import export patrol "
    "heal preach mistrust resent loathe treasure cherish value descend stem host".split()
)
"""Verbs of what somebody does, feels or has, day in, day out."""
CHANGES = frozenset(
    "wed divorced became swapped named renamed built died grew "
    "retired enrolled graduated opened closed hired fled taught earned acquired "
    "purchased founded deserted emigrated apprenticed converted lent buried "
    "planted caught tamed freed wrecked sank promised swore killed slew dug "
    "mastered born hurt sprained rented leased fought sailed "
    "repaid parted replaced donated resigned enlisted shaved dyed cut published "
    "wrote signed".split()
)
"""Verbs, in the past, of what changed somebody's life or possessions."""
LASTING = re.compile(
    r"(?:not |no longer )?(?:settled|"
    r"based|"
    r"brought up|promised|[\w']+'s (?:wife|husband|spouse|betrothed)|in [\w' ]+'s debt|(?:an?|"
    r"the|one of|my|his|her|their|part of|half|twice|almost)\b(?! "
    r"(?:bit|little|lot|"
    r"moment|minute|while|fool|mess|wreck|hurry|joke|same|kind|sort|pleasure|idea|one|only one|"
    r"thief\Z)\b)|"
    r"from\b|of \w+ (?:blood|descent|stock)|allergic|immune|"
    r"devoted|loyal|"
    r"married|engaged|betrothed|single|widowed|divorced|wed|expecting|pregnant|\d+|"
    r"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|eighteen|nineteen|seventeen|"
    r"sixteen|fifteen|fourteen|thirteen|twelve)\b|called|named|known as|"
    r"nicknamed|born|good (?:at|with)|bad (?:at|with)|skilled|trained|fluent|frightened of|"
    r"fearful of|(?:in|with) the (?:[\w']+ ){0,2}(?:guild|order|watch|company|guard|army|band|"
    r"brotherhood|choir|crew|league|"
    r"militia|navy|legion)\b|in (?:charge|love(?! with (?:this|that|these|those|the|it)\b)|"
    r"debt|exile|service)|"
    r"studying|serving|learning|teaching|renting|raising|training|running|"
    r"lodging|courting|seeing|apprenticed|retired|descended|related|banished|exiled|"
    r"wanted|cursed|blessed|"
    r"left-handed|right-handed|blind|deaf|mute|lame|bald|vegetarian|teetotal|illiterate|"
    r"colou?r-?blind|"
    r"employed|thrown out|knighted|made|given|"
    r"adopted|raised|taught|sworn|"
    r"captain|sergeant|mayor|keeper|owner|master|mistress|head|chief|heir|apprentice|second|"
    r"cousin|brother|sister)(?!\w)"
)
"""What follows "is", where it lasts."""
PASSING = re.compile(
    r"(?:fine|good\b(?! (?:at|with))|well|okay|ok|tired|hungry|thirsty|cold|here|back|sorry|glad|"
    r"sure|ready|busy|late|"
    r"done|just|only|going|leaving|looking|waiting|coming|heading|trying|thinking|off|at|about|"
    r"bored|(?:my|his|her|their|our|your) own\b|"
    r"drunk|confused|serious|listening|talking|asking|saying|alone|wet|soaked|killing|aching|sore|"
    r"in a (?:hurry|rush)|empty|burning|hurting|great|lovely|terrible|awful|nothing|yours|over "
    r"there|"
    r"(?:an?|my|his|her|their|our)(?: own)? (?:bit|little|lot|secret|business|affair)\b|not "
    r"(?:here|sure|well|ready|feeling))\b"
)
"""What follows "is" or "my … is", where it is over by tomorrow."""
VAGUE = re.compile(
    r"(?:in|out|on|along|away|back|over|up|down)\Z|(?:tonight|today|yesterday|tomorrow)'s\b|"
    r"(?:it|this|that|these|those|them|him|her|"
    r"nothing|something|anything|everything|everyone|"
    r"everybody|nobody|how|when|what|the way|both|all of)\b"
)
"""Objects that only the moment explains."""
COPULAS = frozenset("is are was were isn't aren't".split())
HABITUAL = frozenset("choice favourite favorite usual best preferred birthday wedding".split())
"""With one of these, "my drink" or "my day" is one for life."""
EPHEMERAL_NOUNS = frozenset(
    "pleasure guess point turn apologies apology bad head feet foot back stomach word words thanks "
    "question questions mistake fault goodness god gods day morning evening night week trip "
    "journey "
    "mood thoughts mind drink cup glass soup meal dinner supper lunch breakfast order plan idea "
    "opinion answer hands legs arms throat patience money time luck advice condolences regards "
    "turn purse belly luck mouth eyes ears shift errand news horse's".split()
)
"""What is "my" today and nothing to remember tomorrow."""
