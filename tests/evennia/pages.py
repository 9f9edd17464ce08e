"""What tests of the owner's pages share: a browser of Django's, and a game that answers at once."""

from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse
from twisted.internet.defer import Deferred

from ai_assistant.web.access import GAME
from tests.evennia.living import CommandTestCase

UPLOADS = ("upload_book", "upload_whole")
STORIES = ("scenes", "scene", "lore", "world", "world_block", "edit_world", *UPLOADS)


class PagesTestCase(CommandTestCase):
    """Ada is an Admin; `asked` counts what the views asked of the game."""

    def setUp(self):
        super().setUp()
        self.asked = 0
        GAME.__init__(call=self.on_the_games_thread)
        self.addCleanup(GAME.__init__)
        self.marrek = self.an_assistant()

    def on_the_games_thread(self, look):
        """Call it here, where no reactor runs, and let all go on that it waits for."""
        self.asked += 1
        found = look()
        if isinstance(found, Deferred):
            ends = []
            found.addBoth(ends.append)
            self.steps.run()
            (found,) = ends
            if hasattr(found, "raiseException"):
                found.raiseException()
        return found

    def browser(self, account=None, **options):
        """Return a browser in which an account is logged in: Ada's, unless another is given."""
        browser = Client(**options)
        if account is None:
            account = self.account
        if not isinstance(account, AnonymousUser):
            browser.force_login(account)
        return browser

    def address(self, name, **named):
        """Return the address of a page; of Marrek's, where it is about one."""
        if name not in ("overview", "turns", "money", "health", "game_settings", *STORIES):
            named.setdefault("number", self.marrek.pk)
        return reverse(f"ai_assistant:{name}", kwargs=named)

    def get(self, name, account=None, query=None, **named):
        """Return the text of a page, which is there."""
        response = self.browser(account).get(self.address(name, **named), query or {})
        assert response.status_code == 200, response.content.decode()
        return response.content.decode()

    def change(self, what, account=None, **fields):
        """Send a form about Marrek; returns the answer."""
        return self.browser(account).post(self.address("edit", what=what), fields)
