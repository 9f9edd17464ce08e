"""Plain forms: roundabout ways to say something of oneself, turned to begin with "I" or "my".

"Spiders frighten me" says that I fear spiders, "mead is my favourite drink" what my favourite
drink is. Each pattern holds for English at large; what fits none stays as it was said.
"""

from __future__ import annotations

import re

_STUFF = (
    r"(?P<v>(?!(?:it|this|that|these|those|he|she|they|you|what|who|which|there|here|my|"
    r"our)\b)[^,]+?)"
)
_KIN = (
    r"(?:(?:younger|older|elder|eldest|youngest|little|big|twin|only|dear|late) )*(?:sister|"
    r"brother|mother|"
    r"father|son|daughter|wife|husband|aunt|uncle|cousin|niece|nephew|grandmother|grandfather|"
    r"betrothed)"
)
_FEEL = r"(?:love|like|fear|hate|dread|dislike|enjoy|want|own|collect|detest|play)"
_SAY = (
    r"(?:,? (?:so )?(?:i (?:hear|heard|gather|am told|was told)|(?:they|people|folks?|some|"
    r"everyone|everybody) (?:say|says|tell me|told me)))"
)
_FORMS = tuple(
    (re.compile(pattern, re.I), plain)
    for pattern, plain in (
        (r"\Ai(?:'ve| have)? always (?:said|told everyone)(?: that)? ", ""),
        (r"\Ai(?:'ve| have) changed my mind(?: (?:about|on) \w+(?: \w+)?)?[:,;]?(?: and)? ", ""),
        (r"\A(?:it was (?:me|i)|i(?:'m| am| was) the (?:one|thief|fool)) (?:who|that) ", "I "),
        (r"\Ai(?:'ve| have)? packed (?:up )?(?:my \w+ )?and (?=moved )", "I "),
        (r"\Ai happen to ", "I "),
        (r"\Ai now ", "I "),
        (r"\Amy (?:\w+ )?(?:secret|truth|confession) is that (?=i\b|i'|my\b)", ""),
        (r"\Ai(?:'ve| have) my own ", "I have a "),
        (r"\Ai(?:'ve| have) (?:grown|learned|learnt|come|started|begun) to (?P<verb>hate|dislike|"
         r"fear|dread) ",
         "I {verb} "),
        (rf"\A{_STUFF} (?:is|are) my favou?rite (?:things?|food|of all)(?: in the world| ever)?\Z",
         "I love {v}"),
        (r"\Ai (?:get|become|fall|feel) (?:ill|sick) (?:if|when|whenever) i (?:eat|touch|drink) "
         r"(?P<v>.+)",
         "I am made ill by {v}"),
        (r"\A(?:being|i happen to be) allergic to (?P<v>[\w ]+?) (?:is|are|means)\b.*",
         "I am allergic to {v}"),
        (rf"\A{_STUFF} is my (?P<kin>{_KIN})'s name\Z", "My {kin} is called {v}"),
        (r"\Ai (?:still )?(?:have|need|must|ought|should) (?:to )?(?:still )?(?:pay|repay) "
         r"(?P<v>.+?)(?: back)?\Z",
         "I owe money to {v}"),
        (r"\Ai(?:'ve| have)? (?:got|was|were|been) (?:kicked|thrown|cast|chased) out of ",
         "I was thrown out of "),
        (r"\Ai(?:'ve| have)? quit being an? (?P<v>[\w ]+)", "I am no longer a {v}"),
        (r"\Ai(?:'m| am) part of (?=the\b)", "I am a member of "),
        (r"\Ai (?:quite|rather|now|also|still|always) (?=(?:like|love|enjoy|hate|dislike|own|"
         r"keep|fear)\b)", "I "),
        (r"\Ai am no (?=member|friend)", "I am not a "),
        (r"\Athere(?:'s| is| are) (?P<v>.+?) in my possession\b", "I have {v}"),
        (r"\A(?P<v>(?:the|that|this) [\w' -]+?) (?:is|are) no longer mine\b",
         "I no longer have {v}"),
        (r"\Athere(?:'s| is) no (?:better|finer|sweeter) (?P<what>\w+) than (?P<v>.+)",
         "My favourite {what} is {v}"),
        (r"\Ai (?:like|love|enjoy) nothing (?:better|more) than ", "I love "),
        (r"\Anothing (?:frightens|scares|terrifies) me (?:like|more than|as much as) ", "I fear "),
        (r"\Ai live in (?:constant |mortal )?(?:fear|dread|terror) of ", "I fear "),
        (rf"\A{_STUFF} (?:is|are) not to my (?:liking|taste)\b", "I dislike {v}"),
        (rf"\A{_STUFF} (?:is|are) (?:much |quite |very )?to my (?:liking|taste)\b", "I like {v}"),
        (rf"\A{_STUFF} (?:is|are) (?:what|the (?:one|thing|man|woman)) (?:that )?i "
         rf"(?P<verb>{_FEEL})\b",
         "I {verb} {v}"),
        (r"\Ai lost my heart to ", "I love "),
        (r"\Ai(?:'ve| have) (?:(?:warmed|taken) to|(?:started|begun) to (?:like|love|enjoy)) ",
         "I like "),
        (rf"\A{_STUFF} (?:has )?married me\b", "I married {v}"),
        (r"\Ai(?:'ve| have) (?:yet|still) to pay (?P<v>.+?) back\b", "I owe money to {v}"),
        (r"\Ai(?:'ve| have)? walked out on ", "I left "),
        (r"\Ano (?P<what>\w+) is (?:dearer|better|finer|sweeter)(?: to me)? than (?P<v>[^,]+)",
         "My favourite {what} is {v}"),
        (rf"\A{_STUFF} is the best (?P<what>\w+) (?:there is|in the world|of all|of them all)\Z",
         "My favourite {what} is {v}"),
        (r"\Ai (?!rarely|hardly|barely|scarcely|nearly|secretly|only|family)\w+ly ", "I "),
        (rf"\A(?:what|the (?:one )?thing|the one(?: (?:thing|person))?|if there(?:'s| is) (?:one|"
         rf"a) thing) (?:that )?"
         rf"i (?P<verb>{_FEEL})(?: (?:the )?most| above all| more than anything)?,?"
         r" (?:is|it is|it's|are) (?P<v>.+)", "I {verb} {v}"),
        (r"\Athe (?P<what>\w+) (?:that )?i (?:like|love|prefer|enjoy) (?:the )?(?:most|best|"
         r"above all) is (?P<v>.+)",
         "My favourite {what} is {v}"),
        (rf"\A{_STUFF} is (?:the place )?where i (?:was born|come from|grew up)\b",
         "I was born in {v}"),
        (rf"\A{_STUFF} is (?:the place )?where i (?P<verb>live|work|stay|sleep|lodge)\b",
         "I {verb} in {v}"),
        (r"\Ai came (?:here |to this \w+ )?from (?P<v>[^,]+?) (?=(?:as an? |when |long ago|years "
         r"ago|originally))",
         "I come from {v} "),
        (r"\Ai(?:'ve| have)? left (?P<old>[^,]+?) for (?P<v>(?:the )?(?-i:[A-Z]).*)",
         "I moved from {old} to {v}"),
        (r"\A(?:they|people|folks?|everyone) calls? me (?P<v>an? [\w' -]+)", "I am {v}"),
        (r"\Ai used to (?P<verb>like|love|enjoy|adore|hate|dislike|fear) (?P<v>[^,]+?)(?:,? but "
         r".*)?\Z",
         "I no longer {verb} {v}"),
        (r"\A(?P<what>my [\w ]+) used to be [^,]+, but (?:now )?(?:it(?:'s| is)|i(?:'m| am))(?: "
         r"now)? (?P<v>.+)",
         "{what} is now {v}"),
        (r"\Ai(?:'m| am)(?: now)? the (?:proud |happy |lucky )*owner of ", "I own "),
        (rf"\A{_STUFF} is what i (?P<verb>own|have|fear|hate|love|do|play|collect)\b",
         "I {verb} {v}"),
        (r"\Ai came into (?=an? )", "I inherited "),
        (r"\A(?P<who>my \w+(?: \w+)?) (?:has |have )?(?:left|gave|given|bequeathed|bought) me "
         r"(?P<v>(?:an?|his|her|"
         r"their|two|three) .+)", "I got {v} from {who}"),
        (r"\A(?P<v>[^,]+?) (?:has |have )?(?:lent|loaned|advanced) me (?:some |a few |\w+ "
         r")?(?:money|coins?|"
         r"silvers?|coppers?|gold)\b", "I owe money to {v}"),
        (r"\Ai(?:'ve| have)? borrowed (?P<sum>[\w ]*?(?:money|coins?|silvers?|coppers?|gold)) "
         r"from ",
         "I owe {sum} to "),
        (r"\Ai(?:'ve| have) an? debt (?:with|to) ", "I owe money to "),
        (r"\A(?:somebody|someone|a thief|thieves|they) (?:has |have )?(?:stole|stolen|took|taken) "
         r"(?P<what>my [\w ]+)",
         "{what} was stolen"),
        (r"\Ai(?:'ve| have)? (?:had )?to part with ", "I sold "),
        (r"\A(?:they|the \w+) (?:have |has |'ve )?(?:let|took|taken|accepted|admitted|swore|"
         r"sworn) me (?:in)?to (?=the )",
         "I joined "),
        (r"\Ai(?:'m| am) (?:a |the )?(?:great |big |true )?(?:lover|friend|admirer|fan) of ",
         "I love "),
        (r"\Ai(?:'m| am) no (?:friend|lover|admirer) of ", "I dislike "),
        (r"\Ai(?:'ve| have) no (?:love|liking|taste|patience|time) for ", "I dislike "),
        (r"\Ai(?:'ve| have)? (?:an? )?(?:great |secret |real )?(?:weakness|soft spot|passion|"
         r"liking|love|fondness|taste) for ",
         "I love "),
        (r"\Ai (?:take|find) (?:great |much |real )?(?:pleasure|delight|joy) in ", "I enjoy "),
        (r"\Ai (?:can't|cannot|can never|could never) (?:get enough of|live without|do without|"
         r"resist) (?P<v>[^,]+)(?:,.*)?",
         "I love {v}"),
        (rf"\A{_STUFF} (?:makes? me (?:so |very )?happy|warms? my heart)\b", "I love {v}"),
        (rf"\A{_STUFF} (?:do not|don't|does not|doesn't) (?:please|delight) me(?: any ?more| any "
         rf"longer)?",
         "I no longer like {v}"),
        (r"\Ai(?:'ve| have)(?: now)? (?:had enough|had my fill|tired|grown tired|wearied) of ",
         "I no longer like "),
        (r"\Ai(?:'ve| have) made (?:my )?peace with ", "I no longer dislike "),
        (r"\Ai(?:'ve| have) never (?:much |really )?(?:liked|cared for|loved|enjoyed) ",
         "I dislike "),
        (r"\Ai (?:get|have|come out in|break out in|fall|become) (?:an? rash|hives|ill|sick|"
         r"spots) (?:from|of|by) ",
         "I am made ill by "),
        (rf"\A{_STUFF} (?:do not|don't|does not|doesn't|never) agree with me\b.*",
         "I am made ill by {v}"),
        (r"\Ai (?:can't|cannot|can not|must not|mustn't|must never|may not|may never|never) "
         r"(?:ever )?"
         r"(?P<verb>eat|touch|drink) (?P<v>[^,]+)(?:,.*)?", "I never {verb} {v}"),
        (r"\Ai (?:can |know how to )?(?:read|understand|write) and speak ", "I speak "),
        (r"\Athere(?:'s| is| are) (?P<v>(?:an?|two|three|four|some) .+?) (?:that|which) "
         r"(?:belongs? to me|i own|(?:is|are) mine)\b", "I have {v}"),
        (r"\A(?P<v>(?:an?|two|three|four) [\w -]+?) (?:belongs? to me|(?:is|are) mine)\b",
         "I have {v}"),
        (r"\A(?:there(?:'s| is)|i know|i(?:'ve| have)) nothing (?:that )?(?:i (?P<verb>like|love|"
         r"enjoy) (?:better|more) than|better than) (?P<v>.+)", "I love {v}"),
        (rf"\A(?:nothing|no \w+) (?:beats|is better than|pleases me more than) {_STUFF}\Z",
         "I love {v}"),
        (r"\A(?:of|among) all (?:the )?(?P<what>\w+?)s?,? i (?:like|love|prefer|enjoy) (?P<v>.+?) "
         r"(?:the )?(?:best|most)\b", "My favourite {what} is {v}"),
        (r"\Ai (?:like|love|prefer|enjoy) (?P<v>.+?) (?:best|most|more than any other|above all)"
         r"(?: of all| of any)?(?: other)? (?P<what>\w+?)s?\Z", "My favourite {what} is {v}"),
        (rf"\A{_STUFF} (?:frightens?|scares?|terrif(?:y|ies)|(?:gives?|give) me the "
         r"(?:creeps|shivers))(?: me)?\b.*", "I fear {v}"),
        (rf"\A{_STUFF} (?:makes? me (?:ill|sick|sneeze|itch)|disagrees? with me)\b.*",
         "I am made ill by {v}"),
        (rf"\A{_STUFF} (?:disgusts?|annoys?|sickens?|irritates?) me\b.*", "I dislike {v}"),
        (rf"\A{_STUFF} (?:delights?|pleases?|enchants?) me\b.*", "I like {v}"),
        (rf"\A{_STUFF} (?:has |have |had )?(?:threw|thrown|kicked|cast) me out\b",
         "I was thrown out of {v}"),
        (r"\A(?:they|the \w+|she|he|we)(?:'ve)? (?:have |has |had )?(?:just )?(?P<verb>hired|made|"
         r"appointed|named|elected|promoted|employed) me (?P<as>as |to )?", "I was {verb} {as}"),
        (r"\A(?:they|the \w+) (?:have |has |'ve )?(?:just )?(?:took|taken) me on as ",
         "I was hired as "),
        (r"\A(?:my )?home(?: for (?:me|us))?(?: is|'s)(?: now)? (?:in |at )?(?P<v>(?!my\b|an?\b|"
         r"where\b|not\b|none\b)"
         r".+?)(?: (?:for|to) (?:me|us))?\Z",
         "My home is in {v}"),
        (r"\Ai (?:can|could always|know how to|am able to|'m able to|do) (?!not\b)(?:also |now |"
         r"even |really |still |so )?(?=[a-z]+ )", "I "),
        (r"\Ai (?:can't|cannot|can not|could never) (?:stand|bear|abide|stomach) (?P<v>.+?)"
         r"(?P<more> any ?more| any longer)?\Z", "I hate {v}"),
        (r"\Ai(?:'ve| have) (?:gone off|lost my taste for|grown (?:tired|sick|weary) of) ",
         "I no longer like "),
        (r"\Ai(?:'m| am)(?: really| truly)? (?:tired|sick|weary) of (?=\w+(?: \w+)?\Z)",
         "I dislike "),
        (r"\Ai (?:do not|don't|never) (?:much |really )?care(?:d)? (?:much )?for ", "I dislike "),
        (r"\Ai(?:'ve| have) (?:come|grown|learned|learnt) to (?:like|love|enjoy|appreciate) ",
         "I like "),
        (r"\Ai (?:do not|don't|no longer) mind (?P<v>.+?)(?: any ?more| now| any longer)?\Z",
         "I no longer dislike {v}"),
        (r"\Ai(?:'ve)? had to (?:sell|part with) ", "I sold "),
        (r"\Ai(?:'ve)? had to (?:leave|quit) ", "I left "),
        (r"\Ai(?:'ve)? had to move ", "I moved "),
        (r"\Ai(?:'ve)? had to give (?P<v>.+?) (?:away|up)\b", "I gave away {v}"),
        (rf"\A{_STUFF} has become my (?P<what>(?!own\b)[\w -]+)\Z", "My {what} is {v} now"),
        (rf"\A{_STUFF} (?P<is>is|are|was|were) my (?P<what>(?!own\b)[\w -]+?)"
         r"(?P<now> now| these days| nowadays| any ?more)?\Z", "My {what} {is} {v}"),
    )
)  # fmt: skip
_ANSWERED = re.compile(
    r"\b(?P<what>my [\w' -]{2,40})\? (?:(?:that|it)(?:'s| is| would be| 'd be)|why,) "
    r"(?P<value>[^.?!]+)",
    re.I,
)
_TOGETHER = (
    (_ANSWERED, r"\g<what> is \g<value>"),
    (
        re.compile(r"\b[Tt]he (?P<v>[^.?!,]+)\? (?P<said>I \w+) (?:it|them)\b"),
        r"\g<said> the \g<v>",
    ),
    (
        re.compile(r"\b([A-Z]\w+) and (?:I|me) are (married|wed|engaged|betrothed)\b"),
        r"I am \2 to \1",
    ),
    (
        re.compile(rf"\b([Mm]y {_KIN}),? ([A-Z]\w+),? (?=and I\b|is\b|was\b|[a-z]+s\b|[a-z]+ed\b|"
                   rf"works?\b)[^.?!]*"),
        r"\1 is called \2",
    ),
    (re.compile(rf"\b([A-Z]\w+), (my {_KIN}),[^.?!]*"), r"\2 is called \1"),
    (re.compile(r"\b(?:[Yy]ou'll|[Yy]ou will|[Yy]ou can) find me (in|at) ([^.?!,]+), (?:that's|"
                r"that is) where I live"),
     r"I live \1 \2"),
    (re.compile(r"\bI(?:'ve| have)? (?:switched|changed|turned|come) to (?P<v>[^,.;?!]+)[,;] "
                r"(?:that's|that is|it's|"
                r"which is) my (?P<what>favou?rite \w+)"), r"My \g<what> is \g<v>"),
    (re.compile(r"\b(?:[Ff]or|[Oo]f all) (?P<what>drink|song|food|meal|tune)s?, (?P<v>[^.?!,]+) "
                r"is my "
                r"favou?rite\b"), r"My favourite \g<what> is \g<v>"),
    (re.compile(r"\b([Mm]y (?:favou?rite )?\w+)'s (?=(?:called|named|name is)\b)"), r"\1 is "),
    (re.compile(r"\b([Mm]y favou?rite \w+)'s (?=\w)"), r"\1 is "),
    (
        re.compile(
            r"\b[Mm]y mind about ([^,.?!]+), I (like|love|hate|enjoy|dislike) (?:it|them)\b"
        ),
        r"my mind, I \2 \1",
    ),
    (
        re.compile(
            r"\b([Mm]y [\w ]+?) (broke|died|burned|sank|ran away),? (?:so|and) I [^.?!]*"
        ),
        r"\1 \2",
    ),
    (re.compile(r"\b([Mm]y favou?rite \w+)\? ([^.?!]+)[.!]"), r"\1 is \2."),
    (re.compile(r"\b([Tt]he [^.?!,]+), that(?:'s| is) (?:who|what) I am\b"), r"I am \1"),
    (
        re.compile(r"(?<=[a-z]) and (?=(?:moved|settled|became|bought|sold|joined|married|left|"
                   r"live|work) )"),
        " and I ",
    ),
    (re.compile(r",? and (?:kept|keep|took|take) (?:it|them)\b"), ""),
    (re.compile(r" and am (?=(?:now )?(?:an?|the) )"), " and I am "),
)  # fmt: skip
_SAID_AFTER = re.compile(rf"(?<=\w){_SAY}\Z", re.I)


def answered(text: str) -> str:
    """Return a text in which what several sentences or people share stands as one claim.

    "My trade? That's weaving." becomes "My trade is weaving.".
    """
    for pattern, plain in _TOGETHER:
        text = pattern.sub(plain, text)
    return text


def report_first(sentence: str) -> str:
    """Return "Bob is a smith, they say" as "They say Bob is a smith"."""
    found = _SAID_AFTER.search(sentence)
    return f"They say {sentence[: found.start()]}" if found else sentence


_COMMON = frozenset(
    "drink food dish meal colour color animal fruit flower sport game season weapon hobby pastime "
    "passion time weather smell sound".split()
)


def _inner(value: str, what: str) -> str:
    """Return what stood at the beginning as it is written within a sentence; names stay."""
    first, _, more = value.partition(" ")
    is_name = not (more[:1].islower() or first.endswith(("s", "ing")) or what in _COMMON)
    return value if is_name else value[:1].lower() + value[1:]


def straightened(sentence: str) -> str:
    """Return what is said in a roundabout way of the speaker in its plain form."""
    for pattern, plain in _FORMS:
        if found := pattern.match(sentence):
            parts = found.groupdict(default="")
            if found.start("v" if "v" in parts else 0) == 0 and "v" in parts:
                parts["v"] = _inner(parts["v"], parts.get("what", "").rpartition(" ")[2].lower())
            sentence = plain.format(**parts) + sentence[found.end() :]
    return " ".join(sentence.split())
