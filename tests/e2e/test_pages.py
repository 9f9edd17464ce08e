"""The pages of the web server: the game's own, and the owner's."""

import re
import urllib.error
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar

import pytest

from tests.e2e.harness import OWNER, PASSWORD, PATIENCE


class Browser:
    """Opens pages, keeps cookies, and logs in."""

    def __init__(self, game):
        self.site = f"http://127.0.0.1:{game.base + 1}"
        self.jar = CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))

    def get(self, path, data=None):
        """Return (final path, text) of a page."""
        posted = urllib.parse.urlencode(data).encode() if data else None
        request = urllib.request.Request(self.site + path, posted, {"Referer": self.site + path})
        with self._opener.open(request, timeout=PATIENCE) as answer:
            return urllib.parse.urlsplit(answer.url).path, answer.read().decode(errors="replace")

    def log_in(self):
        """Log in as the owner."""
        _, page = self.get("/admin/login/")
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page).group(1)
        form = {"username": OWNER, "password": PASSWORD, "csrfmiddlewaretoken": token}
        return self.get("/admin/login/?next=/ai/", form)


LOADED = re.compile(r'<(?:script|link|img)[^>]*?(?:src|href)="?([^"\s>]+)')


@pytest.mark.parametrize("path", ["/", "/webclient/", "/auth/login/"])
def test_pages_need_no_internet(village, path):
    """All that a page loads comes from the village itself, and is there (404 raises)."""
    browser = Browser(village)
    _, page = browser.get(path)
    loaded = LOADED.findall(re.sub(r"<!--.*?-->", "", page, flags=re.DOTALL))
    assert "/static/vendor/bootstrap.css" in loaded
    for address in loaded:
        browser.get(address)


def test_the_website_says_what_it_is(village):
    """A village, and how to walk in."""
    _, page = Browser(village).get("/")
    assert "Hollin Ford" in page
    assert str(village.base) in page
    assert "out of the box" not in page
    assert "no guest is known again" in " ".join(page.split())  # kept is what a guest says


def test_owners_page_is_not_for_strangers(village):
    """Whoever is not staff is asked to log in."""
    path, page = Browser(village).get("/ai/")
    assert "login" in path
    assert "Tansy" not in page


def test_owner_sees_how_the_assistants_are(village):
    """One row each: where, in what state, with which model."""
    path, page = Browser(village).log_in()
    assert path == "/ai/"
    for word in ("Tansy Brewell", "Captain Seraphina Stormborne", "offline", "listening"):
        assert word in page


def test_admin_shows_what_is_remembered(village):
    """The rows are there to be read in Django's admin."""
    browser = Browser(village)
    browser.log_in()
    assert "memor" in browser.get("/admin/ai_assistant/")[1].lower()
