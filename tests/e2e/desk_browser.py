"""The owner's pages in a headless Chromium: log in, find, press, and look what is wrong."""

from pathlib import Path

from tests.e2e.harness import OWNER, PASSWORD

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text("utf-8")
PATIENCE = 30
"""So many seconds a page may take to come."""
SCREENS = {"desk": (1200, 900, "light"), "dark": (1200, 900, "dark"), "phone": (390, 844, "light")}


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
        """Take a picture of the page as it is on each screen; returns what is wrong with it."""
        wrong = []
        for screen, (width, height, scheme) in SCREENS.items():
            self.show_on(width, height, scheme)
            wide = self.chrome.execute_script("return document.documentElement.scrollWidth")
            if wide > width:
                wrong.append(f"{screen}: {wide} pixels wide")
            self.chrome.save_screenshot(str(folder / f"{name}-{screen}.png"))
            wrong += [f"{screen}: {found}" for found in self.unfit()]
        wrong += [entry["message"] for entry in self.chrome.get_log("browser")]
        return wrong

    def show_on(self, width, height, scheme):
        """Show the page anew on a screen of this size, light or dark."""
        wanted = [{"name": "prefers-color-scheme", "value": scheme}]
        self.chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": wanted})
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        self.chrome.refresh()

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
