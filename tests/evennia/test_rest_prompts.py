"""The REST API about what an owner writes for prompts: templates, components and guidelines."""

from ai_assistant.api.handlers import save
from ai_assistant.core.contracts import Change, Commit
from ai_assistant.models import AssistantEvent
from tests.evennia.test_rest import RestTestCase


class TestPrompts(RestTestCase):
    def test_a_template_is_written_applied_and_deleted(self):
        """Texts that are left out stay; where an applied one goes, the default one is back."""
        terse = self.one("templates/terse/")
        self.refusal(400, "PATCH", terse, {"native": "Be brief."})  # without a text there is none
        self.data("PATCH", terse, {"text": "You are {name}. {{weather_of_mars}}"})
        told = self.data("PATCH", terse, {"native": "{name}: be brief."})
        assert told["templates"]["terse"]["text"].startswith("You are {name}.")
        assert self.data("POST", f"{terse}apply/")["applied"] == "terse"
        assert self.data("DELETE", terse)["applied"] == "default"
        self.refusal(404, "DELETE", terse)
        self.refusal(404, "POST", f"{terse}apply/")
        assert self.recorded("ConfigurationChanged") == 4

    def test_a_component_is_made_changed_and_deleted(self):
        """Macros that nobody knows are told of, and stay as they stand."""
        mood = {"id": 1200, "key": "mood", "content": "You feel {{humour}}."}
        made = self.data("POST", self.one("components/"), mood)
        assert made["unknown_macros"] == ["{{humour}}"]
        change = {"injection_depth": 2, "enabled": False}
        changed = self.data("PATCH", self.one("components/mood/"), change)["components"]["mood"]
        assert (changed["injection_depth"], changed["enabled"]) == (2, False)
        assert changed["content"] == mood["content"]
        self.refusal(404, "PATCH", self.one("components/none/"), change)
        assert self.data("DELETE", self.one("components/mood/"))["components"] == {}
        self.refusal(404, "DELETE", self.one("components/mood/"))

    def test_guidelines_are_given_accepted_and_rejected(self):
        """What it proposed itself becomes one by the word of staff alone."""
        proposal = {"content": "Ask first.", "reason": "Dan", "readers": "*", "at": 1.0}
        save(self.marrek, Commit(at=1.0, changes=[Change("guidelines", "", "propose", proposal)]))
        (proposed,) = self.data("GET", self.one("guidelines/"))["proposed"]
        address = self.one(f"guidelines/{proposed['id']}/")
        given = self.data("POST", self.one("guidelines/"), {"text": "Be kind."})
        assert [one["content"] for one in given["accepted"]] == ["Be kind."]
        assert len(self.data("POST", f"{address}accept/")["accepted"]) == 2
        self.refusal(404, "POST", f"{address}accept/")
        left = self.data("DELETE", address)
        assert [one["content"] for one in left["accepted"]] == ["Be kind."]
        assert self.recorded("GuidelineDecided") == 3

    def recorded(self, kind):
        """Return how often something stands on record."""
        return AssistantEvent.objects.filter(type=kind).count()
