"""The command `aimem`: what an assistant remembers, kind by kind, and searching it."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from twisted.internet.defer import Deferred

from ai_assistant.api import forgetting
from ai_assistant.api.editing import edit_item, find_item
from ai_assistant.api.overview import running
from ai_assistant.commands import shown
from ai_assistant.commands.command_base import AICommand
from ai_assistant.commands.find_person import (
    conversations,
    describe,
    find_person,
    people_of,
    person_anywhere,
    shown_ref,
)
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.identity import entity_id, name_of
from ai_assistant.memory.search.recall import Found
from ai_assistant.runtime.service import SERVICE

FOUND = 15
NEWEST = 20


class CmdAIMem(AICommand):
    """
    see, search and mend what an assistant remembers

    Usage:
      aimem                                   how much each of them holds
      aimem <assistant>                       how much it holds of each kind
      aimem/profile <assistant> = <person>    what it holds about somebody
      aimem/working <assistant> [= <person>]  the conversations under way
      aimem/journal <assistant> [= <number>]  the newest entries of its journal
      aimem/session <assistant>               the facts and patterns it learned
      aimem/notebook <assistant>              the notes it wrote for itself
      aimem/search <assistant> = <words>      all it heard, said, noted and wrote
      aimem/why <assistant> = <words>         the same, and why each was chosen

      aimem/edit <assistant> = <reference> <new text>
      aimem/forget <assistant> = <reference>
      aimem/erase <person> [= own or all]     let everybody forget a person

    Each line is shown with its reference: #12 is a memory, j12 a journal entry,
    f1 and p1 a fact and a pattern, n1 a note, o1@Alice and t1@Alice an
    observation and a trait of Alice. An edited memory is a new one, with a
    number of its own; what it said before is archived.

    Forgetting asks first: what is forgotten is gone for good, wherever it was
    kept, and only the fact that something was forgotten is on record. With
    'own', a person's words go and what others said of them stays.

    Builders look, Admins edit and forget.

    Examples:
      aimem/profile marrek = alice
      aimem/why marrek = what is my cat called?
      aimem/edit marrek = o1@alice Alice's cat is called Whiskers.
      aimem/forget marrek = #12

    """

    key = "aimem"
    aliases = ["aimemory"]
    verbs = {
        "": ("do_overview", "Builder"),
        "profile": ("do_profile", "Builder"),
        "working": ("do_working", "Builder"),
        "journal": ("do_journal", "Builder"),
        "session": ("do_session", "Builder"),
        "notebook": ("do_notebook", "Builder"),
        "search": ("do_search", "Builder"),
        "why": ("do_why", "Builder"),
        "edit": ("do_edit", "Admin"),
        "forget": ("do_forget", "Admin"),
        "erase": ("do_erase", "Admin"),
    }

    def do_overview(self) -> None:
        """Say how much there is of each kind, with one of them or with each."""
        if self.args.strip():
            character = self.wanted(self.lhs)
            lines = [f"  {name}: {count}" for name, count in _counts(character).items()]
            self.msg("\n".join([f"|c{name_of(character)}|n remembers", *lines]))
            return
        titles = ("Name", *map(str.capitalize, _KINDS))
        self.overview(titles, lambda one: (name_of(one), *_counts(one).values()))

    def do_profile(self) -> None:
        """Show what it holds about somebody."""
        character = self.wanted(self.lhs)
        self.show(describe(character, *find_person(character, self.rhs or "")))

    def do_working(self) -> None:
        """Show the conversations under way."""
        character = self.wanted(self.lhs)
        one = find_person(character, self.rhs)[0] if self.rhs else ""
        talks = conversations(character, one)
        if not talks:
            raise AssistantError(f"{name_of(character)} is in no conversation.")
        self.show("\n".join(line for talk in talks for line in self._talk(character, talk)))

    def _talk(self, character: Any, talk: Json) -> list[str]:
        name = character.profiles.get_entity_profile(talk["entity_id"])["name"]
        title = f"{name}, last {shown.minute(talk['last_message'])}"
        lines = shown.conversation(talk, they=name or "they", me=name_of(character))
        return [shown.heading(title) + shown.private(talk["readers"]), *lines]

    def do_journal(self) -> None:
        """Show the newest entries, the latest first."""
        character = self.wanted(self.lhs)
        entries = character.journal.entries[-self.number(self.rhs, NEWEST) :]
        self._list(character, map(shown.entry, reversed(entries)), "journal")

    def do_session(self) -> None:
        """Show the facts and patterns."""
        character = self.wanted(self.lhs)
        session = character.profiles.store.read("session")
        lines = shown.sections(
            {
                "Facts": shown.listed("f", session["key_facts"], shown.everything),
                "Patterns": shown.listed("p", session["learned_patterns"], shown.everything),
            }
        )
        self._list(character, lines, "session memory")

    def do_notebook(self) -> None:
        """Show the notes."""
        character = self.wanted(self.lhs)
        lines = character.profiles.store.read("notebook")["lines"]
        self._list(character, shown.listed("n", lines, shown.everything), "notebook")

    def _list(self, character: Any, lines: Any, what: str) -> None:
        text = "\n".join(lines)
        self.show(text) if text else self.msg(f"The {what} of {name_of(character)} is empty.")

    def do_edit(self) -> None:
        """Give one thing new words."""
        character = self.wanted(self.lhs)
        ref, _, words = (self.rhs or "").partition(" ")
        edited = edit_item(character, self._ref(character, ref), words, by=self.caller.key)
        now = f" is {edited.ref}" if edited.ref.startswith("#") else ""
        self.msg(f"{ref} of {name_of(character)}{now} now: {edited.words}")

    def do_forget(self) -> Generator[str, str, None]:
        """Have one thing forgotten, after asking."""
        character = self.wanted(self.lhs)
        ref = self._ref(character, self.rhs or "")
        item = find_item(character, ref)
        words = item.value.get("content") or item.value.get("value", "")
        if not (yield from self.confirmed(f'Let {name_of(character)} forget "{words}"')):
            return
        done = forgetting.forget_item(character, ref, by=self.caller)
        done.addCallbacks(self._tell_forgotten, self.failed)

    def do_erase(self) -> Generator[str, str, None]:
        """Have a person forgotten by all assistants, after asking."""
        name = self.lhs.strip()
        scope = (self.rhs or "all").strip().lower()
        if not name or scope not in ("own", "all"):
            raise AssistantError("Usage: aimem/erase <person> [= own or all]")
        entity_id, known_as = person_anywhere(name)
        what = "all that is about them" if scope == "all" else "their own words"
        if not (yield from self.confirmed(f"Let every assistant forget {known_as}: {what}")):
            return
        self.msg("They are forgetting…")
        done = forgetting.forget_person(entity_id, scope=scope, by=self.caller)
        done.addCallbacks(self._tell_forgotten, self.failed)

    def _ref(self, character: Any, ref: str) -> str:
        """Return a reference with the id of the person that it names, if it names one."""
        thing, at, name = ref.strip().partition("@")
        if not thing:
            raise AssistantError("Which line? Give its reference, such as #12, j3 or o1@Alice.")
        return f"{thing}@{find_person(character, name)[0]}" if at else thing

    def _tell_forgotten(self, report: forgetting.ForgetReport) -> None:
        self.msg(f"Forgotten: {report}." if report.total else "There was nothing to forget.")

    def do_search(self) -> None:
        """Search all memories, with scores."""
        self._search(explain=False)

    def do_why(self) -> None:
        """Search all memories, and say why each was chosen."""
        self._search(explain=True)

    def _search(self, *, explain: bool) -> None:
        character = self.wanted(self.lhs)
        if not self.rhs:
            raise AssistantError(
                f"Usage: aimem/{'why' if explain else 'search'} <assistant> = <words>"
            )

        def tell(hits: list[Found]) -> None:
            known = people_of(character)
            fitting = [
                shown.found(one, ref=shown_ref(one.ref, known), explain=explain)
                for one in hits
                if shown.fits(one)
            ]
            nothing = f"{name_of(character)} remembers nothing of that."
            self.show("\n".join(fitting) if fitting else nothing)

        search(character, self.rhs, FOUND, shown.everything).addCallbacks(tell, self.failed)


_KINDS = ("people", "talks", "journal", "facts", "patterns", "notes", "memories")


def _counts(character: Any) -> dict[str, object]:
    """Return how much an assistant holds of each of these kinds."""
    store = character.profiles.store
    session = store.read("session")
    resident = SERVICE.residents.get(entity_id(character))
    counts = (
        len(store.keys("profile")),
        len(store.keys("working")),
        len(store.read("journal")["entries"]),
        len(session["key_facts"]),
        len(session["learned_patterns"]),
        len(store.read("notebook")["lines"]),
        len(resident.mind.recall) if resident else "not running",
    )
    return dict(zip(_KINDS, counts, strict=True))


def search(
    character: Any, words: str, most: int, allowed: shown.Allowed, **options: Any
) -> Deferred[list[Found]]:
    """Search the memory of a running assistant for whoever may read what `allowed` says.

    `options` are those of `Index.search`. Raises `AssistantError` where the assistant does not run.
    """
    mind = running(character).mind
    found = mind.recall.search(
        words, most, now=mind.clock.now(), allow=allowed, explain=True, **options
    )
    return Deferred.fromCoroutine(found)
