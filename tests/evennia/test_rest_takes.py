"""The REST API about what scenes hold: takes, branches, records, corrections, roles and cards."""

from ai_assistant.game.identity import entity_id
from tests.evennia.test_rest import RestTestCase


class TestTakes(RestTestCase):
    """Marrek and Dan play in a scene that runs, and Dan has said two things there."""

    def setUp(self):
        super().setUp()
        self.dan = self.a_player("Dan")
        self.scene = self.data("POST", "scenes/", {"title": "The Wake"})["scene"]
        for who in ("Marrek", f"#{self.dan.pk}"):
            self.data("POST", self.of("members/"), {"who": who})
        self.data("POST", self.of("start/"))
        for line, answer in (("the mill burns!", "So it is."), ("the bell rings!", "I hear.")):
            self.model.say(answer)
            self.does(self.dan, f"say Marrek, {line}")

    def of(self, rest=""):
        """Return the address of something of the scene."""
        return f"scenes/{self.scene}/{rest}"

    def known(self):
        """Return what Marrek remembers of the scene, by number."""
        (held,) = self.data("GET", self.of("memories/?who=Marrek"))["containers"]
        return {one["row"]: one["content"] for one in held["memories"]}

    def test_the_record_is_read(self):
        """By words, as a tale, and who knows of it."""
        (row,) = self.data("GET", self.of("record/?q=mill"))
        assert "the mill burns" in row["content"]
        assert "the bell rings" in " ".join(self.data("GET", self.of("recap/")))
        assert self.data("GET", self.of("recap/?day=0")) == []
        held = self.data("GET", self.of("knowers/?q=mill"))["containers"]
        assert len(held) == 2

    def test_what_was_changed_of_a_scene(self):
        """What it was, what it is, and by whom."""
        self.data("PATCH", self.of(), {"name": "quest", "value": "ring the bell"})
        (one,) = self.data("GET", self.of("log/?limit=1"))
        found = (one["what"], one["was"], one["now"], one["by"])
        assert found == ("the quest", "", "ring the bell", self.account.key)

    def test_who_knows_of_a_memory(self):
        """Since when and from whom, of what one remembers; of what it does not, nothing."""
        number = next(id for id, words in self.known().items() if "mill" in words)
        found = self.data("GET", self.one(f"memories/{number}/who/"))
        assert {*found["held"]} == {entity_id(self.marrek), entity_id(self.dan)}
        assert "mill" in found["held"][entity_id(self.dan)][0]["content"]
        self.refusal(404, "GET", self.one("memories/99999/who/"))

    def test_lines_are_taken_back(self):
        """The answer goes as well, and who plays is told."""
        told = self.outcome("POST", self.of("undo/"), {"lines": 1})
        assert (told["state"], told["result"]["lines"]) == ("done", 1)
        assert not any("bell" in words for words in self.known().values())
        assert any("mill" in words for words in self.known().values())
        assert "takes back the last line" in " ".join(self.screen(self.dan))
        assert self.outcome("POST", self.of("undo/"), {"row": 99999})["state"] == "failed"

    def test_it_branches(self):
        """From a line of the record on; the first scene rests."""
        (row,) = self.data("GET", self.of("record/?q=mill"))
        number = int(row["ref"].removeprefix("#"))
        made = self.data("POST", self.of("branch/"), {"title": "The Mill", "row": number})
        assert made["state"] == "running"
        assert self.data("GET", self.of())["state"] != "running"
        assert self.data("GET", f"scenes/{made['scene']}/record/?q=bell") == []

    def test_what_somebody_remembers_is_put_right(self):
        """In other words, or that they were not there; both need that one's lock."""
        number = next(id for id, words in self.known().items() if "mill" in words)
        new = self.data("PATCH", self.of(f"memories/{number}/"), {"text": "The barn burns."})
        assert new["content"] == "The barn burns."
        self.refusal(404, "PATCH", self.of("memories/99999/"), {"text": "x"})
        (row,) = self.data("GET", self.of("record/?q=bell"))
        line = self.of(f"lines/{row['ref'].removeprefix('#')}/")
        self.marrek.locks.add("edit:false()")
        self.refusal(403, "PATCH", line, {"who": []})
        self.marrek.locks.add("edit:perm(Admin)")
        self.data("PATCH", line, {"who": []})
        assert not any("bell" in words for words in self.known().values())

    def test_somebody_is_told_and_days_are_folded(self):
        """What became of somebody is recorded, a memory passed on, old days summed up."""
        fate = {"who": f"#{self.dan.pk}", "text": "broke his arm"}
        assert "broke his arm" in self.data("POST", self.of("updates/"), fate)["content"]
        number = next(id for id, words in self.known().items() if "mill" in words)
        other = self.a_player("Bo")
        self.data("POST", self.of("members/"), {"who": f"#{other.pk}"})
        said = {"row": number, "teller": "Marrek", "hearer": f"#{other.pk}"}
        assert "mill" in self.data("POST", self.of("told/"), said)["content"]
        self.refusal(400, "POST", self.of("told/"), said | {"row": 99999})
        folded = self.data("POST", self.of("fold/"), {"who": "Marrek", "before": 999_999_999})
        assert folded["folded"] >= 2

    def test_a_card_makes_a_scene_and_its_roles_are_cast(self):
        """What is exported can be imported; an unknown role is refused."""
        card = self.data("GET", self.of("card/")) | {"title": "Again"}
        made = self.data("POST", "scenes/cards/", {"card": card})
        assert (made["title"], made["missing"]) == ("Again", {})
        self.refusal(400, "POST", self.of("roles/"), {"who": "Marrek", "role": "king"})
        self.refusal(404, "GET", "scenes/game/card/")
