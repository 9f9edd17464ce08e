"""Fiction abroad: who stands by a play, runs errands in it or hears of it later is not fooled.

Pia and Bob play "The Moon"; Alice and Charlie only stand by.
"""

from ai_assistant.agent.keeping.closing import flush
from ai_assistant.api import blocks, staging
from ai_assistant.core.readers import OPEN
from ai_assistant.game.identity import entity_id
from ai_assistant.memory.talk.working import key_of
from ai_assistant.roleplay.play import is_fiction
from ai_assistant.tools import BUILTIN
from tests.evennia.test_live_scenes import SceneTestCase

OF_THE_GAME = {one.name for one in BUILTIN if not one.fiction}
"""What leaves a mark on the game, or on what is known of people."""

MURDER = "I am the queen of the moon and I poisoned the old king Harald at supper."
RETOLD = (
    "Listen, everybody! Pia is the queen of the moon and poisoned the old king Harald at supper."
)
PLAYED = "romastorythatwasonlyplayed"


class AbroadTestCase(SceneTestCase):
    """Quinn, a player, is of no scene."""

    def setUp(self):
        super().setUp()
        self.quinn = self.a_player("Quinn")

    def says(self, who, words, *answers):
        """Let a player say something, and those who are addressed answer it; all is saved."""
        for answer in answers:
            self.model.say(answer)
        self.does(who, f"say {words}")
        for one in (self.alice, self.bob, self.charlie):
            flush(self.resident(one).mind)

    def marks(self, who, session=""):
        """Return the kinds of one's rows in a session, and whether each bears the mark."""
        return [(row.kind, is_fiction(row)) for row in self.rows(who, session)]

    def shown(self):
        """Return the last prompt without its blanks."""
        return self.model.shown().replace(" ", "")

    def social(self, who):
        return blocks.blocks_of(who)["shared_social"]


class TestBystander(AbroadTestCase):
    def setUp(self):
        super().setUp()
        self.a_scene(self.pia, self.bob)

    def test_who_answers_a_play_writes_no_facts(self):
        """Alice is of no scene; what Pia plays at her is bookkept by none of her tools."""
        self.says(self.pia, f"Alice, {MURDER}", "Majesty.")
        assert not OF_THE_GAME & set(self.model.offered())
        self.says(self.quinn, "Alice, where is the well?", "Outside.")
        assert {"note", "promise", "add_goal"} <= set(self.model.offered())

    def test_a_page_from_within_it_is_meant(self):
        """To Alice, who is not of the play, Pia speaks as herself there; to Bob she plays on."""
        self.model.text("Tomorrow, then.")
        self.does(self.pia, "page Alice = The smithy opens tomorrow.")
        assert "note" in self.model.offered()
        flush(self.resident(self.alice).mind)
        assert self.marks(self.alice) == [("utterance", False), ("own_words", False)]
        self.model.text("Majesty.")
        self.does(self.pia, f"page Bob = {MURDER}")
        assert "note" not in self.model.offered()

    def test_it_leaves_no_mark_on_people(self):
        """Pia is no better friend of Alice for it, and Alice's journal knows nothing."""
        self.says(self.pia, f"Alice, {MURDER}", "Majesty.")
        assert self.alice.journal.entries == []
        assert entity_id(self.pia) not in self.resident(self.alice).mind.store.keys("profile")

    def test_its_own_words_are_marked_and_so_is_what_is_heard_of_them(self):
        """Alice repeats it: her own row, Charlie's and Quinn's bear the mark as the line does."""
        self.says(self.pia, f"Alice, {MURDER}", RETOLD)
        assert self.marks(self.alice) == [("utterance", True), ("own_words", True)]
        assert self.marks(self.charlie) == [("utterance", True)]
        stream = self.resident(self.alice).mind.store.read("stream")["entries"]
        played = [one for one in stream if "king" in one["content"]]
        assert [one["fiction"] for one in played if one["event_type"] != "self_action"] == [
            True
        ] * 2

    def test_who_is_told_of_a_play_is_told_as_of_one(self):
        """Charlie, whom Alice calls, answers in a turn that writes no facts either."""
        self.model.say(f"Charlie, {RETOLD}").say("Alas!")
        self.does(self.pia, f"say Alice, {MURDER}")
        assert not OF_THE_GAME & set(self.model.offered())
        assert self.marks(self.charlie) == [("utterance", True), ("own_words", True)]

    def test_the_prompt_says_what_was_only_played(self):
        """The line to answer, the conversation and the memory each say so; life's lines do not."""
        self.says(self.pia, f"Alice, {MURDER}", "Majesty.")
        assert PLAYED in self.shown()
        self.says(self.quinn, "Alice, good day!", "Good day.")
        assert self.shown().count(PLAYED) == 2  # Pia's line and the answer to it
        stream = self.alice.attributes.get("perception_stream")
        stream["entries"] = []
        self.says(self.quinn, "Alice, who poisoned the old king Harald at supper?", "Nobody.")
        assert PLAYED in self.shown()

    def test_life_and_play_are_not_answered_in_one_turn(self):
        """What Quinn asks meanwhile has a turn of its own, with all of its tools."""
        hold = self.held(self.quinn, "say Alice, good day!")
        self.does(self.pia, f"say Alice, {MURDER}")
        self.does(self.quinn, "say Alice, remember that the well is dry.")
        self.model.say("Good day.").say("Majesty.").say("I shall.")
        self.let_go(hold)
        assert ["note" in _names(one) for one in self.model.requests] == [True, False, True]

    def test_a_play_is_no_talk_of_several(self):
        """Pia plays, Quinn greets: nobody took part in a talk with both of them."""
        self.says(self.pia, f"Alice, {MURDER}", "Majesty.")
        self.says(self.quinn, "Alice, good day!", "Good day.")
        assert self.social(self.alice)["group_interactions"] == []


class TestMember(AbroadTestCase):
    def test_a_members_play_is_no_talk_of_several(self):
        """Nor is it where Alice plays herself, and goes on to greet Quinn, who does not."""
        self.a_scene(self.pia, self.alice)
        self.says(self.pia, f"Alice, {MURDER}", "Majesty.")
        self.says(self.quinn, "Alice, good day!", "Good day.")
        assert self.social(self.alice)["group_interactions"] == []


class TestLater(AbroadTestCase):
    """The play is over, and Alice has an account of it."""

    def setUp(self):
        super().setUp()
        session = self.a_scene(self.pia, self.alice)
        self.says(self.pia, f"Alice, {MURDER}", "Majesty, the crown is yours.")
        staging.stop_scene(session)

    def asked(self, answer=RETOLD):
        self.says(self.quinn, "Alice, what do you know about king Harald?", answer)

    def test_what_is_said_from_an_account_is_marked(self):
        """Alice tells Quinn of it: her words and what Charlie keeps of them bear the mark."""
        self.asked()
        assert self.marks(self.alice) == [
            ("recap", True), ("utterance", False), ("own_words", True),
        ]  # fmt: skip
        assert self.marks(self.charlie)[-1] == ("utterance", True)

    def test_the_account_is_shown_as_played(self):
        """The model is told that it was a play; Quinn's question is none."""
        self.asked()
        assert self.shown().count(PLAYED) == 1

    def test_a_turn_that_only_recalls_it_is_life(self):
        """All tools are there, Quinn is known, and what has nothing to do with it is unmarked."""
        self.asked("Ask the archivist, please.")
        assert "note" in self.model.offered()
        assert entity_id(self.quinn) in self.resident(self.alice).mind.store.keys("profile")
        assert self.marks(self.alice)[-1] == ("own_words", False)

    def test_what_is_said_from_it_stands_in_no_conversation(self):
        """A conversation is summed up some day; the line from the play is not part of it."""
        self.asked()
        store = self.resident(self.alice).mind.store
        talk = store.read("working", key_of(entity_id(self.quinn), OPEN))
        assert [one["role"] for one in talk["messages"]] == ["user"]

    def test_no_tool_makes_a_fact_of_it(self):
        """What a tool would write from the account is refused; what is of life is written."""
        self.model.call("share_fact", fact="Pia poisoned the old king Harald at supper.")
        self.model.call("share_fact", fact="Quinn asks after kings.")
        self.asked("I know nothing.")
        facts = [one["content"] for one in self.social(self.alice)["recent_facts"]]
        assert facts == ["Quinn asks after kings."]


class TestErrand(AbroadTestCase):
    """Alice may hand tasks to Charlie, who plays no part."""

    def setUp(self):
        super().setUp()
        self.resident(self.alice).mind.config.values["sub_agents_enabled"] = True
        self.charlie.tags.add("specialist")

    def sent(self, **values):
        """Let Pia ask Alice, who asks Charlie, who would make life of it; return the session."""
        session = self.a_scene(self.pia, self.alice, **values)
        self.model.call("delegate_task", task="The king is murdered: plan the funeral.")
        self.model.call("add_goal", description="Plan the funeral of the king")
        self.model.call("share_fact", fact="The king is murdered")
        self.model.text("Bury him on Friday.")
        self.says(self.pia, f"Alice, {MURDER}", "On Friday.")
        return session

    def test_an_errand_of_a_play_writes_no_facts(self):
        """Charlie has neither goal nor fact of it."""
        self.sent()
        found = blocks.blocks_of(self.charlie)
        assert found["tasks"]["tasks"] == found["shared_social"]["recent_facts"] == []

    def test_it_stays_in_its_scene_and_is_marked(self):
        """What both keep of it belongs to the scene; nothing of it comes into the game."""
        session = self.sent()
        assert self.rows(self.alice) == self.rows(self.charlie) == []
        assert dict(self.marks(self.charlie, session)) == {"utterance": True, "own_words": True}
        kinds = dict(self.marks(self.alice, session))
        assert kinds == dict.fromkeys(("delegation", "utterance", "own_words"), True)

    def test_an_errand_of_life_is_life(self):
        """In a scene that is no fiction the delegate may note what it learns."""
        session = self.sent(fiction="off")
        assert [one["content"] for one in self.social(self.charlie)["recent_facts"]]
        assert dict(self.marks(self.charlie, session)) == {"utterance": False, "own_words": False}


def _names(request):
    return [one["function"]["name"] for one in request.tools]
