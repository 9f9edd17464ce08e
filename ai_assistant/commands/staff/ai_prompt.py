"""What `ai` does about prompts: components and templates of the owner's, and the next prompt."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from twisted.internet.defer import Deferred

from ai_assistant.agent.prompt import component, templates
from ai_assistant.agent.prompt.build import build_prompt
from ai_assistant.agent.prompt.draft import length_of
from ai_assistant.agent.prompt.fitting import room_of, tools_size
from ai_assistant.agent.prompt.macros import MacroRegistry
from ai_assistant.agent.prompt.measures import get_model_max_tokens, get_utilization_status
from ai_assistant.agent.prompt.prompt_wording import dump
from ai_assistant.agent.turn.opening import begin
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.api.handlers import save, store_of
from ai_assistant.api.overview import running
from ai_assistant.commands.command_base import AICommand, braced
from ai_assistant.commands.tables import as_it_stands
from ai_assistant.core.contracts import AuditRecord, Change, Commit, Event, Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.model_records import Message
from ai_assistant.core.text import clean
from ai_assistant.game.identity import name_of, reference
from ai_assistant.game.line_ids import Utterances
from ai_assistant.game.perception import from_msg, from_page
from ai_assistant.memory.inner.owner_additions import DEFAULT_TEMPLATE
from ai_assistant.runtime.assembly import load_macros, pick_profile
from ai_assistant.runtime.resident import Resident
from ai_assistant.runtime.service import SERVICE
from ai_assistant.scenes.live_scenes import SCENE_LINES

_SWITCHES = {"enable": True, "disable": False}
_NUMBERS = {"depth": "injection_depth", "order": "injection_order"}
_REHEARSAL = "rehearsal"
_PRIVATELY = ("whisper", "page")
PARTS = {
    "stream": "conversation",
    "event": "what is answered",
    "entity": "about the speaker",
    "seen": "who and what is here",
    "now": "where and when",
    "user": "texts of yours",
}
"""Parts of a prompt whose keys are no plain words."""
_TEMPLATE_USAGE = (
    "Usage: ai/template <name> = create <template>: <text>; or native <template>: <text>; show, "
    "apply or delete <template>"
)


class PromptVerbs(AICommand):
    """The switches component, template and prompt of the command `ai`."""

    def do_component(self) -> None:
        """List the components, or change those of the owner's."""
        character = self.wanted(self.lhs)
        verb, rest = _split(self.rhs)
        stored = store_of(character).read("prompt")["components"]
        if not verb:
            self.show(self.table(_COMPONENT, _component_rows(stored)))
        elif verb == "delete":
            component.changed_component(stored, rest)
            _write(character, ("drop_component", {"key": rest}), f"component {rest}")
            self.msg(f"{name_of(character)}: the component {rest} is gone.")
        else:
            made = _changed(stored, verb, rest)
            _write(character, ("put_component", {"component": made}), f"component {made['key']}")
            self.msg(f"{name_of(character)}: {_component_line(made)}")
            self._warn(made["content"])

    def do_template(self) -> None:
        """List the templates, show one, or change them."""
        character = self.wanted(self.lhs)
        verb, rest = _split(self.rhs)
        prompting = store_of(character).read("prompt")
        if not verb:
            self.msg(_template_list(prompting))
        elif verb in ("show", "apply", "delete") and not rest:
            raise AssistantError(_TEMPLATE_USAGE)
        elif verb in ("create", "native"):
            self._put_template(character, prompting, verb, rest)
        elif verb in ("show", "apply", "delete"):
            name = templates.find_template(prompting, rest)
            if verb == "show":
                self.show(_template_text(prompting, name))
                return
            if verb == "delete":
                templates.check_name(name)
            step = {"apply": "apply_template", "delete": "drop_template"}[verb]
            _write(character, (step, {"name": name}), f"template {name}")
            now = store_of(character).read("prompt")["applied_template"]
            gone = "" if verb == "apply" else f"the template {name} is gone, "
            self.msg(f"{name_of(character)}: {gone}{now} is applied.")
        else:
            raise AssistantError(_TEMPLATE_USAGE)

    def _put_template(self, character: Any, prompting: Json, verb: str, rest: str) -> None:
        name, _, text = rest.partition(":")
        name = templates.check_name(name.strip())
        old = prompting["templates"].get(name, {"text": "", "native": ""})
        text = templates.check_template(text, load_macros())
        if verb == "native" and not old["text"]:
            raise AssistantError(f"Create {name} first; then give it a native text.")
        templates.check_room(prompting, name)
        values = {**old, "text" if verb == "create" else "native": text}
        _write(character, ("put_template", {"name": name, **values}), f"template {name}")
        self.msg(f"{name_of(character)}: the template {name} is kept; apply it to use it.")
        self._warn(text)

    def _warn(self, text: str) -> None:
        if unknown := load_macros().unknown(text):
            names = ", ".join(f"{{{{{name}}}}}" for name in unknown)
            self.msg(f"|yNobody knows {braced(names)}: that stays as it stands.|n")

    def do_prompt(self) -> Deferred[Any] | None:
        """Show the messages of the next turn, as if somebody said something now."""
        character = self.wanted(self.lhs)
        resident = running(character)
        event = self._mock_event(character)
        started = rehearse(resident, event)
        started.addCallback(lambda turn: self.show(_prompt_text(turn, self.table)))
        started.addErrback(self.failed)
        return None

    def _mock_event(self, character: Any) -> Event:
        """Return what is said, as it would be perceived now, in the scene that both play in."""
        who, mark, text = (self.rhs or "").partition(":")
        kind, _, name = who.strip().rpartition(" ") if mark else ("", "", "")
        private = kind in _PRIVATELY
        speaker = _person(self.caller, name if private else who.strip() if mark else "")
        words = (text if mark else self.rhs or "").strip() or "Hello."
        utterances = Utterances(later=lambda call: None)
        if kind == "page":
            heard = from_page(character, speaker, words, utterances)
        else:
            how = {"type": kind if private else "say"}
            line = (f'{name_of(speaker)} says, "{words}"', how)
            heard = from_msg(character, line, speaker, None, utterances)
        if heard is None:
            raise AssistantError(f"{name_of(character)} does not talk to itself.")
        source = reference(speaker, character)
        return SCENE_LINES.sketched(
            replace(heard, source=source, content=clean(words, 1000)), character
        )


def rehearse(resident: Resident, event: Event) -> Deferred[Turn]:
    """Return a turn with the prompt it would have if this event came now; nothing is written."""
    turn = begin(resident.mind, [event], _REHEARSAL, rehearsal=True)

    async def built() -> Turn:
        await build_prompt(turn)
        return turn

    return Deferred.fromCoroutine(built())


def _person(caller: Any, name: str) -> Any:
    if not name:
        return caller
    found = caller.search(name, global_search=True, quiet=True)
    if len(found) != 1:
        raise AssistantError(f"Who is '{clean(name, 60)}'? Name one character of the game.")
    return found[0]


def _split(text: str | None) -> tuple[str, str]:
    """Return the first word in small letters, and the rest."""
    verb, _, rest = (text or "").strip().partition(" ")
    return verb.lower(), rest.strip()


def _write(character: Any, step: tuple[str, Json], what: str) -> None:
    at = time.time()
    record = AuditRecord("ConfigurationChanged", {"key": what, "step": step[0]}, at=at)
    save(character, Commit(at=at, changes=[Change("prompt", "", *step)], audit=[record]))


# -- components


def _changed(stored: list[Json], verb: str, rest: str) -> Json:
    """Return the component that a person asks for: ``add 1200 mood: …``, ``depth mood 2``."""
    words, _, text = rest.partition(":")
    names = words.split()
    if verb == "add" and len(names) == 2:
        return component.new_component(stored, *names, text)
    if verb == "edit" and len(names) == 1:
        return component.changed_component(stored, names[0], content=text)
    if verb in _SWITCHES and len(names) == 1:
        return component.changed_component(stored, names[0], enabled=_SWITCHES[verb])
    if verb == "role" and len(names) == 2:
        return component.changed_component(stored, names[0], role=names[1])
    if verb in _NUMBERS and len(names) == 2 and names[1].isdecimal() and len(names[1]) < 5:
        return component.changed_component(stored, names[0], **{_NUMBERS[verb]: int(names[1])})
    raise AssistantError(
        "Usage: ai/component <name> = add <id> <key>: <text>; or edit <key>: <text>; enable, "
        "disable or delete <key>; role <key> <role>; depth or order <key> <number>"
    )


_COMPONENT = ("Id", "Key", "Role", "Where", "What")


def _component_rows(stored: list[Json]) -> list[tuple[object, ...]]:
    own = component.user_components(stored, MacroRegistry())
    rows = [(one.id, one.key, "", "", one.description) for one in component.BUILTIN]
    rows += [(one.id, one.key, one.role, _place(one), one.content) for one in own]
    return sorted(rows)


def _place(one: component.PromptComponent) -> str:
    where = f"{one.injection_depth} from the end" if one.injection_depth else "by its id"
    return f"{where}, order {one.injection_order}" if one.enabled else "switched off"


def _component_line(made: Json) -> str:
    one = component.PromptComponent(**made)
    return as_it_stands(f"component {one.id} {one.key} ({one.role}, {_place(one)}): {one.content}")


# -- templates


def _template_list(prompting: Json) -> str:
    applied = prompting["applied_template"]
    names: Iterable[str] = [DEFAULT_TEMPLATE, *prompting["templates"]]
    return "\n".join(f"|w{name}|n{' (applied)' if name == applied else ''}" for name in names)


def _template_text(prompting: Json, name: str) -> str:
    text, native = templates.template_texts({**prompting, "applied_template": name})
    parts = [text, *([f"-- for models with tool calls of their own:\n{native}"] if native else [])]
    return as_it_stands("\n".join(parts))


# -- the prompt


def _prompt_text(turn: Turn, table: Callable[..., str]) -> str:
    """Return the messages as they would be sent, then the tokens of each part and of all."""
    per_char = turn.mind.tokens_per_char
    tools = round(tools_size(turn) * per_char)
    counted = {f"{len(turn.offered())} tools": tools}
    for key, part in turn.parts:
        name = PARTS.get(key, key)
        counted[name] = counted.get(name, 0) + _tokens(part, per_char)
    whole = tools + sum(_tokens(one, per_char) for one in turn.prompt)
    level = get_utilization_status(turn.utilisation)
    sums = (
        f"{whole} of {round(room_of(turn) * per_char)} tokens; before anything gave way "
        f"{turn.utilisation:.0%}: {level}{_limit_of_model(turn)}"
    )
    withheld = f"\nNo room for: {', '.join(sorted(turn.withheld))}" if turn.withheld else ""
    told = [
        f"|w[{one.role}]|n {_tokens(one, per_char)} tokens\n{as_it_stands(_words(one))}"
        for one in turn.prompt
    ]
    return "\n\n".join([*told, f"{table(('Part', 'Tokens'), counted.items())}\n{sums}{withheld}"])


def _tokens(message: Message, per_char: float) -> int:
    return round(length_of(message) * per_char)


def _words(message: Message) -> str:
    """Return what a message says, its tool calls included."""
    calls = (f"{call.name} {dump(call.arguments)}" for call in message.tool_calls)
    return "\n".join(filter(None, (message.content, *calls)))


def _limit_of_model(turn: Turn) -> str:
    """Say what the model can read, where that is less than the assistant may send."""
    config = turn.mind.config
    model = pick_profile(SERVICE.shared.profiles, "chat", config["llm_profile"]).model
    most = get_model_max_tokens(model)
    if config["max_context_tokens"] <= most:
        return ""
    return f"\n|y{model} reads {most} tokens, as far as we know: lower max_context_tokens.|n"
