"""Scenes of cards in the game: made whole or not at all, filled with roles, and given out again."""

from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import override_settings

from ai_assistant.commands.staff.aiscene import CmdAIScene
from ai_assistant.game.identity import entity_id
from ai_assistant.models import Memory, Scene
from ai_assistant.roleplay.scene_files.scene_card import scene_from_bytes
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage import Container
from tests.evennia.pages import PagesTestCase
from tests.evennia.test_commands_scene import SceneCommandCase

CARD = """
format: assistant scene
title: The Silent Bell
plot: Somebody took the clapper of the bell.
day: 3
location: inn
policy: director
places: {cellar: inn}
things: {the clapper: cellar}
values: {weather: fog}
roles:
  reeve:
    about: You must find it.
    knows: [The tower was locked at midnight.]
  innkeeper:
    for: Bob
    knows: [A guest came in with wet boots.]
    has: [the key]
  smith: {for: Nobody}
lorebook: {the fair: The fair opens when the bell has rung.}
"""


class TestSceneCards(SceneCommandCase):
    def setUp(self):
        super().setUp()
        self.folder = Path(self.enterContext(TemporaryDirectory()))
        self.enterContext(override_settings(AI_ASSISTANT_CARDS=str(self.folder)))
        (self.folder / "bell.yaml").write_text(CARD)

    def knows(self, who, scene):
        """Return what somebody has of a scene."""
        found = Container(scene.id, entity_id(who)).find(limit=50)
        return " / ".join(row.content for row in found)

    def test_a_scene_is_played_from_its_card(self):
        """Made with the assistants of its roles; each knows what all know, and what is theirs."""
        assert "bell.yaml" in self.aiscene("/import")
        told = self.aiscene("/import bell")
        assert "'The Silent Bell' is made, with Bob in it" in told
        assert "The role smith is for Nobody, who is not to be had" in told
        self.aiscene("/add bell = pia")
        self.aiscene("/role bell = pia: reeve")
        assert "You know: The tower was locked at midnight." in "\n".join(self.screen(self.pia))
        self.aiscene("/start bell")
        scene = SCENES.of(entity_id(self.pia))
        assert (scene.scene, scene.day, scene.policy) == ("inn", 3, "director")
        assert scene.things == {"the clapper": "cellar", "the key": entity_id(self.bob)}
        for who in (self.pia, self.bob):
            assert "The fair opens" in self.knows(who, scene)
        assert "wet boots" in self.knows(self.bob, scene)
        assert "wet boots" not in self.knows(self.pia, scene)
        assert "locked at midnight" not in self.knows(self.bob, scene)
        roles = self.scene("").partition("roles: ")[2]
        for role in ("reeve (Pia)", "innkeeper (Bob)", "smith (nobody yet)"):
            assert role in roles
        who = self.aiscene("/who bell = wet boots")
        assert "Bob" in who
        assert "Pia" not in who

    def test_a_role_may_be_taken_while_it_runs(self):
        """By a player, who has then what comes with it; that somebody plays it is on record."""
        self.aiscene("/import bell")
        self.aiscene("/add bell = pia")
        self.aiscene("/start bell")
        assert "no role in 'The Silent Bell'. Free are: reeve, smith" in self.scene("/role")
        assert "You know: The tower" in self.scene("/role ree")
        assert "The tower was locked" in self.knows(self.pia, SCENES.of(entity_id(self.pia)))
        assert "Pia plays the role reeve" in self.aiscene("/world bell = 9")
        self.scene("/join bell", self.quinn)
        assert "Free are: smith" in self.scene("/role innkeeper", self.quinn)
        assert "Only Pia may" in self.scene("/role Pia = smith", self.quinn)
        assert "Quinn plays the role smith" in self.scene("/role quinn = smith")

    def test_nobody_learns_what_each_role_knows_by_playing_them_all(self):
        """Who had a role has it again, and no other; who takes it meanwhile leaves them none."""
        self.aiscene("/import bell")
        for who in (self.pia, self.quinn):
            self.scene("/join bell", who)
        assert "You know: The tower" in self.scene("/role reeve")
        for typed in ("/role smith", "/role Pia = smith"):
            assert "has had a role" in self.scene(typed)
        self.scene("/leave")
        self.scene("/join bell")
        assert "You know: The tower" in self.scene("/role")
        assert "has had a role" in self.scene("/role smith")
        self.scene("/leave")
        assert "You know: The tower" in self.scene("/role reeve", self.quinn)
        self.scene("/join bell")
        assert "has had a role" in self.scene("/role smith")
        assert "Free" not in self.scene("/role")
        assert "Pia plays the role smith" in self.aiscene("/role bell = pia: smith")

    def test_nothing_is_half_imported(self):
        """One thing wrong at its end, and there is neither a scene nor a memory of it."""
        (self.folder / "bad.yaml").write_text(CARD + "wether: rain\n")
        before = Scene.objects.count(), Memory.objects.count()
        assert "A scene has no 'wether'" in self.aiscene("/import bad")
        assert "no scene 'none'" in self.aiscene("/import none")
        assert "is no file of" in self.aiscene("/import ../bell")
        assert before == (Scene.objects.count(), Memory.objects.count())
        assert "Only Admins" in self.types(CmdAIScene, "/import bell", self.builder)

    def test_who_is_locked_or_plays_elsewhere_is_left_out(self):
        """The scene is made without that one, and says so."""
        self.bob.locks.add("edit:false()")
        told = self.aiscene("/import bell")
        assert "with nobody in it" in told
        assert "The role innkeeper is for Bob, who is not to be had" in told
        self.bob.locks.add("edit:true()")
        self.playing()
        assert "with nobody in it" in self.aiscene("/import bell")

    def test_a_card_goes_out_as_it_came_in(self):
        """Also with what was set since; neither who plays nor what was played is in it."""
        self.aiscene("/import bell")
        self.aiscene("/add bell = pia")
        self.aiscene("/set bell = weather: rain")
        self.aiscene("/start bell")
        assert "/again.yaml" in self.aiscene("/export bell = again.yaml")
        text = (self.folder / "again.yaml").read_text()
        card, again = (scene_from_bytes(one.encode(), "a.yaml") for one in (CARD, text))
        assert again.flags == {"weather": "rain"}
        assert (again.roles, again.lore, again.plot) == (card.roles, card.lore, card.plot)
        assert "Pia" not in text
        assert "There is a file again.yaml already" in self.aiscene("/export bell = again.yaml")
        assert "has no card" in self.aiscene("/export 0")
        assert "ends in .json" in self.aiscene("/export bell = a.exe")


class TestScenePages(PagesTestCase):
    def test_a_card_is_uploaded_and_handed_out(self):
        """A scene is made of it and shown; its card comes back; what is wrong is said."""
        sent = {"card": SimpleUploadedFile("bell.yaml", CARD.encode())}
        browser = self.browser()
        answer = browser.post("/ai/scenes/upload/", sent, follow=True)
        assert "The Silent Bell" in answer.content.decode()
        scene = Scene.objects.get(title="The Silent Bell")
        for suffix in ("yaml", "json"):
            address = f"/ai/scenes/card/?scene={scene.session}&as={suffix}"
            found = scene_from_bytes(browser.get(address).content, f"a.{suffix}")
            assert found == scene_from_bytes(CARD.encode(), "a.yaml")
        bad = {"card": SimpleUploadedFile("bell.yaml", b"a: 1")}
        answer = browser.post("/ai/scenes/upload/", bad)
        assert (answer.status_code, Scene.objects.count()) == (400, 1)
        assert "first field is format" in answer.content.decode()
