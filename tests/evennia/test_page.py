"""Paging: assistants are paged by name, and between players nothing has changed."""

from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from evennia.commands.cmdset import CmdSet
from evennia.commands.default.cmdset_account import AccountCmdSet
from evennia.commands.default.comms import CmdPage
from evennia.comms.models import Msg

from ai_assistant.commands.players.page import game_page_command, page_command
from tests.evennia.stage import HOSTILE, StageTestCase

OUR_PAGE = page_command(CmdPage)


class LoudPage(CmdPage):
    """
    page people LOUDLY

    Usage:
      page <account> <message>
    """

    def func(self):
        self.msg("LOUD!")
        super().func()


class OurSet(CmdSet):
    """As the package's command set adds the command."""

    def at_cmdset_creation(self):
        parent = game_page_command()
        if parent:
            self.add(page_command(parent))


class LoudGame(AccountCmdSet):
    """The account's commands of a game with a page of its own, and ours."""

    def at_cmdset_creation(self):
        super().at_cmdset_creation()
        self.add(LoudPage)
        self.add(OurSet)


class SilentGame(CmdSet):
    """A game where nobody can page."""

    def at_cmdset_creation(self):
        self.add(OurSet)


class TestFindingThePage(StageTestCase):
    def page_of(self, cmdset):
        return [type(command) for command in cmdset().commands if command.key == "page"]

    def test_games_own_page_is_kept(self):
        """Ours is built on the game's own page, found from within the set that holds ours."""
        path = f"{__name__}.LoudGame"
        with override_settings(CMDSET_ACCOUNT=path):
            assert game_page_command() is LoudPage
            (page,) = self.page_of(LoudGame)
        assert page is page_command(LoudPage)

    def test_game_without_page_stays_without(self):
        """Where a game has taken paging out, we bring none back."""
        path = f"{__name__}.SilentGame"
        with override_settings(CMDSET_ACCOUNT=path, CMDSET_CHARACTER=path):
            assert game_page_command() is None
            assert self.page_of(SilentGame) == []

    def test_our_page_is_not_built_twice(self):
        """A game that holds ours already gets the same class again."""
        assert page_command(OUR_PAGE) is OUR_PAGE

    def test_help_tells_both(self):
        """The help is the game's own, and tells how to page an assistant."""
        shown = OUR_PAGE().get_help(None, None)
        assert "page <account> <message>" in shown
        assert "page <character> <message>" in shown
        assert shown.startswith("send a private message")


class PageTestCase(StageTestCase):
    def setUp(self):
        super().setUp()
        self.ann, self.bob = self.a_player("Ann"), self.a_player("Bob")
        self.marrek = self.a_mind("Old Marrek", self.street)
        self.captain = self.a_mind("Captain Seraphina Stormborne", self.street)
        self.captain.aliases.add("sera")
        self.screens.clear()

    def page(self, line, command=OUR_PAGE):
        """Type ``page`` and what follows it as Ann; returns what she reads."""
        name, _, rest = line.partition(" ")
        cmd = command()
        cmd.caller, cmd.session = self.ann, self.ann.sessions.all()[0]
        cmd.cmdstring, cmd.raw_string = "page", line
        cmd.raw_cmdname = cmd.cmdname = "page"
        cmd.args = name[len("page") :] + (f" {rest}" if rest else "")
        cmd.parse()
        cmd.func()
        return self.screen(self.ann)

    def pages(self, mind):
        """Return the pages that a mind got: who sent them, and the words."""
        found, mind.ndb.pages = mind.ndb.pages or [], None
        return found


class TestPagingAssistants(PageTestCase):
    def test_full_name_alias_and_first_word_reach(self):
        """With or without the equal sign, upper case or lower, the assistant is found."""
        for line in (
            "page Captain Seraphina Stormborne = Hello there",
            "page captain seraphina stormborne Hello there",
            "page Captain Hello there",
            "page sera=Hello there",
            "page captain stormborne = Hello there",
            "page the captain = Hello there",
            "page SERA Hello there",
        ):
            shown = self.page(line)
            assert self.pages(self.captain) == [(self.ann, "Hello there")], line
            assert shown == ["You paged |cCaptain Seraphina Stormborne|n with: 'Hello there'."]

    def test_page_reaches_nobody_else(self):
        """No other assistant and no player gets a page that was not for them."""
        self.page("page Captain Hello")
        assert not self.pages(self.marrek)
        assert not self.screens
        assert not Msg.objects.count()

    def test_out_of_character_pages_are_the_accounts(self):
        """Somebody who wears no body pages as the account."""
        account, session = self.ann.account, self.ann.sessions.all()[0]
        account.unpuppet_object(session)
        cmd = OUR_PAGE()
        cmd.caller, cmd.session, cmd.args = account, session, " sera Hi"
        cmd.cmdstring, cmd.raw_string = "page", "page sera Hi"
        cmd.parse()
        cmd.func()
        assert self.pages(self.captain) == [(account, "Hi")]

    def test_mixed_list_reaches_all(self):
        """A list of players and assistants pages each in their own way."""
        shown = self.page("page Bob, sera, Old Marrek = Come all")
        assert self.pages(self.captain) == self.pages(self.marrek) == [(self.ann, "Come all")]
        assert "Come all" in self.screen(self.bob)[0]
        assert shown == [
            "You paged |cBob|n with: 'Come all'.",
            "You paged |cCaptain Seraphina Stormborne|n, |cOld Marrek|n with: 'Come all'.",
        ]

    def test_unknown_name_in_a_list_sends_nothing(self):
        """As among players, one unknown name in the list means that nobody is paged."""
        shown = self.page("page sera, Nobody, Bob = Come all")
        assert not self.pages(self.captain)
        assert not self.screen(self.bob)
        assert len(shown) == 1
        assert "Nobody" in shown[0]

    def test_a_list_without_end_is_not_looked_through(self):
        """Each name may cost queries, also one that stands there again: twenty are looked up."""
        with CaptureQueriesContext(connection) as queries:
            (shown,) = self.page(f"page {','.join(['sera'] * 300)} = Hello")
        assert "Could not find 'sera'" in shown
        assert not self.pages(self.captain)
        assert len(queries) < 30
        self.page(f"page {','.join(['sera'] * 20)} = Hello")
        assert self.pages(self.captain) == [(self.ann, "Hello")]

    @override_settings(AI_ASSISTANT_LINES_PER_MINUTE=2)
    def test_a_flood_of_pages_is_not_sent(self):
        """Each assistant that is named costs a tenth of a line's share; accounts cost nothing."""
        for _ in range(10):
            assert "You paged" in self.page("page sera, Old Marrek = Hello")[0]
        self.pages(self.captain)
        for line in ("page sera, Old Marrek = Hello", "page sera Hello"):
            (shown,) = self.page(line)
            assert shown.startswith("|rYou ask too often. Try again in ")
        assert not self.pages(self.captain)
        self.page("page Bob = Hello")
        assert "Hello" in self.screen(self.bob)[0]

    def test_account_goes_before_the_assistant(self):
        """When an account bears the same name, it is the one that is paged."""
        self.a_mind("Bob")
        for line in ("page Bob Hello", "page Bob = Hello"):
            self.page(line)
            assert "Hello" in self.screen(self.bob)[0]

    def test_ambiguous_name_asks_back(self):
        """A word that two assistants begin with pages neither, and nobody else."""
        other = self.a_mind("Captain Blue")
        for line in ("page Captain Hello", "page Captain = Hello"):
            (shown,) = self.page(line)
            assert "Captain Blue" in shown
            assert "Captain Seraphina Stormborne" in shown
        self.page("page captain blue Hello")
        assert self.pages(other) == [(self.ann, "Hello")]
        assert not self.pages(self.captain)

    def test_pose_names_the_pager(self):
        """A message that begins with a colon is told as a pose, as among players."""
        shown = self.page("page sera :waves")
        assert self.pages(self.captain) == [(self.ann, "Ann waves")]
        assert shown[0].endswith("with: 'Ann waves'.")

    def test_msg_lock_is_obeyed(self):
        """An assistant whose lock refuses the pager is not paged."""
        self.captain.locks.add("msg:false()")
        assert self.page("page sera Hi") == [
            "You are not allowed to page Captain Seraphina Stormborne."
        ]
        assert not self.pages(self.captain)

    def test_hostile_pages_are_inert(self):
        """Whatever is paged arrives as clean text and is echoed as such."""
        for text in HOSTILE:
            (shown,) = self.page(f"page sera {text}")
            ((_, words),) = self.pages(self.captain)
            assert not set("|{}\n\x1b") & set(words)
            assert shown == f"You paged |cCaptain Seraphina Stormborne|n with: '{words}'."


class TestPagingPlayers(PageTestCase):
    LINES = (
        "page Bob Hello you",
        "page Bob = Hello you",
        "page Bob, Ann = :waves",
        "page Bob Old Marrek is here",
        "page hello there",
        "page hello",
        "page",
        "page 1",
        "page/last",
        "page/list",
        "page Nobody = Hi",
        "page Old",
        "page Captain Seraphina Stormborne",
    )

    def shown(self, line, command):
        return self.page(line, command), self.screen(self.bob)

    def test_page_between_players_is_unchanged(self):
        """All that is not for an assistant reads to the letter as with the game's own command."""
        self.page("page Bob First", CmdPage)
        self.screens.clear()
        for line in self.LINES:
            before = list(Msg.objects.values_list("pk", flat=True))
            expected = self.shown(line, CmdPage)
            Msg.objects.exclude(pk__in=before).delete()
            assert self.shown(line, OUR_PAGE) == expected, line
            Msg.objects.exclude(pk__in=before).delete()
        assert not self.pages(self.captain)
        assert not self.pages(self.marrek)

    def test_same_name_and_alias_as_before(self):
        """Ours replaces the game's page exactly: same key, aliases, locks and switches."""
        ours, theirs = OUR_PAGE(), CmdPage()
        for name in ("key", "aliases", "switch_options", "help_category"):
            assert getattr(ours, name) == getattr(theirs, name)
        assert str(ours.locks) == str(theirs.locks)

    def test_body_without_account_pages_nobody(self):
        """A character without an account has no pages; ours adds no error of its own."""
        cmd = OUR_PAGE()
        cmd.caller, cmd.session, cmd.args = self.a_body("Guard"), None, " sera Hi"
        cmd.cmdstring, cmd.raw_string = "page", "page sera Hi"
        cmd.parse()
        assert cmd.caller is None


class TestPagingOverTheWire(PageTestCase):
    def test_typed_page_finds_the_assistant(self):
        """Typed by a player whose command sets hold ours, the page arrives."""
        self.ann.account.cmdset.add(OurSet)
        self.ann.cmdset.add(OurSet)
        self.ann.execute_cmd("page sera Are you there?", session=self.ann.sessions.all()[0])
        assert self.pages(self.captain) == [(self.ann, "Are you there?")]
