"""The owner's pages in a headless Chromium: log in, find, press, and look what is wrong."""

from base64 import b64decode
from itertools import product
from pathlib import Path

from tests.e2e.harness import OWNER, PASSWORD

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text("utf-8")
PATIENCE = 30
"""So many seconds a page may take to come."""
SCREENS = {
    "desk": {"width": 1200, "height": 900, "deviceScaleFactor": 1, "mobile": False},
    "phone": {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True},
}


class Desk:
    """A browser on the owner's pages."""

    def __init__(self, chrome, site):
        self.chrome, self.site = chrome, site

    def log_in(self, account=OWNER):
        """Log in, as the owner or by another account, and find the page of Tansy."""
        self.chrome.delete_all_cookies()
        self.chrome.get(f"{self.site}/auth/login/?next=/ai/")
        self.find("[name=username]").send_keys(account)
        self.leave_by("[name=password]", PASSWORD, "\n")
        self.tansy = self.find_link("Tansy Brewell").get_attribute("href")
        self.chrome.get_log("browser")

    def find(self, selector):
        return self.chrome.find_element("css selector", selector)

    def leave_by(self, selector, *keys):
        """Type into what is there, and wait until another page has taken its place."""
        self.leave(lambda: self.find(selector).send_keys(*keys))

    def leave(self, press):
        """Do what leaves the page, and wait until another has taken its place."""
        from selenium.webdriver.support.wait import WebDriverWait

        self.chrome.execute_script("window.isLeft = true")
        press()
        arrived = "return !window.isLeft && document.readyState === 'complete'"
        WebDriverWait(self.chrome, PATIENCE, 0.05).until(lambda page: page.execute_script(arrived))

    def has(self, selector):
        """Is there any such thing on the page at this moment?"""
        return self.chrome.execute_script("return !!document.querySelector(arguments[0])", selector)

    def told(self):
        """Return what a page says of what was done just before."""
        return self.find("[role=status]").text

    def find_link(self, words):
        return self.chrome.find_element("partial link text", words)

    def look(self, name, folder):
        """Take pictures of the whole page, light and dark on each screen; returns what is wrong."""
        wrong = []
        for screen, scheme in product(SCREENS, ("dark", "light")):
            self.show_on(screen, scheme)
            wide = self.chrome.execute_script("return document.documentElement.scrollWidth")
            found = [f"{wide} pixels wide"] if wide > SCREENS[screen]["width"] else []
            (folder / f"{name}-{screen}-{scheme}.png").write_bytes(self.picture())
            wrong += [f"{screen}, {scheme}: {one}" for one in (*found, *self.unfit())]
        self.show_on("desk", "light")
        wrong += [entry["message"] for entry in self.chrome.get_log("browser")]
        return wrong

    def show_on(self, screen, scheme):
        """Load the page anew on one of the screens, with fingers on it where it is a phone's."""
        wanted = [{"name": "prefers-color-scheme", "value": scheme}]
        self.chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": wanted})
        self.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", SCREENS[screen])
        touch = {"enabled": SCREENS[screen]["mobile"]}
        self.chrome.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", touch)
        self.chrome.refresh()

    def picture(self):
        """Return a PNG of the page, with what is beyond the screen."""
        whole = {"captureBeyondViewport": True}
        return b64decode(self.chrome.execute_cdp_cmd("Page.captureScreenshot", whole)["data"])

    def unfit(self):
        """Return what axe finds serious on this page."""
        self.chrome.execute_script(AXE)
        found = self.chrome.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            "axe.run({resultTypes: ['violations']}).then(found => done(found.violations));"
        )
        return [
            f"{one['id']}: {one['nodes'][0]['html'][:200]}"
            for one in found
            if one["impact"] in ("serious", "critical")
        ]
