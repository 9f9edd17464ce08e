"""The owner's page: for staff only, asked of the game's own thread, plain text in every cell."""

import queue
import threading
from types import SimpleNamespace

from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import RequestFactory, override_settings
from django.urls import reverse

from ai_assistant.web.views import overview
from tests.evennia.living import LivingTestCase


def visitor(*, is_staff=True):
    """Return somebody who is logged in to the site; Evennia's menu asks for their characters."""
    return SimpleNamespace(
        is_active=True, is_authenticated=True, is_staff=is_staff, username="Boss", characters=[]
    )


class TestOverview(LivingTestCase):
    def get(self, user):
        """Ask for the page in a thread of its own, as a web server does; returns the response.

        The thread may ask the game, that is this one, for something; the database it may not.
        """
        asked, answers = queue.Queue(), queue.Queue()
        request = RequestFactory().get(reverse("ai_assistant:overview"))
        request.user, request.session = user, {}

        def ask(function):
            asked.put(function)
            return answers.get(timeout=5)

        def serve():
            try:
                with connection.execute_wrapper(forbid):
                    self.response = overview(request, ask=ask)
            finally:
                connection.close()
                asked.put(None)

        thread = threading.Thread(target=serve)
        thread.start()
        while function := asked.get(timeout=5):
            answers.put(function())
        thread.join()
        return self.response

    def test_strangers_are_sent_to_log_in(self):
        """Whoever is not staff is sent to the login, and nobody is asked for anything."""
        for user in (AnonymousUser(), visitor(is_staff=False)):
            response = self.get(user)
            assert response.status_code == 302
            assert "login" in response["Location"]

    def test_staff_see_everybody(self):
        """Each assistant has its row."""
        self.an_assistant("Marrek")
        self.an_assistant("Tansy", self.street)
        page = self.get(visitor()).content.decode()
        for word in ("Marrek", "The Inn", "Tansy", "Street", "listening", "offline"):
            assert f"<td>{word}</td>" in page

    def test_nobody_yet(self):
        """An empty game says how to begin."""
        assert "ai/create" in self.get(visitor()).content.decode()

    def test_names_are_text(self):
        """What stands in a name is shown, never run."""
        self.an_assistant().key = "<script>alert(1)</script>"
        page = self.get(visitor()).content.decode()
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert" in page

    def test_wrong_settings(self):
        """Where a setting keeps everybody from thinking, the page says which."""
        with override_settings(AI_ASSISTANT_DAILY_CALLS="many"):
            self.an_assistant()
            page = self.get(visitor()).content.decode()
            self.logged()
        assert "AI_ASSISTANT_DAILY_CALLS must be of type int" in page
        assert "<td>not running</td>" in page


def forbid(execute, sql, params, many, context):
    """Refuse what only the game's own thread may do."""
    raise AssertionError(f"The view asks the database in its own thread: {sql}")
