"""`ai/call` and its pages: an owner opens a model call as it was."""

import html

from ai_assistant.models import ModelCall
from tests.evennia.pages import PagesTestCase


class TestCalls(PagesTestCase):
    def setUp(self):
        super().setUp()
        self.model.call("recall", words="ferry").say("It leaves at dawn.")
        self.does(self.builder, "say Marrek, is the ferry in?")

    def number(self):
        """Return the number of the last call."""
        return ModelCall.objects.latest("pk").pk

    def test_the_list(self):
        """Each call with job, milliseconds, tokens and price, before any heartbeat wrote it."""
        told = self.ai("/call marrek")
        for words in (str(self.number()), "chat", "$0.00"):
            assert words in told, told

    def test_earlier_calls_are_reached_from_a_later_one(self):
        """Page and command alike: those of a night belong to no turn that one could open."""
        self.ai("/call marrek")
        first, last = ModelCall.objects.order_by("pk").values_list("pk", flat=True)
        told = self.ai(f"/call marrek = before {last}")
        page = self.get("calls", query={"before": last})
        for shown, begins in ((told, "\n"), (page, ">")):
            assert f"{begins}{first}" in shown
            assert f"{begins}{last}" not in shown

    def test_of_a_whisper_it_is_said_that_no_text_is_kept(self):
        """With the setting that decides it: in both lists, and where health is told."""
        self.model.text("Hush.")
        self.does(self.builder, "whisper Marrek = the key is under the mat")
        listed, page = self.ai("/call marrek"), self.get("calls")
        for shown in (listed, page):
            assert shown.count("figures alone") == 2  # which is why, and that one call
        name = "AI_ASSISTANT_CALL_PRIVATE_BODIES"
        for shown in (listed, page, self.get("health"), self.ai("/health")):
            assert name in shown
        with self.settings(AI_ASSISTANT_CALL_PRIVATE_BODIES=True, AI_ASSISTANT_CALL_DAYS=3.0):
            assert "Kept of each: what was sent, for 3 days." in self.get("calls")
        for name in ("AI_ASSISTANT_CALL_BODY_DAYS", "AI_ASSISTANT_CALL_DAYS"):
            with self.settings(**{name: 0.0}):
                assert f"({name} is 0)" in self.get("calls")

    def test_one_call(self):
        """What was sent, by part, what was answered, and what the tools came to."""
        self.char1.sessions.get()[0].protocol_flags["SCREENHEIGHT"] = {0: 10_000}
        self.ai("/call marrek")
        told = self.ai(f"/call marrek = {self.number()}")
        for words in (
            "as in every turn",
            ": Who you are",
            "ferry",
            "It leaves at dawn.",
            "tools shown",
            "recall",
        ):
            assert words in told, words

    def test_what_its_tools_told_the_model(self):
        """Word for word, with the call that called them; of the last of a turn, that it is done."""
        self.char1.sessions.get()[0].protocol_flags["SCREENHEIGHT"] = {0: 10_000}
        self.ai("/call marrek")
        first, last = ModelCall.objects.order_by("pk").values_list("pk", flat=True)
        told = self.ai(f"/call marrek = {first}")
        sent = [it.content for it in self.model.requests[-1].messages if it.role == "tool"]
        assert f"recall came to] {sent[-1]}" in told
        assert html.escape(sent[-1]) in self.get("call", call=str(first))
        assert "say came to] done" in self.ai(f"/call marrek = {last}")

    def test_what_is_no_call(self):
        """A word, a number of nobody's, and another's call are refused."""
        other = self.an_assistant("Tansy")
        assert "Give its number" in self.ai("/call marrek = last")
        assert "no call of that number" in self.ai("/call marrek = 99999")
        self.ai("/call marrek")
        assert "no call of that number" in self.ai(f"/call {other.key} = {self.number()}")

    def test_nothing_on_record(self):
        self.an_assistant("Tansy")
        assert "No model call" in self.ai("/call tansy")

    def test_it_is_for_admins(self):
        """As prompts are."""
        assert "Only Admins" in self.ai("/call marrek", self.builder)

    def test_the_pages(self):
        """The list, and from it, and from the page of the turn, the call."""
        assert "dawn" not in self.get("calls")
        call = ModelCall.objects.latest("pk")
        for page in (self.get("calls"), self.get("turn", turn=call.turn_id)):
            assert self.address("call", call=str(call.pk)) in page
        page = self.get("call", call=str(call.pk))
        for words in ("It leaves at dawn.", "as in every turn", "recall"):
            assert words in page

    def test_a_page_of_no_call(self):
        """It is refused, in words."""
        for call in ("99999", "last"):
            assert self.browser().get(self.address("call", call=call)).status_code == 400

    def test_a_builder_sees_the_figures_of_a_turn_alone(self):
        """No link, and no page of a call."""
        self.get("calls")
        call = ModelCall.objects.latest("pk")
        page = self.get("turn", self.builder.account, turn=call.turn_id)
        assert self.address("call", call=str(call.pk)) not in page
        refused = self.browser(self.builder.account).get(self.address("call", call=str(call.pk)))
        assert refused.status_code == 403
