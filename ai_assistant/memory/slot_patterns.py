"""The patterns of `memory.slots` as data: how English tells homes, trades, tastes and goods."""

from __future__ import annotations

import re

NEGATIVE = re.compile(
    r"\b(?:no longer|not|never|any ?more|isn't|doesn't|don't|hasn't|wasn't|didn't|does not|did not|"
    r"stopped|quit|gave up|can't stand|cannot stand)\b"
)
_PLACE = r"(?:in|at|to|near|on|by|above|under|behind|over|outside|inside|into|beside|with)"
_OFTEN = (
    r"(?:(?:just|recently|finally|still|also|always|now|often|has|have|had|been|is|was|got|very|"
    r"really|quite|rather|so|\w+ly) )*"
)
SINGLE = tuple(
    (kind, re.compile(rf"{_OFTEN}(?:{pattern})"))
    for kind, pattern in (
        (
            "home",
            r"(?:lives?|lived|living|dwells?|resides?|residing|sleeps?|lodges?|lodging|stays?|"
            r"staying|"
            r"renting|rents|moved|moving|"
            r"relocated|settled|makes (?:his|her|their) home|(?:took|taken|found|rented|bought|"
            r"has|have|got|owns?) (?:an? "
            r")?(?:(?:little|small|big|old|new|nice|fine|tiny|large|cosy) )*(?:rooms?|place|"
            rf"lodgings?|house|cottage|flat))\b[^.]*?\b{_PLACE} (?P<value>.+)",
        ),
        ("home", r"(?:lives?|dwells?|resides?|living)(?P<value>)\Z"),
        ("work", r"works?(?P<value>)\Z"),
        (
            "origin",
            r"(?:comes?|came|hails?|(?=from\b|born\b)|grew up|raised|descends?)\b ?[^.]*?"
            r"\b(?:from|in|at) (?P<value>.+)",
        ),
        (
            "work",
            r"(?:works?|working|worked|trained|employed|serves?|serving|apprenticed|earns (?:a|"
            r"his|her|"
            r"their) "
            r"(?:living|bread|keep)|(?:took|taken) (?:up )?(?:work|a (?:job|post|position))|"
            r"started "
            r"(?:work(?:ing)?|"
            r"a (?:new )?job)|found (?:work|a (?:new )?(?:job|post|position))|(?:a )?(?:new "
            r")?(?:job|"
            r"post|position)|promoted|appointed|made|became|become|hired)\b"
            r"(?: (?:now|a|an|the|new|as|for|at|in|with|by|to|of|on))* (?P<value>.+)",
        ),
        ("name", r"(?:called|named|known as|nicknamed|goes by) (?P<value>.+)"),
        ("age", r"(?P<value>(?:\d+|\w+(?:[ -]\w+)?) years? old|turned \d+)"),
        (
            "spouse",
            r"(?:married|wed|engaged|betrothed|(?=single|widowed|divorced))\b ?(?:to )?"
            r"(?P<value>.*)",
        ),
        ("allegiance", r"(?:loyal|sworn|devoted) to (?P<value>.+)"),
    )
)
"""Kinds that have one value at a time."""
_TRADES = (
    r"(?:\w+(?:smith|wright|monger|keeper|herd|maker|seller|binder|master|mistress|"
    r"ist|ian|eer|ier)|(?!(?:father|mother|brother|sister|daughter|member|stranger|lover|"
    r"foreigner|believer|number|killer|winner|owner|prisoner|murderer|drinker|swimmer|"
    r"dreamer|sinner|newcomer|beginner|supporter|admirer|follower|loner)\b)\w+(?:er|or)|"
    r"smith|cook|scribe|priest|priestess|monk|nun|knight|squire|page|bard|mage|witch|wizard|"
    r"druid|clerk|apprentice|captain|sergeant|nurse|judge|guide|chef|pirate|scholar|guard|"
    r"soldier|maid|steward|mason|tailor|butcher|herald|spy|shepherd|student|merchant|diplomat|"
    r"fletcher|thatcher|midwife|jeweller|acrobat|servant|ranger|mercenary|farmhand|envoy|"
    r"fisherman|huntsman|woodsman|boatman|watchman|ferryman|craftsman|minstrel|harpist|alchemist)"
)
TRADE = re.compile(
    rf"{_OFTEN}(?:an?|the) "
    rf"(?P<value>(?:(?!(?:of|from|in|at|to|with|for|who|that)\b)[\w'-]+ ){{0,2}}{_TRADES}s?\b.*)"
)
PREFERS = re.compile(r"prefers? (?P<value>.+?) (?:over|to|instead of|rather than) (?P<than>.+)")
_LIKES = (
    r"(?:prefers?|lik(?:ed?|es|ing)|lov(?:ed?|es|ing)|enjoy(?:s|ed|ing)?|ador(?:es?|ed)|fond of|"
    r"keen on|favou?rs?|"
    r"cherish(?:es)?|"
    r"treasures?)"
)
_HATES = r"(?:hat(?:ed?|es|ing)|dislik(?:ed?|es|ing)|detests?|despises?|loathes?|resents?)"
MANY = tuple(
    (kind, re.compile(rf"{_OFTEN}(?:{pattern}) (?P<value>.+)"), negative)
    for kind, pattern, negative in (
        ("likes", _LIKES, False),
        ("likes", _HATES, True),
        ("fears", r"fear(?:s|ed)?|dread(?:s|ed)?|(?:afraid|scared|terrified) of", False),
        ("allergy", r"(?:allergic|immune) to", False),
        (
            "has",
            r"sold|lost|gave(?: away)?|traded(?: away)?|pawned|freed|wrecked|buried|sank|broke",
            True,
        ),
        ("skill", r"plays?|speaks?|good (?:at|with)|skilled (?:at|in|with)|fluent in", False),
        ("learns", r"stud(?:y|ies|ying)|learns?|learning|trains?|training|practi[sc]es?", False),
        ("faith", r"worships?|believes? in|prays? to", False),
        ("member", r"(?:a )?(?:member|one) of|belongs? to|joined|enlisted (?:in|with)", False),
        ("left", r"left|deserted|resigned from|retired from", False),
        ("owes", r"owes?|in debt to", False),
        ("eats", r"eats?|drinks?", False),
        ("collects", r"collect(?:s|ed)?", False),
        (
            "has",
            r"has|have|had|own(?:s|ed)?|keeps?|bought|got|acquired|purchased|adopted|inherited|won|"
            r"received|"
            r"found|raises?|breeds?|herds?",
            False,
        ),
        ("is", r"an?|the", False),
    )
)
"""Kinds that may have many values; True: the pattern says that it is not, or no longer, so."""
GOODS = frozenset({"has", "owes", "member"})
"""Kinds of what can be had and lost."""
VAGUE_KINDS = frozenset({"", "is", "left", "learns"})
WEAK = frozenset(
    "own possess proud stand live hous home cottag room rent keep work trade job love like fond "
    "hate fear "
    "play speak spoken tongu mother teach taught learn sister brother call name clever collect "
    "start "
    "die uncl aunt father grandmoth win won dice old new young littl big small fine nice good "
    "great splendid lovely beautiful gift child year money "
    "debt owe borrow lend coin true heir born birth peopl right lost famili favourit prefer "
    "drink song "
    "favorit".split()
)
"""Stems that tell of what kind a fact is, or nothing, rather than what it is about."""
FAVOURITE = re.compile(
    r"(?:new |all-time |one |only )?(?:favou?rite|preferred|best[- ]loved) (?P<what>[\w -]+?) "
    r"(?:now )?(?:is|was|are) (?P<value>.+)"
)
OWNED = re.compile(
    r"(?P<what>[\w'-]+(?: [\w'-]+){0,3}?) (?:now )?(?P<verb>is|are|was|were|has|have|lives?|"
    r"works?|stands?|goes|got|lies|died|left|moved|"
    r"loves?|likes?|hates?|runs?|owns?|keeps?|became|married|serves?|plays?|speaks?|grew|comes?|"
    r"taught|sells?|makes?|bakes?|passed|joined|sold|bought|lost|had|gave|opened|retired|"
    r"prefers?|fears?|collects?|needs?) (?P<value>.+)"
)
SAME_THING = {
    "tune": "song", "ballad": "song", "thing to drink": "drink", "beverage": "drink",
    "tipple": "drink", "dish": "food", "meal": "food", "thing to eat": "food", "color": "colour",
}  # fmt: skip
"""Words for what somebody has a favourite of."""
KINDS = {
    "name": "name", "age": "age", "home": "home", "house": "home", "hometown": "origin",
    "job": "work", "trade": "work", "work": "work", "profession": "work", "occupation": "work",
    "craft": "work", "calling": "work", "husband": "spouse", "wife": "spouse",
    "birthday": "birthday", "real name": "name",
}  # fmt: skip
"""What is theirs → the kind that it tells."""
TYPES = {
    "home": "home", "origin": "origin", "work": "work", "name": "identity", "age": "identity",
    "birthday": "identity", "spouse": "relation", "favourite": "preference",
    "prefers": "preference", "likes": "preference", "eats": "preference", "fears": "fear",
    "allergy": "health", "has": "possession", "skill": "skill", "learns": "skill",
    "faith": "belief", "member": "allegiance", "allegiance": "allegiance", "owes": "debt",
    "own": "relation", "collects": "preference",
}  # fmt: skip
"""Kind → the type of the trait that it makes."""
