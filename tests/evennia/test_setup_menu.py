"""The menu `ai/setup`: from nothing to a model and a first character, or back to nothing."""

from dataclasses import replace

from django.test import override_settings
from evennia.objects.models import ObjectDB
from evennia.server.models import ServerConfig
from evennia.utils.ansi import strip_ansi
from twisted.internet.defer import Deferred, fail, succeed

from ai_assistant.core.errors import ModelTimeout
from ai_assistant.core.model_records import ModelReply, TokenUsage, ToolCall
from ai_assistant.game.stored_profiles import KEY, stored_profiles
from ai_assistant.llm.breaker import CallEnding, Unavailable
from ai_assistant.runtime.assembly import build_shared
from ai_assistant.runtime.service import SERVICE
from tests.evennia.living import CommandTestCase

SECRET = "sk-canary-1234567890"
USED = TokenUsage(100, 10, known=True)
GOOD = (
    ModelReply("Good morning.", usage=USED),
    ModelReply("", (ToolCall("1", "read_clock", {}),), usage=USED),
    ModelReply('{"name": "Tom", "age": 7}', usage=USED),
    ModelReply("heliotrope", usage=TokenUsage(7000, 5, known=True)),
)


def plain(told):
    """Return what was told as one line, without colours."""
    return " ".join(strip_ansi(told).split())


class Wire:
    """Stands in for the bridge: answers in order, and keeps what it was asked."""

    def __init__(self):
        self.running, self.asked, self.replies = False, [], []
        self.listed = [{"id": "small"}, {"id": "large"}, {"id": "text-embedding"}]

    def start(self, profiles=()):
        self.running = True

    def stop(self):
        self.running = False

    def models(self, profile):
        return succeed(self.listed) if isinstance(self.listed, list) else fail(self.listed)

    def complete(self, profile, request):
        self.asked.append((profile, request))
        reply = self.replies.pop(0) if self.replies else ModelReply("Aye.", usage=USED)
        if isinstance(reply, Deferred):
            return reply
        return fail(reply) if isinstance(reply, Exception) else succeed(reply)


CONNECT = ("1", "5", "http://127.0.0.1:9/v1", "1", "1")
"""Another server, without a key, its first model in the alphabet."""
CHARACTER = ("1", "Old Marrek", "ferryman", "gruff", "", "1", "23-6", "500")


class TestSetup(CommandTestCase):
    """A superuser sits at the menu; the wire answers as a good model does."""

    def setUp(self):
        self.wire = Wire()
        super().setUp()
        self.owner = self.a_player("Owner")
        self.owner.account.is_superuser = True
        self.owner.account.save()
        self.owner.locks.reset()
        self.steps.run()

    def build(self):
        return replace(build_shared(), bridge=self.wire, clock=self.clock)

    def open(self, *lines):
        """Open the menu and type these lines; returns all that the owner saw."""
        self.wire.replies = [*GOOD]
        self.screen(self.owner)
        self.does(self.owner, "ai/setup")
        return self.typed(*lines)

    def typed(self, *lines):
        for line in lines:
            self.menu.parse_input(line)
            self.steps.run()
        return "\n".join(self.screen(self.owner))

    @property
    def menu(self):
        return self.owner.ndb._evmenu

    def left(self):
        """What there is: stored profiles, and all objects."""
        return ServerConfig.objects.conf(KEY), ObjectDB.objects.count(), self.names()

    # -- the way through

    def test_the_ways_to_a_key_are_counted_from_one(self):
        """No number is left out, whether there is a usual variable or not."""
        told = " ".join(strip_ansi(self.open("1", "5", "http://127.0.0.1:9/v1")).split())
        assert "1: it needs none 2: AI_ASSISTANT_KEYS" in told

    def test_a_provider_is_chosen_by_its_name_as_well(self):
        """As by its number."""
        assert "At which address does it listen?" in self.open("1", "Ollama")

    def test_all_the_way(self):
        """The profile is kept and used at once, and the character lives by what was chosen."""
        told = self.open(*CONNECT)
        assert "small (local) answers" not in told
        assert "large (local) answers." in told
        assert "text-embedding" not in told
        told = self.typed(*CHARACTER)
        assert "sleeps: from 23 o'clock for 7 hours, by the game clock" in told
        assert "sleep_start_hour" not in told
        told = self.typed("1")
        assert self.menu is None
        assert "in use at once" in told
        assert "Old Marrek is here and listens" in told
        assert stored_profiles() == {
            "default": {
                "provider": "local",
                "base_url": "http://127.0.0.1:9/v1",
                "model": "large",
                "native_tools": True,
                "json_schema": True,
            }
        }
        (marrek,) = ObjectDB.objects.filter(db_key="Old Marrek")
        config = marrek.assistant_script.config
        assert (config["sleep_start_hour"], config["sleep_duration_hours"]) == (23.0, 7.0)
        assert (config["daily_calls"], config["room_default"]) == (500, "context")
        self.does(self.owner, "say Hello, Marrek!")
        assert 'Old Marrek says, "Aye."' in self.screen(self.owner)
        assert self.wire.asked[-1][0].model == "large"

    def test_leaving_at_any_step_leaves_nothing(self):
        """No profile, no object, wherever one leaves and however."""
        before = self.left()
        way = (*CONNECT, *CHARACTER)
        for count in range(len(way) + 1):
            told = self.open(*way[:count], ("q", "quit")[count % 2])
            assert self.menu is None
            assert "Nothing of it was kept" in told
            assert self.left() == before

    def test_leaving_the_game_leaves_nothing_either(self):
        """Whoever comes back after a lost connection meets no menu and no prompt."""
        before, account, (session,) = self.left(), self.owner.account, self.owner.sessions.get()
        for count in (0, 3, len(CONNECT)):
            self.open(*CONNECT[:count])
            account.unpuppet_object(session)
            assert self.menu is None
            account.puppet_object(session, self.owner)
            assert "menu_cmdset" not in [cmdset.key for cmdset in self.owner.cmdset.all()]
            assert self.left() == before

    def test_one_that_failed_its_test_is_not_called_ready(self):
        """Kept all the same, it counts as failing from the start, until it answers."""
        self.open(*CONNECT[:4])
        self.wire.replies = [
            Unavailable(CallEnding.SERVER, "Nobody listens there.", cause="refused")
        ]
        told = self.typed("large", "2")
        assert "Its test failed" in told
        assert "'default' fails since" in self.ai("")
        assert "fails: Nobody listens there." in self.open()
        assert "default" in "\n".join(self.logged())

    def test_a_number_is_no_model(self):
        """Where the server lists none, whoever types 1 is asked again for a name."""
        self.wire.listed = []
        told = self.open(*CONNECT)
        assert "the name of a model, which has a letter" in told
        assert self.wire.asked == []
        assert self.menu is not None

    def test_a_step_back_is_a_step_back(self):
        """From the model to the key, and from there to the address."""
        self.open(*CONNECT[:4])
        assert "Where does its key come from?" in self.typed("b")
        assert "At which address" in self.typed("b")

    def test_an_address_is_asked_for_in_plain_words(self):
        """Whoever types a model's name there is told what an address is."""
        told = self.open("1", "5", "gpt-x")
        assert "An address begins with http://" in told
        assert "profile[" not in told

    def test_another_address_is_all_that_is_asked_for(self):
        """Enter alone leaves it as it is, and the key is not asked for again."""
        self.open(*CONNECT)
        assert "Enter alone: http://127.0.0.1:9/v1" in self.typed("6")
        assert "Which model?" in self.typed("")
        assert self.menu.draft.entry["base_url"] == "http://127.0.0.1:9/v1"

    def test_a_wrong_address_names_no_model(self):
        """Where the server cannot be asked for its models, none was chosen yet."""
        self.wire.listed = Unavailable(CallEnding.SERVER, "It does not know that.", cause="404")
        told = plain(self.open(*CONNECT[:4]))
        assert "Mend the name of the model, or base_url (http://127.0.0.1:9/v1)" in told
        assert "unknown" not in told

    def test_a_profile_without_its_key_says_what_it_is_of(self):
        """The model and its provider's address, though the offline model stands in."""
        told = self.open("1", "1", "NO_SUCH_KEY", "gpt-4o-mini")
        assert "default: gpt-4o-mini at https://api.openai.com/v1" in told

    def test_no_line_is_wider_than_a_screen(self):
        """What it tells, refusals among them, is broken between words."""
        told = self.open("1", "1", "sk-thisisawrongkey1234567890abcdef", "b", "b", "c")
        assert "That looks like a key" in told
        assert max(len(strip_ansi(line).rstrip()) for line in told.splitlines()) <= 78

    def test_what_fails_at_the_end_is_undone(self):
        """Where the character cannot be made, the profile is not kept either."""
        self.open(*CONNECT, *CHARACTER)
        before = self.left()
        with override_settings(AI_ASSISTANT_TYPECLASS="typeclasses.characters.Character"):
            told = self.typed("1")
        assert "must use AssistantMixin" in " ".join(told.split())
        assert self.menu is not None
        assert self.left() == before

    # -- keys

    def test_a_key_is_refused_and_not_repeated(self):
        """Wherever it is typed: it is neither kept nor shown."""
        self.open(*CONNECT[:3])
        for line in (SECRET, "sk_live_0123456789abcdef"):
            told = self.typed(line)
            assert "looks like a key" in told
            assert line not in told
        assert SECRET not in repr(self.menu.draft)

    def test_a_variable_that_is_not_set_says_what_to_do(self):
        """The profile may be kept; it says which restart it waits for, and nobody is asked."""
        told = self.open("1", "1", "NO_SUCH_KEY", "gpt-4o-mini")
        assert "NO_SUCH_KEY is not set" in told
        told = self.typed("2")
        assert "evennia reboot" in told
        assert stored_profiles()["default"]["key_env"] == "NO_SUCH_KEY"
        assert self.wire.asked == []
        assert SERVICE.shared.profiles["default"].offline

    @override_settings(AI_ASSISTANT_KEYS={"openai": SECRET})
    def test_a_key_of_the_secret_settings_is_found_by_its_entry(self):
        """It is used for the test, and stands nowhere."""
        told = self.open("1", "1", "2", "small", "2")
        assert self.wire.asked[0][0].key == SECRET
        assert SECRET not in told + repr(stored_profiles())

    # -- what goes wrong

    def test_who_does_not_answer_may_be_kept_all_the_same(self):
        """The failure is told with what to do next."""
        self.open(*CONNECT[:4])
        self.wire.replies = [Unavailable(CallEnding.AUTH, "It refused the key (401).", cause="401")]
        told = self.typed("large")
        assert "does not answer" in told
        assert "Until it answers, characters that use it have excuses" in plain(told)
        assert "Next: The key is refused" in told
        assert self.left()[0] is None
        self.typed("2")
        assert "The key is refused" in "\n".join(self.logged())
        assert "native_tools" not in stored_profiles()["default"]

    def test_waiting_can_be_stopped(self):
        """The game goes on meanwhile, and a late answer changes nothing."""
        self.open(*CONNECT[:4])
        slow = Deferred()
        self.wire.replies = [slow]
        assert "Testing large" in self.typed("large")
        assert "Which model?" in self.typed("s")
        assert slow.called  # cancelled

    def test_a_server_that_lists_nothing_is_no_obstacle(self):
        """The name can be typed."""
        self.wire.listed = ModelTimeout()
        told = self.open(*CONNECT[:4])
        assert "Type its name" in told
        assert "mine (local) answers" in self.typed("mine")

    # -- what is there already

    def test_a_profile_is_changed_and_removed(self):
        """In the same menu, at once."""
        self.open(*CONNECT, "2")
        self.wire.replies = [*GOOD]
        self.open("2", "4", "1")
        told = self.typed("2")
        assert "is kept" in told
        assert stored_profiles()["default"]["model"] == "large"
        told = self.open("2", "8", "1")
        assert "is removed" in told
        assert stored_profiles() == {}
        assert SERVICE.shared.profiles["default"].offline

    def test_a_profile_that_nobody_uses_says_so(self):
        """A second one of another name changes nothing by itself: before and after it is kept."""
        self.open(*CONNECT, "2")
        assert "Nobody uses it under the name 'model2'" in plain(self.open(*CONNECT))
        told = plain(self.typed("2"))
        assert "ai/config <name> = llm_profile model2" in told
        assert "in use at once" not in told
        told = plain(self.open("3", "7", "consolidate", "2"))
        assert "in use at once" in told

    def test_one_that_failed_and_that_nobody_uses_alarms_nobody(self):
        """No character has excuses on account of it."""
        self.open(*CONNECT, "2")
        self.open(*CONNECT[:4])
        self.wire.replies = [Unavailable(CallEnding.SERVER, "Nobody.", cause="refused")]
        assert "characters have excuses until" not in plain(self.typed("large", "2"))
        assert "model2" in "\n".join(self.logged())

    def test_whose_place_is_taken_by_whom_is_told(self):
        """Where a profile is removed, and by the question before it."""
        self.open(*CONNECT, "2")
        assert "falls back to the profile 'default'" not in plain(self.open("2", "8"))
        assert "the built-in offline model answers in its place" in plain(self.typed("1"))

    def test_what_was_waited_for_is_not_told_again(self):
        """A step back from a test shows the question alone."""
        self.open(*CONNECT[:4])
        slow = Deferred()
        self.wire.replies = [slow]
        assert "Testing large" in self.typed("large")
        slow.errback(Unavailable(CallEnding.SERVER, "Nobody.", cause="refused"))
        self.steps.run()
        assert "does not answer" in self.typed()
        assert "Testing" not in self.typed("b")

    @override_settings(AI_ASSISTANT_LLM={"default": {"provider": "ollama", "model": "qwen"}})
    def test_one_of_the_settings_can_be_covered_and_not_removed(self):
        """It is said where it stands."""
        told = self.open("2", "8", "1")
        assert "stands in the settings" in told
        self.typed("b", "2")
        assert stored_profiles()["default"]["model"] == "qwen"
        assert "before the settings" in self.open("q")

    def test_the_menu_is_for_superusers(self):
        """An Admin is told so."""
        assert "Only Superusers may" in self.ai("/setup")

    # -- ai/test

    @override_settings(AI_ASSISTANT_LLM={"default": {"provider": "ollama", "model": "qwen"}})
    def test_the_same_without_the_menu(self):
        """It is paid for like any call, and said who answers how."""
        self.wire.replies = [*GOOD]
        self.does(self.char1, "ai/test")
        told = "\n".join(self.screen(self.char1))
        assert "default: qwen (ollama) answers." in told
        assert SERVICE.shared.budget.spent("trials") == (4, 7335)
        assert "There is no profile 'nobody'" in self.ai("/test nobody")

    @override_settings(AI_ASSISTANT_LLM={"default": {"provider": "opnai", "model": "x"}})
    def test_one_that_cannot_be_used_is_not_asked(self):
        """It says why; the menu shows it, too, and can cover it."""
        assert "Did you mean openai?" in self.ai("/test")
        assert "Did you mean openai?" in self.open("2")
        assert self.wire.asked == []
        assert "Did you mean openai?" in "\n".join(self.logged())

    def test_a_new_profile_ends_the_outage_of_the_old(self):
        """And of one that is removed nothing is told any longer."""
        self.open(*CONNECT, "2")
        shared = SERVICE.shared
        shared.outages.note(
            shared.profiles["default"], Unavailable(CallEnding.AUTH, "No.", cause="401")
        )
        assert shared.outages.banners()
        assert "Next: The key is refused" in "\n".join(self.logged())
        self.open("2", "8", "1")
        assert shared.outages.banners() == {}

    def test_a_failed_test_costs_what_it_can_have_cost(self):
        """A refused key nothing, not even a call."""
        self.open(*CONNECT[:4])
        self.wire.replies = [Unavailable(CallEnding.AUTH, "It refused the key (401).", cause="401")]
        self.typed("large")
        assert SERVICE.shared.budget.spent("trials") == (0, 0)

    def test_the_offline_model_needs_none(self):
        """It always answers."""
        assert "Nothing to test" in self.ai("/test")

    @override_settings(
        AI_ASSISTANT_LLM={"default": {"provider": "ollama", "model": "qwen"}},
        AI_ASSISTANT_GAME_DAILY_TOKENS=5,
    )
    def test_a_day_without_means_is_told(self):
        """Where the day's tokens are used up, nobody is asked."""
        self.does(self.char1, "ai/test")
        assert "daily cap" in "\n".join(self.screen(self.char1))
        assert self.wire.asked == []
