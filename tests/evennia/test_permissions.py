"""Who may do what: each command, page and endpoint is tried as each role, and the docs hold it."""

import re
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

from django.apps import apps
from django.contrib.auth.models import AnonymousUser, Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import override_settings
from evennia.objects.models import ObjectDB
from evennia.scripts.models import ScriptDB

from ai_assistant.game.identity import entity_id
from ai_assistant.models import ApiToken, Memory
from ai_assistant.web.rest import api_gate
from ai_assistant.web.rest.api_tokens import make_token
from tests.evennia import tried
from tests.evennia.pages import PagesTestCase
from tests.evennia.test_edit_locks import stored
from tests.permissions_page import ROLES, in_the_docs

YES, NO, OWN, TOKEN, STAFF = "yes", "no", "own", "token", "staff"
SECRET, PLAIN = "Cid owes Dan money", "Cid likes eels"
CARD = '{"name": "Elara", "description": "A ferryman."}'
REFUSED = re.compile(r"Only \w+s may do that|These pages are for|^40[13] ", re.M)


def everything():
    """Return all that is stored of the assistants, and how much of all the rest."""
    rows = apps.get_app_config("ai_assistant").get_models()
    tokens = ApiToken.objects.order_by("pk").values_list("digest", "until")
    counts = [model.objects.count() for model in (*rows, ObjectDB, ScriptDB)]
    bodies = ObjectDB.objects.order_by("pk").values_list("db_lock_storage", "db_location")
    return [*stored(), counts, list(bodies), list(tokens)]


def verdict(told):
    """Return the word of the page for what somebody was told."""
    if told in (TOKEN, STAFF):
        return told
    if "may not change" in told:
        return OWN
    return NO if REFUSED.search(told) else YES


class MatrixTestCase(PagesTestCase):
    """One world. Marrek is nobody's, Wren the Builder's; staff use up Tansy and Hob."""

    def setUp(self):
        super().setUp()
        folder = self.enterContext(TemporaryDirectory())
        Path(folder, "card.json").write_text(CARD)
        self.set(CARDS=folder, API=True, API_REQUESTS_PER_MINUTE=10_000, METRICS_TOKEN="m")
        api_gate.Requests.cache.clear()
        self.player = self.a_player("Cid")
        people = (self.a_guest(), self.player, self.builder, self.char1, self.a_superuser())
        self.roles = dict(zip(ROLES, people, strict=True))
        for body in people:
            body.account.characters.add(body)
        self.wren, self.tansy, self.hob = map(self.an_assistant, ("Wren", "Tansy", "Hob"))
        self.wren.locks.add(f"edit:id({self.builder.pk}) or perm(Admin)")
        villagers = (self.marrek, self.wren, self.tansy, self.hob)
        self.memories = {villager: self.filled(villager) for villager in villagers}
        self.told = defaultdict(dict)

    def set(self, **options):
        """Set settings of ours for this test."""
        named = {f"AI_ASSISTANT_{name}": value for name, value in options.items()}
        self.enterContext(override_settings(**named))

    def a_guest(self):
        guest = self.a_player("Guest1")
        guest.account.permissions.clear()
        guest.account.permissions.add("Guest")
        return guest

    def a_superuser(self):
        root = self.a_player("Root")
        root.account.is_superuser = True
        root.account.save()
        root.locks.reset()
        return root

    def filled(self, assistant):
        """Let an assistant have plans, a memory, and know two things of Cid; returns the memory."""
        assistant.goals.add_goal("Find planks.")
        assistant.projects.create_project("hut", "Build a hut.")
        self.ai(f"/announce {assistant.key} = There are eels.")
        profiles = assistant.profiles
        profiles.add_entity_observation(self.player, PLAIN, readers=entity_id(self.player))
        profiles.add_entity_observation(self.player, SECRET, readers=entity_id(self.char1))
        return Memory.objects.filter(container=entity_id(assistant)).last().pk

    def facts(self, role, assistant):
        """Return what stands in the lines and addresses that are tried."""
        other = self.wren if assistant is not self.wren else self.marrek
        number, memory = str(assistant.pk), str(self.memories[assistant])
        named = {"who": assistant.key, "me": role, "other": other.key, "goal": "goal_0_0"}
        return defaultdict(lambda: "none", named, key=number, number=number) | {
            "memory": memory,
            "ref": memory,
            "project": "hut",
            "what": "new_block",
        }

    def tries(self, role, ways, attempt, assistant=None):
        """Try all ways as a role; returns a word for each. What is refused changes nothing."""
        whom = {"admin": self.tansy, "superuser": self.hob}.get(role, self.marrek)
        facts, found, before = self.facts(role, assistant or whom), {}, None
        for name in ways:
            is_watched = self.listed.get(name, {}).get(role) != YES
            if is_watched and before is None:
                before = everything()
            told = self.told[role][name] = attempt(role, name, facts)
            found[name] = verdict(told)
            if is_watched and found[name] != YES:
                assert everything() == before, (role, name)
                assert PLAIN not in told, (role, name)
            else:
                before = None
        return found

    def compare(self, ways, attempt):
        """Compare what each role is let do with the page, and let the Builder do it to the own."""
        self.listed = in_the_docs()
        found = {role: self.tries(role, ways, attempt) for role in ROLES}
        measured = {name: {role: found[role][name] for role in ROLES} for name in ways}
        assert measured == {name: self.listed.get(name) for name in ways}
        own = [name for name, word in found["builder"].items() if word == OWN]
        assert set(self.tries("builder", own, attempt, self.wren).values()) <= {YES}
        assert not [told for told in self.told["player"].values() if SECRET in told]


class TestThePage(MatrixTestCase):
    def test_it_lists_all_that_there_is_and_nothing_else(self):
        """Whoever adds a switch, a page or an endpoint says who may use it, or this fails."""
        switches = {name.removesuffix(tried.WRITING) for name in tried.LINES}
        assert switches == tried.command_names()
        addresses = (tried.page_names(), tried.admin_names(), tried.endpoint_names())
        there = {*tried.LINES}.union(*addresses)
        assert {*in_the_docs()} == there


class TestCommands(MatrixTestCase):
    def setUp(self):
        super().setUp()
        self.commands = tried.our_commands()

    def typed(self, role, name, facts):
        """Type a line as a role; returns what it was told."""
        key, _, switch = name.removesuffix(tried.WRITING).partition("/")
        line, caller = tried.LINES[name].format_map(facts), self.roles[role]
        command = type(self.commands[key])()
        command.client_width = lambda: 1000
        told = self.call(command, f"/{switch} {line}" if switch else line, caller=caller)
        assert command.access(caller, "cmd") or verdict(told) == NO, (role, name)
        return told

    def test_each_switch_as_each_role(self):
        """A player who asks what is remembered sees the own, and no command tells them more."""
        self.compare(tried.LINES, self.typed)
        assert PLAIN in self.told["player"]["memories"]
        alarms = [line for line in self.logged() if "ai_assistant: " in line]
        assert ["Emergency stop" in line for line in alarms] == [True, True]


class TestPagesAndEndpoints(MatrixTestCase):
    def opened(self, role, name, facts):
        """Open a page as a role, or send its form and be sure; returns what it was told."""
        return self.answered(self.browser(self.roles[role].account), name, facts)

    def answered(self, browser, name, facts):
        """Return status and text that a browser is answered with, which is no error of ours."""
        method, _, address = name.partition(" ")
        sent = {}
        if method == "POST":
            fields = tried.FIELDS.get(address.split("/")[-2], {})
            sent = {key: value.format_map(facts) for key, value in fields.items()}
            sent |= {"sure": "yes", "card": SimpleUploadedFile("elara.json", CARD.encode())}
        answer = getattr(browser, method.lower())(address.format_map(facts), sent)
        told = f"{answer.status_code} {answer.content.decode()}"
        assert answer.status_code < 500, (name, told)
        if address.endswith("metrics") and verdict(told) == NO:
            header = {"HTTP_AUTHORIZATION": "Bearer m"}
            return TOKEN if browser.get(address, **header).status_code == 200 else told
        return told

    def listed_in_admin(self, role, name, facts):
        """Open a list of the admin, which sends on all who are not Django's staff, as staff."""
        account, browser = self.roles[role].account, self.browser(self.roles[role].account)
        account.is_staff = False
        account.save()
        assert browser.get(name.removeprefix("GET ")).status_code == 302, (role, name)
        account.is_staff = True
        account.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
        account.save()
        told = self.answered(browser, name, facts)
        return STAFF if told.startswith("200") else told

    def test_each_list_of_the_admin_as_each_role(self):
        """It takes both `is_staff` and the permission of the pages; Django's own do not count."""
        self.compare(tried.admin_names(), self.listed_in_admin)

    def requested(self, role, name, facts):
        """Send a request by token and by session, which are let in alike; returns the answers."""
        bearer = {"HTTP_AUTHORIZATION": f"Bearer {self.tokens[role]}"}
        ways = ((AnonymousUser(), bearer), (self.roles[role].account, {}))
        told = [self.asked_of_api(who, name, facts, **options) for who, options in ways]
        assert len({*map(verdict, told)}) == 1, (role, name, told)
        return "\n".join(told)

    def asked_of_api(self, who, name, facts, **options):
        """Return status and text of what the API answers to an empty request."""
        method, _, address = name.partition(" ")
        if method != "GET":
            options |= {"content_type": tried.media_type(name), "data": "{}"}
        answer = self.browser(who).generic(method, address.format_map(facts), **options)
        told = f"{answer.status_code} {answer.content.decode()}"
        assert answer.status_code < 500, (name, told)
        return told

    def test_each_page_and_form_as_each_role(self):
        """What a form would change stays as it is where it is refused, however sure one is."""
        self.compare(tried.page_names(), self.opened)
        assert "Emergency stop" in "".join(self.logged())

    def test_each_endpoint_as_each_role(self):
        """By token as by session."""
        self.tokens = {role: make_token(who.account, "x") for role, who in self.roles.items()}
        self.compare(tried.endpoint_names(), self.requested)

    def test_who_is_not_logged_in_gets_nothing(self):
        """The pages send them to log in, the API asks for a token, and neither asks the game."""
        before, facts = everything(), self.facts("nobody", self.marrek)
        for name in tried.page_names():
            told = self.answered(self.browser(AnonymousUser()), name, facts)
            assert told == TOKEN or told.startswith("302"), name
        self.asked = 0
        for name in tried.endpoint_names():
            assert self.asked_of_api(AnonymousUser(), name, facts).startswith("401"), name
        assert self.asked == 0
        assert everything() == before
