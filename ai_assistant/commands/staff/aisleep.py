"""The command `aisleep`: putting assistants to bed, waking them, and what their nights brought."""

from __future__ import annotations

from typing import Any

from ai_assistant.api.handlers import store_of
from ai_assistant.api.lifecycle import configure
from ai_assistant.api.overview import running
from ai_assistant.commands.command_base import AICommand
from ai_assistant.commands.shown import minute
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean
from ai_assistant.game.identity import name_of
from ai_assistant.runtime.resident import Resident
from ai_assistant.runtime.service import SERVICE
from ai_assistant.sleep.report import night_report, undo_night

_WHY = {"schedule": "its hours", "tool": "its own wish", "command": "told to"}
_CLOCKS = ("game", "real")


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
      aisleep/now marrek
      aisleep/schedule marrek = 23 for 6 game
      aisleep/report marrek

    """

    key = "aisleep"
    aliases = ["ainight"]
    verbs = {
        "": ("do_show", "Builder"),
        "now": ("do_now", "Admin"),
        "wake": ("do_wake", "Admin"),
        "schedule": ("do_schedule", "Admin"),
        "report": ("do_report", "Builder"),
        "undo": ("do_undo", "Admin"),
    }

    def do_show(self) -> None:
        """Show whether it sleeps, when it does, and its last nights; of all, without a name."""
        if not self.lhs:
            self.overview(("Name", "State", "Hours", "Nights"), _overview)
            return
        character = self.wanted(self.lhs)
        sleep = store_of(character).read("sleep")
        told = [f"|w{name_of(character)}|n: {_state(sleep)}", f"  hours: {_hours(character)}"]
        if sleep["nights"]:
            rows = [_row(n, one) for n, one in enumerate(reversed(sleep["nights"]), start=1)]
            told.append(self.table(("Night", "Began", "Ended", "Why", "Woken by", ""), rows))
        else:
            told.append(f"  It has not slept yet; |waisleep/now {character.key}|n lets it.")
        self.show("\n".join(told))

    def do_now(self) -> None:
        """Put it to sleep."""
        resident = running(self.wanted(self.lhs))
        resident.sleeper.begin()
        SERVICE.tick(resident.id)
        self.msg(f"{self._name(resident)} falls asleep; it wakes when its night's work is done.")

    def do_wake(self) -> None:
        """Wake it, or have it wake as soon as it can."""
        resident = running(self.wanted(self.lhs))
        if resident.sleeper.end():
            SERVICE.interrupt(resident.id)
            SERVICE.tick(resident.id)
            self.msg(f"{self._name(resident)} is awake.")
            return
        self.msg(f"{self._name(resident)} is sorting its journal, and wakes right after.")

    def _name(self, resident: Resident) -> str:
        return resident.mind.world.me().name

    def do_schedule(self) -> None:
        """Set its hours of sleep."""
        character = self.wanted(self.lhs)
        for key, value in _schedule(self.rhs or "").items():
            configure(character, key, value)
        self.msg(f"{name_of(character)} sleeps: {_hours(character)}.")

    def do_report(self) -> None:
        """Tell what a night brought."""
        character = self.wanted(self.lhs)
        store = store_of(character)
        night = _night(store.read("sleep"), self.number(self.rhs, 1))
        report = night_report(store.records(night["id"]))
        self.show("\n".join(_told(name_of(character), night, report)))

    def do_undo(self) -> None:
        """Take a night back."""
        resident = running(self.wanted(self.lhs))
        sleep = resident.mind.store.read("sleep")
        night = _night(sleep, self.number(self.rhs, 1))
        if sleep["night"] == night["id"] and resident.mind.phase:
            raise AssistantError("That night is not over; aisleep/wake ends it.")
        counts = undo_night(resident.mind, night["id"], by=self.caller.key)
        told = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
        self.msg(f"That night is taken back: {told or 'there was nothing to take back'}.")


def _overview(character: Any) -> tuple[object, ...]:
    sleep = store_of(character).read("sleep")
    return name_of(character), _state(sleep), _hours(character), len(sleep["nights"])


def _state(sleep: Json) -> str:
    if sleep["mode"] == "awake":
        return f"awake since {minute(sleep['since'])}" if sleep["since"] else "awake"
    called = ", called already" if sleep["called_by"] else ""
    return f"asleep since {minute(sleep['since'])}, {sleep['phase']}{called}"


def _hours(character: Any) -> str:
    config = character.assistant_script.config
    if not config["sleep_enabled"]:
        return "none"
    start, duration = config["sleep_start_hour"], config["sleep_duration_hours"]
    return f"from {start:g} o'clock for {duration:g} hours, by the {config['sleep_clock']} clock"


def _schedule(text: str) -> dict[str, str]:
    """Return the options that a schedule sets; raises `AssistantError` for one not understood."""
    words = text.lower().split()
    if words == ["off"]:
        return {"sleep_enabled": "off"}
    clock = words.pop() if words and words[-1] in _CLOCKS else ""
    if len(words) != 3 or words[1] != "for":
        raise AssistantError("Usage: aisleep/schedule <assistant> = 23 for 6 game; 'off' ends it.")
    chosen = {"sleep_start_hour": words[0], "sleep_duration_hours": words[2]}
    return {**chosen, **({"sleep_clock": clock} if clock else {}), "sleep_enabled": "on"}


def _night(sleep: Json, number: int) -> Json:
    nights: list[Json] = sleep["nights"]
    if not nights:
        raise AssistantError("It has not slept yet: aisleep/now lets it.")
    if number > len(nights):
        nights_ = "1 night is" if len(nights) == 1 else f"{len(nights)} nights are"
        raise AssistantError(f"Only {nights_} on record; 1 is the last.")
    return nights[-number]


def _row(number: int, night: Json) -> tuple[object, ...]:
    return (
        number,
        minute(night["began"]),
        minute(night["ended"]) if night["ended"] else "not over",
        _WHY.get(night["why"], night["why"]),
        night["woken_by"],
        "taken back" if night["undone"] else "",
    )


# -- the report


def _told(name: str, night: Json, report: Json) -> list[str]:
    began, ended = minute(night["began"]), minute(night["ended"])
    lines = [f"|wThe night of {name}|n, {began} to {ended or 'now'}"]
    if night["undone"]:
        lines.append(f"|yTaken back on {minute(night['undone'])}.|n")
    for who, person in sorted(report["people"].items()):
        lines += _of_person(who, person)
    if report["insights"]:
        lines.append("|wLooking back it understood|n")
        lines += [f"  {one['text']}{_whose(one)}" for one in report["insights"]]
    for one in report["refused"]:
        words = f"'{one['fact']}'{_whose(one)}" if one["fact"] else "An answer"
        lines.append(f"|y{words} was not taken: {one['why']}.|n")
    quiet = _quietly(report)
    if quiet:
        lines.append(f"|wQuietly|n it {quiet}.")
    if len(lines) == 1:
        lines.append("A night without news.")
    return lines


def _of_person(who: str, person: Json) -> list[str]:
    lines = [f"|w{who}|n"]
    lines += [f"  |g+|n {one['text']}{_whose(one)}" for one in person["learned"]]
    lines += [
        f"  |c~|n {one['after']}{_whose(one)}  |x(before: {one['before']})|n"
        for one in person["changed"]
    ]
    lines += [f"  |x= {one['text']}{_whose(one)}: once more|n" for one in person["merged"]]
    lines += [
        f"  |y?|n {one['text']}{_whose(one)}  |x(against firmer or later word)|n"
        for one in person["doubted"]
    ]
    lines += [f"  |m*|n {one['by']:+.2f}: {one['reason']}{_whose(one)}" for one in person["felt"]]
    return lines if len(lines) > 1 else []


def _whose(one: Json) -> str:
    return "" if one["readers"] == "*" else " |m(private)|n"


def _quietly(report: Json) -> str:
    told = (
        ("read", "read", "line of the day", "lines of the day"),
        ("filed", "filed", "journal entry", "journal entries"),
        ("linked", "tied", "memory to others", "memories to others"),
        ("closed", "closed", "talk that was over", "talks that were over"),
        ("folded", "shortened", "long talk", "long talks"),
        ("moved", "moved", "old fact to its memories", "old facts to its memories"),
        ("put_by", "put by", "trifle", "trifles"),
        ("strangers", "let go of", "stranger", "strangers"),
        ("summarised", "summarised", "line of a block", "lines of blocks"),
        ("lines", "put", "line of long ago into summaries", "lines of long ago into summaries"),
        ("days", "made", "summary of an old day", "summaries of old days"),
    )
    parts = [
        f"{verb} {report[name]} {one if report[name] == 1 else several}"
        for name, verb, one, several in told
        if report[name]
    ]
    return clean(", ".join(parts))
