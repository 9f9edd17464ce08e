"""The players' command `memories`: what the characters hold about me, and having it forgotten."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from twisted.internet.defer import gatherResults

from ai_assistant import conf
from ai_assistant.api import forgetting
from ai_assistant.api.ask import search
from ai_assistant.api.lifecycle import all_assistants
from ai_assistant.commands import shown
from ai_assistant.commands.choosing import find_acquaintance
from ai_assistant.commands.command_base import PlayerCommand, switch
from ai_assistant.commands.scene_shown import MESSAGES
from ai_assistant.core.contracts import TO_ONE, Json, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.readers import may_read
from ai_assistant.core.text import with_article
from ai_assistant.game.consent import opt_in, opt_out
from ai_assistant.game.identity import belongs, entity_id, name_of
from ai_assistant.memory.search.recall import Found
from ai_assistant.memory.talk.folding import summary_of
from ai_assistant.runtime.means import pay
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage.containers import Container, heard_from
from ai_assistant.tools.about_people import STANCES

FOUND = 10
NEWEST = 5
_SCOPES = {
    "own": "your own words",
    "all": "your own words and everything that is about you",
}


class CmdMemories(PlayerCommand):
    """
    see what the characters of this world remember about you

    Usage:
      memories                          who remembers you
      memories <character>              what it holds about you
      memories <character> = <words>    search in that
      memories/forget [<character>]     have it forgotten, by one or by all
      memories/optout                   let no character hear or remember you
      memories/optin                    take that back

    You see what you may know of: what was said openly, and what was between the
    two of you. What others told a character in confidence stays with them, also
    where it is about you. Forgetting asks first, and cannot be undone.

    Who opted out is told so when they turn to a character. What others say of
    you is heard and remembered all the same.

    Examples:
      memories tansy
      memories tansy = my cat
      memories/forget tansy

    """

    key = "memories"

    @switch("", "")
    def _show(self) -> None:
        if not self.args:
            self._show_all()
        elif self.rhs:
            self._search(self._one(self.lhs), self.rhs)
        else:
            self._show_one(self._one(self.args))

    def _allowed(self, readers: str) -> bool:
        """May whoever asks know of something with this label?"""
        return may_read(self.own_id, readers, belongs)

    def _one(self, name: str) -> Any:
        return find_acquaintance([character for character, _ in self._acquainted()], name)

    def _acquainted(self) -> list[tuple[Any, Json]]:
        """Return the assistants that met or overheard the caller, each with its profile of them.

        Raises `AssistantError` where there are none.
        """
        heard = heard_from(self.own_id)
        known = []
        for character in all_assistants():
            profile = character.profiles.get_entity_profile(self.own_id)
            if profile["created"] or entity_id(character) in heard:
                known.append((character, profile))
        if not known:
            raise AssistantError("No character of this world remembers you yet.")
        return known

    def _show_all(self) -> None:
        rows = [
            (
                name_of(character, self.caller),
                profile["relationship"]["state"],
                profile["relationship"]["interaction_count"],
                shown.minute(profile["last_interaction"]),
                sum(map(len, self._noted(character, profile).values())),
            )
            for character, profile in self._acquainted()
        ]
        titles = ("Who", "You are to them", "Exchanges", "Last", "Noted about you")
        self.show(self.table(titles, rows))

    def _noted(self, character: Any, profile: Json) -> dict[str, list[str]]:
        name, me = name_of(character, self.caller), self.own_id
        entries = (entry for entry in character.journal.entries if entry["source_entity"] == me)
        return {
            "Noted about you": shown.listed(
                profile["observations"], _observation, allowed=self._allowed
            ),
            "Learned of you": shown.listed(
                profile["attributes"], lambda trait: str(trait["value"]), allowed=self._allowed
            ),
            f"In the journal of {name}": shown.listed(entries, shown.dated, allowed=self._allowed),
        }

    def _show_one(self, character: Any) -> None:
        profile = character.profiles.get_entity_profile(self.own_id)
        state = profile["relationship"]["state"]
        name = name_of(character, self.caller)
        talks = shown.conversations(character, self.own_id)
        talks = [talk for talk in talks if self._allowed(talk["readers"])]
        said = shown.said_lines(talks, they="you", me=name)
        between = [*said, *(line for talk in talks for line in _open_ends(talk, name, said))]
        sections = {
            **self._noted(character, profile),
            "Earlier between you": [line for talk in talks for line in _earlier(talk, name)],
            "Between you": between,
            "Overheard from you": self._overheard(character, "\n".join(between)),
        }
        bond = f"To |c{name}|n you are {with_article(state)}: {STANCES[state]}."
        self.show([bond, *shown.sections(sections)])

    def _overheard(self, character: Any, shown_already: str) -> list[str]:
        rows = Container("", entity_id(character)).find(
            where={"author": self.own_id, "kind": "utterance"}, limit=NEWEST
        )
        rows = [row for row in rows if self._allowed(row.readers)]
        return [f"  {_told(row)}" for row in rows if row.content not in shown_already]

    def _search(self, character: Any, words: str) -> None:
        name = name_of(character, self.caller)
        if entity_id(character) not in SERVICE.residents:
            raise AssistantError(f"{name} cannot be asked just now.")
        pay(SERVICE.shared.purses, self.caller)

        def tell(both: list[list[Found]]) -> None:
            hits = {found.row.id: found for some in both for found in some}
            best = sorted(hits.values(), key=lambda found: -found.hit.score)[:FOUND]
            lines = []
            for row in (found.row for found in best):
                who = "you" if row.author == self.own_id else row.author_name
                said_by = f"{who}: " if who and row.kind in MESSAGES else ""
                lines.append(f"  {said_by}{_told(row)}")
            self.show(lines or f"{name} holds nothing like that of you.")

        found = (
            search(character, words, FOUND, self._allowed, where={role: self.own_id})
            for role in ("author", "subject")
        )
        asked = gatherResults(found, consumeErrors=True)
        asked.addCallbacks(tell, lambda failure: self.failed(failure.value.subFailure))

    @switch("forget", "")
    def _forget(self) -> Generator[str, str, None]:
        scope = conf.settings.FORGET
        if scope == "off":
            raise AssistantError("In this game only the staff can have something forgotten: ask.")
        chosen = [self._one(self.args)] if self.args else None
        who = name_of(chosen[0], self.caller) if chosen else "every character"
        if not (yield from self.confirmed(f"Let {who} forget {_SCOPES[scope]}")):
            return
        self.msg("They are forgetting…")

        def tell(report: forgetting.ForgetReport) -> None:
            self.msg("It is forgotten." if report.total else "There was nothing to forget.")

        done = forgetting.forget_person(self.own_id, scope=scope, by=self.own_id, assistants=chosen)
        done.addCallbacks(tell, self.failed)

    @switch("optout", "", takes=0)
    def _opt_out(self) -> None:
        opt_out(self.caller)
        self.msg(
            "From now on no character hears or remembers you; |wmemories/optin|n takes that back."
        )
        for resident in [*SERVICE.residents.values()]:
            if any(event.source.id == self.own_id for event in resident.events):
                SERVICE.interrupt(resident.id)
        is_staffs = conf.settings.FORGET == "off"
        by = (
            "only the staff can have forgotten: ask."
            if is_staffs
            else "goes by |wmemories/forget|n."
        )
        self.msg(f"What they know already {by}")

    @switch("optin", "", takes=0)
    def _opt_in(self) -> None:
        opt_in(self.caller)
        self.msg("The characters hear you again, and remember you.")


def _observation(item: Json) -> str:
    """Return an observation with from whom it came, where that is told, and when."""
    by = f"from {item['told_by']}, " if item.get("told_by") else ""
    return f"{item['content']} |x({by}{shown.minute(item['timestamp'])})|n"


def _told(row: MemoryRow) -> str:
    """Return what a memory says, marked where it is private; what was said aloud never is."""
    is_aloud = row.kind == "own_words" and row.meta.get("type") not in TO_ONE
    return row.content + ("" if is_aloud else shown.private(row.readers))


def _earlier(talk: Json, name: str) -> list[str]:
    """Return the last lines of the summary of a conversation."""
    lines = summary_of(talk, "you", name).split("\n")[-shown.LINES :]
    return [f"    {line.removeprefix('- ')}" for line in lines if line]


def _open_ends(talk: Json, name: str, said: list[str]) -> list[str]:
    """Return what was promised, and what waits for an answer, in a sentence each.

    What stands among the lines that were `said` is not told again.
    """
    promised = (action["action"] for action in talk["pending_actions"])
    questions = talk["context"]["unresolved_questions"]
    asked = [question for question in questions if not any(question in line for line in said)]
    return [
        *(f"    {name} promised you: {action}" for action in promised),
        *(f"    You asked, and had no answer yet: {question}" for question in asked),
    ]
