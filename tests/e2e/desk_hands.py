"""The hands of an owner on the pages: they find things by the words on them, fill and press."""

from selenium.common.exceptions import (
    ElementClickInterceptedException,
    StaleElementReferenceException,
)
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.wait import WebDriverWait

from tests.e2e.harness import PATIENCE

MOST_TABS = 300
MOVED = (ElementClickInterceptedException, StaleElementReferenceException)
"""What befalls a hand on a page that keeps itself fresh: it reaches out again."""
FORGETS = 2
"""Seconds after which a list has forgotten what was typed to choose from it."""
NAMED = """
    const [kind, words, beside] = arguments;
    const spaced = text => text.trim().replace(/\\s+/g, ' ');
    const texts = (...found) => found.filter(Boolean).map(spaced);
    const label = it => document.getElementById(it.getAttribute('aria-labelledby'));
    const names = it => texts(it.ariaLabel, it.labels ? it.labels[0]?.innerText : it.innerText,
        label(it)?.innerText, kind === 'field' ? '' : it.innerText);
    const place = it => it.closest('li, tr, section, dl, form')?.innerText ?? '';
    const fits = it => it.checkVisibility() && names(it).some(name =>
        kind === 'field' ? name.startsWith(words) : name === words) && place(it).includes(beside);
    const kinds = {way: 'a, button, summary', field: 'input, select, textarea', button: 'button'};
    return [...document.querySelectorAll('main :is(' + kinds[kind] + ')')].find(fits) ?? null;
"""
"""Finds a field by the beginning of its label, or what is pressed by its words; beside others."""
READ = """
    const shown = document.querySelector('main').cloneNode(true);
    shown.querySelectorAll('[role=status]').forEach(told => told.remove());
    const fields = document.querySelectorAll('main :is(input:not([type=hidden]), textarea)');
    const typed = [...fields].map(it => it.value);
    return [shown.textContent, ...typed].join(' ').replace(/\\s+/g, ' ');
"""
"""All that a page shows, but for what it tells of the edit before."""


class Mouse:
    """Goes to things by the mouse."""

    def __init__(self, desk):
        self.desk, self.chrome = desk, desk.chrome

    def press(self, words, beside="", kind="way"):
        """Press a link, button or summary, and wait for the page behind it where there is one."""

        def pressed(_):
            found = self._found(kind, words, beside)
            if found.tag_name == "summary":
                self._press(found)
            else:
                self.desk.leave(lambda: self._press(found))
            return True

        WebDriverWait(self.chrome, PATIENCE, 0.1, MOVED).until(pressed)

    def fill(self, words, text):
        """Type into a field in place of what stands there; True ticks it; choose by its words;
        the path of a file uploads it."""
        found = self._found("field", words)
        if found.tag_name == "select":
            self._choose(found, text)
        elif found.get_attribute("type") == "file":
            found.send_keys(text)
        elif text is True:
            self._tick(found)
        else:
            self._go_to(found)
            ActionChains(self.chrome).key_down(Keys.CONTROL).send_keys("a").perform()
            ActionChains(self.chrome).key_up(Keys.CONTROL).send_keys(text).perform()

    def sees(self, words):
        """Wait until the page shows these words."""
        shown = f"not shown: {words}"
        WebDriverWait(self.chrome, PATIENCE, 0.1).until(lambda _: words in self.read(), shown)

    def read(self):
        """Return what the page shows."""
        return self.chrome.execute_script(READ)

    def _found(self, kind, words, beside=""):
        wait = WebDriverWait(self.chrome, PATIENCE, 0.1)
        missing = f"no {kind} on {self.chrome.current_url}: {words} {beside}"
        return wait.until(lambda page: page.execute_script(NAMED, kind, words, beside), missing)

    def _type(self, *keys):
        ActionChains(self.chrome).send_keys(*keys).perform()

    def _go_to(self, found):
        found.click()

    _press = _tick = _go_to

    def _choose(self, found, text):
        Select(found).select_by_visible_text(text)


class Keyboard(Mouse):
    """Goes to things by the key Tab alone."""

    def _go_to(self, found):
        for _ in range(MOST_TABS):
            self._type(Keys.TAB)
            if self.chrome.switch_to.active_element == found:
                return
        raise AssertionError(f"the key Tab does not come to {found.get_attribute('outerHTML')}")

    def _press(self, found):
        self._go_to(found)
        self._type(Keys.ENTER)

    def _tick(self, found):
        self._go_to(found)
        self._type(Keys.SPACE)

    def _choose(self, found, text):
        self._go_to(found)

        def chosen(_):
            self._type(text)
            return Select(found).first_selected_option.text == text

        WebDriverWait(self.chrome, PATIENCE, FORGETS).until(chosen)
