"""What the API does about what assistants remember, whom they know, and how they sleep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404
from rest_framework import serializers
from twisted.internet.defer import Deferred

from ai_assistant.api import disclosure, forgetting
from ai_assistant.api.ask import search
from ai_assistant.api.editing import edit_item, find_item
from ai_assistant.api.execution import call_awake, put_to_bed, unmake_night
from ai_assistant.api.following import follow_edit
from ai_assistant.api.handlers import store_of
from ai_assistant.api.stories.knowing import who_knows_of
from ai_assistant.commands import choosing, shown
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean
from ai_assistant.memory.search.recall import Found
from ai_assistant.sleep.report import night_report
from ai_assistant.web.rest.api_endpoint import (
    ApiCall,
    Takes,
    may_be_empty,
    or_not_found,
    string,
    takes,
    whole,
)
from ai_assistant.web.rest.api_life import Sure, must_be_sure

MOST = 200
"""Things in one answer."""
TEXT = 2000
"""Characters of a text that is written."""


class Newest(Takes):
    """How many of the newest are wanted."""

    limit = whole(1, MOST, default=20, help_text="How many at most.")


class Looking(Newest):
    """Words to look for; without any the newest are shown, or those `before` a number."""

    q = may_be_empty(400, help_text="Words; else the newest.")
    before = whole(1, default=0, help_text="The last that was seen.")


class GivenText(Takes):
    """A text."""

    text = string(TEXT, help_text="The whole text, in plain words.")


class WordsSoFar(Takes):
    """The words of a thing so far: in a list that lost an item, others have moved up."""

    was = string(8000, default=None, help_text="Its words so far.")


class Favor(Takes):
    """How somebody is to be liked: a figure, or by how much it moves."""

    favorability = serializers.FloatField(
        min_value=0,
        max_value=1,
        required=False,
        help_text="From 0, a stranger, to 1, an ally.",
    )
    change = serializers.FloatField(
        min_value=-1, max_value=1, required=False, help_text="Or by how much that moves."
    )
    reason = string(200, default="", help_text="Why, for the record.")

    def validate(self, given: Json) -> Json:
        """Refuse both, and neither."""
        if ("favorability" in given) == ("change" in given):
            raise serializers.ValidationError({"favorability": "Give either this or a change."})
        return given


# -- memories


@takes(Looking)
def list_memories(call: ApiCall) -> Any:
    """Return what an assistant remembers of some words and why each was found, else the newest."""
    words, most = call.given["q"].strip(), call.given["limit"]
    if words and call.given["before"]:
        raise AssistantError("Only the newest are read on from one: leave out before, or q.")
    if not words:
        rows = store_of(call.character).rows.newest(most, call.given["before"])
        return [*map(row_told, rows)]
    return search(call.character, words, most, shown.staff_may_read).addCallback(found_told)


def found_told(found: list[Found]) -> list[Json]:
    """Return what a search found as the API shows it, with why."""
    return [
        row_told(match.row, match.ref) | {"score": match.hit.score, "why": match.hit.why}
        for match in found
    ]


def row_told(row: Any, ref: str = "") -> Json:
    """Return a memory as the API shows it, by its reference where that is not its number."""
    return {
        "ref": ref or f"#{row.id}",
        "kind": row.kind,
        "content": row.content,
        "author": row.author,
        "author_name": row.author_name,
        "subject": row.subject,
        "readers": row.readers,
        "learned_at": row.learned_at,
        "importance": row.importance,
        "trust": row.trust,
    }


def show_memory(call: ApiCall) -> Json:
    """Return one remembered thing by its reference, such as 12, j3, f1 or o2@<person>."""
    ref = _ref(call)
    item = find_item(call.character, ref).value
    return {"ref": ref, "item": {name: item[name] for name in item if name != "embedding"}}


def show_who_knows(call: ApiCall) -> Json:
    """Return who has anything of one remembered thing, since when and from whom, by lasting id."""
    found = who_knows_of(call.character, _ref(call))
    held = {who: [*map(row_told, rows)] for who, rows in found.held.items()}
    return {"held": held, "took_part": found.took_part, "overheard": found.overheard}


def _ref(call: ApiCall) -> str:
    """Return the reference that an address names: there, a number needs no sign before it."""
    typed = call.named["ref"]
    ref = f"#{typed}" if typed.isdecimal() else typed
    with or_not_found():
        find_item(call.character, ref, was=call.given.get("was"))
    return ref


@takes(WordsSoFar, GivenText)
def edit_memory(call: ApiCall) -> Deferred[Json]:
    """Give one remembered thing new words; what quotes it or rests on it follows."""
    edited = edit_item(call.character, _ref(call), call.given["text"], by=call.by)
    told = {"ref": edited.ref, "words": edited.words, "before": edited.before}
    return follow_edit(call.character, edited).addCallback(lambda places: told | {"also": places})


@takes(WordsSoFar)
def forget_memory(call: ApiCall) -> Deferred[Json]:
    """Let an assistant forget one thing for good, wherever it was kept."""
    done = forgetting.forget_item(call.character, _ref(call), by=call.visitor.account)
    return done.addCallback(_forgotten)


@takes(
    Sure,
    scope=serializers.ChoiceField(
        ["own", "all"], default="all", help_text="Their own words, or all about them."
    ),
)
def forget_somebody(call: ApiCall) -> Deferred[Json]:
    """Let every assistant forget a person, or only that one's own words; `sure` is the name."""
    known = choosing.known_to_anybody()
    who, profile = _person_among(known, call.named["who"])
    must_be_sure(call, profile["name"])
    scope, by = call.given["scope"], call.visitor.account
    return forgetting.forget_person(who, scope=scope, by=by).addCallback(_forgotten)


def _forgotten(report: forgetting.ForgetReport) -> Json:
    counts, missed = dict(report.counts), sorted(report.missed)
    told = {"forgotten": counts, "clean": report.clean, "archives_missed": missed}
    return told | {"remains": report.remains}


@takes(GivenText)
def inform(call: ApiCall) -> Json:
    """Tell an assistant a fact that everybody may know."""
    return row_told(disclosure.inform(call.character, call.given["text"], by=call.by))


@takes(number=whole(1, 999_999_999))
def publish(call: ApiCall) -> Json:
    """Let everybody know of one private memory."""
    return row_told(disclosure.publish(call.character, call.given["number"], by=call.by))


@takes(Newest)
def journal(call: ApiCall) -> list[Json]:
    """Return the newest entries of a journal, newest first."""
    return list(call.character.journal.entries)[: -call.given["limit"] - 1 : -1]


def session(call: ApiCall) -> Json:
    """Return the facts and patterns that an assistant learned."""
    kept = store_of(call.character).read("session")
    return {"facts": kept["key_facts"], "patterns": kept["learned_patterns"]}


def notebook(call: ApiCall) -> list[Json]:
    """Return the notes that an assistant wrote for itself."""
    return list(store_of(call.character).read("notebook")["lines"])


# -- people


def list_people(call: ApiCall) -> list[Json]:
    """Return whom an assistant knows, dearest first."""
    known = choosing.people_of(call.character)
    rows = [
        {
            "id": key,
            "name": profile["name"],
            "kind": profile["entity_type"],
            "state": profile["relationship"]["state"],
            "favorability": profile["relationship"]["favorability"],
            "exchanges": profile["relationship"]["interaction_count"],
            "last": profile["last_interaction"],
        }
        for key, profile in known.items()
    ]
    return sorted(rows, key=lambda row: -row["favorability"])


def show_person(call: ApiCall) -> Json:
    """Return all that an assistant holds about somebody, by lasting id or whole name."""
    key, profile = _person_among(choosing.people_of(call.character), call.named["who"])
    return {"id": key, "profile": profile, "talks": shown.conversations(call.character, key)}


def _person_among(known: Mapping[str, Json], typed: str) -> tuple[str, Json]:
    wanted = typed.casefold()
    found = [key for key, profile in known.items() if wanted in (key, profile["name"].casefold())]
    if len(found) != 1:
        told = "Several bear that name: use an id." if found else "Nobody of that name is known."
        raise Http404(told)
    return found[0], known[found[0]]


@takes(Favor)
def set_favor(call: ApiCall) -> Json:
    """Set how an assistant feels about somebody, or move it."""
    key, profile = _person_among(choosing.people_of(call.character), call.named["who"])
    given, now = call.given, profile["relationship"]["favorability"]
    delta = given["change"] if "change" in given else given["favorability"] - now
    reason = clean(given["reason"]) or f"set by {call.by}"
    profiles = call.character.profiles.by(call.by)
    return dict(profiles.update_relationship(key, delta, reason, limit=1.0))


# -- nights


def nights(call: ApiCall) -> Json:
    """Return how an assistant sleeps, and its nights, the last first."""
    kept = store_of(call.character).read("sleep")
    return {"mode": kept["mode"], "phase": kept["phase"], "nights": kept["nights"][::-1]}


def night(call: ApiCall) -> Json:
    """Return what a night brought, by its id."""
    found = night_of(call.character, call.named["night"])
    return night_report(store_of(call.character).records(found["id"]))


def take_back_night(call: ApiCall) -> Json:
    """Take back what a night made of people, its insights and what it put by."""
    night = night_of(call.character, call.named["night"])
    return dict(unmake_night(call.character, night, by=call.by))


def night_of(character: Any, id: str) -> Json:
    """Return a night by its id. Raises `Http404` for one that is not on record."""
    for found in store_of(character).read("sleep")["nights"]:
        if found["id"] == id:
            return dict(found)
    raise Http404("There is no such night on record.")


@takes(asleep=serializers.BooleanField())
def sleep(call: ApiCall) -> Json:
    """Put an assistant to sleep, or wake it."""
    turn = put_to_bed if call.given["asleep"] else call_awake
    turn(call.character, by=call.by)
    return nights(call)
