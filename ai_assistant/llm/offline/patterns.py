"""What people say, as data: patterns over plain lower-case words, tried from top to bottom.

A kind of intent stands at the margin, its patterns below it. A group ``<what>`` catches what the
sentence is about.
"""

from __future__ import annotations

import re
from itertools import count

Table = tuple[tuple[str, re.Pattern[str]], ...]


def _table(rules: str) -> Table:
    kinds: dict[str, list[str]] = {}
    number = count()
    kind = ""
    for line in rules.strip().splitlines():
        if line.startswith("    "):
            named = re.sub("<what>", lambda _: f"(?P<what{next(number)}>.+)", line.strip())
            kinds[kind].append(named)
        else:
            kind = line.strip()
            kinds[kind] = []
    return tuple((kind, re.compile("|".join(some))) for kind, some in kinds.items())


FRAME = re.compile(
    r"^(?:(?:can|could|would|will) you (?:please |kindly )?|please |kindly |i wonder (?:if )?|"
    r"i (?:would like|want|wish) to (?:know|ask)(?: you)? |(?:may|can|might) i ask(?: you)? |"
    r"let me ask(?: you)? |(?:any|have you any|do you have any) idea |remind me |"
    r"do you (?:happen to )?know (?=(?:what|who|where|how|when|why|which|if)\b))*"
    r"(?:(?:tell|show|teach) (?:me|us)(?: please)? |explain (?:to me )?)?"
)
"""Polite words around a question, without meaning of their own."""

REQUEST = re.compile(
    r"^(?:(?:can|could|would|will) you |would you mind |i (?:want|need|would like) you to |"
    r"you (?:should|must|may|can|could) |why do not you |let us |please |kindly |now |then |just )*"
)
"""Polite words around a request."""

FIRST = _table(r"""
injection
    \b(?:ignore|disregard|override)\b.{0,30}\b(?:instructions?|prompts?|rules|orders)\b
    \b(?:previous|prior|above|earlier) (?:instructions?|prompts?|rules|messages?)\b
    \bsystem (?:prompt|message)\b|\byour (?:prompt|instructions)\b
    \b(?:developer|debug|god) mode\b|\bjailbreak
    ^(?:you are now|pretend (?:to be|you are|that)|act as|roleplay as|from now on you)\b
ai
    ^are you (?:(?:really|actually|just|an?|some|kind of) )*(?:ai|bot|chatbot|robot|machine)\b
    ^are you (?:(?:really|actually|just|an?) )*(?:computer|program|human|real|artificial)\b
    ^are you (?:(?:really|actually|just|an?) )*(?:llm|language model|npc|chatgpt|gpt|person)\b
    \b(?:what|which) (?:\w+ )?(?:(?:language|ai) )?(?:model|llm|ai)\b
    \b(?:openai|chatgpt|language model)\b|\bis this (?:an? )?(?:ai|bot)\b
abilities
    ^help$|^what (?:all )?can (?:you|i) do(?: here)?$|^what are you (?:able to do|capable of)
    ^how (?:can|do) i (?:use|talk to|play|interact)|^how does this work
    ^what (?:can|should|do) i (?:say|ask|tell|type)(?: you| to you)?$
repeat
    ^(?:please |can you )*(?:repeat after me|repeat (?:this|the following))\b
    ^(?:please |can you )*say (?:exactly|after me|the words?|this)\b
why
    ^(?:but )?(?:why|how so|how come|really|seriously|is that so|are you sure|for real)(?: \w+)?$
    ^what do you mean\b
said_what
    ^what did you (?:just )?(?:say|tell me)$|^come again$|^pardon(?: me)?$|^what was that$
    ^(?:please )?(?:say|repeat) that(?: again)?$
""")

ASKED = _table(
    r"""
plans
    ^what (?:are|is) (?:you|your) (?:plans?|goals?|projects?|aims?)(?: now| today| at the moment)?$
    ^what (?:are you|you are) (?:working on|up to|busy with|after|planning|doing now)$
    ^what do you (?:plan|intend|mean|want) to do(?: next| now| today)?$
    ^(?:do you have|have you(?: got)?) (?:any |a )?(?:plans?|goals?|projects?)(?: \w+)?$
    ^about your (?:plans?|goals?|projects?)$
    ^how (?:is|far is) (?!it\b|life\b|your day\b|the day\b)<what> (?:going|coming along|doing)$
    ^how far (?:are|have) you(?: \w+){0,2} with <what>$|^are you (?:still )?working on <what>$
know_me
    ^(?:what |how much )?(?:else )?(?:do |can )?you (?:still )?(?:know|remember|recall) about me\b
    ^(?:do )?you (?:still )?(?:remember|know|recognise|recognize|recall) me\b|^remember me$
    ^who (?:am i|i am)$|^about me$|^what (?:have|did) i (?:told?|tell) you(?: so far| before)?$
    ^what (?:have|did) i (?:told?|tell) you about (?:me|myself)$
met
    ^(?:have|did) we (?:ever |already )?(?:met|meet|spoken|speak|talked|talk)\b
    ^when (?:did |have )?we (?:last |first )?(?:met|meet|speak|spoken|talk)|^when was i last here
    ^do you (?:still )?remember (?:when|how) we (?:first |last )?met
my_name
    ^what (?:is my name|my name is)$|^do you (?:know|remember) my name|^my name$
who_self
    ^(?:and )?(?:who|what) (?:are you|you are)(?: exactly| anyway| then)?$
    ^(?:what )?(?:is )?your name(?: is)?$|^introduce yourself|^what (?:do|are) you called
    ^(?:what|how) (?:should|do|may|can|shall|must) (?:i|we|people|they) (?:call|address) you
    ^(?:something |more |a little |a bit )?about (?:you|yourself)$
    ^do you have a name$
role_self
    ^what (?:do you do|you do)(?: here| for a living| all day| for work)?$
    ^what (?:is )?your (?:job|work|role|trade|occupation|profession|duty|duties)(?: is| here)?$
    ^do you work here
is_self
    ^are you (?:the |an? )<what>$
home_self
    ^where (?:are you|you are) from|^where is your (?:home|house)|^do you (?:live|stay) here
    ^where (?:do|did) you (?:live|come from|sleep|stay|grow up)
interests_self
    ^what (?:are you interested in|do you (?:like|enjoy|love))(?: most| best| doing| to do)?$
    ^what (?:are |is )?your (?:interests?|hobby|hobbies|passions?)$
    ^what do you do for fun|^what do you do in your (?:spare|free) time
    ^do you have (?:any |a )?(?:hobby|hobbies|interests?)$
likes
    ^do you (?:really |also )?(?:like|love|enjoy|play|fancy|care for) <what>$
    ^are you interested in <what>$|^what (?:do you think|is your opinion) (?:about|of) <what>$
traits_self
    ^what are you like|^describe yourself|^what (?:is )?your (?:personality|character|temper)
advice
    \b(?:advice|wisdom|motto|proverb|saying)\b
joke
    \b(?:joke|something funny)\b|^make me (?:laugh|smile)
story
    ^(?:me )?(?:(?:a|any|another|the|your|some|more|other|good) )*TALES\b
    ^(?:what|is there|do you (?:have|know)|have you (?:got|heard)|heard|got) (?:\w+ ){0,3}TALES$
    ^what is new$|^what (?:is happening|is going on|happened)(?: here| lately| today)?$
    ^something (?:interesting|new)|^something about this (?:place|village|town)
where
    ^where (?:are we|we are|am i|i am|are you|is this)(?: now| exactly| right now)?$
    ^(?:what|which) (?:place|town|village|room|inn|city)(?: is this| are we in)?$
    ^what (?:is|do you call) this place|^about (?:this|the) place
    ^describe (?:this|the) (?:place|room)
who_here
    ^who (?:else )?(?:is|are) (?:all )?(?:here|around|there|in here|in the room|present|with us)
    ^(?:is )?(?:there )?any(?:one|body) (?:else )?(?:here|around)|^are we alone
    ^who (?:else )?(?:can|do) you see|^who are (?:these people|they|the others)
exits
    ^(?:what|which|where)(?: are| is)?(?: the| there)* (?:exits?|ways? out|doors?|paths?|roads?)\b
    ^(?:are|is) there (?:any |an |a )?(?:other )?(?:exits?|ways? out|doors?)
    ^where (?:can|could|do|should) (?:i|we|one|you) go|^how (?:do|can) (?:i|we) (?:leave|get out)
    ^the way out$
time
    ^(?:do you (?:have|know) )?(?:what )?(?:is )?(?:the )?time(?: is it| it is| now)*$
    ^what (?:is the )?(?:hour|day|date|time)\b|^how late|^is it (?:late|early|morning|evening|noon)
carrying
    ^what (?:do|are|have) you (?:have|got|carry|carrying|holding|hold|wearing)
    ^what is in your (?:pockets?|hands?|bag|pack)|^are you carrying anything
have
    ^(?:do|have) you (?:have|got|carry|sell) (?:an? |the |any |some )?<what>$
things
    ^what (?:do|can) (?:you|i|we) see|^what (?:else )?is (?:here|there|around|in here)
    ^look around
how_are_you
    ^how (?:are|fare|have) you\b|^how do you (?:do|feel|fare)$|^how goes|^(?:what is )?up$
    ^how is (?:it going|life|business|your day|the day)|^how was your day|^how are things
    ^are you (?:ok|okay|well|all right|alright|happy|tired|busy)\b
look
    ^what (?:is|are|does) <what> (?:say|look like|read)$|^(?:what|how) does <what> (?:say|look)\b
whois
    ^(?:who|what) is (?!(?:this|that|it|up|wrong|the matter)$)<what>$
    ^(?:do you know|have you (?:seen|met)) (?!(?:my|what|how|where|why|when|who|if)\b)<what>$
whereis
    ^where (?:is|are) <what>$|^(?:how do (?:i|we) get|which way(?: is it)?|the way) to <what>$
    ^(?:do you know|show me) the way to <what>$|^is (?P<who>\w+) here$
topic
    ^(?:what )?(?:do |can )?(?:you )?(?:know |tell me )?(?:anything |something |more )?about <what>$
    ^(?:have )?you (?:ever )?heard (?:anything )?(?:of|about) <what>$
""".replace("TALES", "(?:story|stories|tales?|news|gossip|rumou?rs?|legends?)")
)

REQUESTED = _table(r"""
look
    ^(?:take|have) a (?:closer |good )?look (?:at|over) <what>$
    ^(?:look (?:at|over|closely at|upon)|inspect|examine|read|describe|study|check) <what>$
help
    ^help(?: me| us)?(?: out)?(?: please)?$|^help (?:me|us) <what>$
    ^help (?=(?:with|to|build|find|carry|make|fix)\b)<what>$
    ^i (?:really )?(?:need|want|could use) (?:your |some |a little )*help(?: <what>)?$
    ^(?:give|lend) (?:me|us) a hand(?: <what>)?$
emote
    ^(?:(?:do|give) (?:me |us |her |him |them )?(?:an? )?)?(?P<verb>VERBS)$
    ^(?P<verb2>VERBS) (?:(?:for|at|to|with|down|up|around) ?)?(?:\w+ ?){0,3}$
give
    ^(?:give|hand|pass|lend|fetch|offer|sell|bring)(?: over)? <what>$
    ^(?:can|could|may|might) (?:i|we) (?:please )?(?:have|get|borrow|take) <what>$
    ^get (?:me|us) <what>$
    ^i (?:would like|will have|will take|want) (?!to\b|you\b)<what>$
stay
    ^(?:stay|wait|remain|stop|halt)(?: (?:here|there|with me|a moment|a minute|right there|put))?$
    ^(?:stop|quit) (?:following|walking|patrolling|your rounds)\b
sleep
    ^(?:go to (?:sleep|bed)|(?:go and )?(?:sleep|rest)(?: now| a while| a little)?|off to bed)$
    ^(?:lie down|get some (?:sleep|rest)|take a nap)(?: now| and sleep| a while)?$
follow
    ^(?:come here|follow me|come(?: along)?(?: with (?:me|us))?|lead (?:me|us|on|the way))$
move
    ^(?:go|walk|head|run|travel|move|step|proceed|come|follow|enter)$
    ^(?:go|walk|head|run|travel|move|step|proceed) (?!away|on$|ahead)<what>$
    ^(?:come|follow|enter|return) (?!on$)<what>$
    ^(?:take|lead|bring) (?:me|us|the way) <what>$|^leave(?: here| now| this place| the room)?$
take
    ^(?:take|grab|pick up|get) (?!(?:care|lost|out|up|it easy|your time|(?:a |good )?note)\b)<what>$
put_down
    ^(?:drop|put down|lay down|set down|put) <what>$
tell_on
    ^(?:tell|ask|say|send) <what>$
cannot
    ^(?:attack|kill|fight|hit|open|close|lock|unlock|buy|cook|build|cast|heal|steal) <what>$
    ^(?:eat|drink|climb|swim|write|play|light|burn|destroy|arrest|catch|cut|pay) <what>$
""".replace("VERBS", "wave|dance|smile|bow|nod|laugh|sing|clap|sit|jump|salute|wink|hug|cheer|"
            "shrug|kneel|curtsy|sigh|grin|spin|whistle|frown|kiss"))  # fmt: skip

SOCIAL = _table(r"""
remember
    ^(?:remember|do not forget|never forget|note|keep in mind)(?: this| that| of)* <what>$
    ^(?:make|take) (?:a )?note (?:of |that )*<what>$
apology
    ^(?:i am (?:so |very |really )?sorry|sorry|my apologies|i apologi[sz]e|forgive me)\b
thanks
    ^(?:many thanks|thanks|thank you|thx|ty|cheers|much obliged|i appreciate|my thanks|thank)\b
farewell
    ^(?:good ?bye|bye|farewell|see you|see ya|later|good night|so long|take care|until next)\b
    ^i (?:must|have to|need to|should|will|am going to) (?:go|be going|leave|be off|head)\b
    ^i am (?:leaving|off)\b
insult
    ^(?:go away|get lost|shut up|be quiet|leave me alone|go to hell|damn you)\b
    ^i (?:hate|despise) you\b|^you (?:suck|stink|smell)\b
    ^you (?:\w+ ){0,3}(?:stupid|idiot|fool|ugly|useless|boring|dumb|liar|coward|moron|annoying)\b
    ^you (?:\w+ ){0,3}(?:pathetic|terrible|horrible|worthless|rude)\b
    ^(?:idiot|fool|moron|liar|coward|stupid)$
compliment
    ^you (?:are|look|seem) (?:\w+ ){0,3}(?:kind|nice|great|wonderful|brave|beautiful|lovely|wise)\b
    ^you (?:are|look|seem) (?:\w+ ){0,3}(?:good|amazing|clever|smart|helpful|sweet|funny|strong)\b
    ^you (?:are|look|seem) (?:\w+ ){0,3}(?:charming|the best|awesome|pretty|handsome)\b
    ^i (?:really )?(?:like|love|admire|trust) you\b|^(?:well done|good job|nice work|bravo)
laugh
    ^(?:(?:ha){2,}h?|(?:he){2,}|lol|lmao|rofl)$|^(?:that is|very) (?:so |very )?funny
mood_bad
    ^i (?:am|feel) (?:\w+ )?(?:tired|hungry|thirsty|sad|bored|cold|lost|scared|afraid|angry)\b
    ^i (?:am|feel) (?:\w+ )?(?:lonely|hurt|wounded|sick|ill|worried|exhausted|nervous|upset)\b
mood_good
    ^i (?:am|feel) (?:\w+ )?(?:fine|ok|okay|good|great|well|happy|excited|alright|better)\b
    ^(?:not bad|very well|pretty good|all good)\b
yes
    ^(?:yes|yeah|yep|aye|yup|sure|certainly|of course|indeed|agreed|right|true)\b(?: \w+){0,2}$
    ^(?:i do|i am|i will|ok|okay|exactly|absolutely|alright|all right|fine|very well)$
no
    ^(?:no|nope|nay|never|not really|not yet|not at all|no way)(?: (?:thanks|thank you|please))?$
    ^no i (?:do|am|will) not$|^i (?:do|am|will) not$
greeting
    ^(?:hello|hi|hey|hiya|greetings|hail|howdy|welcome|well met|salutations|yo)\b(?: \w+){0,3}$
    ^good (?:morning|day|evening|afternoon)\b(?: \w+){0,3}$
    ^(?:nice|pleased|good|glad) to (?:meet|see) you\b
""")

NO_FACT = re.compile(
    r"^i (?:(?:also|really|just|still) )*(?:think|guess|see|know|suppose|agree|understand|mean|"
    r"said|say|hope|wonder|doubt|promise|swear|bet|try|do not|did not|can|could|would|will|shall|"
    r"may|might|must|should|want (?:you|to)|need (?:you|to)|love (?:you|it)|like (?:it|that))\b"
    r"|^i am (?:not )?(?:here|back|sure|ready|done|going|looking|trying|just|glad|curious|"
    r"listening|coming|talking)\b"
    r"|^my (?:pleasure|god|goodness|bad|turn|word|lord|lady)\b"
    r"|^(?:you|it|he|she|they|this|that|nothing|everything|something|there you)\b"
)
"""Sentences that sound like facts and are none worth keeping."""

OWN_FACT = re.compile(r"^(?:i|my|our) \w+ ?\w")
OTHER_FACT = re.compile(
    r"^(?P<who>(?:the|an?|my|there) \w+(?: \w+){0,3}?) (?:is|are|was|were|has|have|will)\b.*\w"
    r"|^there (?:is|are)\b.*\w"
)
NAMED_FACT = re.compile(
    r"^(?!(?:the|an?|my|our|we|there|some|many|all|people|today|yesterday|now|if|when|then)\b)"
    r"(?P<who>\w+(?: \w+){0,2}?) (?:is|are|was|were|has|have|had|will|\w{3,}ed|stole|took|gave|"
    r"lost|found|lives?|likes?|loves?|hates?|owns?|wants?|went|came|left|said|saw|made|built|"
    r"broke|owes?|keeps?|sells?|works?|knows?|fell|won)\b.*\w"
)
GESTURE = re.compile(r"\b(?:waves?|bows?|nods?|smiles?|grins?|salutes?|winks?|curts\w+|hugs?)\b")
GONE = re.compile(r"\b(?:leaves?|left|departs?|departed|goes|gone|is leaving)\b")
