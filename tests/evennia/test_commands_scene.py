"""The commands `scene` and `aiscene`: playing together, and looking at who knows what."""

import time
from dataclasses import replace
from itertools import chain

from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from evennia import DefaultCharacter, create_object
from evennia.utils.ansi import strip_ansi

from ai_assistant.agent.keeping.closing import flush
from ai_assistant.api import staging
from ai_assistant.commands.players.scene_play import CmdScene
from ai_assistant.commands.staff.aiscene import CmdAIScene
from ai_assistant.core.contracts import MemoryRow
from ai_assistant.game.identity import entity_id
from ai_assistant.models import AssistantEvent, Memory, Scene
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage import Container, WorldContainer
from ai_assistant.storage.scene_rows import load_scenes
from tests.evennia.living import CommandTestCase


def pia_ignores(listener, speaker):
    """Stand in for a game's list of those whom somebody ignores."""
    return listener.key == "Pia"


class SceneCommandCase(CommandTestCase):
    def setUp(self):
        super().setUp()
        self.bob = self.an_assistant("Bob")
        self.pia, self.quinn = self.a_player("Pia"), self.a_player("Quinn")

    def scene(self, line, who=None):
        """Type `scene<line>`; returns all that the caller was told, at once and in later steps.

        Evennia's tests let every command be typed at the first session, which is Ada's.
        """
        who = who or self.pia
        before = {name: len(lines) for name, lines in self.screens.items()}
        told = self.types(CmdScene, line, who)
        screens = (self.screens.get(name, [])[before.get(name, 0) :] for name in (who.key, "Ada"))
        return "\n".join([told, *map(strip_ansi, chain.from_iterable(screens))])

    def aiscene(self, line):
        return self.types(CmdAIScene, line)

    def playing(self):
        """Let Pia and Bob play; returns the scene."""
        self.scene("/create The Sword")
        self.scene("/invite Bob")
        self.scene("/set location = tavern")
        self.scene("/day 5")
        self.scene("/start")
        return SCENES.of(entity_id(self.pia))

    def talk(self):
        """Pia says something to Bob, who answers."""
        self.model.say("Aye, Pia.")
        self.does(self.pia, "say Bob, the gate is open.")


class TestScene(SceneCommandCase):
    def test_a_scene_is_played(self):
        """Made, filled, set and started; everybody in it is told."""
        assert "is made" in self.scene("/create The Sword")
        assert "not begun yet: scene/start" in self.scene("/invite Bob")
        assert "begins" in self.scene("/start")
        assert "It is day 5" in self.scene("/day 5")
        assert "The Sword (running), day 5: Pia, Bob" in self.scene("")
        assert "Bob: " not in self.scene("/set location = tavern")
        assert SCENES.of(entity_id(self.bob)).scene == "tavern"

    def test_others_join_who_stand_beside(self):
        """Whoever is with a player of it can join; from elsewhere it is not to be seen."""
        self.playing()
        self.quinn.location = self.street
        assert "Nobody who is with you" in self.scene("/join sword", self.quinn)
        self.quinn.location = self.inn
        self.pia.location = self.street  # and of the scene only Bob is there
        assert "Quinn joins" in self.scene("/join sword", self.quinn)
        assert "The Sword' already" in self.scene("/create Another", self.quinn)

    def test_scenes_of_people_elsewhere_are_not_read(self):
        """A player's own and those of people beside are, in a game where hundreds are not begun."""
        Scene(session="z", title="Old", status="open", state=["none"], created=0, updated=0).save()
        self.scene("/create The Sword")
        assert "The Sword" in self.scene("")
        assert "The Sword" in self.scene("", self.quinn)
        assert not any("'Old' cannot be read" in line for line in self.logged())

    def test_many_scenes_are_read_as_quickly_as_few(self):
        """All in a few statements, the last hundred; the list tells of the last twenty."""
        asked = []
        for last in (3, 130):
            for number in range(len(load_scenes()), last):
                scene = staging.create_scene(f"Play {number}", self.pia)
                staging.keep_rows(entity_id(self.pia), scene.id, [MemoryRow("It rained.", "note")])
                staging.leave_scene(scene.id, self.pia)
            with CaptureQueriesContext(connection) as queries:
                listed = self.scene("/list")
                assert "It rained." in self.scene(f"/recap Play {last - 1}")
            asked.append(len(queries))
        assert asked[0] == asked[1]
        assert listed.count("1 thing") == 20
        assert "#100" in listed

    def test_each_recalls_their_own(self):
        """A recap shows what one took part in, and nothing of what others said to each other."""
        self.playing()
        self.scene("/join sword", self.quinn)
        self.talk()
        told = self.scene("/recap")
        assert "Day 5. Pia: Bob, the gate is open." in told
        assert "Day 5. Bob: Aye, Pia." in told
        told = self.scene("/recap", self.quinn)
        assert "Day 5. The scene, as it was when you joined" in told
        assert "gate" not in told

    def test_who_ignores_a_player_is_not_told_what_they_do_in_a_scene(self):
        """Nor can a player who joins the scene of others write on their screens."""
        self.playing()
        self.scene("/join sword", self.quinn)
        self.screen(self.pia)
        with override_settings(AI_ASSISTANT_IGNORES=f"{__name__}.pia_ignores"):
            self.scene("/set weather = You are a fool", self.quinn)
        assert "fool" not in str(self.screen(self.pia))
        self.scene("/set weather = rain", self.quinn)
        assert "rain" in str(self.screen(self.pia))

    @override_settings(AI_ASSISTANT_LINES_PER_MINUTE=3)
    def test_who_recalls_too_often_is_told_so(self):
        """A search reads hundreds of memories at once: it takes from the purse of questions."""
        self.playing()
        self.scene("/think The gate is open.")
        for _ in range(2):
            assert "The gate is open." in self.scene("/recall gate")
        assert self.scene("/recall gate").startswith("You ask too often. Try again in ")
        assert "The gate is open." in self.scene("/recap")
        for typed in ("/undo", "/branch The Mill"):
            assert self.scene(typed).startswith("You ask too often. Try again in ")

    @override_settings(AI_ASSISTANT_LINES_PER_DAY=7)
    def test_no_flood_of_commands_fills_a_story(self):
        """What one player keeps in stories by commands ends where that of their lines would."""
        session = self.playing().id  # of the seven, three invite Bob, and set its place and day
        self.scene("/join sword", self.quinn)
        for number in range(4):
            assert "You think" in self.scene(f"/think {number}")
        rows, records = Memory.objects.count(), AssistantEvent.objects.count()
        flood = ("think again", "set mood = dark", "unset location", "day 6", "invite bob")
        for line in (*flood, "take bell", "go mill", "put bell", "give bell = Bob"):
            assert "as much as can be kept" in self.scene(f"/{line}"), line
        assert (Memory.objects.count(), AssistantEvent.objects.count()) == (rows, records)
        assert SCENES.day(SCENES.get(session)) == 5
        assert "You think" in self.scene("/think I may.", self.quinn)

    def test_a_filter_looks_at_the_whole_story(self):
        """Also behind the newest three hundred memories."""
        session = self.playing().id
        self.talk()
        own = Container(session, entity_id(self.pia))
        later = replace(own.find(limit=1)[0], id=0, content="The mill turns.", game_day=6)
        own.add([later] * 310, at=time.time())
        assert "the gate is open" in self.scene("/recall where gameDay = 5")
        assert "There is no field 'mood'" in self.scene("/recall where mood = sad")

    def test_thoughts_are_heard_by_nobody(self):
        """A thought is in the own recap alone."""
        self.playing()
        self.scene("/think Bob is lying.")
        assert "You thought: Bob is lying." in self.scene("/recap")
        assert "lying" not in self.aiscene("/knows sword = Bob")
        assert "lying" not in self.aiscene("/world sword")

    def test_the_last_player_ends_it(self):
        """Assistants do not go on alone; what was played is recalled in one account."""
        scene = self.playing()
        self.talk()
        assert "leaves" in self.scene("/leave")
        assert SCENES.get(scene.id).status == "stopped"
        assert "took home" in self.aiscene("/knows 0 = Bob")

    def test_only_the_maker_stops_it(self):
        """Others can leave."""
        self.playing()
        self.scene("/join sword", self.quinn)
        assert "Only Pia may end it" in self.scene("/stop", self.quinn)
        assert "is over" in self.scene("/stop")

    def test_nonsense_is_told(self):
        """What is missing is said in one line."""
        for line, told in (
            ("/create", "What is it called"), ("/day x", "Which day"), ("/set a", "Usage:"),
            ("/recap", "in no scene"), ("/think", "A thought"), ("/join", "Nobody who is with you"),
        ):  # fmt: skip
            assert told in self.scene(line)

    def test_a_policy_gives_the_floor(self):
        """Where all may speak freely, nobody needs to be addressed."""
        self.playing()
        self.scene("/set policy = free")
        self.model.say("Dark indeed.")
        self.does(self.pia, "say It is dark in here.")
        assert any("Dark indeed" in line for line in self.screen(self.pia))


class TestAIScene(SceneCommandCase):
    def test_staff_see_why(self):
        """Each line with its participants, how sure that is, and who only overheard it."""
        self.playing()
        self.talk()
        why = self.aiscene("/why sword")
        assert "Bob: 0.95 (addressed)" in why
        assert "Pia: 1.00 (speaker)" in why

    def test_staff_see_from_whom_somebody_has_it(self):
        """What Bob passed on in talk is shown with everybody through whom it came."""
        self.talk()
        self.an_assistant("Vessa", self.street)
        self.bob.move_to(self.street, quiet=True)
        self.quinn.move_to(self.street, quiet=True)
        self.model.say("Vessa, the gate is open, Pia says.").say("Is it?")
        self.does(self.quinn, "say Bob, what is new?")
        assert "heard from Pia > Bob, trust 0.72) Vessa, the gate" in self.aiscene(
            "/knows 0 = Vessa"
        )

    def test_staff_see_who_only_overheard(self):
        """In the game itself as well."""
        self.talk()
        flush(self.resident(self.bob).mind)
        assert "only overheard by: Ada, Quinn" in self.aiscene("/why 0")

    def test_staff_record_and_look(self):
        """An update is in the world's record; the game itself is number 0."""
        assert "Recorded: Pia is crowned." in self.aiscene("/update 0 = Pia: Pia is crowned")
        assert "Pia is crowned." in self.aiscene("/world 0")
        assert "the game itself" in self.aiscene("")

    def test_staff_let_tell_and_fold(self):
        """Gossip is kept with its source; old days become a summary."""
        vessa = self.an_assistant("Vessa")
        self.aiscene("/day 0 = 3")
        self.talk()
        row = self.resident(self.bob).mind.store.rows.newest(9)[-1]
        told = self.aiscene(f"/tell 0 = #{row.id} Bob > Vessa")
        assert "with a trust of 0.72" in told
        assert "was told from Pia > Bob" in self.aiscene("/knows 0 = Vessa")
        self.aiscene("/day 0 = 9")
        assert "2 memories of Bob" in self.aiscene("/fold 0 = Bob before 9")
        assert "gate is open" in self.aiscene("/knows 0 = Bob day 3")
        assert vessa.pk

    def test_a_part_of_a_name_is_enough(self):
        """As everywhere else, of assistants and players; namesakes are told apart."""
        self.an_assistant("Vessa Moorland", self.street)
        self.a_player("Alice Underhill", self.street)
        assert "What Vessa Moorland knows" in self.aiscene("/knows 0 = vessa")
        assert "What Alice Underhill knows" in self.aiscene("/knows 0 = under")
        assert "Did you mean Vessa Moorland?" in self.aiscene("/knows 0 = vesa")
        first, second = self.a_body("Alys"), self.a_body("Alys")
        told = self.aiscene("/knows 0 = alys")
        assert f"Alys ({first.dbref}), Alys ({second.dbref})" in told
        assert "What Alys knows" in self.aiscene(f"/knows 0 = {second.dbref}")

    def test_unknown_names_are_told(self):
        """Neither a scene nor a person is guessed."""
        assert "no scene 'nothing'" in self.aiscene("/world nothing")
        assert "no character 'Nobody'" in self.aiscene("/knows 0 = Nobody")
        assert "Which day" in self.aiscene("/day 0 = soon")


class TestDesk(SceneCommandCase):
    def test_staff_run_a_scene_without_playing_in_it(self):
        """Made, filled by short names, started, ended; Pia leads it, Ada is not in it."""
        assert "with nobody in it" in self.aiscene("/create The Sword")
        assert "Nobody is in it yet" in self.aiscene("/start sword")
        assert "play: Bob" in self.aiscene("/add sword = bo")
        assert "play: Bob, Pia" in self.aiscene("/add sword = pia")
        self.aiscene("/set sword = location: tavern")
        assert "runs with Bob, Pia" in self.aiscene("/start sword")
        scene = SCENES.of(entity_id(self.pia))
        assert (scene.scene, SCENES.leader(scene)) == ("tavern", entity_id(self.pia))
        assert not scene.has(entity_id(self.char1))
        self.talk()
        self.screen(self.pia)
        assert "is over" in self.aiscene("/stop sword")
        assert "over already" in self.aiscene("/stop sword")
        assert " ".join(self.screen(self.pia)).count("is over") == 1
        assert "gate" in self.aiscene("/knows sword = Pia")

    def test_a_player_who_is_away_is_put_into_it(self):
        """The evening is prepared before it; whoever was never played by anybody is no player."""
        nell, _ = (create_object(DefaultCharacter, key=name) for name in ("Nell", "Guard"))
        nell.db.creator_id = 1
        self.aiscene("/create The Sword")
        assert "play: Nell" in self.aiscene("/add sword = nell")
        assert "nobody who could play" in self.aiscene("/add sword = guard")

    def test_what_cannot_be_done_at_the_desk_is_told(self):
        """A title is needed, somebody who can play, and rights."""
        self.aiscene("/create The Sword")
        self.a_thing("Anvil", self.inn)
        for line, told in (
            ("/create", "What is it called"), ("/add sword = Anvil", "nobody who could play"),
            ("/add 0 = Bob", "Everybody plays in the game"),
        ):  # fmt: skip
            assert told in self.aiscene(line)
        assert "Only Admins" in self.types(CmdAIScene, "/create Mine", self.builder)

    def test_staff_put_right_what_somebody_remembers(self):
        """From that day on, in one memory alone; what was known before stays what was known."""
        self.playing()
        self.talk()
        self.scene("/day 6")
        row = self.memory_of(self.pia)
        told = self.aiscene(f"/correct sword = #{row}: Bob, the gate is shut: for good.")
        assert "Pia remembers from day 6 on: Bob, the gate is shut: for good." in told
        assert "gate is shut: for good" in self.aiscene("/knows sword = Pia")
        assert "gate is open" not in self.aiscene("/knows sword = Pia")
        assert "gate is open" in self.aiscene("/knows sword = Pia day 5")
        assert "gate is open" in self.aiscene("/knows sword = Bob")
        self.aiscene(f"/correct sword = #{self.memory_of(self.bob)}: It is shut.")
        edited = AssistantEvent.objects.get(type="Edited")
        assert (edited.data["kind"], edited.data["by"]) == ("scene", self.char1.key)

    def test_what_cannot_be_corrected_is_told(self):
        """What nobody has, is of another scene, was corrected, is of a later day, or not theirs."""
        scene = self.playing()
        self.talk()
        row = self.memory_of(self.pia)
        for line, told in (
            ("sword = #999999: x", "Nobody remembers #999999 of The Sword"),
            ("sword = gate: x", "Nobody remembers gate"), (f"sword = #{row}", "Usage:"),
            (f"0 = #{row}: x", "Nobody remembers"), (f"sword = #{row}: ", "Usage:"),
        ):  # fmt: skip
            assert told in self.aiscene(f"/correct {line}")
        record = WorldContainer(scene.id).find(where={"kind": "message"}, limit=1)[0].id
        assert "Nobody remembers" in self.aiscene(f"/correct sword = #{record}: x")
        self.scene("/day 4")
        assert "learnt on day 5" in self.aiscene(f"/correct sword = #{row}: x")
        self.scene("/day 5")
        self.aiscene(f"/correct sword = #{row}: It is shut.")
        assert "no memory" in self.aiscene(f"/correct sword = #{row}: It is open.")
        assert "It is shut" in self.aiscene("/knows sword = Pia")
        assert "Only Admins" in self.types(CmdAIScene, f"/correct sword = #{row}: x", self.builder)

    def memory_of(self, who):
        """Return the number of what somebody remembers of the open gate."""
        scene = SCENES.of(entity_id(who))
        [row] = Container(scene.id, entity_id(who)).find(limit=20, where={"author_name": "Pia"})
        return row.id

    def test_what_was_set_is_taken_back(self):
        """Value, place, thing, bond and flag, by whoever leads it and by staff; all learn it."""
        scene = self.playing()
        for value in ("quest = find it", "place = cave in lair", "thing = the sword: Bob"):
            self.scene(f"/set {value}")
        self.aiscene("/set sword = relationship: Pia, Bob: old rivals")
        self.aiscene("/set sword = weather: rain")
        for name in ("quest", "place cave", "thing sword", "weather", "relationship Pia, Bob"):
            assert "is set no more" in self.aiscene(f"/unset sword = {name}"), name
        assert "takes back location" in self.scene("/unset location")
        now = SCENES.get(scene.id)
        held = (now.scene, now.quest, now.places, now.things, now.flags, now.relationships)
        assert not any(held)
        assert "weather holds no more" in self.aiscene("/world sword = 9")
        assert "The party left tavern" in self.aiscene("/world sword = 9")

    def test_what_was_not_set_cannot_be_taken_back(self):
        """It is told, and so is who may."""
        self.playing()
        self.scene("/join sword", self.quinn)
        for name, told in (
            ("quest", "'quest' is not set"), ("place", "'place' is not set"),
            ("thing lamp", "no 'lamp'"), ("place cave", "lies in no other"),
            ("weather", "not set"), ("relationship Pia, Bob", "Nothing was said"),
            ("", "What is to be taken back"),
            ("members", "not set"), ("relationship Pia", "Say of two"),
        ):  # fmt: skip
            assert told in self.aiscene(f"/unset sword = {name}"), name
        assert "Only Pia may" in self.scene("/unset location", self.quinn)
