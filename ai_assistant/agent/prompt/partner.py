"""Component 1500: the one talked to, and the conversations with them that may be used here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import islice
from typing import Any

from ai_assistant.agent.prompt.draft import Row, Section
from ai_assistant.agent.prompt.measures import (
    ago,
    by_the_clock,
    day_of_words,
    due_by,
    on_another_day,
)
from ai_assistant.agent.prompt.prompt_wording import on_one_line, quoted
from ai_assistant.agent.prompt.window import History, name_of_other
from ai_assistant.agent.turn.handles import handle_of
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.agent.turn.turn_state import is_admitted
from ai_assistant.core.contracts import Entity, Json
from ai_assistant.core.readers import NOBODY, OPEN
from ai_assistant.core.times import epoch, iso
from ai_assistant.language.words import clipped, stem_set, stems
from ai_assistant.memory.importance import score_importance_heuristic
from ai_assistant.memory.people.feelings import DISLIKED, SHOWN_DIGITS, bond_at
from ai_assistant.memory.talk.folding import by_name, record_of
from ai_assistant.memory.talk.working import is_pressing, key_of, labels_of

TRAITS, OBSERVATIONS = 6, 4
"""What is told of the one talked to: what fits what is said now, what mattered, the newest."""
OPEN_ENDS = 5
"""Promises and unanswered questions shown, the most urgent or newest of each."""
LONGEST_OPEN_END = 160
LONGEST_BRIEF = 200
"""Characters of what is told of somebody else who is there."""
BONDS = {
    "acquaintance": "You know each other a little, and get on.",
    "friend": "A friend: you are easy together, and glad to help.",
    "ally": "You are devoted to each other; nobody has more of your trust.",
}
"""How the character stands to somebody; to a stranger as its persona says."""
WARY = "You have come to dislike them, and trust them little."


def talks(turn: Turn) -> list[Json]:
    """Return the conversations with the first one answered: the open, in private that one too.

    So is that of a channel on which something was promised, where all who are here listen to it.
    """
    who = turn.partner
    if who is None:
        return []
    talk = turn.store.view("working", key_of(who.id, OPEN))
    labels = labels_of(talk, [turn.trigger.readers] if turn.trigger else [])
    private = [turn.store.view("working", key_of(who.id, label)) for label in labels[1:]]
    return [
        talk
        for talk in (talk, *private)
        if (talk["messages"] or talk["summary"] or talk["pending_actions"])
        and turn.admit(talk["readers"], who.id)
    ]


def entity(turn: Turn, loaded: Sequence[Json], history: History) -> Section:
    """Return who the one talked to is, and what is known of them."""
    who = turn.partner
    if who is None:
        return Section([])
    profile = turn.store.view("profile", who.id)
    bond = bond_at(profile, turn.clock.now())
    head: Json = {
        "handle": handle_of(turn, who.id),
        "name": who.name,
        "kind": who.kind,
        "state": bond["state"],
        "favorability": round(bond["favorability"], SHOWN_DIGITS),
        "times": bond["interaction_count"],
    }
    seen = epoch(profile["last_interaction"])
    if seen and not turn.play.session:  # in a scene no date of the calendar is told
        head["last"] = iso(by_the_clock(turn, seen))[:16].replace("T", " ")
    head |= _open_ends(turn, loaded, history) if loaded else {}
    lines = [WARY if bond["favorability"] < DISLIKED else BONDS.get(bond["state"], "")]
    said = (line.entry for line in (*history.earlier, *history.window))
    spoke = who.id in {entry["who_id"] for entry in said if entry["kind"] != "move"}
    is_known = profile["created"] or spoke or who.kind != "player" or turn.play.session
    lines += [] if is_known else ["You never met before."]
    met = on_another_day(turn, profile["met"]) if profile.get("met") else ""
    last = ago(turn, seen) if seen else ""
    known = [f"met {met}"] if met not in ("", last) else []
    known += [f"last spoke {last}"] if last not in ("", "just now") else []
    lines += [f"You {' and '.join(known)}."] if known else []
    lines += [f"You talk about {quoted(head['topic'])}."] if "topic" in head else []
    lines += head.pop("promises", ())
    lines += [f"Not answered yet: {quoted(question)}" for question in head.get("asked", ())]
    words = Row("\n".join(filter(None, lines)), head)
    has_traits = profile["attributes"] or profile["observations"]
    held = known_traits(turn, profile, TRAITS, OBSERVATIONS) if has_traits else []
    return Section([words, *held], f"About {on_one_line(who.name)}", fixed=1)


def summaries(turn: Turn, history: History) -> Section:
    """Return what is left of what was said before the window: summaries, then a line for each.

    A record whose lines all stand in the window still would only say them again.
    """
    section = Section([], "Conversation Summary")
    if not turn.mind.role.chat_history:
        return section
    several = len({talk["entity_id"] for talk in history.talks}) > 1
    in_full = {line.entry["id"] for line in history.window}
    own = [row for talk in history.talks for row in _record(turn, talk, in_full, is_named=several)]
    said = [
        Row(*line.shortened(history.letters_for(line.entry)), line.entry["readers"])
        for line in history.earlier
    ]
    section.rows, section.fixed = [*own, *said], len(own)
    section.newest_last, section.older = True, history.older
    return section


def _record(turn: Turn, talk: Json, in_full: Set[str], *, is_named: bool) -> Iterator[Row]:
    record, covered = record_of(talk)
    if covered and all(mark["id"] in in_full for mark in covered):
        return
    name = name_of_other(turn, talk)
    lines = list(filter(None, (on_one_line(line).lstrip("-# ") for line in record)))
    until = ago(turn, covered[-1]["timestamp"]) if covered else ""
    lead = [f"With {on_one_line(name)}"] if is_named else []
    lead += [f"{'until' if lead else 'Until'} {until}"] if until not in ("", "just now") else []
    when = [f"- ({', '.join(lead)}:)"] if lead else []
    point = "  -" if when else "-"
    texts = [f"{point} {by_name(line, on_one_line(name), 'You')}" for line in lines]
    if texts:
        yield Row(
            "\n".join([*when, *texts]),
            {"with": name, "summary": on_one_line(" ".join(record))},
            talk["readers"],
        )


def _open_ends(turn: Turn, loaded: Sequence[Json], history: History) -> Json:
    found: Json = {}
    if turn.play.fiction:
        return found
    shown = {line.entry["content"] for line in (*history.earlier, *history.window)}
    for talk in loaded:
        if talk["topic"] and talk["topic_given"]:
            found["topic"] = talk["topic"]
        asked = talk["context"]["unresolved_questions"]
        promised = _most_pressing(turn, talk)
        told = [promise_in_words(turn, pending) for pending in promised]
        found["promises"] = [*found.get("promises", ()), *told]
        ends = {
            "promised": promised,
            "asked": [end for end in asked if not any(_words(end) in said for said in shown)],
        }
        for name, items in ends.items():
            if items:
                found[name] = [*found.get(name, ()), *map(_words, items[-OPEN_ENDS:])]
    return found


def _most_pressing(turn: Turn, talk: Json) -> list[Json]:
    """Return the promises of a talk that are told: those that press first, then by priority."""
    now = turn.world.game_time()
    ranked = sorted(talk["pending_actions"], key=lambda pending: not is_pressing(pending, now))
    return ranked[:OPEN_ENDS]


def promise_in_words(turn: Turn, pending: Json, name: str = "") -> str:
    """Return a promise, to whom where that is said, since what other day, and until when."""
    since = on_another_day(turn, pending.get("created", ""))
    lead = " ".join(filter(None, ("You promised", on_one_line(name), since)))
    deadline = pending.get("deadline")
    until = f" ({due_by(turn, deadline)})" if deadline else ""
    return f"{lead}: {quoted(_words(pending))}{until}"


def promises(turn: Turn, who: str, name: str) -> Iterator[tuple[str, str]]:
    """Yield what was promised to somebody, alone and in words, without lowering the ceiling."""
    open_talk = turn.store.view("working", key_of(who, OPEN))
    for label in labels_of(open_talk, [turn.ceiling, who]):
        talk = open_talk if label == OPEN else turn.store.view("working", key_of(who, label))
        readers = talk["readers"]
        if talk["pending_actions"] and is_admitted(turn, readers) and turn.admit(readers, who):
            for pending in _most_pressing(turn, talk):
                yield _words(pending), promise_in_words(turn, pending, name)


def _words(item: Any) -> str:
    words = item.get("action") or item.get("content", "") if isinstance(item, dict) else item
    return clipped(str(words), LONGEST_OPEN_END)


# -- what is known of somebody


def known_traits(
    turn: Turn, profile: Json, traits: int, noted: int, *, openly: bool = False
) -> list[Row]:
    """Return what is held on somebody, each admitted: first what fits what is said now.

    `openly` leaves out what was told in confidence, as a story does with every real secret.
    """
    said = {stem for event in turn.events for stem in stems(event.content)}
    held = [(item["value"], item) for item in reversed(profile["attributes"])]
    observed = [(item["content"], item) for item in reversed(profile["observations"])]
    rows: list[Row] = []
    for newest_first, most in ((held, traits), (observed, noted)):
        newest_first.sort(
            key=lambda pair: (
                -len(said & set(stems(pair[0]))),
                -score_importance_heuristic(pair[0], "direct"),
            )
        )
        fits = (
            item
            for _, item in newest_first
            if (item.get("readers") == OPEN or not (openly or turn.play.fiction))
            and turn.admit(item.get("readers", NOBODY), item.get("author", ""))
        )
        rows += [_row(turn, item) for item in islice(fits, most)]
    return rows


def _row(turn: Turn, item: Json) -> Row:
    confided = "" if item.get("readers") == OPEN else "in confidence"
    if "value" in item:
        text, when, source = item["value"], item.get("created", ""), item.get("basis", "")
        data = {"trait": text, "type": item["type"]}
        sources = [day_of_words(turn, text, when), confided, SOURCES.get(source, "")]
        words = f"{quoted(text)}{_before(turn, item)}"
    else:
        text, when, source = item["content"], item["timestamp"], item["source"]
        data = {"observation": text, "source": source}
        sources = [ago(turn, when), confided, SOURCES.get(source, "")]
        words = quoted(text)
    data |= {} if turn.play.session else {"on": when[:10]}
    whence = ", ".join(filter(None, sources))
    readers = item.get("readers", NOBODY)
    return Row(f"- {whence}: {words}" if whence else f"- {words}", data, readers)


def _before(turn: Turn, trait: Json) -> str:
    """Return what was known before, unless all of its words stand in what is known now."""
    for before in trait.get("was", ())[-1:]:
        if stem_set(before["value"]) <= stem_set(trait["value"]):
            continue
        if turn.admit(trait.get("readers", NOBODY), before.get("author", "")):
            return f" (before: {quoted(before['value'])})"
    return ""


SOURCES = {"inferred": "as you think", "told": "as others told you"}
"""What is told of an observation that the character did not make itself."""


def in_brief(turn: Turn, who: Entity) -> tuple[str, str]:
    """Return in a few words what matters of somebody else who is there, and the fact that stands
    whole in them; each is empty for nothing.
    """
    profile = turn.store.view("profile", who.id)
    if not (profile["created"] or profile["attributes"] or profile["observations"]):
        return "", ""
    bond = bond_at(profile, turn.clock.now())
    state = "disliked" if bond["favorability"] < DISLIKED else bond["state"]
    words = "" if state == "stranger" else state
    best = known_traits(turn, profile, 1, 0, openly=True) or known_traits(
        turn, profile, 0, 1, openly=True
    )
    fact = best[0].text.removeprefix("- ") if best else ""
    told = "; ".join(filter(None, (words, fact)))
    whole = best and clipped(told, LONGEST_BRIEF) == told
    data = best[0].data if whole else {}
    return clipped(told, LONGEST_BRIEF), data.get("trait") or data.get("observation", "")
