"""Words that speak of one and the same thing, so that "moved" answers "where does she live?"."""

from __future__ import annotations

from ai_assistant.memory.lexicon import stem
from ai_assistant.memory.sorts import SORTS

_FAMILIES = (
    "live reside residence dwell settle home house cottage lodging lodge stay move relocate "
    "inhabit place flat apartment",
    "work job trade profession occupation career employ hire promote apprentice position post "
    "become appoint serve",
    "favourite favorite prefer love enjoy fond adore best choice",
    "own buy purchase acquire sell swap replace belong",
    "marry wed wedding husband wife spouse betrothed engaged fiance divorce widow",
    "price cost charge fee toll worth rent pay wage",
    "leader lead rule ruler command elect crown chief head",
    "hide hidden stash bury conceal store keep shift",
    "age old birthday turn",
    "meet meeting gather gathering appointment rendezvous postpone reschedule",
    "name call rename",
    "study learn course train lesson teach teacher tutor pupil student",
    "horse mount steed pony mare stallion ride",
    "weapon wield blade",
    "sick ill illness unwell disease",
    "travel trip journey visit voyage",
    "pet animal",
    "music instrument play",
    "game play",
    "password passphrase watchword",
    "inn tavern alehouse",
    "sweetheart boyfriend girlfriend lover love court courting beau date dating together partner",
    "boat ship vessel sail berth crew",
    "colour color",
    "food meal dish",
    "enemy foe rival",
    "fear afraid scared dread terrify frighten",
    "hate loathe despise detest dislike",
    "debt owe borrow lend loan",
    "guild company order brotherhood club society member join team crew squad band troupe",
    "savings money coin gold purse hoard",
    "hat cap hood headgear",
    "cloak coat cape mantle",
    "garden field crop grow plant sow",
    "army soldier regiment enlist",
    "ring jewel necklace bracelet amulet",
    "wound hurt injure injury",
    "secret hush",
    "quest task mission errand",
    "key lock",
    "guard watch patrol sentry",
    "talk speak language tongue",
    "goal aim ambition dream",
    "allergic allergy",
    "god goddess deity worship pray prayer faith temple follow",
    "child son daughter baby",
    "plan intend",
    "movie film cinema",
    "shop store market stall boutique",
    "holiday vacation trip travel tour",
    "relax calm unwind rest peaceful soothe stress destress",
    "hobby interest pastime passion enjoy",
    "happy glad excite thrill joy delight cheerful",
    "sad upset unhappy disappoint cry grief mourn",
    "angry mad furious rage annoy",
    "buddy friend pal mate companion",
    "help support assist aid",
    "advice advise recommend recommendation suggest suggestion tip counsel",
    "begin start launch",
    "end finish complete done",
    "win victory champion prize trophy award medal",
    "contest competition compete tournament tourney match race",
    "book novel story tale read author",
    "cook bake recipe meal dish kitchen",
    "exercise workout gym fitness train",
    "hike trail walk mountain climb",
    "paint draw art artist sketch drawing painting",
    "song tune melody music sing",
    "concert gig show festival perform performance",
    "dog puppy pup hound",
    "cat kitten",
    "car vehicle drive",
    "bike bicycle cycle",
    "donate donation charity raise fund",
    "school college university degree education academy",
    "class lesson workshop course",
    "company business firm venture",
    "gift present",
    "clothes clothing outfit dress wear",
    "beach ocean sea coast shore",
    "forest wood tree",
    "doctor healer hospital clinic health medicine remedy cure heal",
    "tired exhausted weary",
    "difficult hard tough challenge struggle",
    "problem issue trouble setback obstacle",
    "succeed success achieve achievement accomplish accomplishment milestone",
    "inspire inspiration motivate motivation encourage encouragement",
    "teach mentor mentorship coach guide",
    "celebrate celebration party feast",
    "beautiful gorgeous stunning pretty lovely",
    "delicious tasty yummy",
    "quit leave resign",
    "nature outdoor outdoors",
    "reject rejection refuse turn",
    "apply application submit",
    "fix repair mend",
    "make build create craft forge",
    "fight attack battle",
    "kill slay",
    "rob steal thief bandit robber",
    "promise vow swear oath",
    "lie deceive trick",
    "rich wealthy wealth",
    "poor poverty",
    "road path way route",
    "country kingdom land nation realm",
    "city town village",
    "sword blade steel",
    "magic spell wizard witch sorcery",
    "dead die death",
    "birth born",
    "early childhood child young grow grew",
    "think opinion",
)
_RELATED: dict[str, frozenset[str]] = {}
for _family in _FAMILIES:
    _stems = frozenset(map(stem, _family.split()))
    for _one in _stems:
        _RELATED[_one] = _RELATED.get(_one, frozenset()) | (_stems - {_one})
_MEMBERS: dict[str, frozenset[str]] = {}
for _names, _things in SORTS:
    for _one in map(stem, _names.split()):
        _MEMBERS[_one] = _MEMBERS.get(_one, frozenset()) | frozenset(map(stem, _things.split()))


def members(word: str) -> frozenset[str]:
    """Return the stems of things of that sort: "animal" has "dog"; mostly none."""
    return _MEMBERS.get(word, frozenset())


def related(word: str) -> frozenset[str]:
    """Return the stems that speak of the same as a stem, without it; mostly none."""
    return _RELATED.get(word, frozenset())
