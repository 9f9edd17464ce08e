"""Sorts of things, and things of that sort: who asks for a pet is answered by a puppy."""

from __future__ import annotations

TRADES = tuple(
    "baker guard sailor weaver scribe miner cooper healer tanner carter fletcher potter brewer "
    "farrier mason tailor smith blacksmith butcher cobbler carpenter farmer fisherman hunter "
    "innkeeper merchant miller shepherd soldier teacher thief cook groom steward porter clerk "
    "servant apprentice nurse doctor priest pedlar gardener barber dyer jeweller cellarer bard "
    "knight squire monk sergeant captain lawyer engineer driver waiter waitress writer painter "
    "musician dancer actor student ranger watchman herbalist alchemist glazier chandler "
    "falconer midwife sculptor roofer thatcher plumber fiddler juggler jester minstrel scholar "
    "librarian notary judge magistrate sheriff constable gaoler jailer executioner sexton bishop "
    "abbot nun friar druid wizard witch mage sorcerer spy smuggler pirate mercenary archer rider "
    "groom ostler coachman drover swineherd beekeeper forester woodcutter lumberjack charcoal "
    "quarryman dockworker ferryman pilot navigator shipwright helmsman bosun mate fishwife maid "
    "nanny governess tutor translator envoy ambassador treasurer banker accountant manager "
    "designer programmer artist photographer chef bartender dentist vet electrician mechanic "
    "journalist editor coach pilot counselor therapist volunteer".split()
)
TRADE = r"\w+(?:smith|maker|wright|monger|keeper|binder|herd|seller|dealer|worker|woman|man)"
"""Most other trades, by how their names end."""
SORTS = (
    (
        "pet animal beast creature",
        "dog puppy hound cat kitten goat parrot rabbit hare fox wolf owl raven crow hawk falcon "
        "goose duck hen ferret tortoise mouse rat lizard snake horse pony donkey mule ox cow pig "
        "sheep bird fish turtle hamster bear hedgehog squirrel badger otter weasel canary pigeon "
        "gecko toad frog spider tabby beagle terrier spaniel mastiff collie retriever poodle",
    ),
    (
        "weapon fight arm armed wield",
        "sword axe spear bow crossbow dagger knife mace hammer sling club staff blade halberd "
        "pike lance whip rapier sabre cudgel pistol musket",
    ),
    ("mount ride steed", "horse mare stallion pony donkey mule ox camel gelding nag"),
    (
        "drink beverage brew",
        "ale beer cider mead wine rum brandy whisky gin tea coffee milk water juice",
    ),
    (
        "food meal dish eat",
        "bread cheese pie soup stew cake meat fish goose chicken pork beef mutton fruit apple "
        "porridge sausage pudding",
    ),
    (
        "instrument play music",
        "lute fiddle violin viola cello bass drum flute harp horn pipe bagpipe guitar banjo "
        "ukulele mandolin piano organ accordion whistle trumpet trombone tuba clarinet oboe "
        "saxophone",
    ),
    (
        "colour",
        "red blue green black white brown grey gray yellow purple crimson golden blond orange pink",
    ),
    ("sick ill illness ail", "fever cough cold toothache headache limp wound rash"),
)
"""The names of a sort, and what belongs to it."""
