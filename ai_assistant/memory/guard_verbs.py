"""The verbs that the persona guard knows, and what a word may be as a verb."""

from __future__ import annotations

import re


def words(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


AUXILIARIES = words(
    "is are was were am be been has have had does do did can could will would shall should may "
    "might must cannot isn't aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't "
    "can't couldn't won't wouldn't shouldn't mustn't"
)
AGREES = words("is has does isn't hasn't doesn't means stands appears rules reigns")
"""Forms that never follow the pronoun I: what stands before them is a thing of that name."""
COPULAS = words("is are was were am be been not than as and or nor but only even just did do does")
PAST = words(
    "lied tied owed dyed eyed "
    "was were did had went gave took saw wrote spoke knew grew drew threw flew began drank sang "
    "rang swam ran came became chose woke broke stole froze forgot ate fell drove rode rose wore "
    "tore bore swore shook hid bit lay sank sprang shrank overheard told said made got kept left "
    "lost met paid sat sent sold shot slept spent stood taught thought brought bought built caught "
    "dealt dug felt fought found fed fled heard held hung laid led lent lit meant shone slid spun "
    "stuck struck swept swung understood won wept wound bound bled learnt burnt forgave foresaw "
    "arose awoke bade blew bred clung crept dreamt dwelt flung forbade knelt leapt slung sped "
    "spilt spat spoilt stung trod wove wrung withstood undertook oversaw withdrew misled retold "
    "rebuilt repaid"
)
BARE_PAST = words(
    "beat burst shed thrust slit bid set put let read cut hit shut split spread cast bet hurt quit"
)
"""Past forms that are also the base form."""
PARTICIPLES = words(
    "given taken seen written spoken known grown drawn thrown begun sung run come become chosen "
    "broken stolen frozen forgotten eaten fallen driven ridden risen worn torn sworn shaken hidden "
    "bitten done gone born beaten"
)
NOT_PAST = words(
    "sacred hundred kindred hatred indeed naked wicked ragged rugged crooked aged biped moped "
    "hallowed beloved jared ahmed mohammed muhammed hamed ingred sled shred thread embed misdeed"
)
_PREFIX = re.compile(r"\A(?:mis|re|over|out|fore)(?=\w{3})")
_NAME_LIKE = re.compile(r"(?:[dfglbt]h?red|fried|bread|eed)\Z")
_REAL_EED = words("agreed disagreed freed decreed guaranteed refereed")
SERVICE = words(
    "helped assisted guided explained answered told asked promised warned advised taught showed "
    "gave offered greeted welcomed escorted protected rescued saved healed comforted encouraged "
    "thanked informed reminded instructed introduced invited joined accompanied consoled reassured "
    "described mentioned suggested recommended replied responded supported defended apologized "
    "apologised convinced persuaded calmed praised discussed chatted talked spoke listened agreed "
    "refused declined accepted admitted confessed noticed realized realised remembered decided "
    "learned tried managed failed hoped wished walked travelled traveled waited looked "
    "searched visited worked played stayed returned arrived wondered laughed smiled nodded bowed "
    "waved cheered gathered received completed finished started continued delivered collected "
    "sought spent went came saw met thought said wrote sent brought bought made led handed lent "
    "provided granted directed pointed pledged vowed swore believed enjoyed liked loved hated "
    "noted recorded updated checked observed watched heard felt knew found created sold kept "
)
"""Past forms of what one does for or with people; before a bare noun they are verbs, too."""
MOTION_OR_TALK = words(
    "talked spoke listened chatted walked travelled traveled waited looked searched worked played "
    "stayed returned arrived replied responded agreed apologized apologised wondered laughed "
    "smiled nodded bowed waved cheered went came sat slept stood ran swam flew fought argued "
    "explained insisted decided tried managed failed hoped wished noticed realized realised "
    "remembered began fell spent rode drove lay thought wrote said got discussed helped assisted "
    "learned learnt reminded started continued swore vowed met"
)
"""Past forms that never open a phrase such as ``Wounded in battle, Bob …``."""
CLAUSE_TAKING = words(
    "saw heard learned learnt knew thought noticed realized realised felt found believed decided "
    "understood remembered said hoped wished agreed discovered concluded assumed guessed swore "
    "promised explained says thinks believes knows hopes claims claimed suspects suspected that"
)
RETAINS_OBJECT = words(
    "told asked offered promised denied awarded granted shown taught handed paid sent lent refused "
    "allowed made named elected appointed crowned called dubbed nicknamed considered deemed "
    "thought believed declared rated voted provided proclaimed assigned"
)
"""Past participles that keep an object: ``Promised the throne, Bob turned traitor.``"""
PLACED = words(
    "sat stood slept stayed walked waited lay passed ran came went stopped dropped worked played "
    "met fell camped rested lived lingered"
)
"""Past forms after which ``by`` says where, not who."""
NAMES_TOO = words("rose drew wade saw bit")
"""Past forms that are names as well."""
ENDURING = words(
    "end belong cost need lie go get keep turn come sell hang arrive stay live wait become make "
    "take help look find start begin break burn grow glow fall rise sleep drink rest"
)
"""Verbs that end a reading such as ``Lost items end up …``, where the first word is no verb."""
PLAIN_MODALS = words(
    "must should could would cannot can't couldn't won't wouldn't shouldn't mustn't"
)
"""Auxiliaries that are nobody's name and no noun."""
PREDICATING = words("is are was were can must should may will has cannot")
INVERTING = words("lies stands hangs rests sits sleeps waits")
MOVED = words(
    "impressed touched moved amused annoyed charmed saddened surprised worried flattered delighted "
    "intrigued fascinated hurt shocked troubled offended disappointed"
)
"""Participles of feelings: ``Impressed by Alice.`` is a note on one's own."""
STATIVE = words(
    "located situated based called named rumored rumoured considered required needed forbidden "
    "closed opened guarded surrounded rumoured nicknamed related dedicated devoted compared "
    "accustomed used supposed allowed permitted composed filled covered crowned dressed founded "
    "made built born known built"
)
QUALIFYING = words("guided rescued invited saved protected collected gathered returned")
"""Of those, the ones that readily qualify a noun: ``Rescued sailors sleep …``."""
ADJECTIVAL = words(
    "experienced exhausted injured wounded retired stolen locked abandoned armed armored "
    "armoured enchanted cursed haunted tired bored interested aged seasoned skilled trained "
    "talented gifted married masked hooded trusted hired paid salted smoked dried baked cooked "
    "roasted fried boiled learned wanted needed used closed frightened scared confused worried "
    "crowded ruined destroyed damaged broken fallen banned captured defeated disguised drunken "
    "educated elected excited extended faded failed famed flooded forged gilded hardened heated "
    "imported inspired invited isolated limited loaded marked mixed motivated noted organized "
    "painted pickled polished posted preferred printed rated recommended registered related "
    "repeated reported respected reserved restricted rotted rumored rumoured rusted sealed "
    "soaked spiced spoiled starved stranded stuffed sunken suspected torn tainted twisted "
    "united unmarried varied weathered winged worn lit"
)
SPEECH = words(
    "mentioned mentions reported informs observed observes argued argues recounted recounts "
    "blurted stammered "
    "said told asked replied answered wrote shouted whispered mumbled muttered cried exclaimed "
    "declared announced admitted confessed claimed stated explained added yelled screamed sang "
    "joked complained boasted bragged insisted repeated quoted vowed swore warned recalled "
    "remarked posted typed sobbed growled grumbled hissed begged pleaded lamented "
    "wondered murmured bellowed chanted wailed groaned snapped boomed croaked thought responded "
    "says tells asks replies writes shouts whispers mumbles mutters cries exclaims declares "
    "announces admits confesses states explains adds yells screams sings jokes complains boasts "
    "brags insists repeats quoting vows swears warns recalls remarks posts types sobs growls "
    "grumbles hisses begs pleads laments wonders murmurs chants saying asking telling "
    "shouting whispering writing say tell shout cry reads thinks insist responds"
)
SPEECH_OR_NOUN = words(
    "goes reports notes claims answers quotes calls promises promised noted called promise"
)
PLAINLY_SAID = words(
    "said says replied replies wrote writes whispered whispers shouted shouts exclaimed exclaims "
    "yelled yells screamed screams "
    "admitted admits complained complains announced announces declared declares muttered mutters "
    "sobbed sobs sighed sighs"
)
ANSWERS = words(
    "answered replied listened agreed explained told helped obeyed followed laughed nodded wrote "
    "gave did asked said refused went came ran left"
)
COMMON_VERBS = words(
    "help go be give tell take meet try make show find keep do get see bring guide protect "
    "remember ask teach come wait talk need never know want like love hate say speak think believe "
    "stay leave return send explain offer promise warn greet welcome visit look check watch "
    "listen call let use buy sell pay work play walk follow lead join save rescue heal explore "
    "search learn write read sing dance fight defend attack escort deliver carry hold open close "
    "build fix repair cook eat drink sleep rest stop start begin finish continue have feel serve "
    "support assist answer reply respond share trust thank prefer hope wish rather remind invite "
    "introduce advise suggest consider provide collect gather prepare study train hide run die "
    "live change move turn put set become add miss always probably definitely not also"
)
PRESENT_SELF = words(
    "owe need want suspect hope wish feel think believe doubt wonder guess prefer intend plan aim "
    "promise swear miss regret gonna wanna gotta"
)
FEELING = words(
    "glad happy sorry proud grateful honored honoured delighted pleased unsure uncertain eager "
    "willing excited thankful ashamed relieved curious determined certain "
    "sure fond afraid"
)
MIND = words("know remember think understand recall believe like trust see feel want have mind")
DOING = words(
    "helping assisting guiding teaching telling giving showing escorting protecting planning "
    "trying going hoping looking working waiting preparing thinking considering feeling wondering "
    "explaining promising talking speaking learning answering "
    "enjoying meeting visiting bringing taking repairing"
)


def is_past(word: str) -> bool:
    """May this word be the past form of a verb?"""
    low = word.lower()
    if low in PAST or low in BARE_PAST or _PREFIX.sub("", low) in PAST:
        return True
    regular = len(low) > 4 and low.endswith("ed") and low not in NOT_PAST
    return regular and (low in _REAL_EED or not _NAME_LIKE.search(low))


def is_finite(word: str) -> bool:
    """Is this word a verb that has a subject: a past form or an auxiliary?"""
    return word.lower() in AUXILIARIES or is_past(word)


def is_common(word: str) -> bool:
    """Is this a common verb in the present tense?"""
    return word.lower() in COMMON_VERBS | ENDURING or third_person(word)


def third_person(word: str) -> bool:
    """Is this the form of a common verb that goes with he, she or it?"""
    low = word.lower()
    stem = low.removesuffix("s")
    return low.endswith("s") and bool({stem, low.removesuffix("es")} & COMMON_VERBS)
