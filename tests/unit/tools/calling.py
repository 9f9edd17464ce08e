"""Tools as a model calls them: several in one turn, and what it reads of each."""

import json

from ai_assistant.testing import people

(ALICE,) = people("Alice")


def told(stage, *calls, who=ALICE, kind="say"):
    """Return what the model reads after each of these calls in one turn."""
    stage.model.calls(*calls).call("wait")
    stage.ask(who, "Well?", kind)
    read = [one.content for one in stage.model.requests[-1].messages if one.role == "tool"]
    return [json.loads(one) for one in read]
