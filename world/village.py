"""The village of Hollin Ford: six places, some things, two people, built at the first start."""

from evennia import create_object, search_object, search_tag

from ai_assistant import announce, blocks, create_assistant, entity_id, set_lore
from world.common_knowledge import LANDMARKS, LORE, NEWS, ROUNDS, WATCH
from world.people import PEOPLE

ROOM = "typeclasses.rooms.Room"
EXIT = "typeclasses.exits.Exit"
OBJECT = "typeclasses.objects.Object"
START = "#2"
"""The room Evennia makes by itself, where everybody enters the game: it becomes the inn."""

PLACES = {
    "inn": (
        "The Kettle and Crow",
        "Low beams, a fire that has not gone out since the old miller's time, and a smell of barley"
        " stew. A stuffed crow over the mantel wears somebody's lost hat. The door leads |wout|n to"
        " the green; a curtain hides the |wsnug|n.",
    ),
    "snug": (
        "The Snug",
        "A curtained corner with one bench and one candle. What is said here stays here; the"
        " village has agreed on that, and on little else. The |wcurtain|n leads back.",
    ),
    "green": (
        "Village Green",
        "Geese own the grass and know it. Under the lime tree stands a stone table with a chess"
        " board cut into its top. The |winn|n glows to one side, the |wsmithy|n rings on the other;"
        " the |wnorth|n road climbs to the gate, the |wsouth|n road goes down to the bridge.",
    ),
    "smithy": (
        "Orrin's Smithy",
        "The forge is banked and the smith is out, as he is whenever there is fishing. Half of the"
        " bridge's new ironwork lies stacked by the wall. The |wgreen|n is outside.",
    ),
    "gate": (
        "North Gate",
        "Two posts of scorched oak and a bar between them. Of the toll house only the chimney is"
        " left. The road runs on to Capital City; the village lies |wsouth|n.",
    ),
    "bridge": (
        "The Old Bridge",
        "Three arches of grey stone over the Hollin, and a gap where a fourth used to be. Planks"
        " have been laid across it by somebody with a good opinion of planks. The green is"
        " |wnorth|n.",
    ),
}
"""Name and description of every place."""

WAYS = (
    ("inn", "out", ("door", "green"), "green"),
    ("green", "inn", ("kettle", "in"), "inn"),
    ("inn", "snug", ("corner",), "snug"),
    ("snug", "curtain", ("out", "inn"), "inn"),
    ("green", "smithy", ("forge", "east", "e"), "smithy"),
    ("smithy", "green", ("out", "west", "w"), "green"),
    ("green", "north", ("n", "gate"), "gate"),
    ("gate", "south", ("s", "green"), "green"),
    ("green", "south", ("s", "bridge"), "bridge"),
    ("bridge", "north", ("n", "green"), "green"),
)
"""From, name, further names, to."""

THINGS = (
    (
        "signpost",
        "green",
        "a crooked signpost",
        "CAPITAL CITY 9 leagues, says the north arm. MILLBROOK 2, says the south arm, and below it"
        " in chalk: mind the gap. Somebody has hung a third arm on it: STEW, 20 paces.",
    ),
    (
        "crow",
        "inn",
        "a stuffed crow",
        "It watches the room with one glass eye and one button. Nobody sits with their back to it.",
    ),
    ("board", "green", "a stone chess table", "A game stands on it, white to move and in trouble."),
    ("plank", "bridge", "a loose plank", "It would rather you did not."),
)
"""Slug, place, name, description of what stays where it is."""

GIFTS = (
    (
        "lantern",
        "innkeeper",
        "a tin lantern",
        "Dented, bright, and marked K&C. Guests may borrow it.",
    ),
    ("bread", "innkeeper", "a heel of bread", "Dark crust, still warm."),
    ("pass", "captain", "a road pass", "A card with the seal of the Guard: let the bearer by."),
)
"""Slug, holder, name, description of what its holder may give away."""


def build():
    """Build what is not there yet; the order is that of the tables above.

    Everything made carries a tag, so that a first start that was cut short can be repeated.
    """
    places = {slug: _place(slug, *entry) for slug, entry in PLACES.items()}
    places["snug"].tags.add("private", category="ai_assistant")
    for start, key, aliases, end in WAYS:
        _once(f"way-{start}-{key}", EXIT, key, places[start], aliases, destination=places[end])
    for slug, place, key, desc in THINGS:
        thing = _once(slug, OBJECT, key, places[place])
        thing.db.desc = desc
        thing.locks.add("get:false()")
    people = {slug: _person(slug, places, **entry) for slug, entry in PEOPLE.items()}
    for slug, holder, key, desc in GIFTS:
        gift = _once(slug, OBJECT, key, people[holder])
        gift.db.desc = desc
        gift.tags.add("givable", category="ai_assistant")
    _tell_everybody(places)
    _set_the_watch(places, **people)


def _tell_everybody(places):
    """Let everybody know the lore, the news and the map."""
    for slug in LANDMARKS:
        places[slug].tags.add("landmark", category="ai_assistant")
    blocks.sync_places()
    known = blocks.read_world()
    if not known["lore"]:
        set_lore(LORE)
    told = [event["content"] for event in known["recent_events"]]
    for news in NEWS:
        if news not in told:
            announce(news)


def _set_the_watch(places, captain, innkeeper):
    """Let both share what the watch knows, and send the captain on her rounds."""
    told = blocks.lines_of(blocks.get_or_create_shared_block("watch", [captain, innkeeper]))
    for line in WATCH:
        if line not in told:
            blocks.add_line("watch", line, npc=captain)
    slugs, pause = ROUNDS
    if not captain.goals.current_goals:
        stops = [{"place": entity_id(places[slug]), "name": places[slug].key} for slug in slugs]
        about = {"stops": stops, "pause": pause, "name": "the rounds of the watch"}
        captain.goals.add_goal("Walk the rounds of the watch", "low", kind="patrol", about=about)


def _found(slug):
    return next(iter(search_tag(slug, category="village")), None)


def _once(slug, typeclass, key, location=None, aliases=(), destination=None):
    return _found(slug) or create_object(
        typeclass,
        key=key,
        location=location,
        home=location,
        aliases=list(aliases),
        destination=destination,
        tags=[(slug, "village")],
    )


def _place(slug, name, desc):
    if slug == "inn":
        room = search_object(START)[0]
        room.key = name
        room.tags.add(slug, category="village")
    else:
        room = _once(slug, ROOM, name)
    room.db.desc = desc
    return room


def _person(slug, places, *, place, habits=(), **who):
    person = _found(slug)
    if person is None:
        config = {"channels": {"Public": "mention"}, "autonomy_interval": 240, **dict(habits)}
        person = create_assistant(location=places[place], config=config, **who)
        person.tags.add(slug, category="village")
        person.aliases.add(slug)  # so that they are paged by what they are, too
    return person
