"""People of scenes, and how tests let them speak before a World Agent."""

from itertools import count

from ai_assistant.roleplay.participants import Present, Utterance, determine
from ai_assistant.roleplay.world_agent import WorldAgent

ALICE, BOB, CHARLIE, DANA = (
    Present(f"character-{name.lower()}", name, has_mind=True)
    for name in ("Alice", "Bob", "Charlie", "Dana")
)
SPY = Present("character-spy", "Sly", hidden=True)
TABLE = (ALICE, BOB, CHARLIE, DANA)


class Room:
    """A room in which people speak one after the other, each line five seconds later."""

    def __init__(self, *people, session="s1"):
        self.people, self.session = people, session
        self.agent, self.at, self._ids = WorldAgent(), 0.0, count(1)

    def says(self, who, text, kind="say", bound=None):
        """Return the decision on a line."""
        self.at += 5.0
        said = Utterance(f"{self.session}-{next(self._ids)}", who, text, kind, self.at)
        people = self.people if bound is None else bound
        return self.agent.judge(self.session, "room", said, lambda: people)

    def took_part(self, who, text, kind="say", bound=None):
        """Return the names of those who took part in a line, the speaker left out."""
        found = [one["id"] for one in self.says(who, text, kind, bound)["participants"]]
        return {one.removeprefix("character-") for one in found} - {who.name.lower()}


def found(who, text, bound=TABLE, floor=(), **options):
    """Return {name: (confidence, rule)} for a single line."""
    decision = determine(Utterance("ev", who, text, **options), bound, floor)
    return {
        one.id.removeprefix("character-"): (one.confidence, one.rule)
        for one in decision.participants
    }
