"""Breaking a goal down by rules: a few plain steps made of the goal's own words, with no model."""

from __future__ import annotations

import re

_KINDS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "build",
        r"(?:re)?build|construct|erect|raise|put up|set up",
        (
            "Gather the requirements for {the}",
            "Find the right location for {the}",
            "Work out the design of {the}",
            "See to the construction of {the}",
            "Arrange the furnishing of {the}",
        ),
    ),
    (
        "repair",
        r"repair|mend|fix|restore|patch(?: up)?",
        (
            "See what is wrong with {the}",
            "Get what is needed to mend {the}",
            "Mend {the}",
            "Make sure that {the} will last",
        ),
    ),
    (
        "guard",
        r"guard|patrol|watch over|protect|defend|keep watch over",
        (
            "Learn what threatens {the}",
            "Choose where to stand watch for {the}",
            "Keep watch over {the}",
            "Report what was seen at {the}",
        ),
    ),
    (
        "feast",
        r"organi[sz]e|arrange|host|throw|celebrate|prepare|hold",
        (
            "Settle when and where {the} is to be",
            "Invite the guests to {the}",
            "Get food, drink and all else for {the}",
            "Prepare the place for {the}",
            "Be there for everybody at {the}",
        ),
    ),
    (
        "deliver",
        r"deliver|bring|carry|take|send|escort",
        (
            "Get hold of {the}",
            "Learn the way",
            "Bring {the} where it belongs",
            "Make sure that {the} arrived well",
        ),
    ),
    (
        "find",
        r"find(?! out)|look for|search for|seek|fetch|get|gather|collect|recover|track down|locate",
        (
            "Ask who has seen {the}",
            "Go where {the} was last known to be",
            "Search for {the}",
            "Bring {the} back",
        ),
    ),
    (
        "learn",
        r"learn(?: about)?|study|find out(?: about)?|discover|investigate|understand",
        (
            "Note what is known already of {the}",
            "Ask those who know about {the}",
            "Try out what was heard about {the}",
            "Put together what was learned of {the}",
        ),
    ),
    (
        "write",
        r"write|compose|draft|record",
        (
            "Settle what {the} should say",
            "Gather what belongs into {the}",
            "Write {the}",
            "Read {the} over and mend it",
        ),
    ),
    (
        "buy",
        r"buy|purchase|acquire|trade for|barter for",
        (
            "Learn who has {the}, and at what price",
            "Get together what {the} will cost",
            "Agree on a price for {the}",
            "Make the trade for {the}",
        ),
    ),
    (
        "sell",
        r"sell|trade(?: away)?",
        (
            "Learn what {the} is worth",
            "Find buyers for {the}",
            "Agree on a price for {the}",
            "Hand over {the} and take the payment",
        ),
    ),
    (
        "heal",
        r"heal|cure|nurse|treat|tend(?: to)?",
        (
            "See what ails {the}",
            "Get the remedies for {the}",
            "Give {the} the remedies",
            "Look after {the} until all is well",
        ),
    ),
)  # fmt: skip
"""Kind, the verbs that tell it, and its steps; ``{the}`` is what the verb is about."""
_HELP = re.compile(r"\bhelp (?P<who>[\w']+)(?: out)?(?: with (?P<what>.+))?$", re.I)
_HELP_STEPS = (
    "Ask {who} what is needed{with_it}",
    "Agree with {who} on who does what",
    "Do our own part{of_it}",
    "Ask {who} whether all is well",
)
_ANY_STEPS = (
    "Make clear what is needed: {goal}",
    "Plan how to do it: {goal}",
    "Do what can be done at once: {goal}",
    "Do what is left: {goal}",
    "Make sure that it is done: {goal}",
)
_BUILDINGS = re.compile(
    r"\b(tavern|inn|house|hall|bridge|wall|tower|mill|barn|shop|smithy|temple|shrine|boat|ship|dock|"
    r"gate|garden|stable|castle|school|library|market|hut|cottage|farm) "
    r"(?:request|project|order|plan|commission|building)\b",
    re.I,
)
_VERBS = tuple(
    (re.compile(rf"\b(?:{verbs})\s+(?P<what>\S.*)", re.I), steps) for _, verbs, steps in _KINDS
)
_TO = re.compile(r"^(?:for )?(?P<whom>me|us|them|him|her|[A-Z]\w+) (?=(?:an?|the|some|my|\w+'s) )")
_ARTICLE = re.compile(r"^(?:an?|some|any|the) ", re.I)
_OWNED = re.compile(
    r"^(?:my|our|your|his|her|its|their|this|that|these|those|all|every|"
    r"how|what|who|whom|where|when|why|whether|which)\b|^\w+'s\b"
)
_ADRIFT = re.compile(r" (?:back|again|away|home)\b.*")
_NAMED = re.compile(r"[A-Z]\w*(?:'s\b| (?:is|are|was|has|must|should|needs?|will|and)\b)")
LONGEST_OBJECT = 70


def subtasks_by_rule(description: str) -> list[str]:
    """Return four or five steps towards a goal, in its own words; always the same for the same.

    >>> subtasks_by_rule("Build a complete tavern")[0]
    'Gather the requirements for the complete tavern'
    """
    goal = " ".join(description.split()).rstrip(".!")
    found = [
        (hit.start(), hit["what"], steps) for one, steps in _VERBS if (hit := one.search(goal))
    ]
    if found:
        _, what, steps = min(found, key=lambda one: one[0])
        return [step.format(the=the_object(what)) for step in steps]
    if place := _BUILDINGS.search(goal):
        return [step.format(the=f"the {place[1].lower()}") for step in _KINDS[0][2]]
    if asked := _HELP.search(goal):
        return _helping(asked["who"], asked["what"] or "")
    return [step.format(goal=_as_clause(goal)) for step in _ANY_STEPS]


def has_template(description: str) -> bool:
    """Is there more to say of a goal than the steps that fit everything?"""
    return not subtasks_by_rule(description)[0].startswith(_ANY_STEPS[0].partition("{")[0])


def _helping(who: str, what: str) -> list[str]:
    thing = the_object(what) if what else ""
    slots = {
        "who": who,
        "with_it": f" for {thing}" if thing else "",
        "of_it": f" of {thing}" if thing else "",
    }
    return [step.format(**slots) for step in _HELP_STEPS]


def the_object(what: str) -> str:
    """Return what a verb is about, as something known: "a tavern" becomes "the tavern"."""
    text = _ADRIFT.sub("", _TO.sub("", what.strip().rstrip(".!,;:")))
    if len(text) > LONGEST_OBJECT:
        text = text[:LONGEST_OBJECT].rpartition(" ")[0].rstrip(",;: ")
    if _ARTICLE.match(text):
        return _ARTICLE.sub("the ", text, count=1)
    is_name = text[:1].isupper() or _OWNED.match(text.lower())
    return text if is_name else f"the {text}"


def _as_clause(goal: str) -> str:
    text = goal if len(goal) <= LONGEST_OBJECT else f"{goal[:LONGEST_OBJECT].rpartition(' ')[0]}…"
    return text if _NAMED.match(text) else text[:1].lower() + text[1:]
