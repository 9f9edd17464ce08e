"""Evennia calls this once in the life of the database: at the end of the very first start."""

import evennia

from world import village


def at_initial_setup():
    """Build the village; the channels come first, because its people listen to one."""
    evennia.EVENNIA_SERVER_SERVICE.create_default_channels()
    village.build()
    owner = evennia.search_object("#1")[0]
    owner.location = None  # where bodies without a player are kept; it wakes up at home, in the inn
