"""What `ai` does about prompts: components and templates of the owner's, and the next prompt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ai_assistant.agent.prompt import component, templates
from ai_assistant.api.desk import owner_writings
from ai_assistant.api.turns.rehearsal import Rehearsal, rehearse
from ai_assistant.commands.blocks.meant_blocks import figures_in_words
from ai_assistant.commands.choosing import said_by
from ai_assistant.commands.command_base import AICommand, braced, switch
from ai_assistant.commands.help_topics import Misused
from ai_assistant.commands.shown import minute
from ai_assistant.commands.tables import as_it_stands
from ai_assistant.core.text import counted, typed_number
from ai_assistant.core.times import iso
from ai_assistant.game.identity import name_of
from ai_assistant.memory.inner.owner_additions import DEFAULT_TEMPLATE

LISTED = 15
"""So many versions are listed."""
_SWITCHES = {"enable": True, "disable": False}
_NUMBERS = {"depth": "injection_depth", "order": "injection_order"}
_TEMPLATE_STEPS = {
    "apply": owner_writings.applying,
    "delete": owner_writings.without_template,
}


class PromptVerbs(AICommand):
    """
    The switches component, template and prompt of the command `ai`.

    """

    @switch("component", "Admin", named=True, writes="text")
    def _component(self, character: Any) -> None:
        verb, rest = _split(self.rhs)
        if not verb:
            own = owner_writings.own_components(character)
            rows = [(part.id, part.key, "", "", part.description) for part in component.BUILTIN]
            rows += [(part.id, part.key, part.role, _place(part), part.content) for part in own]
            self.show_table(("Id", "Key", "Role", "Where", "What"), sorted(rows))
        elif verb == "delete":
            gone = owner_writings.without_component(character, rest)
            self._write(character, gone)
            self.msg(f"{name_of(character)}: the {gone.what} is gone.")
        else:
            made = _changed(character, verb, rest)
            self._write(character, made)
            one = component.PromptComponent(**made.given["component"])
            facts = f"component {one.id} {one.key} ({one.role}, {_place(one)}): {one.content}"
            self.msg(f"{name_of(character)}: {as_it_stands(facts)}")
            self._warn(one.content)

    @switch("template", "Admin", named=True, writes="text")
    def _template(self, character: Any) -> None:
        verb, rest = _split(self.rhs)
        prompting = owner_writings.prompting_of(character)
        if not verb:
            applied = prompting["applied_template"]
            self.show(
                f"|w{name}|n{' (applied)' if name == applied else ''}"
                for name in (DEFAULT_TEMPLATE, *prompting["templates"])
            )
        elif verb in ("create", "native"):
            name, _, text = rest.partition(":")
            kind = "text" if verb == "create" else verb
            made = owner_writings.template_of(character, name.strip(), **{kind: text})
            self._write(character, made)
            self.msg(f"{name_of(character)}: the {made.what} is kept; apply it to use it.")
            self._warn(text)
        elif verb == "show" and rest:
            text, native = templates.template_texts(
                {**prompting, "applied_template": templates.find_template(prompting, rest)}
            )
            native = f"\n-- for models with tool calls of their own:\n{native}" if native else ""
            self.show(as_it_stands(text + native))
        elif verb in ("history", "back"):
            self._versions(character, rest if verb == "back" else "")
        elif verb in _TEMPLATE_STEPS and rest:
            made = _TEMPLATE_STEPS[verb](character, rest)
            self._write(character, made)
            now = owner_writings.prompting_of(character)["applied_template"]
            gone = "" if verb == "apply" else f"the {made.what} is gone, "
            self.msg(f"{name_of(character)}: {gone}{now} is applied.")
        else:
            raise Misused

    def _versions(self, character: Any, wanted: str) -> None:
        """List the versions of templates and components, or bring the wanted one back."""
        if moment := typed_number(wanted):
            earlier = owner_writings.earlier_prompting(character, moment)
            self._write(character, earlier)
            self.msg(f"{name_of(character)} has the {earlier.what} again.")
            return
        made = owner_writings.prompt_versions(character, LISTED)
        figures = figures_in_words(character, [version.at for version in made])
        rows = [
            (version.moment, minute(iso(version.at)), version.by, version.what, came)
            for version, came in zip(made, figures, strict=True)
        ]
        nothing = f"Nothing was written for {name_of(character)} that is on record."
        self.show_table(("Version", "When", "By", "What", "Turns by it"), rows, nothing)

    def _write(self, character: Any, writing: owner_writings.Writing) -> None:
        owner_writings.write_down(character, writing, by=self.caller.key)

    def _warn(self, text: str) -> None:
        if unknown := owner_writings.unknown_macros(text):
            told = f"Nobody knows {', '.join(unknown)}: that stays as it stands."
            self.msg(f"|y{braced(told)}|n")

    @switch("prompt", "Admin", named=True, writes="")
    def _prompt(self, character: Any) -> None:
        kind, speaker, words = said_by(self.caller, self.rhs)
        built = rehearse(character, speaker, words, kind)
        built.addCallback(lambda made: self.show("\n\n".join(self._prompt_text(made))))
        built.addErrback(self.failed)

    def _prompt_text(self, made: Rehearsal) -> Iterator[str]:
        """Yield the messages as they would be sent, then the tokens of each part and of all."""
        for message in made.messages:
            size = counted(message.tokens, "token")
            yield f"|w[{message.role}]|n {size}\n{as_it_stands(message.text)}"
        sums = (
            f"{made.tokens} of {made.room} tokens; before anything gave way "
            f"{made.utilisation:.0%}: {made.status}"
        )
        warning = f"\n|y{made.warning}|n" if made.warning else ""
        names = ", ".join(f"{name} {tokens}" for name, tokens in made.tools)
        named = f"\nTools, with their tokens: {names or 'none'}"
        withheld = f"\nNo room for: {', '.join(made.withheld)}" if made.withheld else ""
        yield f"{self.table(('Part', 'Tokens'), made.parts)}\n{sums}{warning}{named}{withheld}"


def _split(text: str | None) -> tuple[str, str]:
    verb, _, rest = (text or "").partition(" ")
    return verb.lower(), rest.strip()


def _changed(character: Any, verb: str, rest: str) -> owner_writings.Writing:
    """Return the component that a person asks for: ``add 1200 mood: …``, ``depth mood 2``."""
    words, _, text = rest.partition(":")
    names = words.split()
    if verb == "add" and len(names) == 2:
        return owner_writings.component_added(character, *names, text)
    if verb == "edit" and len(names) == 1:
        return owner_writings.component_changed(character, names[0], content=text)
    if verb in _SWITCHES and len(names) == 1:
        return owner_writings.component_changed(character, names[0], enabled=_SWITCHES[verb])
    if verb == "role" and len(names) == 2:
        return owner_writings.component_changed(character, names[0], role=names[1])
    if verb in _NUMBERS and len(names) == 2 and names[1].isdecimal() and len(names[1]) < 5:
        value = {_NUMBERS[verb]: int(names[1])}
        return owner_writings.component_changed(character, names[0], **value)
    raise Misused


def _place(one: component.PromptComponent) -> str:
    where = f"{one.injection_depth} from the end" if one.injection_depth else "by its id"
    return f"{where}, order {one.injection_order}" if one.enabled else "switched off"
