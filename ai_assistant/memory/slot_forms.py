"""Plain forms of facts: several ways to tell the same of somebody, brought to one wording.

They only serve to compare: what is kept of a fact are the words in which it was told.
"""

from __future__ import annotations

import re

_KIN = (
    r"(?:(?:younger|older|elder|little|big|twin|only|half|foster)[ -])*(?:sister|brother|mother|"
    r"father|"
    r"son|daughter|child|aunt|uncle|cousin|niece|nephew|grandmother|grandfather|wife|husband|twin)"
)
_SPOUSE = r"(?:husband|wife|spouse|betrothed|fianc[eé]e?)"
_ADVERBS = (
    r"\A(?P<be>(?:(?:is|was|has|have|has been) )?)(?:(?:just|still|also|always|now|often|very|"
    r"quite|rather|so|both|already|once|a little|"
    r"(?!family|only|early|holy|ugly|silly)\w+ly|only) )+"
)
_SINCE_LONG = re.compile(r"\b(?:has|have) (?:always )?been\b")
_ORDER = (
    r".*\b(?:guild|order|watch|company|guard|army|band|brotherhood|sisterhood|circle|choir|crew|"
    r"league|"
    r"society|club|temple|militia|fellowship|clan|legion|navy)\b"
)
OWN_FORMS = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        (rf"\A{_SPOUSE}(?:'s name)? (?:is|was)(?: called| named)? (?P<v>.+)", r"married \g<v>"),
        (r"\A(?P<kin>[\w -]+?)(?:'s name is| is named| goes by(?: the name)?| answers to)(?: of)? ",
         r"own \g<kin> is called "),
        (r"\A(?P<v>[\w' -]+?) (?:was stolen|got stolen|is gone|was lost|ran away|died|is dead|"
         r"has died|burned down|burnt down|sank|was sold|broke)\b.*", r"lost a \g<v>"),
        (r"\Aheart belongs to ", "loves "),
        (r"\A(?P<v>\w+) of choice (?:is|are) ", r"own favourite \g<v> is "),
        (r"\A(?P<v>favou?rite \w+) has changed to ", r"own \g<v> is "),
        (r"\A(?:new |old |own )?(?:place|home|house) (?:is|lies|stands) (?:now )?(?:in|at|on) ",
         "lives in "),
        (r"\Ahobby is to collect ", "collects "),
        (r"\A[\w ]+? (?:gave|left|bought|bequeathed|lent) (?:him|her|them) (?=an? )", "owns "),
        (r"\Ainstrument is ", "plays "),
        (r"\A(?:hobby|passion|pastime) is (?=collecting\b)", ""),
        (r"\A(?:greatest |worst |biggest |only |deepest )?fear is (?:of )?", "fears "),
        (r"\A(?:debt|debts) to (?P<v>.+?) (?:is|are|was|were) (?:paid|settled|gone)\b",
         r"paid \g<v> back"),
        (r"\Abirthplace (?:is|was) (?:in )?", "comes from "),
        (r"\A(?:family|people|folk|parents|kin) (?:comes?|came|hails?|is|are) from ",
         "comes from "),
    )
)  # fmt: skip
FORMS = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        (r"\A(?:has|have) to (?:confess|admit|say|tell) (?:that )?(?:they|he|she) ", ""),
        (r"\Ais no [\w ]+?, (?:they|he|she) (?:is|are) ", "is "),
        (_ADVERBS, r"\g<be>"),
        (r"\A(?:has |have )?(?:took|taken|swiped|pinched|pilfered|nicked|lifted|made off with|"
         r"stolen) (?=the\b)", "stole "),
        (r"\A(?:has|have) (?:got )?an? (?:\w+ )?(?:shelf|chest|box|drawer|room|pile) (?:full )?of ",
         "collects "),
        (rf"\A(?:has|have|had|grew up with) (?:got )?(?:an?|one) (?P<what>{_KIN})(?:,| (?:called|"
         rf"named)) "
         r"(?:(?:called|named|is) )?(?P<v>.+)", r"own \g<what> is called \g<v>"),
        (r"\A(?:is|was) (?P<v>.+?)'s (?P<kin>sister|brother|mother|father|son|daughter|cousin|"
         r"uncle|aunt|nephew|niece)\Z", r"is the \g<kin> of \g<v>"),
        (r"\A(?P<verb>traded|gave|given) (?P<v>[^,]+?) away\b", r"\g<verb> away \g<v>"),
        (r"\A(?:has |have )?(?:gave up|given up|quit|left) [^,]{3,40}? and (?=became\b|is\b|"
         r"works\b)",
         ""),
        (r"\Aearns? .*?\b(?:by )?playing (?:on )?", "plays "),
        (r"\Ataught (?:him|her|them)sel(?:f|ves) (?:how )?(?:to (?:play|speak) )?", "plays "),
        (r"\A(?:is|was|has been) (?:now )?an? (?:\w+ )?resident of ", "lives in "),
        (r"\A(?:has |have )(?:got )?(?:an? |his |her |their )?(?:roof over (?:his|her|their) "
         r"head|hearth|home) in ",
         "lives in "),
        (r"\A(?:is|was|has been) (?:settled|based|at home) in ", "lives in "),
        (r"\A(?:shares?|owns?|keeps?) an? (?:\w+ )?(?:house|room|cottage|flat) in ", "lives in "),
        (r"\A(?:was |has been )?brought up in ", "comes from "),
        (r"\A(?:has )?(?:learned|learnt) the (?:trade|craft) of (?=an? )", "works as "),
        (r"\Aworks here as ", "works as "),
        (r"\A(?:has )?traded (?:his|her|their|the|an?) [\w ]+? for ", "owns "),
        (r"\A(?:is|was) an? (?:\w+ )?(?P<v>[\w-]+) player\Z", r"plays \g<v>"),
        (r"\A(?:has|have) an? (?P<v>[\w ]+?) allergy\Z", r"allergic to \g<v>"),
        (r"\A(?:has )?paid back ", "no longer owes "),
        (r"\A(?:is|was) not an? (?:\w+ )?(?:fan|friend|lover) of ", "dislikes "),
        (r"\A(?:is|was) an? (?:\w+ )?(?:fan|lover|friend) of ", "likes "),
        (r"\A(?P<verb>loves|likes|enjoys) collecting ", "collects "),
        (r"\Ahas (?:feelings) for ", "loves "),
        (r"\Aspeaks? fluent ", "plays "),
        (r"\Aworks for (?:his|her|their) (?:bread|living|keep) as ", "works as "),
        (r"\A(?:has )?turned (?=\w+\Z)", "works as "),
        (r"\A(?P<no>(?:is )?(?:not|no longer) |)(?:became|is|was|has been|has become)?(?: now)? "
         r"?an? (?:\w+ )?"
         r"member of ", r"\g<no>joined "),
        (r"\A(?:is|was) (?P<v>.+?)'s (?:husband|wife|spouse|betrothed)\b", r"married \g<v>"),
        (r"\A(?:is|was) in (?P<v>.+?)'s debt\b", r"owes \g<v>"),
        (r"\A(?:is|was) an? (?:\w+ )?collector of ", "collects "),
        (r"\A(?:is|was) an? (?:\w+ )?speaker of ", "plays "),
        (r"\Aspeaks? (?:a bit|a little|some) (?:of )?", "plays "),
        (r"\A(?:has )?(?:an? )?(?:good |fair )?command of ", "plays "),
        (r"\A(?:lives|living) in (?:\w+ )?(?:fear|dread) of ", "fears "),
        (r"\A(?:is|was|has been) (?:mad|crazy) about |\A(?:is|was) partial to ", "likes "),
        (r"\A(?:was|has been|got) given (?=an? )", "owns "),
        (r"\A(?:has )?(?:got )?rid of |\Agot rid of ", "lost "),
        (r"\A(?:is|was) the (?:one|thief|fool|person|culprit) who ", ""),
        (r"\A(?:is|was|has been|fell|has fallen) (?:madly |head over heels )?in love with ",
         "loves "),
        (r"\Ahas come to like ", "likes "),
        (r"\A(?:has )?made (?:his|her|their) peace with ", "likes "),
        (r"\Ais (?:married|wed|wedded|engaged|betrothed|promised) to ", "married "),
        (r"\A(?:is |was |has been )?(?:made|gets?) (?:ill|sick) by ", "allergic to "),
        (r"\A(?:can't|cannot|can not) (?:eat|touch) ", "allergic to "),
        (r"\A(?:has|have) an? (?:\w+ )?(?:allergy|reaction) to ", "allergic to "),
        (r"\Anever (?:eats?|touches|touch|drinks?) ", "allergic to "),
        (r"\A(?:has|have|keeps?) an? (?:\w+ )?collection of ", "collects "),
        (r"\A(?:has been |is |keeps |started )?collecting ", "collects "),
        (r"\A(?:has |have )?(?:started|begun|began|taken) (?:to collect|collecting) ", "collects "),
        (r"\A(?:has|have) an? (?:great |terrible |mortal |deadly )?fear of ", "fears "),
        (r"\A(?:is|was|has been|has always been) (?:(?!not\b|no\b|never\b)\w+ )?(?:afraid|scared|"
         r"terrified|frightened) of ",
         "fears "),
        (r"\A(?:is |was |has been )?(?:very |quite |rather )?(?:good|skilled|expert|gifted) "
         r"(?:at|with|in) "
         r"(?:playing )?", "plays "),
        (r"\A(?:has |have )?(?:learned|learnt|mastered|taught (?:him|her|them)sel(?:f|ves))(?: "
         r"how)?"
         r"(?: to)? (?:play|speak) ", "plays "),
        (r"\A(?:has |have )?(?:learned|learnt|mastered) ", "plays "),
        (r"\A(?:has been |have been |has |have |is )?(?:playing|played|speaking|spoken|spoke|"
         r"fluent in)\b",
         "plays"),
        (r"\Aknows? (?:how to (?:play|speak) )?(?=\S+\Z)", "plays "),
        (r"\Amakes? (?:his|her|their|a) living (?:as|by|with) ", "works as "),
        (r"\A(?:is|was) (?:in the pay|in the service) of ", "works for "),
        (r"\A(?:is|was|has been) with (?=the\b)", "joined "),
        (r"\A(?:was |has been |is )?(?:sworn|let|accepted|taken|initiated) into ", "joined "),
        (rf"\A(?P<be>(?:is )?(?:no longer |not )?)(?:has )?(?:serves?|served|marche?s?|ride?s?|"
         rf"is|been|a member) "
         rf"(?:in|with|for|of) (?=the\b{_ORDER})", r"\g<be>joined "),
        (r"\A(?:was|has been|got) (?:thrown out of|expelled from|dismissed from) ",
         "resigned from "),
        (r"\A(?:has |have )?(?:left|quit|resigned from|deserted) (?=the\b"
         rf"{_ORDER})",
         "is no longer a member of "),
        (r"\Aresigned from ", "is no longer a member of "),
        (r"\A(?:has |have )?(?:quit|left|lost|gave up|given up|retired from|resigned from) "
         r"(?:his|her|their) (?:(?:old|former|last) )?"
         r"(?:job|work|trade|post|position|craft)\b", "no longer works"),
        (r"\A(?:has |have )?paid (?P<v>.+?) (?:back|what (?:he|she|they) owed)\b.*",
         r"no longer owes \g<v>"),
        (r"\A(?:has |have )?(?:paid|settled|repaid|cleared) (?:back )?(?:his|her|their|the|off)? "
         r"?(?:debts?|loan) "
         r"(?:to|with) ", "no longer owes "),
        (r"\A(?:has |have )?(?:repaid|paid off) ", "no longer owes "),
        (r"\A(?:has |have )?(?:moved out of|left|sold) (?:his|her|their|the) (?:old )?(?:place|"
         r"house|"
         r"home)\b",
         "no longer lives"),
    )
)  # fmt: skip
TAIL = re.compile(
    r"(?:,.*| (?:as|from) an? \w+| for (?:fun|good|life)| (?:rather|very|quite) (?:well|much)|"
    r"(?<=\w) (?:but|so|because|since|though|although|while|which|whom?|that|when) .*| "
    r"(?:from|for|by|of) "
    r"(?:his|her|their) (?:own |late |old |dear )?\w+| (?:for|in|over|these) (?:\w+ )?(?:years|"
    r"ages|months|winters|"
    r"summers)\b.*| as (?:an? )?(?:child|boy|girl|youth)\b.*| at home| with a passion| at all| a "
    r"lot| in the \w+| to an? \w+| and the \w+ tongue| all (?:his|her|their) life|"
    r" with (?:the rest of )?(?:his|her|their) .*| (?:very )?much| to (?:bits|death)| more than "
    r"anything.*)\Z"
)
"""What follows a value and only tells more of it."""
COIN = re.compile(
    r"\b(?:some|any|much|a (?:few|lot of|little|handful of|great deal of)|money|coins?|coppers?|"
    r"silvers?|"
    r"golds?|crowns?|pennies|marks?|pieces?|anything|something|debt)\b"
)
"""How much is owed, beside the number; who is owed it makes the debt."""


def plain_form(rest: str, *, owned: bool) -> tuple[bool, str]:
    """Return (is it about what is theirs?, the plain form) of what a fact says after the name."""
    if owned:
        rest = _SINCE_LONG.sub("is", rest)
        turned = (_turned(rest, *one) for one in OWN_FORMS)
        rest = next((one for one in turned if one != rest), f"own {rest}")
    for pattern, plain in () if rest.startswith("own ") else FORMS:
        rest = _turned(rest, pattern, plain)
    return rest.startswith("own "), rest.removeprefix("own ")


def _turned(rest: str, pattern: re.Pattern[str], plain: str) -> str:
    found = pattern.match(rest)
    return found.expand(plain) + rest[found.end() :] if found else rest
