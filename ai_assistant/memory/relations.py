"""Relations: what people tell of themselves, and by which words, as data for `memory.readings`.

The patterns stand for clauses in plain form (`memory.wording`): verbs in their first form, no
articles, no adverbs, no denials. ``~`` is where the value stands. What is matched is what follows
"I", what is somebody's ("my …"), or a whole clause that tells something of "me".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ai_assistant.memory.nouns import HOUSE, JOB, MONEY, ORDER, SPOUSE, TRADE

_AUX = (
    r"(?:be (?:one|thief|fool|person|culprit|me) (?:who|that) )?(?P<aux>(?:(?:be|have|get|can|"
    r"keep|do|end up|start(?: to)?|begin(?: to)?|(?:come|grow|learn|manage|"
    r"happen|have|be able|take|use|decide) to|know how to|teach myself(?: to)?|stop|quit|cease|"
    r"give up|"
    r"grow up) )*?)"
)
_AT = (
    r"(?:over |down |up |out |back )?(?:in|at|to|near|on|by|above|under|behind|outside|inside|"
    r"into|beside)"
)
_LIKE = "like|love|adore|enjoy|favour|cherish|treasure|relish|prefer|appreciate"
_HATE = "hate|dislike|detest|despise|loathe|resent|abhor"
_ILL = r"(?:ill|sick|sneeze|itch|swell(?: up)?|rash|hives?|spots?)"
GOOD, BAD, OVER = "good", "bad", "over"
_I_SAY: tuple[tuple[str, str, str], ...] = (
    # origin before home: "from" says more than "in"
    ("origin", GOOD, r"(?:come|hail|stem|originate|descend|be)(?: here)? from ~"),
    ("origin", GOOD, r"(?:be )?(?:bear|raise|rear|breed|bring up|grow up)(?: and \w+)? (?:in|at|"
                     r"on|near) "
     rf"(?:{HOUSE} {_AT} )?~"),
    ("origin", GOOD, r"(?:spend (?:my )?(?:\w+ )?childhood|see (?:the )?light of day|have my "
                     r"roots) "
     r"in ~"),
    ("origin", GOOD, r"be native of ~"),
    ("origin", GOOD, r"leave ~ as (?:child|boy|girl)"),
    # home
    ("home", OVER, r"(?:move out of|leave|sell) my (?:old )?(?:place|house|home)(?P<v>)"),
    ("home", GOOD, rf"(?:move|relocate|shift)(?: house)?(?: from .*?| out of .*?)? (?:and )?"
     rf"(?:in )?(?:to|into) (?:{HOUSE} {_AT} )?~"),
    ("home", GOOD, r"leave .+? for ~"),
    ("home", GOOD, rf"(?:(?:{_LIKE}|{_HATE}) )?(?:live|dwell|reside|lodge|stay|settle|sleep|"
                   rf"rent|camp|squat|crash|base)"
     rf"(?: \w+){{0,3}}? {_AT} (?:{HOUSE} {_AT} )?~"),
    ("home", GOOD, rf"(?:have|own|keep|rent|lease|take|find|buy|get|share|make|build)(?: my)?"
     rf" {HOUSE} {_AT} ~"),
    ("home", GOOD, r"be (?:resident of|at home in|settle in|base in) ~"),
    # likes and dislikes
    ("likes", OVER, r"(?:go off|be over|outgrow|grow out of|lose my (?:taste|love|liking) for) ~"),
    ("likes", OVER, r"(?:be|grow|become)? ?(?:tire|tired|sick|weary) of ~"),
    ("likes", OVER, r"have (?:enough|my fill) of ~"),
    ("favourite", GOOD, rf"(?:{_LIKE}|pick|choose) ~ (?:best|most|more than|over|above|to "
                        rf"(?:every|all))\b.*"),
    ("favourite", GOOD, r"drink nothing but ~"),
    ("favourite", GOOD, r"(?:consider|call) ~ (?:to be )?my favourite (?P<what>\w+)"),
    ("likes", GOOD, rf"(?:{_LIKE}) nothing (?:better|more) than ~"),
    ("collects", GOOD, rf"(?:(?:{_LIKE}|be into|be keen on) )?(?:collect|hoard|gather|amass) ~"),
    ("collects", GOOD, r"be (?:\S+ ){0,2}?collector of ~"),
    ("collects", GOOD, r"(?:have|keep|own) (?:\S+ ){0,3}?(?:collection|shelf|box|chest|drawer|"
     r"room|pile)(?: full)? of ~"),
    ("likes", GOOD, rf"(?:{_LIKE}) ~"),
    ("likes", GOOD, r"be (?:\S+ )??(?:fond of|keen on|mad about|crazy about|wild about|nuts? "
     r"about|partial to|obsess with|obsessed with|addicted to|all about|big on|fine with|"
     r"okay with|alright with|devoted to) ~"),
    ("likes", GOOD, r"be (?:into|enthusiastic about|passionate about|interested in) ~"),
    ("likes", GOOD, r"(?:become|grow) (?:fond of|keen on) ~"),
    ("likes", OVER, r"lose interest in ~"),
    ("likes", GOOD, r"find ~ (?:delightful|lovely|wonderful|charming|enchanting|enjoyable)"),
    ("likes", BAD, r"find ~ (?:awful|horrible|disgusting|terrible|annoying|tiresome|dreadful)"),
    ("likes", GOOD, r"be (?:\S+ ){0,2}?(?:lover|fan|friend|admirer|sucker|enthusiast) (?:of|"
                    r"for) ~"),
    ("likes", GOOD, r"have (?:\S+ ){0,2}?(?:love|weakness|soft spot|passion|liking|fondness|taste|"
     r"crush|feelings?|patience) (?:for|on) ~"),
    ("likes", GOOD, r"(?:take|find) (?:\S+ )?(?:pleasure|delight|joy|comfort) in ~"),
    ("likes", GOOD, r"(?:be|fall)(?: \S+){0,4}? in love with ~"),
    ("likes", GOOD, r"fall for ~"),
    ("likes", GOOD, r"(?:lose|give) my heart to ~"),
    ("likes", GOOD, r"(?:make (?:my )?peace with|warm to|warm up to|take to|come round to|"
     r"care for) ~"),
    ("likes", BAD, rf"(?:{_HATE}|mind) ~"),
    ("likes", GOOD, r"not can (?:get enough of|live without|do without|resist) ~"),
    ("likes", BAD, r"not can (?:stand|bear|abide|stomach|tolerate|put up with) ~"),
    # fears, health
    ("fears", GOOD, r"(?:fear|dread) ~"),
    ("fears", GOOD, r"be (?:\S+ )??(?:afraid|scare|scared|terrify|frighten|petrify|fearful)(?: to "
     r"death| stiff)? of ~"),
    ("fears", GOOD, r"(?:have|get|live in|suffer from) (?:\S+ ){0,2}?(?:fear|terror|dread|"
                    r"horror|phobia|thing) "
     r"(?:of|about) ~"),
    ("allergy", GOOD, r"be (?:\S+ )??allergic(?: to ~)?"),
    ("allergy", GOOD, r"(?:have|suffer from) (?:\S+ )??(?:allergy|reaction) to ~"),
    ("allergy", GOOD, r"have ~ allergy"),
    ("allergy", GOOD, rf"(?:get|come out in|break out in|fall|become|feel|have|be)(?: make)? {_ILL}"
     rf" (?:from|of|by|if i \w+|when i \w+|whenever i \w+) ~"),
    ("allergy", GOOD, r"not (?:can|may|must) (?:eat|touch|have|drink) ~"),
    ("allergy", GOOD, r"not (?:eat|touch) ~"),
    # debts
    ("owes", OVER, r"(?:pay|repay|settle|clear|square) my debts?(?P<v>)"),
    ("owes", OVER, r"(?:pay|repay|settle|clear|square)(?: off)? (?:up )?(?:my |off |all )?(?:\S+ )?"
     r"(?:debts?|tab|account|score|bill|loan) (?:to|with) ~"),
    ("owes", OVER, r"pay ~ (?:back|off|what i owe)\b.*"),
    ("owes", OVER, r"(?:pay (?:back|off)|repay|settle(?: up)? with|be (?:even|square|quits) "
                   r"with) ~"),
    ("owes", OVER, r"owe ~ nothing\b.*"),
    ("owes", GOOD, rf"owe (?:{MONEY}|debt) to ~"),
    ("owes", GOOD, r"(?:owe|be in debt to|have (?:\S+ )??debt (?:to|with)) ~"),
    ("owes", GOOD, r"be in ~ debt"),
    ("owes", GOOD, rf"borrow (?:{MONEY}) (?:from|of|off) ~"),
    ("owes", GOOD, r"(?:must to|must|need to|yet to) (?:pay|repay) ~ back"),
    ("owes", GOOD, r"(?:must to|must|need to|yet to) (?:pay back|repay) ~"),
    # belonging
    ("member", GOOD, r"(?:be|become) (?:\S+ ){0,2}?(?:member|part|one) of ~"),
    ("member", GOOD, r"(?:belong (?:to|with)|join(?: up)?(?: with)?|sign up (?:with|for)|enlist "
     r"(?:in|with)|be (?:swear|accept|admit|initiate|take|welcome) into|(?:hold|have) "
     r"membership (?:in|of)|enrol in|enroll in) ~"),
    ("member", GOOD, rf"(?:be|serve|march|ride|be swear) (?:in|with|into|for|of) {ORDER}"),
    ("member", OVER, rf"(?:leave|quit|desert|resign from|drop out of|walk out on|step down from|"
     rf"retire from) {ORDER}"),
    ("member", OVER, r"(?:throw|kick|expel|dismiss|boot|chuck|cast|toss)(?: out)? (?:of|from) ~"),
    # spouse, name
    ("spouse", GOOD, r"(?:be|get) (?:marry|wed|wedded|engage|betroth|betrothed|promise) to ~"),
    ("spouse", GOOD, r"(?:marry|wed) ~"),
    ("spouse", GOOD, rf"be (?P<v>\S+)'s {SPOUSE}"),
    ("name", GOOD, r"(?:be (?:call|name|know as|nickname)|go by(?: name of)?) ~"),
    ("faith", GOOD, r"(?:worship|believe in|pray to) ~"),
    # work
    ("work", GOOD, rf"(?:learn|take up) {JOB} of ~"),
    ("work", GOOD, r"(?:(?:work|serve|train|employ|hire|start|sign|labour|toil|apprentice)"
     rf"(?: on| here)?(?: {JOB})?|(?:make|earn)(?: my| a)? (?:live|money|bread|keep|coin)|"
     rf"work for my (?:bread|live|keep)|(?:take up|take|find|get|have|start|land|hold)(?: \w+)? "
     rf"{JOB}"
     r"(?: working)?) (?:as|by be|be) ~"),
    ("work", GOOD, r"(?:switch|change|go) from .+? to be ~"),
    ("workplace", GOOD, r"work (?:at|for|in) ~"),
    ("work", GOOD, r"do ~ thing(?: for live)?"),
    ("work", GOOD, rf"(?:become|be(?: (?:make|appoint|name|elect|promote))?(?: to)?|turn) {TRADE}"),
    ("work", OVER, rf"(?:quit|give up|stop|retire) (?:be|as|work as) {TRADE}"),
    ("work", OVER, rf"(?:quit|give up|leave|retire from|lose|switch|change) (?:my )?(?:\w+ "
                   rf")?{JOB}s?(?P<v>)"),
    # what one can
    ("skill", GOOD, r"(?:be (?:\S+ ){0,2}?(?:good|skill|skilled|decent|great|fair|bad|handy|adept|"
     r"gifted|hand|expert|proficient) (?:at|on|with|in) )(?:play )?~"),
    ("skill", GOOD, r"be (?:skilled |good |great |keen )?~ player"),
    ("skill", GOOD, r"(?:earn .*? )?(?:(?:can )?understand and )?(?:speak and (?:read|write)|"
                    r"play|strum|speak|be fluent "
                    r"in|master|be (?:\S+ )??speaker of|"
     r"have (?:\S+ )??command of|(?:understand|read|write) and speak|"
     r"teach myself|learn|know(?! "
     r"how)|pick up)"
     r" (?:to (?:play|speak) |on |fluent |of |some )*~"),
    # goods
    ("stole", GOOD, r"be responsible for theft of ~"),
    ("stole", GOOD, r"(?:steal|swipe|pinch|nick|pilfer|lift|filch|make off with) ~"),
    ("has", OVER, r"(?:sell(?: off)?|lose|pawn|wreck|break|free|bury|sink|donate|give away|part "
     r"with|get rid of|throw away) ~"),
    ("has", OVER, r"(?:give|trade|throw|gamble) ~ away\b.*"),
    ("has", OVER, r"give ~ to .+"),
    ("has", GOOD, r"(?:trade|swap) .+? for ~"),
    ("has", OVER, r"(?:trade|swap) ~ for .+"),
    ("has", GOOD, r"be (?:\S+ )??owner of ~"),
    ("has", GOOD, r"be give ~"),
    ("has", GOOD, r"(?:have|own|possess|keep|buy|get|acquire|obtain|procure|purchase|inherit|"
                  r"adopt|receive|win|"
     r"find|pick up|end up with|come into|land|score|raise|breed|herd)(?: myself)? "
     r"(?!(?:be|get|have|own|buy|find|win|sell|lose|keep|go|take|make|come)\b)~"),
)  # fmt: skip
"""What follows "I": (kind, does it hold or is it over?, pattern); the first that fits."""

_MY: tuple[tuple[str, str, str, str], ...] = (
    (
        "favourite",
        GOOD,
        r"(?:\w+ )?(?:favourite|prefer|preferred|best-loved)(?: (?P<what>(?!.*\buse\b).+?))?",
        "~",
    ),
    ("favourite", GOOD, r"(?P<what>\w+) of choice", "~"),
    ("spouse", GOOD, rf"(?:\w+ )?{SPOUSE}(?:'s name)?", r"(?:call |name )?~"),
    (
        "work",
        GOOD,
        rf"(?:\w+ )?(?:{JOB}|occupation|call|live)(?: title)?",
        r"(?:be |as |work as "
        r")*~",
    ),
    (
        "home",
        GOOD,
        r"(?:\w+ )?(?:home|house|place|flat|rooms?|cottage|address|residence|dwelling)",
        rf"(?:{_AT} )(?:{HOUSE} {_AT} )?~",
    ),
    ("home", GOOD, r"(?:new )?home(?: for me)?", "~"),
    (
        "origin",
        GOOD,
        r"birthplace|place of birth|hometown|home town|roots|family|people|folks?|parents|kin",
        r"(?:in |from )?~",
    ),
    ("fears", GOOD, r"(?:\w+ )?(?:fear|nightmare|phobia)", r"(?:of )?~"),
    ("skill", GOOD, r"instrument|(?:mother|native|first) tongue|native language", "~"),
    ("collects", GOOD, r"hobby|passion|pastime", r"(?:to )?collect ~"),
    ("name", GOOD, r"(?:real |true |full )?name", "~"),
    ("age", GOOD, "age", "~"),
    ("birthday", GOOD, "birthday", "~"),
)
"""What is theirs: (kind, does it hold?, the thing, what it is)."""

_OF_ME: tuple[tuple[str, str, str], ...] = (
    ("fears", GOOD, r"(?:nothing|few things?) (?:scare|frighten|terrify) me (?:like|more than|as "
     r"as) ~"),
    ("fears", GOOD, r"~ (?:scare|frighten|terrify|spook|petrify|unnerve|haunt|freak)(?: (?:hell|"
     r"life|wit|heck) out of)? me\b.*"),
    ("fears", GOOD, r"~ (?:freak me out|(?:give|bring) me (?:creeps?|shivers?|chills?|horrors?|"
     r"willies|nightmares?))\b.*"),
    ("fears", GOOD, r"what (?:scare|frighten|terrify) me(?: most)? be ~"),
    ("allergy", GOOD, rf"~ (?:make me {_ILL}|disagree with me)\b.*"),
    ("allergy", GOOD, r"not ~ (?:and me|and i) (?:do )?(?:mix|agree|get on)\b.*"),
    ("allergy", GOOD, r"not ~ (?:do )?agree with me\b.*"),
    ("allergy", GOOD, r".+ me with allergy to ~"),
    ("allergy", GOOD, r"not be allergic to ~ (?:be|mean) .+"),
    ("allergy", GOOD, r"be allergic to ~ (?:be|mean) .+"),
    ("likes", GOOD, r"~ (?:make me (?:\w+ )?(?:happy|smile)|warm my heart|(?:delight|please|"
     r"enchant|charm|thrill) me|grow on me)\b.*"),
    ("likes", BAD, r"~ (?:(?:disgust|annoy|irritate|sicken|bother) me|drive me (?:up|mad|crazy|"
     r"insane|round))\b.*"),
    ("likes", GOOD, r"my heart belong to ~"),
    ("likes", GOOD, r"~ be to my (?:like|taste)\b.*"),
    ("likes", GOOD, r"~ be my (?:thing|jam|favourite(?: things?| foods?)?(?: in world| of all)?)"),
    ("likes", GOOD, r"(?:nothing|no \w+) (?:beat|please me more than|be better than) ~"),
    ("likes", GOOD, r"(?:there be|know) nothing (?:i \w+ )?(?:better|more) than ~"),
    ("favourite", GOOD, r"~ be (?:best|finest|sweetest) (?P<what>\w+)\b.*"),
    ("favourite", GOOD, r"not (?:there be )?(?:better|finer|sweeter|dearer) (?P<what>\w+) "
     r"than ~"),
    ("favourite", GOOD, r"not (?P<what>\w+) be (?:better|finer|sweeter|dearer)(?: to me)? than ~"),
    ("favourite", GOOD, r"~ (?:have )?replace .+? as my favourite (?P<what>\w+)"),
    ("favourite", GOOD, r"give me ~ (?:over|before)\b.*"),
    ("spouse", GOOD, r"~ and (?:i|me) (?:be|get|have)(?: be| get)? (?:marry|wed|engage|"
                     r"betroth)\b.*"),
    ("spouse", GOOD, r"~ (?:marry|wed) me\b.*"),
    ("spouse", GOOD, rf"~ be my {SPOUSE}"),
    ("owes", OVER, r"~ and i be (?:even|square|quits|good)\b.*"),
    ("owes", GOOD, rf"~ (?:lend|loan|advance|borrow) me {MONEY}\b.*"),
    ("owes", OVER, r"my (?:debt|tab|account) (?:to|with) ~ be (?:pay|settle|clear|square)\b.*"),
    ("member", OVER, r"~ (?:throw|kick|cast|boot|chuck|toss) me out\b.*"),
    ("member", GOOD, r".+? (?:let|admit|accept|swear|take) me (?:in )?(?:in)?to ~"),
    ("work", GOOD, rf".+? (?:hire|make|appoint|name|elect|promote|employ|call|take|have|get)"
     rf" me(?: on)?(?: work)?(?: as| to)? {TRADE}"),
    ("work", GOOD, rf"be {TRADE} be (?:my (?:{JOB})|weird job|hard job|\w+ {JOB})\b.*"),
    ("home", GOOD, r"home(?: for me)? be (?:in |at )?~(?: (?:for|to) me)?"),
    ("home", GOOD, r"~ be (?:place )?(?:my home|home)\b.*"),
    ("home", GOOD, r"~ be (?:place )?where i (?:live|stay|sleep|lodge|dwell)\b.*"),
    ("home", GOOD, r".*?find me (?:in|at) ~"),
    ("origin", GOOD, r"~ be (?:place )?where i (?:be bear|come from|grow up)\b.*"),
    ("skill", GOOD, r"~ be one of my languages?"),
    ("skill", GOOD, r".+? teach me (?:to (?:play|speak) )?~"),
    ("stole", GOOD, r"it be (?:me|i) (?:who|that) (?:steal|take) ~"),
    ("has", OVER, r".+? (?:steal|take) my ~"),
    ("has", GOOD, r"(?:there be )?~ (?:that )?(?:belong to me|be mine|that i own|i own)\b.*"),
    ("has", GOOD, r"(?:there be )?~ (?:in|be one of) my (?:\w+ )?possessions?\b.*"),
    ("has", GOOD, r"(?:\S+ ){1,3}?(?:leave|give|buy|bequeath) me ~"),
    ("has", OVER, r"my ~ (?:have )?(?:be |get )+(?:steal|go|lose|sell|break|dead|die)\b.*"),
    ("has", OVER, r"~ be go(?: for good)?"),
    ("has", OVER, r"my ~ (?:die|break|sink|vanish|run away|burn down|collapse)\b.*"),
)  # fmt: skip
"""A whole clause with somebody or something else in front that tells of "me"."""


@dataclass(frozen=True, slots=True)
class Told:
    """A way to tell something: of which kind, whether it holds or is over, and in which words.

    `denied`: it takes a "not" to say so, as in "I can not stand onions".
    """

    kind: str
    sense: str
    denied: bool
    pattern: re.Pattern[str]


def _told(kind: str, sense: str, pattern: str, lead: str = "") -> Told:
    bare = pattern.removeprefix("not ").replace("~", "(?P<v>.+?)")
    form = re.compile(rf"{lead}(?:{bare})\Z", re.I)
    return Told(kind, sense, bare != pattern.replace("~", "(?P<v>.+?)"), form)


I_SAY = tuple(_told(kind, sense, pattern, _AUX) for kind, sense, pattern in _I_SAY)
MY = tuple(
    _told(
        kind,
        sense,
        rf"(?:{noun}) (?:would )?(?:be |have be |become |have become |have change to )+(?:{value})",
        r".*?\bmy ",
    )
    for kind, sense, noun, value in _MY
)
OF_ME = tuple(_told(kind, sense, pattern) for kind, sense, pattern in _OF_ME)
