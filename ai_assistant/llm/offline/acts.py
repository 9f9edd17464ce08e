"""Deeds: which tools a wish needs before words are spoken, and the words for what came of them."""

from __future__ import annotations

import re
from collections.abc import Callable

from ai_assistant.language import current_language, turning
from ai_assistant.language import plain_english as english
from ai_assistant.language.small_reader import Statement
from ai_assistant.language.words import clipped
from ai_assistant.llm.offline import offline_plans
from ai_assistant.llm.offline.askers import Asker
from ai_assistant.llm.offline.intents import SINGLE, Intent
from ai_assistant.llm.offline.offline_plans import Wish
from ai_assistant.llm.offline.persona_answers import AnswerMaker, fact_heard, introduce
from ai_assistant.llm.request_records import Seen
from ai_assistant.planning.urgency import WALKS

_NOUN = re.compile(r"(?:an?|the|my|this|that|\w{3,}ing) ")


def _follow(asker: Asker, intent: Intent) -> list[Wish]:
    along = SINGLE["ALONG"].search(intent.words) and asker.handle
    return [("move", {"to": asker.handle})] if along else []


def _stay(asker: Asker, intent: Intent) -> list[Wish]:
    walk = next((goal for goal in asker.view.goals if goal.kind in WALKS), None)
    return [("drop_goal", {"goal_id": walk.goal, "reason": "Asked to stay."})] if walk else []


def _move(asker: Asker, intent: Intent) -> list[Wish]:
    way = _way(asker, intent)
    where = way.handle if way else re.sub(r"^(?:back )?(?:to )?(?:the )?", "", intent.what)
    return [("move", {"to": where})] if where else []


def _way(asker: Asker, intent: Intent) -> Seen | None:
    ways = asker.view.exits
    if not intent.what and len(ways) == 1:
        return ways[0]
    words = (intent.what or "out").split()
    said = " ".join(english.DATA["directions"].get(word, word) for word in words)
    return english.pick(said, ways) or english.pick(said, ways, key="description")


def _went_along(asker: Asker, intent: Intent) -> str:
    """Speak of a walk with somebody, or home: begun, or none where it is there already."""
    result = asker.view.result("move")
    goes, is_there = result and result.ok, result and "already" in result.text
    if intent.kind == "follow":
        return asker.voice.say("follow_done" if goes or is_there else "follow")
    return asker.voice.say("go_home" if goes and not is_there else "stay")


def moved(asker: Asker, intent: Intent) -> str:
    """Speak of a walk: begun with these words, failed, or of which way was meant."""
    way, result = _way(asker, intent), asker.view.result("move")
    if way and not asker.calm:
        key = "move_failed" if result and not result.ok else "move_going"
        return asker.voice.say(key, exit=way.name)
    key = "visit_done" if result and result.ok else "move_not" if way else "move_where"
    return asker.voice.say(key)


def _notes(asker: Asker, intent: Intent) -> list[Wish]:
    """Note what is stated, and is not over (the night knows what that ends), or to be kept."""
    facts = [fact for fact in intent.facts if not fact.ended and not _is_known(asker, fact)]
    if intent.kind == "remember" and not intent.facts:
        text = turning.as_their_word(intent.said, asker.name, asker.view.persona.name)
        own = current_language().pronouns["first"] & set(english.spelled_out(intent.said).split())
        about = {"about": asker.handle} if own else {}
        return [("note", {**about, "fact": text})]
    notes: list[Wish] = [("note", {"about": asker.handle, "fact": fact.fact}) for fact in facts]
    kept = [f"{fact.fact}." for fact in facts if " prefers " in fact.fact]
    return notes + [("add_session_memory", {"memory_type": "fact", "content": it}) for it in kept]


def _is_known(asker: Asker, fact: Statement) -> bool:
    has = english.meanings(fact.fact)
    noted = (english.meanings(note.text) for note in asker.view.observations)
    return bool(asker.partner.name) and any(has <= held for held in noted)


def _noted(asker: Asker, intent: Intent) -> str:
    stated = [turning.fact_to_you(fact.fact, asker.name) for fact in intent.facts]
    slots = {"fact": clipped(turning.joined(stated) or turning.said_to_you(intent.said), 120)}
    if intent.kind == "told":
        return asker.voice.say("note_hearsay", **slots)
    if intent.facts and all(_is_known(asker, fact) for fact in intent.facts):
        return asker.voice.say("note_known", **slots)
    is_noted = any(asker.view.may(name) for name, _ in _notes(asker, intent))
    if is_noted and asker.private:
        return asker.voice.say("note_private", **slots)
    if not is_noted or not (intent.facts or intent.said in intent.meant):  # no slip is said again
        return asker.voice.say("note_not")
    return fact_heard(asker, intent.said) or asker.voice.say("note", **slots)


def _task(intent: Intent) -> str:
    """Return what help is asked with: "to find their cat", "with their boat"."""
    what = re.sub(r"^(?:me |us )", "", intent.what)
    if not what.startswith(("with ", "to ", "in ", "on ", "at ")):
        what = f"{'with' if _NOUN.match(what) else 'to'} {what}"
    return turning.swap(what, turning.TABLES["third"])


def _helped(asker: Asker, intent: Intent) -> str:
    if not intent.what:
        return asker.voice.say("help_what")
    if planned := offline_plans.promised(asker, _task(intent)):
        return planned
    key = "help_noted" if asker.view.succeeded("add_goal") else "help_promise"
    return asker.voice.say(key, task=_task(intent).replace("their ", "your "))


def _give(asker: Asker, intent: Intent) -> list[Wish]:
    item, named = _to_give(asker, intent), _gift(intent)[1]
    receiver = english.pick(named or intent.what, asker.view.people)
    if not item:
        return []
    to = receiver.handle if receiver else asker.handle
    handed: Wish = ("give", {"item": item.handle, "to": to})
    return [handed] if item.carried else [("take", {"item": item.handle}), handed]


def _gift(intent: Intent) -> tuple[str, str]:
    asked = SINGLE["GIFT"].match(intent.what)
    return (asked["item"], asked["to"] or "") if asked else ("", "")


def _to_give(asker: Asker, intent: Intent) -> Seen | None:
    """Return what may be handed over: what we carry for that, or what lies here to be fetched."""
    asked = _gift(intent)[0]  # of "a bread oven" the last word says what it is
    head = "".join([word for word in asked.split() if english.meanings(word)][-1:])
    carried = [item for item in asker.view.carried if english.pick(head, [item])]
    if mine := english.pick(asked, carried):
        return mine if mine.givable else None
    fetched = SINGLE["FETCH"].search(english.spelled_out(intent.said)) and asker.view.may("take")
    return english.pick(asked, asker.view.lying) if fetched else None


def _gave(asker: Asker, intent: Intent) -> str:
    item, result = _to_give(asker, intent), asker.view.result("give")
    if item and result:
        held = item.carried or asker.view.succeeded("take")
        key = "give_done" if result.ok else "give_failed" if held else "take_failed"
        return asker.voice.say(key, item=turning.the(item.name))
    asked = _gift(intent)[0]
    for key, things in (("give_keep", asker.view.carried), ("give_not_mine", asker.view.lying)):
        if thing := english.pick(asked, things):
            return asker.voice.say(key, item=turning.the(thing.name))
    return asker.voice.say("give_nothing")


def _ordered(asker: Asker, intent: Intent) -> str:
    """Serve what was asked for in words, or say what there is instead."""
    if _to_give(asker, intent):
        return _gave(asker, intent)
    has = english.meanings(" ".join(item.text for item in asker.view.knowledge))
    dish = intent.what.split(" ")[0]
    return asker.voice.say("order" if english.meanings(dish) & has else "order_not", topic=dish)


def _target(asker: Asker, intent: Intent) -> Seen | None:
    view = asker.view
    things = {"take": view.lying, "put_down": view.carried}.get(intent.kind, view.items)
    more = [*view.people, *view.exits] if intent.kind == "look" else []
    return english.pick(intent.what, things) or english.pick(intent.what, more)


def _reach(asker: Asker, intent: Intent) -> list[Wish]:
    target = _target(asker, intent)
    at = "item" if intent.kind in ("take", "put_down") else "at"
    tool = intent.kind if at == "item" else "look"
    return [(tool, {at: target.handle})] if target else []


def _handled(asker: Asker, intent: Intent) -> str:
    item = _target(asker, intent)
    end = "done" if asker.view.succeeded(intent.kind) else "failed" if item else "nothing"
    return asker.voice.say(f"{intent.kind}_{end}", item=turning.the(item.name) if item else "")


def _looked(asker: Asker, intent: Intent) -> str:
    """Tell what was seen on a closer look, without a heading that only repeats the name."""
    target, result = _target(asker, intent), asker.view.result("look")
    if not target:
        return asker.voice.say("look_nothing")
    if not result or not result.ok:
        return asker.voice.say("look_failed", item=turning.the(target.name))
    first, _, rest = result.text.strip().partition("\n")
    shown = rest if rest.strip() and target.name.lower() in first.lower() else result.text
    text = clipped(" ".join(shown.split()), 300)
    return asker.voice.say("look_done", item=target.name, text=text)


DEEDS: dict[str, Callable[[Asker, Intent], list[Wish]]] = {
    "fact": _notes, "remember": _notes, "introduce": _notes,
    "move": _move, "give": _give, "take": _reach, "put_down": _reach,
    "look": _reach, "whois": _reach, "follow": _follow, "stay": _stay, "order": _give,
    **dict.fromkeys(("whereis", "any_here"), lambda _, it: [("find_way", {"place": it.what})]),
    "go_home": lambda asker, intent: [("move", {"to": "home"})],
    "sleep": lambda asker, intent: [("go_to_sleep", {})],
    "help": lambda asker, it: offline_plans.take_on(asker, _task(it)) if it.what else [],
}  # fmt: skip
"""Kind of intent → what returns the tool calls that it needs before it can be answered."""
WORDS: dict[str, AnswerMaker] = {
    "fact": _noted, "told": _noted, "remember": _noted, "introduce": introduce, "help": _helped,
    "move": moved, "follow": _went_along, "give": _gave, "order": _ordered, "go_home": _went_along,
    "take": _handled, "put_down": _handled, "look": _looked, "plans": offline_plans.plans_told,
}  # fmt: skip
