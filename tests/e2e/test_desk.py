"""The owner's pages in a real browser: no error, fit for everybody to use, and one edit."""

import pytest

from tests.e2e.desk_browser import Desk
from tests.e2e.harness import PATIENCE

TABS = (
    *("persona", "settings", "people", "plans", "journal", "blocks", "memory", "nights"),
    *("execution", "calls", "prompt", "sandbox", "marked", "draft", "audit"),
)
OF_ALL = {"turns": "turns/", "money": "money/", "health": "health/", "game settings": "settings/"}
OF_ALL |= {"world": "world/", "world block": "world/block/?block=global_knowledge"}
OF_ALL |= {"turns narrowed": "turns/?word=albatross&since=2020-01-01&until=2999-12-31"}
OF_ALL |= {"overview sorted": "?sort=errors"}
OF_ALL |= {"scenes": "scenes/", "scene": "scenes/one/", "lore": "lore/?assistant=&words=cat"}


@pytest.fixture(scope="module")
def desk(chrome, village):
    """The owner's browser, after a talk with Tansy; open(path) opens a page and returns it."""
    with village.join("Mira") as line:
        line.ask("say Hello, Tansy!", r"^Tansy Brewell says")
        line.ask("say Tansy, my cat is called Albatross.", r"^Tansy Brewell")
    desk = Desk(chrome, f"http://127.0.0.1:{village.base + 1}")
    desk.log_in()
    return desk


BEHIND = {
    "turn": ("", ".talk a[href*=turns]"),
    "call": ("calls/", "tbody a[href*=calls]"),
    "moment": ("audit/", "tbody a[href*=then]"),
    "person": ("people/", "a[href*='people/one/']"),
    "who knows": ("memory/?q=Albatross", "a[href*=who]"),
}
"""Pages of one thing: the page that links them, and the link."""


@pytest.mark.parametrize(
    "page", ["overview", *OF_ALL, "talk", "older talk", *BEHIND, "block", "refused", *TABS]
)
def test_every_page_is_fit_to_use(desk, page, pictures):
    """Light, dark, on a phone: no error in the console, nothing serious for axe, none too wide."""
    addresses = {
        "overview": f"{desk.site}/ai/",
        **{name: f"{desk.site}/ai/{address}" for name, address in OF_ALL.items()},
        "talk": desk.tansy,
        "older talk": f"{desk.tansy}?before=2999-01-01",
        "block": f"{desk.tansy}block/?block=persona",
        "refused": f"{desk.tansy}people/one/?who=Nobody",
    }
    if page in BEHIND:
        before, link = BEHIND[page]
        desk.chrome.get(f"{desk.tansy}{before}")
        addresses[page] = desk.find(link).get_attribute("href")
    desk.chrome.get(addresses.get(page, f"{desk.tansy}{page}/"))
    if page == "prompt":
        desk.leave_by("main button", "\n")
    wrong = desk.look(page, pictures)
    if page == "refused":
        wrong = [one for one in wrong if "status of 400" not in one]
    assert wrong == []


def test_talk_in_the_sandbox(desk, village, pictures):
    """Said by keyboard, answered without the page being loaded again; nobody hears it."""
    desk.chrome.get(f"{desk.tansy}sandbox/")
    desk.find("#words").send_keys("Do you know Mira?")
    desk.leave_by("form.fields button", "\n")
    assert desk.find("#talk .words").text
    assert desk.look("sandbox-talk", pictures) == []
    desk.chrome.get(desk.tansy)
    assert "Do you know Mira?" not in desk.find("main").text


def test_a_turn_is_marked_and_tried_again(desk, pictures):
    """On its page, then with all that are marked, by keyboard."""
    desk.chrome.get(desk.tansy)
    desk.chrome.get(desk.find(".talk a[href*=turns]").get_attribute("href"))
    desk.find("#wanted").send_keys("Well met, stranger.")
    desk.leave_by("button[name=good][value=no]", "\n")
    desk.leave_by("main form button", "\n")
    assert "Marked as bad" in desk.find("main").text
    desk.chrome.get(f"{desk.tansy}marked/")
    desk.leave_by("main form button", "\n")
    assert desk.find("table + form, form ~ div .words").text
    assert desk.look("marked", pictures) == []


def test_a_call_is_run_again(desk, pictures):
    """From the list of calls to both answers beside each other."""
    desk.chrome.get(f"{desk.tansy}calls/")
    desk.chrome.get(desk.find("tbody a[href*=calls]").get_attribute("href"))
    desk.leave_by("main a[href$=again\\/]", "\n")
    desk.leave_by("main form button", "\n")
    assert desk.find(".beside section + section .words").text
    assert desk.look("again", pictures) == []


def test_the_overview_lives(desk, village):
    """What is said is seen on the page without anybody loading it again."""
    from selenium.webdriver.support.wait import WebDriverWait

    desk.chrome.get(f"{desk.site}/ai/")

    def live():
        return desk.chrome.execute_script("return document.querySelector('#live').innerText")

    with village.join("Rolf") as line:
        line.ask("say Tansy, the moon is a lantern.", r"^Tansy Brewell")
    WebDriverWait(desk.chrome, PATIENCE).until(
        lambda chrome: any(word in live() for word in ("Rolf", "lantern"))
    )


def test_a_persona_is_edited_by_keyboard_alone(desk):
    """The field, the button, the question and its answer, each reached and pressed by key."""
    desk.chrome.get(f"{desk.tansy}persona/")
    field = desk.find("#field-home_location")
    field.clear()
    field.send_keys("the attic of the inn")
    desk.leave_by("form.fields button", "\n")
    assert "the attic of the inn" in desk.find("table").text
    desk.leave_by("main form button", "\n")
    assert "changed" in desk.find("[role=status]").text
    assert desk.find("#field-home_location").get_property("value") == "the attic of the inn"


def test_a_goal_is_given_and_changed_by_keyboard_alone(desk, pictures):
    """By links, forms and the question, each reached and pressed by key; and each fit to use."""
    desk.chrome.get(f"{desk.tansy}plans/")
    desk.leave_by("a[href*=new_goal]", "\n")
    assert desk.look("goal-form", pictures) == []
    desk.find("#id_description").send_keys("Brew a dark ale.")
    desk.leave_by("main form button", "\n")
    desk.leave_by("main form button", "\n")
    desk.leave_by("main a[href*='goal\\/?goal=']", "\n")
    assert "Brew a dark ale." in desk.find("main h2").text
    assert desk.look("goal", pictures) == []
    desk.leave_by("main .ways a", "\n")
    progress = desk.find("#id_progress")
    progress.clear()
    progress.send_keys("40")
    desk.leave_by("main form button", "\n")
    desk.leave_by("main form button", "\n")
    assert "40 %" in desk.find("main").text


def test_older_lines_are_read_by_keyboard_alone(desk):
    """Back to the first line and behind it, and to the newest again."""
    desk.chrome.get(f"{desk.tansy}?before=2999-01-01")
    assert "Hello, Tansy!" in desk.find(".talk").text
    assert not desk.has(".talk[hx-get]")
    desk.leave_by("main nav a[href*=line]", "\n")
    assert "Nothing older is known" in desk.find(".talk").text
    desk.leave_by("main nav a[href='?']", "\n")
    assert desk.has(".talk[hx-get]")


def test_the_overview_is_sorted_by_keyboard_alone(desk):
    """By a link, and it stays so while the page keeps itself fresh."""
    from selenium.webdriver.support.wait import WebDriverWait

    desk.chrome.get(f"{desk.site}/ai/")
    assert desk.has(".room")
    desk.leave_by("main nav a[href$='=name']", "\n")
    names = [row.text.lower() for row in desk.chrome.find_elements("css selector", "tbody th a")]
    assert names == sorted(names)
    desk.chrome.execute_script("document.querySelector('tbody').dataset.old = 'yes'")
    fresh = "return !document.querySelector('tbody').dataset.old"
    WebDriverWait(desk.chrome, PATIENCE).until(lambda page: page.execute_script(fresh))
    assert not desk.has(".room")
    assert desk.find("main nav [aria-current]").text == "name"


def test_turns_are_narrowed_by_keyboard_alone(desk):
    """To those with a word that was said, and of some days; then to none."""
    desk.chrome.get(f"{desk.site}/ai/turns/")
    desk.find("[name=word]").send_keys("Albatross")
    desk.leave_by("main form button", "\n")
    assert "my cat is called Albatross" in desk.find("tbody").text
    assert "Hello, Tansy!" not in desk.find("tbody").text
    desk.leave_by("[name=who]", "Nobody", "\n")
    assert "No such turns" in desk.find("main").text
    desk.leave_by("main p a", "\n")
    assert "Hello, Tansy!" in desk.find("tbody").text


def test_a_note_is_given_by_keyboard_alone(desk):
    """A director's word to her stands on her page."""
    desk.chrome.get(desk.tansy)
    desk.find("details:has(form[action*=give_note]) summary").send_keys("\n")
    desk.find("form[action*=give_note] [name=text]").send_keys("Be brief with strangers.")
    desk.leave_by("form[action*=give_note] button", "\n")
    desk.leave_by("main form button", "\n")
    desk.chrome.get(desk.tansy)
    assert "Be brief with strangers." in desk.find("main").get_property("textContent")


def test_what_a_turn_changed_is_found_by_keyboard_alone(desk):
    """From a line of the talk to its turn, to the moment it made, and to one part at that."""
    desk.chrome.get(desk.tansy)
    desk.leave_by(".talk a[href*=turns]", "\n")
    desk.leave_by("main .ways a", "\n")
    assert "in one turn" in desk.find("main h2").text
    desk.leave_by("main a[aria-label^=States]", "\n")
    desk.leave_by("main .ways a[href*='part=stream']", "\n")
    assert "entries" in desk.find("pre").text


def test_news_is_told_by_keyboard_alone(desk, pictures):
    """To everybody, from the page of the world."""
    desk.chrome.get(f"{desk.site}/ai/world/")
    desk.leave_by("a[href*=news]", "\n")
    desk.find("#id_text").send_keys("The northern tower fell.")
    assert desk.look("news-form", pictures) == []
    desk.find("#id_text").send_keys("The northern tower fell.")
    desk.leave_by("main form button", "\n")
    desk.leave_by("main form button", "\n")
    assert "The northern tower fell." in desk.find("main .lines").text


def test_the_first_key_skips_to_the_content(desk):
    """A tab from the top of the page offers to skip the menu."""
    from selenium.webdriver.common.keys import Keys

    desk.chrome.get(f"{desk.site}/ai/")
    desk.find("body").send_keys(Keys.TAB)
    assert desk.chrome.switch_to.active_element.text == "Skip to the content"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_whole_menu_is_in_sight_on_a_phone(desk, scheme):
    """Each page, and each tab of a character, is reached by a touch, nothing being pushed aside,
    and by the key Tab in turn."""
    from selenium.webdriver.common.keys import Keys

    desk.chrome.get(desk.tansy)
    desk.show_on("phone", scheme)
    links = desk.chrome.find_elements("css selector", ".top a, .tabs a")
    assert {"Money", "Health", "Sandbox", "Audit"} <= {link.text for link in links}
    touched = (
        "const {x, y, width, height} = arguments[0].getBoundingClientRect();"
        "return document.elementFromPoint(x + width / 2, y + height / 2) === arguments[0]"
    )
    assert [link.text for link in links if not desk.chrome.execute_script(touched, link)] == []
    desk.find("body").send_keys(Keys.TAB)
    for link in links:
        desk.chrome.switch_to.active_element.send_keys(Keys.TAB)
        assert desk.chrome.switch_to.active_element == link
    assert desk.unfit() == []


def test_the_web_client_knows_what_a_character_tells_of_itself(desk):
    """That it thinks and speaks is shown as such, and never written out as an unhandled event."""
    from selenium.webdriver.support.wait import WebDriverWait

    def seen():
        return desk.chrome.execute_script("return document.body.innerText")

    wait = WebDriverWait(desk.chrome, PATIENCE)
    desk.chrome.delete_all_cookies()  # as somebody who is logged in nowhere
    desk.chrome.get(f"{desk.site}/webclient/")
    for told, line in (("connect guest", "connect guest"), ("Characters:", "say Good day, Tansy!")):
        wait.until(lambda _, told=told: told in seen())
        desk.find("textarea").send_keys(f"{line}\n")
    wait.until(lambda _: "Brewell says" in seen())
    assert "nhandled" not in seen()
    assert "ai_state" not in seen()
    assert desk.find("#ai-state").get_attribute("aria-hidden") == "true"
