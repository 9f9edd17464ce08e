"""Answers from memory: what somebody said, what was noted, what the persona has always known."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ai_assistant.language import current_language, turning
from ai_assistant.language import plain_english as english
from ai_assistant.language.address import opening_name
from ai_assistant.language.story_times import story_time
from ai_assistant.language.words import clipped, whole_sentences
from ai_assistant.llm.offline import finding, intents
from ai_assistant.llm.offline.askers import Asker
from ai_assistant.llm.offline.intents import SINGLE, Intent
from ai_assistant.llm.offline.persona_answers import saying, shared_interest
from ai_assistant.llm.offline.request_view import NEWS, remarks
from ai_assistant.llm.request_records import Remark
from ai_assistant.memory.importance import score_importance_heuristic

_LONGEST = 400  # characters of what is remembered that are spoken, in whole sentences


def needs_search(asker: Asker, intent: Intent) -> str:
    """Return the words to search all memories for; empty where the answer is at hand already."""
    asked = intent.kind in intents.KINDS["recalled"] and asker.view.may("recall")
    if not asked or asker.view.on_channel or known(asker, intent):
        return ""
    words = " ".join(word for word in intent.words.split() if english.meanings(word))
    is_theirs = (about := _asked(asker, intent).about) and about <= english.meanings(asker.name)
    return f"{words} {asker.name}".strip() if is_theirs else words


def answer(asker: Asker, intent: Intent) -> str:
    """Answer from what is remembered, or admit not to know."""
    if text := known(asker, intent):
        return text
    if intent.kind == "judge":
        return saying(asker)
    if key := intents.NOT_KNOWN.get(intent.kind):
        return asker.voice.say(key, topic=intent.what or "bed", other=intent.what)
    words = intent.words or english.spelled_out(intent.said)
    if SINGLE["ASKS_LEAVE"].match(SINGLE["FRAME"].sub("", words)):
        return asker.voice.say("may_i")
    whose = "you" if SINGLE["OF_SPEAKER"].search(words) else "me" * finding.is_of_me(words)
    near = whole_sentences(finding.nearest(asker.view, _asked(asker, intent)), _LONGEST)
    if near and whose != "you" and not any(near in own for own in asker.view.own):
        return asker.voice.say("unknown_but", text=near)
    about = f"of_{whose}" if whose else finding.asked_for(words)
    return asker.voice.say(f"unknown_{about}") or asker.voice.say("unknown")


def known(asker: Asker, intent: Intent) -> str:
    """Return the answer to what is at hand or remembered; empty where nothing is."""
    if intent.kind in ("story", "people"):
        return _news(asker) if intent.kind == "story" else _people(asker)
    asked, of_that = [intent], _about(intent, intent.what or "a room")
    if intent.kind in {"lodging", "any_here", "whereis"}:
        asked = [of_that, intent] if intent.kind == "whereis" else [of_that]
    elif intent.kind in {"whois", "topic", "likes"}:
        asked = [intent, of_that]
    found = filter(None, (_remembered(asker, question) for question in asked))
    return _at_hand(asker, intent) or next(found, "")


def _about(intent: Intent, what: str) -> Intent:
    way = "Which way to" if SINGLE["OF_WAY"].match(intent.words) else "Where is"
    lead = way if intent.kind == "whereis" else "What of"
    return replace(intent, said=f"{lead} {what}", meant="")


def remark(asker: Asker, intent: Intent) -> str:
    """Return what is known of something that was only mentioned, if it was not told lately."""
    found = finding.best_of(asker.view, replace(_asked(asker, intent), open=False))
    if found and finding.is_known(found) and not any(found.text in own for own in asker.view.own):
        return asker.voice.say("remark", text=whole_sentences(found.text, _LONGEST))
    return ""


def _asked(asker: Asker, intent: Intent) -> finding.Question:
    """Return the question; without a word of its own it is of its days, or what was said before."""
    view, said = asker.view, intent.meant or intent.said
    found = finding.Question.of(said, asker.name, view.persona.name, intent.words)
    found = replace(found, stood_for=english.meanings(intent.stood_for))
    when = story_time(intent.said, view.game_day) if view.game_day else None
    days = range(when.first, when.last + 1) if when and when.first and when.last else range(0)
    if when and any(item.name and item.day in days for item in (*view.memories, *view.stream)):
        stems = found.stems & english.meanings(when.rest)
        telling = {stem for stem in stems if english.how_telling(stem) == 1.0}
        return replace(found, days=days, stems=stems if telling else frozenset())
    if found.about or any(english.how_telling(stem) == 1.0 for stem in found.stems):
        return found
    if found.about_me and found.wants:
        return replace(found, stems=frozenset(), of_self=True)
    topic = english.meanings(next(intents.topics(view), ""))
    return replace(found, stems=found.stems | topic, is_borrowed=True, about_me=False)


def _found(asker: Asker) -> list[Remark]:
    search = asker.view.result("recall")
    lists = [rows for rows in (search.data if search else {}).values() if isinstance(rows, list)]
    found, me = (item for rows in lists for item in remarks(rows)), asker.view.persona.name
    return [replace(item, name=me) if item.name == "you" else item for item in found]


def _news(asker: Asker) -> str:
    """Tell what weighs most of what is known and was not told lately, the announced first."""
    view = asker.view
    told = [it for it in view.knowledge if it.kind not in ("place", "map") and " " in it.text]
    told = [item for item in told if not any(item.text in own for own in view.own)] or told
    weight = partial(score_importance_heuristic, source_type="direct")
    weighed = sorted((item.text for item in told), key=weight, reverse=True)[:3]
    news = [item.text for item in told if item.kind == NEWS] or weighed
    return asker.voice.say("story" if news else "no_story", text=asker.voice.pick("lore", news))


def _people(asker: Asker) -> str:
    """Tell of two who are named in what is known."""
    told = [item.text for item in asker.view.knowledge if opening_name(item.text)]
    first = asker.voice.pick("people", told)
    return f"{first} {asker.voice.pick('more', [it for it in told if it != first])}".rstrip()


def _remembered(asker: Asker, intent: Intent) -> str:
    question, more = _asked(asker, intent), _found(asker)
    found = finding.best_of(asker.view, question, more)
    if found is None:
        return ""
    asks_more = finding.is_known(found) and question.is_borrowed
    if asks_more and any(found.text in line for line in asker.view.own):
        return asker.voice.say("no_more")
    return _spoken(asker, found)


def _played(asker: Asker, item: Remark) -> str:
    """Tell of what was played: one line of it, or of the whole what others did and said."""
    me, held = asker.view.persona.name, [item]
    if item.text == item.of:
        every = (*asker.view.memories, *_found(asker))
        held = [*dict.fromkeys(it for it in every if it.of == item.of != it.text)]
    parts = [replace(it, text=part) for it in held for part in finding.pieces(it, me)]
    theirs = (it for it in parts if not (english.is_question(it.text) or it.name == me))
    lines = [it for it in theirs if not it.text.startswith(me)] or parts
    told = [_to_you(asker, it) or ": ".join(filter(None, (it.name, it.text))) for it in lines]
    return clipped(f"{item.of}: {'; '.join(line.rstrip('.') for line in told)}", _LONGEST)


def _to_you(asker: Asker, item: Remark) -> str:
    """Return what they said themselves, or what is held of them, turned to them; else nothing."""
    if not item.name or item.kind == "observation":
        return turning.fact_to_you(item.text, asker.name)
    is_theirs = item.name == asker.name and not english.is_question(item.text)
    return turning.said_to_you(item.text) if is_theirs else ""


def _spoken(asker: Asker, item: Remark) -> str:
    clause = whole_sentences(_to_you(asker, item), _LONGEST)
    if clause and not item.of:
        return asker.voice.say("recall_told", fact=clause)
    text = _played(asker, item) if item.of else whole_sentences(item.text, _LONGEST)
    if item.kind == "lore":
        key = "recall_lore" if " " in item.text.strip() else "recall_field"
        return asker.voice.say(key, topic=item.name, text=text, value=text)
    if item.of or not item.name or item.kind == "observation":
        text = turning.said_to_you(turning.fact_to_you(text, asker.view.persona.name)) or text
        text += "" if text[-1:] in current_language().sentence_ends else "."
        return asker.voice.say("recall_text", text=text)
    key = "said_what" if item.name == asker.view.persona.name else "recall_quote"
    return asker.voice.say(key, other=item.name, text=text)


def _at_hand(asker: Asker, intent: Intent) -> str:
    if intent.kind in {"whois", "whereis", "any_here"}:
        return _pointed_out(asker, intent)
    if intent.kind == "leads":
        way = english.pick(intent.what, asker.view.exits)
        to = turning.the(way.description) if way else ""
        return asker.voice.say("leads", exit=way.name, topic=to) if way and to else ""
    if intent.kind == "confirm_place":
        names = [asker.view.place, asker.view.persona.home, *intents.names_known(asker.view)]
        meant = intents.without_slips(intent.what, english.meanings(" ".join(names)))
        asked = english.meanings(meant)
        topic = next((name for name in names if asked and asked <= english.meanings(name)), "")
        return asker.voice.say("confirmed", topic=topic) if topic else ""
    if intent.kind == "have":
        item = english.pick(intent.what, asker.view.carried)
        return asker.voice.say("have", item=item.name) if item else ""
    words = english.spelled_out(intent.said)  # who asks who or when is not told what we like
    personal = (finding.is_of_me(words) and not finding.asked_for(words)) or intent.kind == "likes"
    shared = shared_interest(asker, intent.what or intent.said) if personal else ""
    return asker.voice.say("likes", topic=shared) if shared else ""


def _pointed_out(asker: Asker, intent: Intent) -> str:
    if intent.what and f" {intent.what}" in f" {asker.view.persona.role.lower()}":
        return _remembered(asker, intent) or asker.voice.say("wares")
    view, named = asker.view, english.meanings(intent.what)
    seen = english.pick(intent.what, view.people)
    if intent.kind != "whois" and not seen:
        went = (it for it in reversed(view.stream) if named and it.kind == "move")
        if gone := next((it.text for it in went if named <= english.meanings(it.name)), ""):
            return asker.voice.say("last_seen", text=gone)
        who = next((name for name, title in intents.titles(view).items() if named & title), "")
        way = way_told(asker, intent)
        if who and not (way and SINGLE["OF_WAY"].match(intent.words)):
            return _whereabouts(asker, intent, who)
        if way:
            return way
    seen = seen or english.pick(intent.what, view.items)
    if seen and intent.kind != "whois":
        key = "in_hand" if seen.carried else "in_sight"
        return asker.voice.say(key, thing=turning.the(seen.name))
    if not seen or seen.kind == "item":
        return ""
    description = whole_sentences(seen.description, _LONGEST)
    text = asker.voice.say("whois", other=seen.name, description=description)
    return f"{text} {_remembered(asker, _about(intent, seen.name))}".rstrip()


def _whereabouts(asker: Asker, intent: Intent, who: str) -> str:
    """Tell what somebody elsewhere does, best where, and the way to what is named by that."""
    told = [it.text for it in asker.view.knowledge if opening_name(it.text) == who]
    text = next((text for text in told if SINGLE["A_PLACE"].search(text.lower())), told[0])
    has, near = english.meanings(text), (way.description for way in asker.view.exits)
    way = next((name for name in near if english.meanings(name) <= has), who)
    said = asker.voice.say("recall_text", text=whole_sentences(text, _LONGEST))
    return f"{said} {way_told(asker, replace(intent, what=way))}".rstrip()


def way_told(asker: Asker, intent: Intent) -> str:
    """Tell by which way out one gets there, and past what; empty where that is not known."""
    view, result = asker.view, asker.view.result("find_way")
    near = english.pick(intent.what, view.exits) or english.pick(
        intent.what, view.exits, key="description"
    )
    if near:
        return asker.voice.say("that_way", exit=near.name)
    way = result.data.get("way") if result and result.ok else None
    if not way or not isinstance(way, list) or not result:
        return ""
    past = turning.joined([str(place) for place in way[:-1]])
    slots = {"exit": str(result.data.get("exit", "")), "past": past, "topic": str(way[-1])}
    return asker.voice.say("way_past" if past else "that_way", **slots)
