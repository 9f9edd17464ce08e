"""Things that are true of players, what may be said of them, and the words for both."""

from __future__ import annotations

from dataclasses import dataclass, field

from ai_assistant.core.contracts import Entity

NAMES = (
    "Alice|Bob|Carol|Dorin Ashe|Edda|Fenn|Greta Holt|Hal|Ivo|Jorun|Kestrel|Lune|Marek Doyle|Nessa|"
    "Osric|Petra|Quill|Rosalind|Sten|Ulla"
).split("|")
VALUES: dict[str, list[str]] = {
    name: words.split("|")
    for name, words in {
        "home": "Millbrook|Thornfield|Oakham|Greyford|Ashby|Wexcombe|Larkhill|Dunmoor|the Old "
        "Harbour|Candle Street|Fisher Lane|Oakvale",
        "work": "blacksmith|weaver|scribe|miner|cooper|healer|guard|ferryman|cook|tanner|mason|"
        "shepherd|thatcher|clerk|glassblower",
        "origin": "Saltmarsh|Vey|Highwater|the Iron Hills|Brackenfell|Norwick|the southern isles",
        "favourite drink": "cider|dark ale|mead|mint tea|red wine|plum brandy|goat milk",
        "favourite song": "The Drowned Bell|The Miller's Wife|Seven Swans|Over the Moor|Red Rowan",
        "spouse": "Rowan|Tilda|Signe|Anselm|Brid|Corvin",
        "owns": "grey mare|mule|rowing boat|silver dagger|telescope|loom|three-legged cat|harness|"
        "hunting hound|oak chest|beehive|music box|longbow|handcart|red cloak|goat",
        "likes": "honey cakes|chess|thunderstorms|old maps|horse races|fresh bread|puppet shows|"
        "dancing|mushrooms|long walks",
        "dislikes": "onions|cold porridge|loud crowds|bagpipes|boiled cabbage|tax collectors|fish "
        "soup|early mornings|wasps",
        "fears": "spiders|deep water|ghosts|high places|thunder|dogs|the dark|snakes",
        "skill": "lute|flute|fiddle|drums|harp|hurdy-gurdy",
        "language": "Elvish|Dwarvish|Old Norren|Sylvan|the trade tongue",
        "allergy": "walnuts|strawberries|shellfish|bee stings|eggs",
        "sister": "Mara|Wilma|Ysolde|Hedda|Linnet",
        "owes": "the moneylender|Old Hamo|the miller|the brewer|Widow Crane",
        "member": "Thieves' Guild|Order of the Lamp|Weavers' Guild|Town Watch|River Company",
        "collects": "seashells|old coins|feathers|keys|dried flowers|buttons",
    }.items()
}
SECRETS = {
    "secret deed": [
        f"{one} {other}"
        for one in "jade amber ivory cobalt opal pewter".split()
        for other in "comb goblet seal brooch casket mirror".split()
    ],
    "secret love": "Ariadne Belisar Cosima Dragan Evander Fiammetta Galahad Hesper Isidora Jocasta "
    "Kasimir Lysander Melisande Nerys Orlando Perdita Quentin Rosamund Silvano Thessaly Umberto "
    "Vespera Wolfram Xanthe".split(),
    "secret past": "Aldermoor Brinehold Caer-Luin Drakenfurt Eberswick Falkenrath Gildermere "
    "Hallin Isenbruck Jarnsted Kolveth Lorndale Mistral Nachtfeld Orrinsay Pellworm "
    "Quarrendon Ravenspur Skellig Tarnholm Umbria Valdresse Wyvernmark Yarrow".split(),
}
SINGLE = ("home", "work", "origin", "favourite drink", "favourite song", "spouse")
"""Kinds of which one value holds at a time."""
OPEN_KINDS = {
    **dict.fromkeys(SINGLE, 1),
    **dict.fromkeys(("fears", "skill", "language", "allergy", "sister", "owes", "member"), 1),
    **{"collects": 1, "likes": 2, "dislikes": 2, "owns": 3},
}
SECRET_KINDS = {"secret deed": 1, "secret love": 1, "secret past": 1, "home": 1, "fears": 1}


@dataclass(eq=False)
class Thing:
    """One thing that is true of somebody for certain readers: its `values` in order, and its end.

    `told` says whether it was said at all yet.
    """

    who: Entity
    kind: str
    readers: str
    values: list[str]
    ended: bool = False
    told: bool = False
    texts: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        end = ", over" if self.ended else ""
        last = " / ".join(self.texts[-3:])
        return f"{self.who.name} ({self.readers}) {self.kind}: {self.values}{end}: {last}"


@dataclass(frozen=True)
class Statement:
    """What a line says of a thing; `true` is not so where it is a lie or long over."""

    thing: Thing
    value: str
    ended: bool = False
    true: bool = True


@dataclass(frozen=True)
class Saying:
    """One event: who says what, aloud or by whisper; `sort` names its class.

    An ``echo`` has no words of its own: they are the last that the character itself spoke.
    """

    at: float
    who: Entity
    text: str
    sort: str
    whispered: bool = False
    addressed: bool = False
    statement: Statement | None = None
