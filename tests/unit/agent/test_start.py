"""START: a character asks its own memory, by what it is about to answer."""

from dataclasses import replace

from ai_assistant.agent.attention import layers
from ai_assistant.agent.prompt.build import build_prompt
from ai_assistant.agent.turn.opening import begin
from ai_assistant.core.contracts import MemoryRow
from ai_assistant.roleplay.play import Play
from ai_assistant.testing.scripted_model import run
from tests.unit.agent.prompt.prompting import ALICE, BOB, on_stage, part, prompted, remembered


class Asked:
    """An embedder that notes what it is asked, and knows nothing."""

    model, size = "none", 1

    def __init__(self):
        self.texts = []

    async def embed(self, texts, *, seconds=0.0):
        self.texts += texts
        return [b"" for _ in texts]


def asking(stage):
    """Let this stage's memory make vectors of its questions; returns what they are made of."""
    remembered(stage, MemoryRow("The dragon is called Smoke."))
    embedder = Asked()
    stage.mind.recall.embedder = embedder
    stage.mind.recall._lacking.clear()
    return embedder


def in_a_scene(stage, day=6, **options):
    stage.mind.plays = lambda session: Play("s1", day=day, **options)


def test_the_question_has_day_and_recent_messages():
    """Time, the last messages with their days, and what is wanted: of that a vector is made."""
    stage = on_stage()
    in_a_scene(stage)
    asked = asking(stage)
    cold = stage.world.event(BOB, "It is cold.", at=stage.clock.now())
    stage.mind.heard.append(replace(cold, session="s1", game_day=5))
    event = replace(stage.hear(ALICE, "What of the dragon?"), session="s1", game_day=6)
    turn = begin(stage.mind, [event], "turn0")
    run(build_prompt(turn))
    (text,) = asked.texts
    assert text.splitlines() == [
        "###Current time###", "Game Day: 6", "",
        "###Recent messages###",
        "Message: Bob: It is cold. GameDay: 5",
        "Message: Alice: What of the dragon? GameDay: 6", "",
        "What are the relevant memories that are not in the recent two messages "
        f"to construct {stage.mind.world.me().name}'s message?",
    ]  # fmt: skip


def test_words_are_compared_with_what_is_answered_alone():
    """Headings, days, names and earlier lines draw no memory by their words."""
    stage = on_stage()
    remembered(
        stage,
        MemoryRow("The relevant memories construct a message."),
        MemoryRow("Current time and game day."),
        MemoryRow("The dragon is called Smoke."),
    )
    for number in range(3):
        stage.overhear(BOB, f"Of cheese number {number}.")
    remembered(stage, MemoryRow("Cheese is made in the dairy."))
    recalled = part(prompted(stage, "What of the dragon?"), layers.MEMORIES).splitlines()
    assert "Smoke" in recalled[1]


def test_what_somebody_may_not_hear_is_in_no_question():
    """A whisper of one is not asked about before another, not even to an embedding model."""
    stage = on_stage()
    asked = asking(stage)
    stage.overhear(BOB, "The code is mud.", kind="whisper")
    prompted(stage, "What of the dragon?")
    assert "mud" not in asked.texts[0]


def test_what_happened_here_comes_first():
    """Of two memories that fit alike, the one of this place is the first."""
    stage = on_stage()
    in_a_scene(stage, place="cave", places={"cave": "lair"})
    rows = [
        MemoryRow(f"The dragon {did}.", session="s1", location=place, learned_at=float(number))
        for number, (did, place) in enumerate((("slept", "cave"), ("dozed", "tavern")))
    ]
    remembered(stage, *rows)
    event = replace(stage.hear(ALICE, "What of the dragon?"), session="s1")
    turn = begin(stage.mind, [event], "turn0")
    found = run(turn.recall("dragon", 2))
    assert [one.row.location for one in found] == ["cave", "tavern"]
