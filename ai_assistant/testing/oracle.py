"""A World Agent that decides as the test wrote down, for games that test their own scenes."""

from __future__ import annotations

from collections import deque

from ai_assistant.core.contracts import Json
from ai_assistant.roleplay.participants import SPEAKER, Judgement, Participant, Utterance
from ai_assistant.roleplay.world_agent import Bound, WorldAgent, as_json

SCRIPTED = 1.0


class Oracle(WorldAgent):
    """Implements the World Agent with a queue of decisions; without one left, the rules decide.

    `asked` are the utterances that it was asked about, each once.
    """

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Utterance] = []
        self._decisions: deque[frozenset[str]] = deque()
        self._given: dict[tuple[str, str], Json] = {}

    def decides(self, *participants: str) -> Oracle:
        """Queue a decision: the ids of those who take part in the next line, beside its speaker."""
        self._decisions.append(frozenset(participants))
        return self

    def judge(self, session: str, place: str, said: Utterance, bound: Bound) -> Json:
        """Return the next decision of the queue; a line that is known keeps the one it got.

        Raises `AssertionError` where it names somebody who could not hear: nothing widens that.
        """
        key = (session, said.event)
        if key in self._given:
            return self._given[key]
        self.asked.append(said)
        if not self._decisions:
            self._given[key] = super().judge(session, place, said, bound)
            return self._given[key]
        hearers = [
            hearer for hearer in bound() if hearer.id != said.speaker.id and not hearer.apart
        ]
        chosen = self._decisions.popleft()
        if outside := chosen - {hearer.id for hearer in hearers}:
            raise AssertionError(f"They could not hear it: {', '.join(sorted(outside))}.")
        speaker = Participant(said.speaker.id, SPEAKER, "speaker")
        found = (Participant(id, SCRIPTED, "scripted") for id in sorted(chosen))
        decision = Judgement((speaker, *found), sure=True, by="oracle")
        self._given[key] = as_json(decision, said.speaker, hearers)
        return self._given[key]
