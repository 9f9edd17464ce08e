"""What more than one in Hollin Ford knows, as data: lore, news, map, the watch and its rounds.

As with the people's own lore, each line is a sentence that makes sense alone. It is short: a prompt
has 250 tokens for lore, map and news together.
"""

LORE = (
    "The history of this village is short: Hollin Ford was a ford until the first miller built"
    " the old bridge."
    " No guest may be sent away before breakfast: that is the oldest law here."
)
"""What everybody has always known."""

NEWS = (
    "Millbrook lends six oxen to haul the bridge irons, if they may bring their own driver.",
    "The autumn fair is held on the green as soon as the bridge bears a wagon.",
)
"""What everybody has heard of lately."""

LANDMARKS = ("gate", "bridge")
"""The places on everybody's map, by their slugs: where the roads come in."""

WATCH = (
    "The watch walks from the green to the north gate, and by the green down to the old bridge.",
    "The north gate is barred at midnight; the captain has one key, the inn the other.",
    "The watch stops every cart without lamps at the old bridge, whoever drives it.",
    "A grey mitten was found at the toll house, and hangs by the inn's hearth until it is missed.",
)
"""What the captain and the innkeeper keep in common, in a block of theirs that is called watch."""

ROUNDS = (("green", "gate", "green", "bridge"), 600)
"""Where the captain walks by and by, and for how many seconds she stays at each place."""
