"""The owner's pages in a headless Chromium: log in, find, press, and look what is wrong."""

from base64 import b64decode
from pathlib import Path

from tests.e2e.harness import OWNER, PASSWORD, PATIENCE

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text("utf-8")
SCREENS = {
    "desk": {"width": 1200, "height": 900, "deviceScaleFactor": 1, "mobile": False},
    "phone": {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True},
}
LOOKS = (("desk", "light"), ("phone", "dark"))
"""How each page is looked at. Each colour is a variable, which a scheme sets for all screens."""


class Desk:
    """A browser on the owner's pages."""

    def __init__(self, chrome, site):
        self.chrome, self.site = chrome, site

    def log_in(self, account=OWNER):
        """Log in, as the owner or by another account, and find the page of Tansy."""
        self.chrome.delete_all_cookies()
        self.show_on(*LOOKS[0])
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
        from selenium.common.exceptions import WebDriverException  # as amid the way
        from selenium.webdriver.support.wait import WebDriverWait

        self.chrome.execute_script("window.isLeft = true")
        press()
        arrived = "return !window.isLeft && document.readyState === 'complete'"
        wait = WebDriverWait(self.chrome, PATIENCE, 0.05, [WebDriverException])
        wait.until(lambda page: page.execute_script(arrived))

    def has(self, selector):
        """Is there any such thing on the page at this moment?"""
        return self.chrome.execute_script("return !!document.querySelector(arguments[0])", selector)

    def told(self):
        """Return what a page says of what was done just before."""
        return self.find("[role=status]").text

    def find_link(self, words):
        return self.chrome.find_element("partial link text", words)

    def look(self, name, folder):
        """Look at the page in each way, loading it anew; returns what is wrong."""
        wrong = []
        for screen, scheme in LOOKS:
            self.show_on(screen, scheme)
            wide = self.chrome.execute_script("return document.documentElement.scrollWidth")
            found = [f"{wide} pixels wide"] if wide > SCREENS[screen]["width"] else []
            self.draw(f"{name}-{screen}-{scheme}", folder)
            wrong += [f"{screen}, {scheme}: {one}" for one in (*found, *self.unfit())]
        self.show_on(*LOOKS[0])
        return wrong + [entry["message"] for entry in self.chrome.get_log("browser")]

    def show_on(self, screen, scheme):
        """Show the page on one of the screens; a phone loads it anew, and has fingers on it."""
        wanted = [{"name": "prefers-color-scheme", "value": scheme}]
        self.chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": wanted})
        self.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", SCREENS[screen])
        touch = {"enabled": SCREENS[screen]["mobile"]}
        self.chrome.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", touch)
        if touch["enabled"]:
            self.chrome.refresh()

    def draw(self, name, folder):
        """Keep a picture of the page and what is off the screen, where there is a folder for it."""
        if folder:
            whole = {"captureBeyondViewport": True}
            drawn = self.chrome.execute_cdp_cmd("Page.captureScreenshot", whole)["data"]
            (folder / f"{name}.png").write_bytes(b64decode(drawn))

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
