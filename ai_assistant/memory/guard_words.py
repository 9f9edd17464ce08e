"""The words other than verbs that the persona guard knows: pronouns, people, headings, titles."""

from __future__ import annotations

import re

from ai_assistant.memory.guard_verbs import words

SELF = words(
    "me my myself we us our ours ourselves meself imma i'mma lemme gimme methinks im ive weve let's"
)
"""Words that mean the writer, whatever stands around them; `i`, `mine` and `ill` need a look."""
CONTRACTED = re.compile(r"(?:i|we)'(?:m|ma|d|ll|ve|re)(?:'ve)?\Z")
PRONOUNS = words("he she it they you who everyone everybody someone somebody nobody anyone")
OBJECTS = words("him her it them you everyone everybody someone somebody nobody anyone")
DETERMINERS = words(
    "the a an his her their its this that these those some any every each all both another no "
    "one two three four five six seven eight nine ten many several few more most your whose"
)
PREPOSITIONS = words(
    "about above across after against along among around as at before behind below beneath beside "
    "between beyond by despite down during except for from in inside into near of off on onto out "
    "outside over past through throughout to toward towards under until up upon via with within "
    "without back away together"
)
SUBORDINATORS = words(
    "after although as because before if once since though unless until when whenever where "
    "whereas while whether"
)
CONJUNCTIONS = words("and but or nor so yet then & plus")
RELATIVES = words("who whom whose which that what how why where when whether if because whatever")
ADVERBS = words(
    "already also always again almost even ever finally first never not now often once only quite "
    "rather really soon still then there therefore thus today tomorrow tonight twice usually very "
    "yesterday just later earlier afterwards meanwhile besides however instead next perhaps maybe "
    "sometimes here too well lately furthermore moreover additionally so n't"
)
POINTS_IN_TIME = words("last this at that one next same following other")
TIMES = words(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may "
    "june july august september october november december today tomorrow yesterday tonight morning "
    "noon evening night midnight dawn dusk christmas week month year day spring summer autumn "
    "winter afternoon"
)
LABELS = words(
    "note notes fact facts memory memories pattern patterns reminder reminders todo task tasks "
    "plan plans goal goals summary update updates status log logs journal entry observation "
    "observations insight insights lesson lessons thought thoughts result results now then quest "
    "quests event events promise important remember key info context background outcome progress "
    "recap report idea ideas strategy advice tip tips hint warning rule rules guideline habit name "
    "role persona mood feelings opinion belief self me myself mine us we also finally first second "
    "third next later meanwhile edit tldr achievement milestone dialogue history session answer "
    "encounter encounters visit visits trade fight battle gift gifts deal deals chats debrief "
    "review overview digest minutes blog item items story tale scene place time date state skill "
    "skills trait traits like likes dislike dislikes hobby fear fears dream dreams wish regret "
    "pledge vow debt debts trust friend friends enemy enemies ally allies contact contacts bond "
    "feedback caveat disclaimer bonus extra misc other others general personal private public "
    "words word lines line diary letter book page file notebook profile entries list checklist "
    "greeting favor favour favorite favourite offer request requests complaint success failure "
    "mistake mistakes confidence progress adventure travels trip journey errand chore "
    "recently lately previously overall essentially basically aside thing things "
    "more question questions last world character "
    "answers reply response question remark comment claim message step steps day "
    "rumour rumor news secret truth problem trouble issue reason point example detail details data "
    "record topic subject here there well done completed learned learnt learning finding findings "
    "focus aim purpose mission duty job need needs priority deed deeds work help matter order "
    "reflections experience chat talk past present future ps what why how when"
)
"""What stands before a colon without being a speaker."""
_ABSTRACT = re.compile(r"(?:tion|sion|ment|ness|ity|ance|ence|ism|ship|ings?|ure|ogy|als?)\Z")
NAMING = words("called named titled entitled dubbed")
"""After these a capitalised run of words is what something is called: an inn named My Rest."""
KINDS = words("assistant ai bot npc chatbot llm narrator")
ROLES = words(
    "helper guide companion agent model intelligence character host servant persona writer "
    "unit program system"
)
ARTIFICIAL = words("ai npc virtual digital artificial chat language")
ROLE_WORDS = (
    KINDS
    | ROLES
    | ARTIFICIAL
    | words("game in-game helpful humble friendly faithful loyal trusty large personal")
)
"""What the assistant may be called after an article: a kind, a role, and words before those."""
_ABSTRACT_NAMES = words(
    "florence constance prudence clarence terrence laurence lawrence trinity felicity verity "
    "charity clement pascal crystal kendal randal chantal irving sterling harding"
)
"""Given names that end like the names of things."""
SELF_PHRASES = {"yours truly", "the undersigned", "to self"}
SELF_LABELS = words("assistant ai bot npc chatbot llm system narrator character model")
BEARERS = words(
    "sign inscription motto graffiti graffito poster plaque banner epitaph tombstone gravestone "
    "headstone song ballad poem verse chorus proverb saying riddle oath prayer refrain slogan "
    "parrot placard lyrics"
)
"""What says something of its own accord: ``The sign: …``"""
TEXTS = BEARERS | words("diary letter words word line lines cry book journal decree")
"""What says something where it has an owner: ``Alice's diary: …``"""
MESSAGES = words(
    "message note reply comment request answer post poem joke wish question quote "
    "statement testimony report confession"
)
PEOPLE = words(
    "beggar scholar vicar liar friar burglar "
    "player user speaker stranger captain guard king queen priest knight wizard witch child boy "
    "girl duke lord lady prince princess elf dwarf troll goblin ghost dragon thief monk nun mage "
    "bard scout pirate cook chef host clerk man woman husband wife mother father brother sister "
    "son daughter friend merchant sergeant soldier cleric paladin druid rogue crowd people players "
    "villagers guest patient giant gnome orc vampire spirit maid servant shepherd ranger butler "
    "patron newcomer novice apprentice blacksmith smith baker librarian squire"
)
_PERSON = re.compile(r"(?:er|or|ist|man|men|woman|smith|ess|ian|monger|wright|folk|ant|eer|ers)\Z")
_THINGS = words(
    "matter number river tower corner summer winter water power paper quarter dinner weather "
    "danger favor error factor color floor door harbor order answer letter reminder offer layer "
    "chapter center shelter timber silver ladder border armor mirror rumor humor supper after "
    "encounter barter banter chatter laughter slaughter wonder murder charter register roster "
    "chamber error terror horror labor honor restaurant grant covenant pendant progress business "
    "success process access address darkness mess chess list mist gist twist heist fist checklist "
    "wishlist motor adventure manner tenor theater important assistant "
    "under over never ever whether either other another however together"
)
TITLES = words(
    "king queen emperor empress pope tsar czar duke duchess prince princess lord lady saint sultan "
    "kaiser archduke baron count pharaoh shah regent monarch jarl sir dame captain master mistress "
    "the of a an old young doctor dr mr mrs ms st brother sister father mother sergeant general "
    "commander guard uncle aunt granny grandfather professor chief high great major lieutenant"
)
REGAL = words("reign crown death tomb statue portrait court son daughter age time days throne")
MINING = words("shaft shafts owners workers carts ore tunnels work country")
ROYAL = words(
    "king queen emperor empress pope tsar czar duke prince princess lord lady saint sultan kaiser "
    "archduke baron count pharaoh shah regent monarch jarl"
)
REIGNING = words(
    "ruled reigned crowned abdicated conquered founded king queen emperor empress first born "
    "ascended succeeded deposed dethroned beheaded buried"
)
NUMBERED = words(
    "part chapter act book volume vol phase type level tier stage section class war grade no mark "
    "mk episode scene canto floor lesson appendix figure table district sector ward gate letter "
    "word pronoun vowel rune button initial symbol glyph column row marked labelled labeled "
    "island pier cabin room cell ship numeral option item article paragraph season round lane dock "
    "block wing hall key group"
)
"""What may be told apart by a number or letter: ``Part I``, ``the letter I``."""


def is_adverb(word: str) -> bool:
    """Is this word an adverb?"""
    low = word.lower()
    return low in ADVERBS or (len(low) > 4 and low.endswith("ly") and low not in {"family"})


def is_name(word: str) -> bool:
    """Is this word written like a name, and no word that merely begins a sentence?"""
    low = word.lower().removesuffix("'s")
    common = DETERMINERS | PREPOSITIONS | SUBORDINATORS | CONJUNCTIONS | PRONOUNS | TIMES
    return word[:1].isupper() and not (low in common or low in SELF or is_adverb(low))


def is_person(word: str) -> bool:
    """Does this noun mean somebody?"""
    low = word.lower()
    return low in PEOPLE or (bool(_PERSON.search(low)) and low not in _THINGS)


def is_label(word: str) -> bool:
    """Is this a heading rather than a speaker?"""
    low = word.lower().removesuffix("'s")
    if low in PEOPLE or low in _ABSTRACT_NAMES:
        return False
    return low in LABELS or low in TIMES or bool(_ABSTRACT.search(low))
