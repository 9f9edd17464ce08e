"""Staff try a character out: nothing comes of it, it is paid from their budget, and it waits."""

import re

from django.test import override_settings
from django.utils.html import strip_tags
from twisted.internet.defer import Deferred

from ai_assistant.agent.attention.budget import STAFF
from ai_assistant.api import forgetting
from ai_assistant.api.desk.jobs import JOBS, MOST_RUNNING
from ai_assistant.api.desk.owner_writings import template_of, write_down
from ai_assistant.api.desk.regression import verdicts_of
from ai_assistant.api.desk.sandbox import SANDBOXES
from ai_assistant.api.handlers import save, store_of
from ai_assistant.api.turns.turn_list import turn_back
from ai_assistant.commands.desk.aitry import CmdAITry
from ai_assistant.core.contracts import Change, Commit
from ai_assistant.core.times import DAY
from ai_assistant.llm.model_profiles import load_profiles
from ai_assistant.memory.inner.verdicts import MOST_VERDICTS
from ai_assistant.models import AssistantEvent, ModelCall, ModelSpending
from ai_assistant.runtime.service import SERVICE
from tests.evennia.pages import PagesTestCase
from tests.evennia.test_edit_locks import stored


class TryingTestCase(PagesTestCase):
    """Bea has said something to Marrek, who knows her since."""

    def setUp(self):
        super().setUp()
        JOBS.let_go()
        SANDBOXES.let_go()
        self.char1.sessions.get()[0].protocol_flags["SCREENHEIGHT"] = {0: 10_000}
        self.model.say("It leaves at dawn.")
        self.does(self.builder, "say Marrek, is the ferry in?")
        self.tick(self.marrek)
        self.before = stored()

    def post(self, name, account=None, **fields):
        """Send a form, which is taken; what it begins goes on."""
        named = {"call": fields.pop("call")} if "call" in fields else {}
        answer = self.browser(account).post(self.address(name, **named), fields)
        self.steps.run()
        return answer

    def tried(self, line):
        """Type a line of the command; returns what came of it."""
        return self.types(CmdAITry, line)


class TestNobodyThere(PagesTestCase):
    """Marrek has met nobody."""

    def test_the_sandbox_leads_to_a_first_character(self):
        """Whoever has none finds no form, but where one is made; then the form offers it."""
        for body in self.account.characters.all():
            self.account.characters.remove(body)
        assert "/characters/create/" in self.get("sandbox")
        self.account.characters.add(self.char1)
        page = self.get("sandbox")
        assert "/characters/create/" not in page
        assert f">{self.char1.key}</option>" in page

    def test_the_next_prompt_is_there_of_its_own_accord(self):
        """The page says so, and offers it."""
        page = self.get("prompt")
        assert "on its own can be seen" in page
        assert "nobody (it acts on its own)" in page


class TestSandbox(TryingTestCase):
    def say(self, words="Is it late?", answer="Late enough.", **fields):
        """Say something on the page as Bea; returns the page after it was answered."""
        self.model.text(answer)
        self.post("say_in_sandbox", who="Bea", words=words, **fields)
        return self.get("sandbox")

    def test_it_answers_and_nothing_comes_of_it(self):
        """No line, no memory, no record: all is as it was."""
        assert "Late enough." in self.say()
        assert stored() == self.before
        self.tick(self.marrek)
        assert ModelCall.objects.count() == 1

    def test_tools_are_shown_and_never_run(self):
        """What the model would do stands there."""
        self.model.call("say", text="Take it.").call("note", text="She asked.")
        self.post("say_in_sandbox", who="Bea", words="May I have it?")
        assert "Take it." in self.get("sandbox")
        assert stored() == self.before
        self.model.replies.clear()

    def test_the_talk_goes_on(self):
        """The model reads what was said in the sandbox before, and no turn of the game does."""
        self.say("My cat is called Albatross.", "A fine name.")
        self.say("What is it called?", "Albatross.")
        sent = str(self.model.requests[-1].messages)
        assert "called Albatross" in sent
        assert "A fine name." in sent
        self.model.say("Which cat?")
        self.does(self.builder, "say Marrek, what is my cat called?")
        assert "Albatross" not in str(self.model.requests[-1].messages)

    def test_another_persona_beside_it(self):
        """Both are asked the same, each with its own persona."""
        self.model.text("Late.").text("Joyfully late!")
        self.post("say_in_sandbox", who="Bea", words="Is it late?", persona="personality: joyful")
        page = self.get("sandbox")
        assert "Late." in page
        assert "Joyfully late!" in page
        own, other = self.model.requests[-2:]
        assert "joyful" not in str(own.messages)
        assert "joyful" in str(other.messages)

    def test_an_answer_that_is_paid_for_stays_where_the_other_side_fails(self):
        """The page tells both: what it said, and why nothing stands beside it."""
        other = {"base_url": "http://127.0.0.1:9/v1", "model": "mine"}
        SERVICE.shared.profiles["other"] = load_profiles({"other": other}, {})["other"]
        self.model.text("Late.")
        with override_settings(AI_ASSISTANT_STAFF_DAILY_CALLS=1):
            self.post("say_in_sandbox", who="Bea", words="Is it late?", profile="other")
        page = self.get("sandbox")
        assert "Late." in page
        assert "what staff try out is reached" in page
        told = self.tried("marrek")
        assert "Late." in told
        assert "what staff try out is reached" in told

    def test_the_page_does_not_wait(self):
        """While the model thinks, the page says so and asks again."""
        self.model.hold = held = Deferred()
        self.model.text("At last.")
        self.post("say_in_sandbox", who="Bea", words="Is it late?")
        page = self.get("sandbox")
        assert "Thinking" in page
        assert "every 1s" in page
        self.let_go(held)
        assert "At last." in self.get("sandbox")
        assert "every 1s" not in self.get("sandbox")

    def test_whom_it_has_not_met_may_try_it_too(self):
        """A visitor's own characters are among those as whom one may speak."""
        forgetting.forget_person(self.builder, by="test")
        self.steps.run()
        (who,) = re.findall(r'<option value="(\w+)" *>Bea<', self.get("sandbox"))
        self.model.text("Late enough.")
        self.post("say_in_sandbox", who=who, words="Is it late?")
        assert "Late enough." in self.get("sandbox")

    def test_it_is_each_ones_own(self):
        """Nobody sees another's talk."""
        self.say()
        root = self.a_player("Root")
        root.account.is_superuser = True
        root.account.save()
        assert "Late enough." not in self.get("sandbox", root.account)

    def test_it_is_paid_by_staff(self):
        """Not by the character, and where the staff's day is used up it is refused."""
        self.say()
        self.tick(self.marrek)
        assert ModelSpending.objects.filter(assistant=STAFF, payer="").exists()
        assert "staff, trying things out" in self.get("money")

    def test_what_is_refused_is_told(self):
        """No words, somebody unknown, and a profile that there is not."""
        for words, who, profile in ((" ", "Bea", ""), ("Hi", "Nobody", ""), ("Hi", "Bea", "gone")):
            answer = self.post("say_in_sandbox", who=who, words=words, profile=profile)
            assert answer.status_code == 400

    def test_forgetting_ends_it(self):
        """What is to be forgotten may stand in it."""
        self.say()
        forgetting.forget_person(self.builder, by="test")
        self.steps.run()
        assert "Late enough." not in self.get("sandbox")

    def test_by_command(self):
        """The same talk, with the same things beside it."""
        assert "Nothing was said" in self.tried("marrek")
        self.model.text("Late enough.")
        assert "Late enough." in self.tried("marrek = Bea: Is it late?")
        assert "Late enough." in self.get("sandbox")
        assert "the talk begins anew" in self.tried("/beside marrek = personality: joyful")
        self.model.text("Late.").text("Joyfully late!")
        assert "Joyfully late!" in self.tried("marrek = Bea: Is it late?")
        assert "There is no model profile" in self.tried("/beside marrek = profile gone")
        assert stored() == self.before


class TestRunAgain(TryingTestCase):
    def setUp(self):
        super().setUp()
        self.get("calls")
        self.number = str(ModelCall.objects.latest("pk").pk)

    def again(self, **fields):
        """Run the call again on its page; returns the page."""
        self.post("run_again", call=self.number, **fields)
        return self.get("again", call=self.number)

    def test_as_it_was(self):
        """The same messages are sent; both answers stand beside each other."""
        sent = self.model.requests[-1].messages
        self.model.text("At noon.")
        page = self.again()
        assert "It leaves at dawn." in page
        assert "At noon." in page
        assert self.model.requests[-1].messages == sent
        assert stored() == self.before

    def test_by_the_prompt_of_today(self):
        """What was changed since is in it."""
        self.ai("/persona marrek = personality: joyful")
        self.model.text("At noon, hurrah!")
        assert "At noon, hurrah!" in self.again(today="yes")
        assert "joyful" in str(self.model.requests[-1].messages)

    def test_by_command(self):
        self.model.text("At noon.")
        told = self.tried(f"/again marrek = {self.number} today")
        assert "At noon." in told
        assert "It leaves at dawn." in told
        assert "no call of that number" in self.tried("/again marrek = 99999")

    def test_an_answer_that_is_not_kept_is_no_silence(self):
        """It is said why it is not, before the call is run again and after."""
        ModelCall.objects.filter(pk=self.number).update(body=None, without="private")
        self.model.text("At noon.")
        for page in (self.get("again", call=self.number), self.again(today="yes")):
            assert "not everybody may know it" in page
            assert "It says nothing" not in page
            assert '<option value="no">' not in page
        told = self.get("call", call=self.number)
        assert "What the tools of its turn came to" in told

    def test_forgetting_hides_what_is_under_way(self):
        """What is to be forgotten may stand in the answer that comes after it."""
        self.model.hold = held = Deferred()
        self.post("run_again", call=self.number)
        forgetting.forget_person(self.a_player("Cid"), by="test")
        self.steps.run()
        self.model.text("At noon.")
        self.let_go(held)
        assert "At noon." not in self.get("again", call=self.number)

    def test_what_is_begun_by_command_counts(self):
        """Nobody has more under way than pages allow; a refused one asks no model."""
        self.tried("/good marrek = 1")
        holds = [Deferred() for _ in range(MOST_RUNNING)]
        for hold in holds:
            self.model.hold = hold
            self.tried(f"/again marrek = {self.number}")
            self.model.text("At noon.")
        asked = len(self.model.requests)
        for line in (f"/again marrek = {self.number}", "/check marrek = all"):
            assert f"You have {MOST_RUNNING} jobs under way" in self.tried(line)
        assert len(self.model.requests) == asked
        for hold in holds:
            self.let_go(hold)

    def test_what_was_not_kept_cannot_be_sent(self):
        """It says why."""
        ModelCall.objects.update(body=None, size=0, without="expired")
        assert "is not kept any more" in self.again()

    def test_private_goes_to_no_other_profile(self):
        """Unless the settings allow it, a whisper stays with the model that answered it."""
        other = {"base_url": "http://127.0.0.1:9/v1", "model": "mine"}
        SERVICE.shared.profiles["other"] = load_profiles({"other": other}, {})["other"]
        ModelCall.objects.update(readers="e1")
        assert "goes to no other profile" in self.again(profile="other")
        JOBS.let_go()
        with override_settings(AI_ASSISTANT_TRY_PRIVATE=True, AI_ASSISTANT_STAFF_DAILY_CALLS=0):
            assert "goes to no other profile" not in self.again(profile="other")

    def test_what_staff_may_spend_is_a_setting(self):
        """Where it is used up, that is told."""
        other = {"base_url": "http://127.0.0.1:9/v1", "model": "mine"}
        SERVICE.shared.profiles["other"] = load_profiles({"other": other}, {})["other"]
        with override_settings(AI_ASSISTANT_STAFF_DAILY_CALLS=0):
            assert "what staff try out is reached" in self.again(profile="other")

    def test_a_later_step_has_no_prompt_of_today(self):
        """What its turn had read until then is not there: the first one would stand beside it."""
        self.model.call("look").say("It is dark.")
        self.does(self.builder, "say Marrek, what do you see?")
        SERVICE.shared.calls.write()
        first, later = ModelCall.objects.filter(job="chat").order_by("-pk")[:2][::-1]
        for call, is_offered in ((first, True), (later, False)):
            page = self.get("again", call=call.pk)
            assert ('value="yes"' in page) == is_offered
        self.number = later.pk
        assert "Only the call with which a turn began" in self.again(today="yes")


class TestMarks(TryingTestCase):
    def mark(self, what="mark", **fields):
        """Mark the last turn on its page as bad, or take that off, and be sure."""
        turn = turn_back(self.marrek, 1)
        answer = self.change(what, turn=turn, **{"good": "no", "sure": "yes"} | fields)
        assert answer.status_code == 302
        return turn

    def test_marked_on_the_page_of_the_turn(self):
        """With the answer that was wanted, and taken off again."""
        turn = self.mark(wanted="It left long ago.")
        page = self.get("turn", turn=turn)
        assert "Marked as bad by Ada" in page
        assert "It left long ago." in page
        assert "It left long ago." in self.get("marked")
        self.mark("unmark")
        assert "Marked as" not in self.get("turn", turn=turn)

    def test_why_a_turn_has_no_mark_is_told(self):
        """On its page instead of the form, and by command: no line is there to ask again."""
        record = AssistantEvent.objects.get(type="TurnCompleted")
        record.data["events"] = []
        record.save()
        turn = turn_back(self.marrek, 1)
        page = self.get("turn", turn=turn)
        assert "nobody&#x27;s words: what is marked is asked again" in page
        assert "It was good" not in page
        assert "nobody's words: what is marked" in self.tried("/good marrek = 1")

    def test_what_it_did_on_its_own_is_marked_and_tried_again(self):
        """By the prompt of a turn on its own, without what it did in it; by command as well."""
        self.ai("/config marrek autonomy_interval 60")
        self.marrek.goals.add_goal("Mend the net.")
        self.model.say("I must mend that net.")
        self.tick(self.marrek, 4000)
        sent = self.model.shown()
        assert "Mend the net." in sent
        turn = self.mark(wanted="A net, a net!")
        assert "Marked as bad by Ada" in self.get("turn", turn=turn)
        before = stored()
        self.model.text("A net, a net!")
        self.post("check_marked")
        page = " ".join(strip_tags(self.get("marked")).split())
        for words in ("Marrek, on its own", "I must mend that net.", "A net, a net!"):
            assert words in page
        assert self.model.shown() == sent
        assert stored() == before
        call = ModelCall.objects.filter(turn_id=turn).earliest("pk")
        self.model.text("That net again!")
        assert "That net again!" in self.tried(f"/again marrek = {call.pk} today")
        assert self.model.shown() == sent
        assert "on its own" in self.tried("/check marrek")
        self.tried("/unmark marrek = on its own")
        assert "did on its own was good" in self.tried("/good marrek = 1")

    def test_it_is_asked_about_first(self):
        """Nothing is marked before somebody is sure."""
        turn = turn_back(self.marrek, 1)
        assert "Mark a turn" in self.change("mark", turn=turn, good="yes").content.decode()
        assert not verdicts_of(self.marrek)

    def test_a_change_is_tried_on_all_of_them(self):
        """Then, wanted and now stand in one row; nothing comes of it."""
        self.mark(wanted="It left long ago.")
        before = stored()
        self.model.text("It left, hurrah!")
        self.post("check_marked", persona="personality: joyful")
        page = self.get("marked")
        for words in ("It leaves at dawn.", "It left long ago.", "It left, hurrah!"):
            assert words in page
        assert "joyful" in str(self.model.requests[-1].messages)
        assert stored() == before

    def test_it_is_asked_as_if_it_had_not_answered(self):
        """What came before that line is known; its answer, and what was learned since, are not."""
        self.does(self.char1, "pose looks out at the river.")
        self.model.say("It burned, says the miller.")
        self.does(self.builder, "say Marrek, what of the inn?")
        sent = self.model.shown()
        self.mark(wanted="Nobody knows.")
        self.model.call("note", fact="Bea is afraid for the inn.", about="Bea", feeling=2)
        self.model.call("note", fact="The inn burned.").say("Be of good cheer.")
        self.does(self.builder, "say Marrek, I fear for the inn!")
        self.clock.advance(3 * DAY)
        self.marrek.notebook.append("The inn is lost.")
        before = stored()
        self.model.text("Nobody knows.")
        assert "Nobody knows." in self.tried("/check marrek = all")
        clock = r"\d\d:\d\d"
        assert re.sub(clock, "", self.model.shown()) == re.sub(clock, "", sent)
        assert stored() == before

    def test_one_from_before_what_is_kept_says_so(self):
        """It is one line in its place."""
        self.mark()
        AssistantEvent.objects.filter(type="StateChanged").delete()
        assert "is not kept any more: states are kept for" in self.tried("/check marrek = all")

    def test_another_template_is_tried_on_all_of_them(self):
        """One that is written and not applied, and which is not in use by that; also beside."""
        self.mark()
        made = template_of(self.marrek, "curt", text="You are {name}. Be curt as a crow.")
        write_down(self.marrek, made, by="Ada")
        before = stored()
        assert "Be curt as a crow." not in self.get("prompt", query={"who": "Bea"})
        assert "<option>curt</option>" in self.get("marked")
        self.model.text("Dawn.")
        self.post("check_marked", template="curt")
        assert "Dawn." in self.get("marked")
        assert "curt as a crow" in str(self.model.requests[-1].messages)
        assert "the template curt" in self.tried("/beside marrek = template curt")
        self.model.text("Dawn, I say.")
        assert "Dawn, I say." in self.tried("/check marrek = all")
        assert "curt as a crow" in str(self.model.requests[-1].messages)
        assert "There is no template 'grand'" in self.tried("/beside marrek = template grand")
        assert stored() == before

    def test_by_command(self):
        """Marked, listed, tried and taken off."""
        assert "was bad" in self.tried("/bad marrek = 1: It left long ago.")
        assert "It left long ago." in self.tried("/check marrek")
        self.model.text("It left, hurrah!")
        assert "It left, hurrah!" in self.tried("/check marrek = all")
        assert "no mark any more" in self.tried("/unmark marrek = 1")
        assert "No turn of Marrek is marked" in self.tried("/check marrek")
        assert "Marrek has 1 turn on record" in self.tried("/good marrek = 99")

    def test_a_mark_outlives_what_is_on_record_of_its_turn(self):
        """It can be taken off then as well, on the page and by command."""
        for by_command in (False, True):
            turn = self.mark(wanted="It left long ago.")
            records = AssistantEvent.objects.filter(turn_id=turn)
            records.exclude(type="StateChanged").delete()
            assert f"unmark/?turn={turn}" in self.get("marked")
            if by_command:
                assert "no mark any more" in self.tried("/unmark marrek = does it leave")
            else:
                assert self.change("unmark", turn=turn, sure="yes").status_code == 302
            assert not verdicts_of(self.marrek)
            self.model.say("It leaves at dawn.")
            self.does(self.builder, "say Marrek, when does it leave?")

    def test_no_mark_pushes_out_another(self):
        """The hundred and first is refused, and says what to do."""
        self.mark()
        kept = store_of(self.marrek).read("verdicts")["verdicts"]
        more = [{**kept[0], "turn_id": str(number)} for number in range(MOST_VERDICTS)]
        steps = [Change("verdicts", "", "keep_verdict", {"verdict": one}) for one in more]
        save(self.marrek, Commit(at=1.0, changes=steps))
        assert "take a mark off first" in self.tried("/good marrek = 1")
        assert verdicts_of(self.marrek)[-1]["turn_id"] == "0"

    def test_one_that_fails_leaves_the_others(self):
        """Whatever it is that went wrong: it is told of that line, and the log has it."""
        self.mark(wanted="It left long ago.")
        self.model.say("It is mended.")
        self.does(self.builder, "say Marrek, is the bridge mended?")
        self.mark()
        self.model.fail(RuntimeError("a bug")).text("It left, hurrah!")
        told = self.tried("/check marrek = all")
        assert "the server's log says why" in told
        assert "It left, hurrah!" in told
        assert "RuntimeError" in "".join(self.logged())

    def test_a_mark_is_forgotten_with_its_line(self):
        """Whoever has their words forgotten leaves none in it."""
        self.mark(wanted="It left long ago.")
        forgetting.forget_person(self.builder, by="test")
        self.steps.run()
        assert not verdicts_of(self.marrek)

    def test_the_character_never_reads_it(self):
        """No prompt holds what was wanted."""
        self.mark(wanted="It left long ago.")
        self.model.say("Good day.")
        self.does(self.builder, "say Marrek, did the ferry leave?")
        assert "long ago" not in self.model.shown()

    def test_no_word_is_no_mark(self):
        assert self.change("mark", turn="none", good="yes").status_code == 400
        assert self.change("mark", turn="none", good="fine").status_code == 400
        assert self.post("check_marked").status_code == 400
