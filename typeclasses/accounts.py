"""The people behind the characters, and what they are told when they first walk in."""

from evennia.accounts.accounts import DefaultAccount, DefaultGuest

WELCOME = """
|wWelcome to Hollin Ford.|n Some things to try:
  |wlook|n                     where you are, and who is with you
  |wsay hello, tansy|n         speak: whom you name answers
  |wwhisper tansy = ...|n      tell one of them what nobody else will hear of
  |wpage tansy = ...|n         the same from anywhere; |wpub ...|n is the Public channel
  |wout|n, |winn|n, |wnorth|n ...      walk about
  |whelp guide|n               the whole of it
"""


class Welcomed:
    """Says once in an account's life what there is to do."""

    def at_first_login(self, **kwargs):
        """Evennia has no session to write to yet, so only take note."""
        super().at_first_login(**kwargs)
        self.ndb.newcomer = True

    def at_post_login(self, session=None, **kwargs):
        """Let them in, then greet a newcomer."""
        super().at_post_login(session=session, **kwargs)
        if self.ndb.newcomer:
            del self.ndb.newcomer
            self.msg(WELCOME, session=session)


class Account(Welcomed, DefaultAccount):
    """A person with a name and a password."""


class Guest(Welcomed, DefaultGuest):
    """A person without a password, forgotten by the server when they leave."""
