"""A wish becomes a plan: asked for a tavern, a villager plans it, tells of it, and staff see it."""

TANSY = r"^Tansy Brewell says.*"


def test_a_tavern_is_planned_and_told_of(village):
    """A wish, from the player's line to the owner's tree of goals."""
    alice, owner = village.join("Alice"), village.owner()
    answer = alice.ask("say tansy, can you help me build a tavern?", TANSY)
    assert "tavern" in answer.group()
    told = alice.ask("say tansy, what are your plans?", TANSY)
    assert "help you build a tavern" in told.group()
    owner.ask("aigoal tansy", r"goal_\d+_\d+ Help Alice build a tavern \(high\)")
    owner.ask("aigoal/set tansy = needed: progress 100", r"100%.*Make clear what is needed")
    owner.ask("aigoal tansy", r"20%.*Help Alice build a tavern")
    owner.ask("aiproj tansy", r"alice_build_tavern\s+active")
    told = alice.ask("say tansy, how is the tavern coming along?", TANSY)
    assert "20 percent" in told.group()
