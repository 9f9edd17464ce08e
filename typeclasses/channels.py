"""Channels to talk on from anywhere."""

from evennia.comms.comms import DefaultChannel


class Channel(DefaultChannel):
    """A channel."""
