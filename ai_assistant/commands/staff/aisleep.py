"""The command `aisleep`: putting assistants to bed, waking them, and what their nights brought."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ai_assistant.agent.config import OPTIONS
from ai_assistant.api.execution import call_awake, put_to_bed, unmake_night
from ai_assistant.api.handlers import store_of
from ai_assistant.api.lifecycle import configure
from ai_assistant.commands.command_base import AICommand, number_in, switch
from ai_assistant.commands.help_topics import Misused
from ai_assistant.commands.shown import hours_of, minute, private
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError, ConfigurationError
from ai_assistant.core.text import clean, counted
from ai_assistant.game.identity import name_of
from ai_assistant.sleep.report import night_report

_WHY = {"schedule": "its hours", "tool": "its own wish", "command": "told to"}
_CLOCKS = ("game", "real")
_CHANGES = {
    "learned": "|g+|n {text}{whose}",
    "changed": "|c~|n {after}{whose}  |x(before: {before})|n",
    "merged": "|x= {text}{whose}: once more|n",
    "doubted": "|y?|n {text}{whose}  |x(against firmer or later word)|n",
    "felt": "|m*|n {by:+.2f}: {reason}{whose}",
}
"""How each kind of thing is told that a night made of what is known of a person."""
_QUIETLY = (
    ("read", "read", "line of the day", "lines of the day"),
    ("filed", "filed", "journal entry", "journal entries"),
    ("closed", "closed", "talk that was over", "talks that were over"),
    ("folded", "shortened", "long talk", "long talks"),
    ("moved", "moved", "old fact to its memories", "old facts to its memories"),
    ("put_by", "put by", "trifle", "trifles"),
    ("strangers", "let go of", "stranger", "strangers"),
    ("summarised", "summarised", "line of a block", "lines of blocks"),
    ("lines", "put", "line of long ago into summaries", "lines of long ago into summaries"),
    ("days", "made", "summary of an old day", "summaries of old days"),
)
"""What a report counts: its name there, what was done, and to one or to several what."""


_UNDONE = (
    ("traits", "trait", "traits", "gone"),
    ("feelings", "change of heart", "changes of heart", "gone"),
    ("insights", "insight", "insights", "gone"),
    ("observations", "note", "notes", "as before"),
    ("memories", "memory", "memories", "found again"),
)
"""What taking a night back counts: its name there, one and several of it, what became of it."""


class CmdAISleep(AICommand):
    """
    put assistants to sleep, wake them, and read what their nights brought

    Usage:
      aisleep                                 who sleeps, who is awake
      aisleep <assistant>                     its state, its hours, its nights
      aisleep/now <assistant>                 put it to sleep
      aisleep/wake <assistant>                wake it
      aisleep/schedule <assistant> = <hour> for <hours> [game or real]
      aisleep/schedule <assistant> = off
      aisleep/report <assistant> [= <n>]      what it learned in the last night,
                                              or in the n-th last
      aisleep/undo <assistant> [= <n>]        take that back

    Asleep, an assistant first sorts its journal; whoever calls it then waits for
    a moment. After that it dreams: what it heard becomes what it knows of people,
    and it looks back. Speaking to it, touching it or crying alarm wakes it.

    Undo takes back what the night made of people, its insights and what it put
    by; what it filed, shortened or tied together stays. The real clock is the
    server's. Builders look, Admins act.

    Examples:
      aisleep/now marrek                  aisleep/wake marrek
      aisleep/schedule marrek = 23 for 6 game
      aisleep/report marrek               aisleep/undo marrek = 2

    """

    key = "aisleep"
    aliases = ["ainight"]

    @switch("", takes=1)
    def _show(self) -> None:
        if not self.lhs:
            self.overview(("Name", "State", "Hours", "Nights"), _overview)
            return
        character = self.wanted(self.lhs)
        sleep = store_of(character).read("sleep")
        told = [f"|w{name_of(character)}|n: {_state(sleep)}", f"  hours: {_hours(character)}"]
        if sleep["nights"]:
            nights = enumerate(reversed(sleep["nights"]), start=1)
            rows = [
                (
                    number,
                    minute(night["began"]),
                    minute(night["ended"]) or "not over",
                    *why_and_woken(night),
                    "taken back" if night["undone"] else "",
                )
                for number, night in nights
            ]
            told.append(self.table(("Night", "Began", "Ended", "Why", "Woken by", ""), rows))
        else:
            told.append(f"  It has not slept yet; |waisleep/now {character.key}|n lets it.")
        self.show(told)

    @switch("now", "Admin", named=True, takes=1)
    def _now(self, character: Any) -> None:
        put_to_bed(character, by=self.caller.key)
        lead = "It" if self._sees(character) else f"{name_of(character)} falls asleep; it"
        self.msg(f"{lead} wakes when its night's work is done.")

    @switch("wake", "Admin", named=True, takes=1)
    def _wake(self, character: Any) -> None:
        if not call_awake(character, by=self.caller.key):
            self.msg(f"{name_of(character)} is sorting its journal, and wakes right after.")
            return
        if not self._sees(character):
            self.msg(f"{name_of(character)} is awake.")

    def _sees(self, character: Any) -> bool:
        """Is the caller told by the room when it falls asleep or wakes?"""
        return character.location is not None and character.location == self.caller.location

    @switch("schedule", "Admin", named=True)
    def _schedule(self, character: Any) -> None:
        for key, value in _schedule_in(self.rhs or "").items():
            configure(character, key, value, by=name_of(self.caller))
        self.msg(f"{name_of(character)} sleeps: {_hours(character)}.")

    @switch("report", named=True)
    def _report(self, character: Any) -> None:
        store = store_of(character)
        night = self._night(store.read("sleep"))
        report = night_report(store.records(night["id"]))
        ended = minute(night["ended"]) or "now"
        told = [f"|wThe night of {name_of(character)}|n, {minute(night['began'])} to {ended}"]
        if night["undone"]:
            told.append(f"|yTaken back on {minute(night['undone'])}.|n")
        self.show([*told, *(list(_news(report)) or ["A night without news."])])

    @switch("undo", "Admin", named=True)
    def _undo(self, character: Any) -> None:
        night = self._night(store_of(character).read("sleep"))
        counts = unmake_night(character, night, by=self.caller.key)
        self.msg(told_of_undoing(counts))

    def _night(self, sleep: Json) -> Json:
        """Return the night whose number was typed, counted from the last."""
        nights: list[Json] = sleep["nights"]
        number = number_in(self.rhs, 1)
        if not nights:
            raise AssistantError("It has not slept yet: aisleep/now lets it.")
        if number > len(nights):
            raise AssistantError(f"On record: {counted(len(nights), 'night')}; 1 is the last.")
        return nights[-number]


def told_of_undoing(counts: Mapping[str, int]) -> str:
    """Return what is told of a night that was taken back."""
    told = [f"{counted(counts[name], *of)} {end}" for name, *of, end in _UNDONE if counts[name]]
    return (
        f"That night is taken back: {', '.join(told) or 'it had made nothing'}. "
        "What was said is remembered; something is learned of it once it is said again."
    )


def _overview(character: Any) -> tuple[object, ...]:
    sleep = store_of(character).read("sleep")
    return name_of(character), _state(sleep), _hours(character), len(sleep["nights"])


def _state(sleep: Json) -> str:
    if sleep["mode"] == "awake":
        return f"awake since {minute(sleep['since'])}" if sleep["since"] else "awake"
    called = ", called already" if sleep["called_by"] else ""
    return f"asleep since {minute(sleep['since'])}, {sleep['phase']}{called}"


def _hours(character: Any) -> str:
    return hours_of(character.assistant_script.config)


def _schedule_in(text: str) -> dict[str, str]:
    """Return the options that a schedule sets; raises `AssistantError` for one not understood."""
    words = text.lower().split()
    if words == ["off"]:
        return {"sleep_enabled": "off"}
    clock = words.pop() if words and words[-1] in _CLOCKS else ""
    if len(words) != 3 or words[1] != "for":
        raise Misused("As in: 23 for 6 game. Usage:")
    chosen = {"sleep_start_hour": words[0], "sleep_duration_hours": words[2]}
    for key, typed in chosen.items():
        option = OPTIONS[key]
        try:
            option.parse(key, typed)
        except ConfigurationError as error:
            told = f"{option.about.capitalize()}: {option.takes()}, not '{clean(typed, 20)}'."
            raise AssistantError(told) from error
    return {**chosen, **({"sleep_clock": clock} if clock else {}), "sleep_enabled": "on"}


def _news(report: Json) -> Iterator[str]:
    for who, person in sorted(report["people"].items()):
        changes = [
            f"  {line.format(whose=_whose(change), **change)}"
            for kind, line in _CHANGES.items()
            for change in person[kind]
        ]
        if changes:
            yield from (f"|w{who}|n", *changes)
    if report["insights"]:
        yield "|wLooking back it understood|n"
        yield from (f"  {insight['text']}{_whose(insight)}" for insight in report["insights"])
    for refused in report["refused"]:
        words = f"'{refused['fact']}'{_whose(refused)}" if refused["fact"] else "An answer"
        yield f"|y{words} was not taken: {refused['why']}.|n"
    if done := done_quietly(report):
        yield f"|wQuietly|n it {done}."


def done_quietly(report: Json) -> str:
    """Return what a report counts, in words; empty where that is nothing."""
    return ", ".join(
        f"{verb} {counted(report[name], *of)}" for name, verb, *of in _QUIETLY if report[name]
    )


def _whose(item: Json) -> str:
    return private(str(item["readers"]))


def why_and_woken(night: Json) -> tuple[str, str]:
    """Return why a night began and who ended it, in words."""
    return (
        _WHY.get(night["why"], night["why"]),
        night["woken_by"] if night["woken_by"] != "done" else "nobody",
    )
