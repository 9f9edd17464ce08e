"""Groups of nouns that relations speak of, as patterns: kin, houses, orders, money and trades."""

from __future__ import annotations

KIN = (
    r"(?:(?:half|foster|step|great|twin)[ -])?(?:sister|brother|mother|father|mum|mom|dad|gran|"
    r"son|daughter|child|aunt|uncle|cousin|niece|nephew|grandmother|grandfather|grandson|"
    r"granddaughter|twin|wife|husband|spouse|betroth(?:ed)?|fianc[eé]e?)"
)
SPOUSE = r"(?:husband|wife|spouse|betroth(?:ed)?|fianc[eé]e?)"
HOUSE = (
    r"(?:\w+ ){0,3}?(?:room|rooms|place|lodgings?|house|cottage|flat|apartment|home|hut|cabin|"
    r"quarters|"
    r"inn|hearth|"
    r"roof over my head)"
)
ORDER = (
    r"(?P<v>(?:\S+ )*?(?:guild|order|watch|company|guard|army|band|brotherhood|sisterhood|circle|"
    r"choir|crew|league|society|club|temple|militia|fellowship|clan|legion|navy)\b.*)"
)
MONEY = (
    r"(?:(?:some|few|bunch of|bit of|load of|lot of|\S+) ){0,2}?(?:money|coins?|coppers?|silvers?|"
    r"golds?|cash|crowns?|marks?|pieces?)"
)
JOB = r"(?:job|post|position|work|trade|craft|profession)"
TRADES = (
    r"(?:\w+(?:smith|wright|monger|keeper|herd|maker|seller|binder|master|mistress|"
    r"ist|ian|eer|ier|grapher|tress|ecary|etary)|(?!(?:father|mother|brother|sister|daughter|"
    r"member|stranger|lover|"
    r"foreigner|believer|number|killer|winner|owner|prisoner|murderer|drinker|swimmer|sucker|"
    r"dreamer|sinner|newcomer|beginner|supporter|admirer|follower|loner|liar|disaster|monster|"
    r"speaker|player|collector|character|matter|corner|center|order|either|other)\b)\w{3,}(?:er|"
    r"or)|"
    r"smith|cook|scribe|priest|priestess|monk|nun|knight|squire|page|bard|mage|witch|wizard|"
    r"druid|clerk|apprentice|captain|sergeant|nurse|judge|guide|chef|pirate|scholar|guard|"
    r"soldier|maid|steward|mason|tailor|butcher|herald|spy|shepherd|student|merchant|diplomat|"
    r"fletcher|thatcher|midwife|jeweller|acrobat|servant|ranger|mercenary|envoy|\w+hand|groom|"
    r"fisherman|huntsman|\w+sman|boatman|watchman|ferryman|minstrel|alchemist|page|vet|pilot)"
)
TRADE = rf"(?P<v>(?:(?!(?:of|from|in|at|to|with|for|who|that)\b)\S+ ){{0,3}}?{TRADES}s?\b.*)"
