"""Ways from place to place."""

from evennia.objects.objects import DefaultExit

from typeclasses.objects import ObjectParent


class Exit(ObjectParent, DefaultExit):
    """A way that leads somewhere."""
