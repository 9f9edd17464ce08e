"""The command `aimem`: what an assistant remembers, kind by kind, and searching it."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from typing import Any

from twisted.internet.defer import Deferred

from ai_assistant.api import forgetting
from ai_assistant.api.ask import search
from ai_assistant.api.editing import edit_item, find_item
from ai_assistant.api.following import follow_edit
from ai_assistant.api.handlers import store_of
from ai_assistant.api.past_states import names_by_id
from ai_assistant.api.stories.knowing import WhoKnows, who_knows_of
from ai_assistant.commands import choosing, rows_shown, shown
from ai_assistant.commands.command_base import AICommand, must_edit, number_in, switch
from ai_assistant.commands.help_topics import Misused
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean, counted
from ai_assistant.core.times import iso
from ai_assistant.game.identity import entity_id, name_of
from ai_assistant.memory.search.recall import Found
from ai_assistant.runtime.service import SERVICE

FOUND = 15
NEWEST = 20
MOST_DIGITS = 18  # of a number that a database can hold


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
      aimem/newest <assistant> [= before #12] its last memories, or earlier ones
      aimem/search <assistant> = <words>      all it heard, said, noted and wrote
      aimem/why <assistant> = <words>         the same, and why each was chosen
                                              (both also: ... where <filter>)
      aimem/who <assistant> = <reference>     who knows it, since when, from whom

      aimem/edit <assistant> = <reference> <new text>
      aimem/forget <assistant> = <reference>
      aimem/erase <person> [= own or all]     let everybody forget a person

    Each line is shown with its reference: #12 is a memory, j12 a journal entry,
    f1 and p1 a fact and a pattern, n1 a note, o1@Alice and t1@Alice an
    observation and a trait of Alice. An edited memory is a new one, with a
    number of its own; what it said before is archived. What quotes it, or
    rests on it, follows: conversations, traits, notes, journal, summaries.

    Forgetting asks first: what is forgotten is gone for good, wherever it was
    kept, and only the fact that something was forgotten is on record. With
    'own', a person's words go and what others said of them stays.

    A filter has conditions parted by commas, on gameDay, location, speaker,
    participants, isSpeaker, type, timestamp and others; a wrong one lists them.

    Builders look, Admins edit and forget.

    Examples:
      aimem/profile marrek = alice        aimem/working marrek = alice
      aimem/journal marrek = 20           aimem/session marrek
      aimem/notebook marrek               aimem/newest marrek = before #120
      aimem/why marrek = what is my cat called?
      aimem/who marrek = #12
      aimem/search marrek = the gate where gameDay >= 5, participants = Alice
      aimem/edit marrek = o1@alice Alice's cat is called Whiskers.
      aimem/forget marrek = j1            aimem/erase bob = own

    """

    key = "aimem"
    aliases = ["aimemory"]

    @switch("", takes=1)
    def _overview(self) -> None:
        if not self.args:
            self.overview(("Name", *map(str.capitalize, _TOLD)), _row)
            return
        character = self.wanted(self.lhs)
        lines = [f"  {kind}: {count}" for kind, count in _counts(character).items()]
        self.show([f"|c{name_of(character)}|n remembers", *lines])

    @switch("profile", named=True)
    def _profile(self, character: Any) -> None:
        self.show(shown.profile_lines(character, *choosing.find_person(character, self.rhs or "")))

    @switch("working", named=True)
    def _working(self, character: Any) -> None:
        who = choosing.find_person(character, self.rhs)[0] if self.rhs else ""
        lines = []
        for talk in shown.conversations(character, who):
            name = character.profiles.get_entity_profile(talk["entity_id"])["name"]
            last = f"last {shown.minute(talk['last_message'])}"
            lines.append(f"|w{name}, {last}|n{shown.private(talk['readers'])}")
            lines += shown.talk_lines([talk], they=name or "they", me=name_of(character))
        if not lines:
            raise AssistantError(f"{name_of(character)} is in no conversation.")
        self.show(lines)

    @switch("journal", named=True)
    def _journal(self, character: Any) -> None:
        entries = character.journal.entries[-number_in(self.rhs, NEWEST) :]
        self._list(character, map(_entry, reversed(entries)), "journal")

    @switch("session", named=True, takes=1)
    def _session(self, character: Any) -> None:
        session = store_of(character).read("session")
        lines = shown.sections(
            {
                "Facts": shown.listed(session["key_facts"], shown.dated, letter="f"),
                "Patterns": shown.listed(session["learned_patterns"], shown.dated, letter="p"),
            }
        )
        self._list(character, lines, "session memory")

    @switch("notebook", named=True, takes=1)
    def _notebook(self, character: Any) -> None:
        lines = store_of(character).read("notebook")["lines"]
        self._list(character, shown.listed(lines, shown.dated, letter="n"), "notebook")

    def _list(self, character: Any, lines: Iterable[str], what: str) -> None:
        self.show("\n".join(lines) or f"The {what} of {name_of(character)} is empty.")

    @switch("edit", "Admin", named=True)
    def _edit(self, character: Any) -> None:
        ref, _, words = (self.rhs or "").partition(" ")
        edited = edit_item(character, choosing.full_ref(character, ref), words, by=self.caller.key)
        now = f" is {edited.ref}" if edited.ref.startswith("#") else ""
        self.msg(f"{ref} of {name_of(character)}{now} now: {edited.words}\nBefore: {edited.before}")
        for said in edited.lines.values():
            if said != edited.words:
                self.msg(f"The line that told of it says now: {said}")

        def tell(places: int) -> None:
            if places:
                self.msg(f"What quoted it or rested on it follows, in {counted(places, 'place')}.")

        follow_edit(character, edited).addCallbacks(tell, self.failed)

    @switch("forget", "Admin", named=True)
    def _forget(self, character: Any) -> Generator[str, str, None]:
        ref = choosing.full_ref(character, self.rhs or "")
        words = find_item(character, ref).words
        if (yield from self.confirmed(f'Let {name_of(character)} forget "{words}"')):
            must_edit(self.caller, character)
            find_item(character, ref, was=words)
            self._tell_forgotten(forgetting.forget_item(character, ref, by=self.caller))

    @switch("erase", "Admin")
    def _erase(self) -> Generator[str, str, None]:
        scope = (self.rhs or "all").lower()
        if not self.lhs or scope not in ("own", "all"):
            raise Misused
        known = choosing.known_to_anybody()
        who = choosing.choose(self.lhs, "person", choosing.people_choices(known))
        what = "all that is about them" if scope == "all" else "their own words"
        name = known[who]["name"]
        if (yield from self.confirmed(f"Let every assistant forget {name}: {what}")):
            self.msg("They are forgetting…")
            self._tell_forgotten(forgetting.forget_person(who, scope=scope, by=self.caller))

    def _tell_forgotten(self, done: Deferred[forgetting.ForgetReport]) -> None:
        def tell(report: forgetting.ForgetReport) -> None:
            self.msg(f"Forgotten: {report}." if report.total else "There was nothing to forget.")
            for where in report.remains:
                self.msg(where)

        done.addCallbacks(tell, self.failed)

    @switch("who", named=True)
    def _who(self, character: Any) -> None:
        found = who_knows_of(character, choosing.full_ref(character, self.rhs or ""))
        self.show([f"|wWho knows of '{clean(found.words, 60)}'|n", *_who_lines(character, found)])

    @switch("newest", named=True)
    def _newest(self, character: Any) -> None:
        before = (self.rhs or "0").removeprefix("before").strip(" #")
        if not before.isdecimal() or len(before) > MOST_DIGITS:
            raise Misused("Before which? Usage:")
        rows = store_of(character).rows.newest(NEWEST, int(before))
        self._list(character, map(rows_shown.known_line, rows), "memory")

    @switch("search", named=True)
    def _search(self, character: Any) -> None:
        self._why(character, explain=False)

    @switch("why", named=True)
    def _why(self, character: Any, *, explain: bool = True) -> None:
        if not self.rhs:
            raise Misused("Which words? Usage:")
        names = choosing.told_apart(choosing.people_of(character))
        words, where = choosing.words_and_filter(self.rhs, choosing.id_finder(self.caller))

        def tell(found: list[Found]) -> None:
            lines = [_found_line(hit, names, explain=explain) for hit in found]
            self.show(lines or f"{name_of(character)} remembers nothing of that.")

        asked = search(character, words, FOUND, shown.staff_may_read, where=where)
        asked.addCallbacks(tell, self.failed)


_KINDS = ("people", "exchanges", "journal", "facts", "patterns", "notes", "memories")


_TOLD = ("people", "exchanges", "journal", "memories")
"""Those of the table of all, in which whole names have room."""


def _row(character: Any) -> tuple[object, ...]:
    counts = _counts(character)
    return name_of(character), *(counts[kind] for kind in _TOLD)


def _counts(character: Any) -> dict[str, object]:
    store = store_of(character)
    session, profiles = store.read("session"), list(store.read_all("profile").values())
    resident = SERVICE.residents.get(entity_id(character))
    counts = (
        len(profiles),
        sum(profile["relationship"]["interaction_count"] for profile in profiles),
        len(store.read("journal")["entries"]),
        len(session["key_facts"]),
        len(session["learned_patterns"]),
        len(store.read("notebook")["lines"]),
        resident.mind.recall.embedded[1] if resident else "not running",
    )
    return dict(zip(_KINDS, counts, strict=True))


def _who_lines(character: Any, found: WhoKnows) -> Iterator[str]:
    """Yield who knows of something, and of each what that one has of it."""
    names = names_by_id(character, {*found.held, *found.took_part, *found.overheard})
    if found.words and not found.held:
        yield f" {name_of(character)} alone: it rests on no line of others"
    if not found.is_whole:
        yield "|x(not all: there is more)|n"
    for who, rows in found.held.items():
        yield f" {names[who]} |xsince {shown.minute(iso(rows[0].learned_at))}|n"
        yield from map(rows_shown.known_line, rows)
    beside = {"took part as well": found.took_part, "only overheard by": found.overheard}
    for way, others in beside.items():
        if others:
            yield f" {way}: {', '.join(names[who] for who in others)}"


def _entry(item: Json) -> str:
    tags = f" [{', '.join(item['tags'])}]" if item["tags"] else ""
    return (
        f"  |cj{item['id']}|n {shown.minute(item['timestamp'])} |x({item['source_type']}, "
        f"importance {item['importance']})|n {item['content']}{tags}"
        f"{shown.private(item['readers'])}"
    )


def _found_line(found: Found, names: dict[str, str], *, explain: bool) -> str:
    """Return what a search found, under the reference that people type, with its score."""
    row, hit = found.row, found.hit
    ref = choosing.short_ref(found.ref, names)
    who = f"{row.author_name}: " if row.author_name else ""
    line = f"  |c{ref}|n |w{hit.score:.2f}|n {who}{row.content}{shown.private(row.readers)}"
    if not explain:
        return line
    why = [
        f"{key} {value:.2f}" if isinstance(value, float) else f"{key} {value}"
        for key, value in hit.why.items()
    ]
    return f"{line}\n      |x{row.kind}; {', '.join(why)}|n"
