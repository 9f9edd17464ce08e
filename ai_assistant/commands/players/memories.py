"""The players' command `memories`: what the characters hold about me, and having it forgotten."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from twisted.internet.defer import gatherResults

from ai_assistant import conf
from ai_assistant.api import forgetting
from ai_assistant.api.lifecycle import all_assistants
from ai_assistant.commands import shown
from ai_assistant.commands.command_base import AICommand, find_among
from ai_assistant.commands.find_person import conversations
from ai_assistant.commands.staff.aimem import search
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.readers import may_read
from ai_assistant.core.text import with_article
from ai_assistant.game.identity import belongs, entity_id, name_of
from ai_assistant.memory.people.feelings import STANCES
from ai_assistant.memory.search.recall import Found
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage.containers import Container, heard_from

FOUND = 10
NEWEST = 5
NOBODY = "No character of this world remembers you yet."
_SCOPES = {
    "own": "your own words",
    "all": "your own words and everything that is about you",
}


class CmdMemories(AICommand):
    """
    see what the characters of this world remember about you

    Usage:
      memories                          who remembers you
      memories <character>              what it holds about you
      memories <character> = <words>    search in that
      memories/forget [<character>]     have it forgotten, by one or by all

    You see what you may know of: what was said openly, and what was between the
    two of you. What others told a character in confidence stays with them, also
    where it is about you. Forgetting asks first, and cannot be undone.

    Examples:
      memories tansy
      memories tansy = my cat
      memories/forget tansy

    """

    key = "memories"
    aliases: list[str] = []
    locks = "cmd:all()"
    help_category = "General"
    verbs = {"": ("do_show", ""), "forget": ("do_forget", "")}

    def may(self, permission: str) -> bool:
        """Everybody may ask about themselves."""
        return True

    @property
    def own_id(self) -> str:
        """The lasting id of whoever asks."""
        return entity_id(self.caller)

    def allowed(self, readers: str) -> bool:
        """May whoever asks know of something with this label?"""
        return may_read(self.own_id, readers, belongs)

    # -- looking

    def do_show(self) -> Any:
        """Show who remembers the caller, or what one of them holds."""
        if not self.args.strip():
            self._show_all()
        elif self.rhs:
            self._search(self._one(self.lhs), self.rhs)
        else:
            self._show_one(self._one(self.args))

    def _one(self, name: str) -> Any:
        """Return the character that is meant, among those who know the caller."""
        known = [character for character, _ in self._acquainted()]
        if not known:
            raise AssistantError(NOBODY)
        return find_among(known, name)

    def _acquainted(self) -> list[tuple[Any, Json]]:
        """Return the assistants that met or overheard the caller, each with its profile of them."""
        heard = heard_from(self.own_id)
        known = ((one, one.profiles.get_entity_profile(self.own_id)) for one in all_assistants())
        return [
            (character, profile)
            for character, profile in known
            if profile["created"] or entity_id(character) in heard
        ]

    def _show_all(self) -> None:
        rows = [
            (
                name_of(character, self.caller),
                profile["relationship"]["state"],
                profile["relationship"]["interaction_count"],
                shown.minute(profile["last_interaction"]),
                len(shown.observations(profile, self.allowed, refs=False))
                + len(shown.traits(profile, self.allowed, refs=False)),
            )
            for character, profile in self._acquainted()
        ]
        if not rows:
            raise AssistantError(NOBODY)
        titles = ("Who", "You are to them", "Talks", "Last", "Noted about you")
        self.show(self.table(titles, rows))

    def _show_one(self, character: Any) -> None:
        profile = character.profiles.get_entity_profile(self.own_id)
        state = profile["relationship"]["state"]
        name = name_of(character, self.caller)
        talks = conversations(character, self.own_id)
        sections = {
            "Noted about you": shown.observations(profile, self.allowed, refs=False),
            "Learned of you": shown.traits(profile, self.allowed, refs=False),
            "Between you": shown.conversations(
                [talk for talk in talks if self.allowed(talk["readers"])], they="you", me=name
            ),
            "Heard from you": self._heard(character),
            "In the journal": [
                shown.entry_for_players(entry)
                for entry in character.journal.entries
                if entry["source_entity"] == self.own_id and self.allowed(entry["readers"])
            ],
        }
        bond = f"To |c{name}|n you are {with_article(state)}: {STANCES[state]}."
        self.show("\n".join([bond, *shown.sections(sections)]))

    def _heard(self, character: Any) -> list[str]:
        """Return a line for each of the caller's last words that a character remembers."""
        container = Container("", entity_id(character))
        rows = container.find(where={"author": self.own_id, "kind": "utterance"}, limit=NEWEST)
        said = (row for row in rows if self.allowed(row.readers))
        return [f"  {row.content}{shown.private(row.readers)}" for row in said]

    def _search(self, character: Any, words: str) -> None:
        if entity_id(character) not in SERVICE.residents:
            raise AssistantError(f"{name_of(character, self.caller)} cannot be asked just now.")

        def tell(both: list[list[Found]]) -> None:
            hits = {one.row.id: one for hits in both for one in hits if shown.fits(one)}
            best = sorted(hits.values(), key=lambda one: -one.hit.score)[:FOUND]
            nothing = f"{name_of(character, self.caller)} holds nothing like that of you."
            self.show("\n".join(map(shown.found_for_players, best)) if best else nothing)

        ways = ({"author": self.own_id}, {"subject": self.own_id})
        found = (search(character, words, FOUND, self.allowed, where=one) for one in ways)
        gatherResults(found, consumeErrors=True).addCallbacks(tell, self._failed_at_one)

    def _failed_at_one(self, failure: Any) -> None:
        self.failed(failure.value.subFailure)

    # -- forgetting

    def do_forget(self) -> Generator[str, str, None]:
        """Have it forgotten, after asking."""
        scope = conf.settings.FORGET
        if scope == "off":
            raise AssistantError("In this game only the staff can have something forgotten: ask.")
        chosen = [self._one(self.args)] if self.args.strip() else None
        who = name_of(chosen[0], self.caller) if chosen else "every character"
        if not (yield from self.confirmed(f"Let {who} forget {_SCOPES[scope]}")):
            return
        self.msg("They are forgetting…")
        done = forgetting.forget_person(self.own_id, scope=scope, by=self.own_id, assistants=chosen)
        done.addCallbacks(self._tell_forgotten, self.failed)

    def _tell_forgotten(self, report: forgetting.ForgetReport) -> None:
        self.msg("It is forgotten." if report.total else "There was nothing to forget.")
