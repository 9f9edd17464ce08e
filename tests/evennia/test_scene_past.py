"""Looking at scenes: where players stand and what they remember, and what staff see."""

import time

from django.db import connection
from django.test.utils import CaptureQueriesContext

from ai_assistant.agent.keeping.closing import flush
from ai_assistant.api import forgetting, staging
from ai_assistant.api.stories.telling_chapters import tell_all
from ai_assistant.commands.players.scene_play import CmdScene
from ai_assistant.core.contracts import MemoryRow
from ai_assistant.game.identity import entity_id
from ai_assistant.models import Memory, Participation
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage import WorldContainer
from tests.evennia.test_commands_scene import SceneCommandCase


class PastCase(SceneCommandCase):
    def played(self):
        """Pia, Bob and Quinn played two days; returns the scene, which still runs."""
        scene = self.playing()
        self.scene("/join sword", self.quinn)
        self.talk()
        self.scene("/day 6")
        self.does(self.pia, "say Quinn, the bridge is down.")
        return scene

    def keeps(self, who, session, *words, day=5):
        rows = [
            MemoryRow(one, kind="utterance", author_name="Al", game_day=day, learned_at=float(at))
            for at, one in enumerate(words, 1)
        ]
        staging.keep_rows(entity_id(who), session, rows)


class TestWhereIStand(PastCase):
    def test_scene_alone_says_where_one_is(self):
        """State, place, day, members, leader, values and what was played."""
        self.played()
        self.scene("/set place = tavern in town")
        self.scene("/set weather = rain")
        self.scene("/set relationship = Pia, Bob: old friends")
        told = self.scene("")
        assert "The Sword (running), day 6 at tavern, in town: Pia, Bob, Quinn" in told
        for line in (
            "led by: Pia", "weather: rain", "Pia and Bob: old friends", "3 lines in 3 turns",
        ):  # fmt: skip
            assert line in told.replace("Bob and Pia: old", "Pia and Bob: old")

    def test_and_what_one_can_do(self):
        """Only what would be done: more by the leader, and something else after the start."""
        self.scene("/create The Sword")
        assert "scene/start" in self.scene("")
        self.scene("/start")
        assert "scene/stop" in self.scene("")
        assert "scene/start" not in self.scene("")
        self.scene("/set quest = find the bell")
        joined = self.scene("/join sword", self.quinn)
        assert "scene/think" in joined
        assert "quest: find the bell" in joined
        assert "scene/stop" not in joined

    def test_outside_it_says_how_to_get_in(self):
        """Where scenes are made, listed and joined."""
        told = self.scene("")
        assert "You are in no scene" in told
        assert "scene/create" in told
        self.playing()
        told = self.scene("", self.quinn)
        assert "The Sword" in told
        assert "scene/join" in told

    def test_refusals_say_what_to_do_next(self):
        """Each names the command that would help."""
        for line, told in (
            ("/invite Bob", "scene/create"), ("/list", "scene/create"), ("/recap", "scene/create"),
        ):  # fmt: skip
            assert told in self.scene(line)
        self.playing()
        for line, told in (
            ("/start", "It runs already"), ("/create Another", "scene/leave"),
            ("/invite", "scene/invite <character>"), ("/invite Quinn", "scene/join The Sword"),
            ("/recap = soon", "scene/recap <scene> = 5"), ("/recap #9", "#1 The Sword"),
            ("/recall", "scene/recall <words>"), ("/recap = 5", "nothing of that in The Sword"),
        ):  # fmt: skip
            assert told in self.scene(line), line

    def test_a_scene_that_everybody_left_is_over(self):
        """Also one that never ran: nobody could come back to it."""
        self.scene("/create The Sword")
        self.scene("/leave")
        assert "You are in no scene" in self.scene("")
        assert "The Sword" not in self.scene("", self.quinn)


class TestWhatIRemember(PastCase):
    def test_what_is_long_ago_was_lived_all_the_same(self):
        """Of a day before the newest memories nobody is told that there was nothing."""
        scene = self.played()
        self.keeps(self.pia, scene.id, "The gate of Oxmoor is down.", day=1)
        self.keeps(self.pia, scene.id, *(f"Geese, {number} of them." for number in range(310)))
        assert "gate of Oxmoor" in self.scene("/recall the gate on day 1")

    def test_scenes_are_listed(self):
        """Those one plays and played, with how much one remembers; nobody else's."""
        scene = self.played()
        assert "#1  The Sword  running  6" in self.scene("/list")
        self.scene("/leave", self.quinn)
        assert "#1  The Sword  left" in self.scene("/list", self.quinn)
        staging.stop_scene(scene.id)
        assert "#1  The Sword  over" in self.scene("/list")
        rita = self.a_player("Rita")
        assert "played no scene" in self.scene("/list", rita)

    def test_what_is_over_or_left_is_recapped(self):
        """By title, by number, or the last one; each has only what they took part in."""
        scene = self.played()
        self.scene("/leave", self.quinn)
        for line in ("/recap sword", "/recap #1", "/recap"):
            told = self.scene(line, self.quinn)
            assert "Quinn, the bridge is down." in told
            assert "the gate is open" not in told
        staging.stop_scene(scene.id)
        assert "the gate is open" in self.scene("/recap the sword")
        assert "When we played the scene The Sword: Pia: Bob, the gate is open." in self.scene(
            "/recap game"
        )

    def test_each_is_told_of_a_day_in_a_step_of_its_own(self):
        """So many play, and so much is read for each, that it would be a long one."""
        scene = self.playing()
        self.talk()
        self.screen(self.pia)
        tell_all(scene, "It is evening.", before=6)
        assert self.screen(self.pia) == ["|xIt is evening.|n"]
        self.steps.run()
        assert "Previously" in "".join(self.screen(self.pia))

    def test_a_day_ends_with_what_one_remembers_of_it(self):
        """Each is told their own, without small talk and whole; so is who comes back."""
        self.playing()
        self.scene("/join sword", self.quinn)
        self.model.say("Hello!")
        self.does(self.pia, "say Hello, Bob!")
        self.talk()
        long = f"Bob, {'the bridge over the Hollin is down and ' * 5}nobody mends it."
        self.model.say("Aye.")
        self.does(self.pia, f"say {long}")
        self.screen(self.pia), self.screen(self.quinn)
        told = self.scene("/day 6")
        assert "Previously, on day 5:" in told
        assert "Pia: Bob, the gate is open." in told
        assert "nobody mends it" in told
        assert "Hello" not in told
        assert "Previously" not in "\n".join(self.screen(self.quinn))
        self.does(self.pia, "say Quinn, the well is dry.")
        self.scene("/leave", self.quinn)
        back = self.scene("/join sword", self.quinn)
        assert "Previously, on day 6:" in back
        assert "the well is dry" in back
        assert "gate" not in back

    def test_a_recap_of_a_day(self):
        """What one knew at its end, also when it was folded since."""
        scene = self.played()
        assert "bridge" not in self.scene("/recap sword = 5")
        assert "bridge" in self.scene("/recap = day 6")
        staging.fold_container(scene.id, entity_id(self.pia), before=6)
        told = self.scene("/recap sword = 5")
        assert "Day 5. Pia: Bob, the gate is open." in told
        assert "Day 5. Bob: Aye, Pia." in told
        assert "Day 5: " not in told
        assert "Day 5: " in self.scene("/recap sword")

    def test_news_are_told_once(self):
        """With the message that brought them, and not once more by themselves."""
        self.played()
        self.scene("/set weather = rain")
        self.does(self.pia, "say Quinn, look.")
        assert self.scene("/recap").count("weather: rain") == 1

    def test_what_was_seen_before_is_no_news(self):
        """Also where the recap begins after it."""
        self.played()
        self.scene("/set location = tavern")
        self.scene("/set thing = the rope: tavern")
        self.scene("/take rope")
        self.does(self.pia, "say Quinn, look.")
        assert "Pia took the rope" in self.scene("/recap")
        assert "Pia took the rope" not in self.scene("/recap 1")

    def test_it_reads_like_a_tale(self):
        """Who said or did what to whom, what one learnt beneath it, and nothing of its storage."""
        self.played()
        self.scene("/set weather = rain")
        self.scene("/set thing = the map: mill")
        self.does(self.pia, "pose waves at Quinn.")
        told = self.scene("/recap", self.quinn)
        assert "Day 6. weather: rain\nDay 6. Pia waves at Quinn. (to you)" in told
        assert "(to you)\n    You learn: the map is at mill" in told
        assert "Day 6. Pia: Quinn, the bridge is down. (to Quinn)" in self.scene("/recap")
        assert "#" not in told
        assert "GameDay" not in told

    def test_a_day_in_short_stands_at_its_end(self):
        """Also where it was told on the next day, which nobody learns with some line of it."""
        scene = self.playing()
        self.talk()
        self.scene("/day 6")
        self.model.say("Aye.")
        self.does(self.pia, "say Bob, on we go.")
        short = MemoryRow("Pia and Bob spoke.", kind="chapter", game_day=5, learned_at=time.time())
        staging.keep_rows(entity_id(self.pia), scene.id, [short])
        told = self.scene("/recap")
        assert told.index("Day 5 in short: Pia") < told.index("Day 6. ")
        assert "It is day" not in told

    def test_the_own_last_line_is_there_at_once(self):
        """Also where the recap is asked for in the same moment."""
        self.playing()
        self.model.say("Aye.")
        self.pia.execute_cmd("say Bob, the bridge is down.")
        assert "Pia: Bob, the bridge is down." in self.scene("/recap")

    def test_a_start_without_a_character_says_whom_to_invite(self):
        """And what one can do next, as joining does."""
        self.scene("/create The Sword")
        told = self.scene("/start")
        assert "scene/invite Bob" in told
        assert "scene/recap" in told
        self.scene("/stop")
        self.scene("/create The Axe")
        self.scene("/invite Bob")
        assert "No character plays along" not in self.scene("/start")

    def test_who_took_part_is_not_said_where_all_did(self):
        """With two in a scene there is nobody else."""
        self.playing()
        self.talk()
        assert "Day 5. Bob: Aye, Pia.\n" in self.scene("/recap") + "\n"

    def test_whom_a_line_was_for_stays_as_it_was(self):
        """Whoever left since was there, and whoever joined since was not."""
        self.played()
        self.scene("/leave", self.quinn)
        told = self.scene("/recap")
        assert "Day 5. Pia: Bob, the gate is open. (to Bob)" in told
        assert "Day 6. Pia: Quinn, the bridge is down. (to Quinn)" in told
        self.scene("/stop")
        self.playing()
        self.model.say("Is it?")
        self.does(self.pia, "say Bob, the well is dry.")
        self.scene("/join sword", self.quinn)
        assert "Day 5. Pia: Bob, the well is dry.\n" in self.scene("/recap") + "\n"
        assert "well is dry.\n" in self.aiscene("/recap 2") + "\n"

    def test_long_lines_fit_the_screen(self):
        """And go over the lines beneath, indented; read aloud, a line is a line."""
        scene, line = self.playing(), " ".join(["A long tale of ferries."] * 12)
        self.keeps(self.pia, scene.id, line)
        self.pia.sessions.get()[0].protocol_flags["SCREENWIDTH"] = {0: 78}
        told = self.scene("/recap").splitlines()
        assert len(told) > 4
        assert max(map(len, told)) <= 78
        assert all(one.startswith("    ") for one in told[2:])
        self.char1.sessions.get()[0].protocol_flags["SCREENREADER"] = True
        assert f"Day 5. Al: {line}" in self.scene("/recap")

    def test_a_client_that_knows_no_width_has_the_usual_one(self):
        """It says 0, and whoever has it is shown the story all the same."""
        self.played()
        for one in (self.pia, self.char1):
            one.sessions.get()[0].protocol_flags["SCREENWIDTH"] = {0: 0}
        assert "Pia: Bob, the gate is open." in self.scene("/recap")

    def test_lines_to_choose_from_are_named_by_their_beginnings(self):
        scene = self.playing()
        self.keeps(self.pia, scene.id, *(f"{n} gates. {'And a word. ' * 80}" for n in range(9)))
        Memory.objects.filter(session=scene.id).update(meta={"event": "e1", "type": "say"})
        told = self.scene("/undo gates")
        assert "Which of them: Al: 8 gates." in told
        assert len(told) < 2500

    def test_what_is_forgotten_stays_forgotten(self):
        """Whatever day is asked for, and whether it was folded before or not."""
        scene = self.playing()
        self.scene("/join sword", self.quinn)
        self.talk()
        self.does(self.quinn, "say Pia, the well is dry.")
        self.scene("/day 6")
        staging.fold_container(scene.id, entity_id(self.pia), before=6)
        lines = ("/recap sword", "/recap sword = 5", "/recall dry")
        assert all("well is dry" in " ".join(self.scene(line).split()) for line in lines)
        forgetting.forget_person(self.quinn, by="a test")
        self.steps.run()
        assert not any("well is dry" in " ".join(self.scene(line).split()) for line in lines)
        assert "gate is open" in self.scene("/recap sword = 5")

    def test_something_is_looked_for(self):
        """Only what holds a word of it comes back, from the own container alone."""
        self.played()
        assert "the gate is open" in self.scene("/recall gate")
        assert "bridge" not in self.scene("/recall gate")
        assert "nothing of that" in self.scene("/recall dragons")
        assert "nothing of that" in self.scene("/recall gate", self.quinn)

    def test_the_game_goes_on_while_it_is_looked_for(self):
        """Each memory is read in a step of its own, and what is forgotten meanwhile is not told."""
        scene = self.played()
        self.keeps(self.pia, scene.id, "The gate fell.", "The gate rose.", "The gate burnt.")
        screen = self.screens[self.pia.key]
        before = len(screen)
        self.call(CmdScene(), "/recall gate", caller=self.pia)
        for _ in range(3):
            self.steps.waiting.popleft()()
        Memory.objects.filter(content__contains="fell").delete()
        assert len(screen) == before
        self.steps.run()
        told = "\n".join(screen[before:])
        assert "The gate rose." in told
        assert "fell" not in told

    def test_one_thing_is_looked_for_at_a_time(self):
        """Whoever asks for more waits: nobody keeps all others from remembering."""
        self.played()
        assert not self.call(CmdScene(), "/recall gate", caller=self.pia)
        told = self.call(CmdScene(), "/recall bridge", caller=self.pia)
        assert told == "You are trying to remember something else still."
        self.steps.run()
        assert "the gate is open" in self.scene("/recall gate")

    def test_no_words_are_sorted_for_a_day_of_the_past(self):
        """A database carries all that it sorts: of 20,000 long lines that held up the game."""
        scene = self.played()
        self.keeps(self.pia, scene.id, "The gate fell.", "The gate rose.")
        with CaptureQueriesContext(connection) as queries:
            assert "The gate rose." in self.scene("/recap sword = 5")
        asked = [query["sql"] for query in queries]
        sorts = [sql for sql in asked if '"content"' in sql and "ORDER BY" in sql]
        assert sorts
        assert all('"id" IN (' in sql or "LIMIT 1" in sql for sql in sorts), sorts

    def test_who_played_is_read_once(self):
        """However often a line asks for somebody."""
        self.played()
        self.scene("/leave", self.quinn)
        asked = []
        for often in (1, 9):
            with CaptureQueriesContext(connection) as queries:
                self.scene(f"/recall gate where {', '.join(['author = Quinn'] * often)}")
            asked.append(len(queries))
        assert asked[0] == asked[1]

    def test_it_is_looked_for_by_days_people_and_places(self):
        """In words, against the days of the story, or by a filter."""
        self.played()
        for line in ("yesterday", "what was on day 5?", "before day 6", "where gameDay < 6"):
            told = self.scene(f"/recall {line}")
            assert "the gate is open" in told
            assert "bridge" not in told
        assert "bridge is down" in self.scene("/recall where participants = Quinn")
        self.scene("/leave", self.quinn)  # and is named all the same for what was
        assert "bridge is down" in self.scene("/recall where participants = quinn")
        assert "no day 9 yet" in self.scene("/recall what happened on day 9?")
        assert "no field 'mood'" in self.scene("/recall gate where mood = sad")
        assert "nobody" in self.scene("/recall gate where speaker = nobody").lower()

    def test_staff_look_by_a_filter_too(self):
        """At what somebody knows now, and knew then."""
        self.played()
        for then in ("", " day 6"):
            known = self.aiscene(f"/knows sword = Bob{then} where speaker = Pia, gameDay = 5")
            assert "the gate is open" in known
            assert "Aye" not in known
        assert "no field 'mood'" in self.aiscene("/knows sword = Bob where mood = sad")

    def test_two_of_one_title_go_by_number(self):
        """The choices are named with their numbers; the exact title goes before parts of it."""
        for title in ("The Sword", "The Sword of Ice", "The Sword"):
            self.scene(f"/create {title}")
            self.scene("/start")
            self.keeps(self.pia, SCENES.of(entity_id(self.pia)).id, f"in {title}")
            self.scene("/stop")
        told = self.scene("/recap the sword")
        assert "Which of them: #1 The Sword (Pia), #3 The Sword (Pia)?" in told
        assert "in The Sword of Ice" in self.scene("/recap the sword of ice")
        assert "in The Sword of Ice" in self.scene("/recap #2")


class TestStaff(PastCase):
    def test_how_a_scene_stands(self):
        """With who remembers how much of it, and the world's record of it; names, no ids."""
        scene = self.played()
        told = self.aiscene(" sword")
        assert "3 lines in 3 turns" in told
        assert f"the world's record: {WorldContainer(scene.id).count()} rows" in told
        assert scene.id not in told
        assert "Pia    5" in told
        assert "everybody" in self.aiscene(" 0")

    def test_the_record_of_a_place(self):
        """With all that lies in it; or of some words."""
        self.played()
        self.scene("/set place = tavern in town")
        self.scene("/set location = gate")
        self.does(self.pia, "say Quinn, here it is.")
        assert "here it is" not in self.aiscene("/world sword = at town")
        assert "bridge" in self.aiscene("/world sword = at town")
        assert "here it is" in self.aiscene("/world sword = at gate")
        assert "bridge" not in self.aiscene("/world sword = gate is")
        told = self.aiscene("/knows sword = Pia day 6 at Town")
        assert "bridge" in told
        assert "here it is" not in told

    def test_the_tale_of_a_scene(self):
        """Staff who do not play read what all said, did and became of it, until a day."""
        self.played()
        self.scene("/set weather = rain")
        self.does(self.pia, "pose waves at Quinn.")
        told = self.aiscene("/recap sword")
        for line in (
            "The tale of The Sword", "Day 5. The scene begins with Pia, Bob",
            "Day 5. Pia: Bob, the gate is open. (to Bob)", "Day 6. weather: rain",
            "Day 6. Pia waves at Quinn. (to Quinn)",
        ):  # fmt: skip
            assert line in told
        assert "GameDay" not in told
        assert "bridge" not in self.aiscene("/recap sword = day 5")
        assert "Nothing." in self.aiscene("/recap sword = 1")
        assert "Which day" in self.aiscene("/recap sword = soon")

    def test_what_is_private_in_the_tale_is_marked(self):
        """Staff see that not everybody may know of it."""
        self.playing()
        staging.record_update(self.pia, "Pia is the heir", "status", readers=entity_id(self.bob))
        assert "Day 5. Pia is the heir (private)" in self.aiscene("/recap sword")

    def test_what_somebody_knew_then(self):
        """By the story's day, and by when it was learnt."""
        scene = self.played()
        self.keeps(self.pia, scene.id, "long ago")
        assert "long ago" in self.aiscene("/knows sword = Pia until 1970-01-01 00:01")
        assert "gate" not in self.aiscene("/knows sword = Pia until 1970-01-02")
        assert "gate" in self.aiscene("/knows sword = Pia day 5")
        assert "bridge" not in self.aiscene("/knows sword = Pia day 5")
        assert "Until when" in self.aiscene("/knows sword = Pia until 2026-13-45")

    def test_who_knows_of_something(self):
        """By person, with how and from whom they have it."""
        self.played()
        told = self.aiscene("/who sword = the gate")
        assert "Pia" in told
        assert "heard from Pia, trust 0.90) Bob, the gate is open." in told
        assert "Quinn" not in told
        assert "Nothing" in self.aiscene("/who sword = dragons")

    def test_one_line_in_full(self):
        """Why they took part, and what each has of it in the container's own form."""
        scene = self.played()
        self.scene("/set weather = rain")
        self.does(self.pia, "say Quinn, look.")
        row = Participation.objects.latest("pk").row
        told = self.aiscene(f"/why sword = #{row}")
        assert "Quinn: 0.95 (addressed)" in told
        assert "by rule" in told
        learnt = "###Newly discovered world knowledge###\n      weather: rain"
        assert told.count(learnt) == 2
        assert f"in {scene.id}-world" in told
        assert f"in {scene.id}-{entity_id(self.quinn)}" in told
        assert "speaker Pia; participants Pia, Quinn; isSpeaker no; location tavern" in told
        assert "Nothing" in self.aiscene("/why sword = #0")

    def test_what_was_forgotten_is_said_to_be(self):
        """Nothing of its lines is left to show; that something was forgotten, and when, is told."""
        self.playing()
        self.talk()
        assert "forgotten" not in self.aiscene("/why sword")
        forgetting.forget_person(self.pia, scope="all", by="a test")
        self.steps.run()
        for line in ("/why #1", "/why #1 = #1", "/why 0"):
            told = self.aiscene(line)
            assert "What was forgotten, last on" in told
            assert "gate" not in told

    def test_whose_word_it_is_and_what_is_unsure(self):
        """A line that no rule knew is marked as such."""
        self.does(self.pia, "say It is cold in here.")
        flush(self.resident(self.bob).mind)
        why = self.aiscene("/why 0")
        assert "unsure: all who could hear" in why
        assert "Bob?: 0.40 (could hear)" in why
