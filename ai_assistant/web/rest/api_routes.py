"""All endpoints of the API: each with the command that does the same, whose permission it needs."""

from __future__ import annotations

from collections.abc import Mapping

from django.urls import path, re_path

from ai_assistant.commands.blocks.aiblock import CmdAIBlock
from ai_assistant.commands.blocks.aiworld import CmdAIWorld
from ai_assistant.commands.desk.aidraft import CmdAIDraft
from ai_assistant.commands.desk.ainote import CmdAINote
from ai_assistant.commands.desk.aitry import CmdAITry
from ai_assistant.commands.records.aiaudit import CmdAIAudit
from ai_assistant.commands.records.aiexec import CmdAIExec
from ai_assistant.commands.staff.ai import CmdAI
from ai_assistant.commands.staff.aidelegate import CmdAIDelegate
from ai_assistant.commands.staff.aigoal import CmdAIGoal
from ai_assistant.commands.staff.aimem import CmdAIMem
from ai_assistant.commands.staff.aiproj import CmdAIProj
from ai_assistant.commands.staff.airel import CmdAIRel
from ai_assistant.commands.staff.aisleep import CmdAISleep
from ai_assistant.web.rest import api_blocks as blocks
from ai_assistant.web.rest import api_calls as calls
from ai_assistant.web.rest import api_desk as desk
from ai_assistant.web.rest import api_happened as happened
from ai_assistant.web.rest import api_life as life
from ai_assistant.web.rest import api_mind as mind
from ai_assistant.web.rest import api_plans as plans
from ai_assistant.web.rest import api_prompts as prompts
from ai_assistant.web.rest import api_records as records
from ai_assistant.web.rest import api_shelf as shelf
from ai_assistant.web.rest.api_endpoint import KEY, Endpoint
from ai_assistant.web.rest.api_gate import Nowhere, address_view
from ai_assistant.web.rest.scene_routes import SCENES

ALL, ONE = "assistants/", f"assistants/{KEY}/"
MEMORY, PERSON = f"{ONE}memories/<str:ref>/", f"{ONE}people/<str:who>/"
BLOCK, PLACE = f"{ONE}blocks/<str:block>/", "world/places/<str:place>/"
TRIES, BOOK = f"{ONE}tries/", "lore/<str:book>/"
BOOK_ENTRY, CARD_ENTRY = f"{BOOK}entries/<str:entry>/", f"{ONE}lore/<str:entry>/"
TEMPLATE, COMPONENT = f"{ONE}templates/<str:template>/", f"{ONE}components/<str:component>/"
GUIDELINE = f"{ONE}guidelines/<str:guideline>/"
GOAL, PROJECT = f"{ONE}goals/<str:goal>/", f"{ONE}projects/<str:project>/"

LIFE = (
    Endpoint("GET", ALL, life.list_assistants, CmdAI),
    Endpoint("POST", ALL, life.make, CmdAI, "create", life.NewAssistant, status=201),
    Endpoint(
        "POST", f"{ALL}cards/", shelf.make_of_card, CmdAI, "import", shelf.CardAndRoom, status=201
    ),
    Endpoint(
        *("POST", f"{ALL}whole/", shelf.import_all, CmdAI, "import", shelf.WhichRoom),
        permission="Admin",
        status=202,
        file=shelf.WHOLE_FILE,
    ),
    Endpoint("POST", "quiet/", life.silence_all, CmdAI, "quiet", life.Silence),
    Endpoint("GET", "turns/", happened.all_turns, CmdAI, "turns", happened.WhichTurns),
    Endpoint("GET", "jobs/<str:job>/", life.job, CmdAI),
    Endpoint("GET", ONE, life.show_assistant, CmdAI, "status"),
    Endpoint("DELETE", ONE, life.delete, CmdAI, "delete", life.Sure),
    Endpoint("POST", f"{ONE}start/", life.start, CmdAI, "start"),
    Endpoint("POST", f"{ONE}stop/", life.stop, CmdAI, "stop"),
    Endpoint("POST", f"{ONE}quiet/", life.silence_one, CmdAI, "quiet", life.Silence),
    Endpoint("GET", f"{ONE}config/", life.config, CmdAI, "config"),
    Endpoint("PATCH", f"{ONE}config/", life.set_option, CmdAI, "config", life.NewValue, "Admin"),
    Endpoint("GET", f"{ONE}persona/", life.show_persona, CmdAI, "persona"),
    Endpoint("PATCH", f"{ONE}persona/", life.set_persona, CmdAI, "persona", life.PersonaFields),
    Endpoint("GET", f"{ONE}card/", life.export_card, CmdAI, "export"),
    Endpoint("POST", f"{ONE}whole/", shelf.export_all, CmdAI, "export", status=202),
    Endpoint("POST", f"{ONE}card/", shelf.take_card, CmdAI, "import", shelf.GivenCard),
    Endpoint("POST", f"{ONE}reset/", life.begin_anew, CmdAI, "reset", life.NewBeginning),
    Endpoint("POST", f"{ONE}release/", life.give_back, CmdAI, "release", life.FormerSelf),
)
HAPPENED = (
    Endpoint("GET", f"{ONE}history/", happened.read_history, CmdAI, "history", happened.WhichLines),
    Endpoint("GET", f"{ONE}turns/", happened.list_turns, CmdAI, "turns", happened.WhichTurns),
    Endpoint("GET", f"{ONE}turns/<str:turn>/", happened.show_turn, CmdAI, "why"),
    Endpoint("GET", f"{ONE}why/", happened.show_reasons, CmdAI, "why", mind.Newest),
    Endpoint(
        "GET", f"{ONE}records/", happened.records, CmdAIAudit, "events", happened.WhichRecords
    ),
    Endpoint("GET", f"{ONE}calls/", calls.show_model_calls, CmdAI, "call", calls.WhichCalls),
    Endpoint("GET", f"{ONE}calls/<str:call>/", calls.show_model_call, CmdAI, "call"),
    Endpoint("GET", f"{ONE}tasks/", calls.show_tasks, CmdAIDelegate, "history", mind.Newest),
    Endpoint("GET", f"{ONE}workbench/preview/", plans.preview, CmdAI, "prompt", plans.PreviewOf),
    Endpoint(
        *("POST", f"{ONE}questions/", plans.ask_assistant, CmdAIDelegate, "", plans.AskedOf),
        permission="Admin",
        status=202,
    ),
)
MIND = (
    Endpoint("GET", f"{ONE}memories/", mind.list_memories, CmdAIMem, "why", mind.Looking),
    Endpoint("GET", MEMORY, mind.show_memory, CmdAIMem, "search"),
    Endpoint("GET", f"{MEMORY}who/", mind.show_who_knows, CmdAIMem, "who"),
    Endpoint("PATCH", MEMORY, mind.edit_memory, CmdAIMem, "edit", mind.NewWords, status=202),
    Endpoint("DELETE", MEMORY, mind.forget_memory, CmdAIMem, "forget", status=202),
    Endpoint(
        *("DELETE", "people/<str:who>/", mind.forget_somebody, CmdAIMem, "erase", mind.Erased),
        status=202,
    ),
    Endpoint("POST", f"{ONE}announcements/", mind.inform, CmdAI, "announce", mind.GivenText),
    Endpoint("POST", f"{ONE}publications/", mind.publish, CmdAI, "publish", mind.Published),
    Endpoint("GET", f"{ONE}journal/", mind.journal, CmdAIMem, "journal", mind.Newest),
    Endpoint("GET", f"{ONE}session/", mind.session, CmdAIMem, "session"),
    Endpoint("GET", f"{ONE}notebook/", mind.notebook, CmdAIMem, "notebook"),
    Endpoint("GET", f"{ONE}people/", mind.list_people, CmdAIRel),
    Endpoint("GET", PERSON, mind.show_person, CmdAIMem, "profile"),
    Endpoint("PATCH", PERSON, mind.set_favor, CmdAIRel, "set", mind.Favor),
    Endpoint("GET", f"{ONE}nights/", mind.nights, CmdAISleep),
    Endpoint("GET", f"{ONE}nights/<str:night>/", mind.night, CmdAISleep, "report"),
    Endpoint("POST", f"{ONE}nights/<str:night>/undo/", mind.take_back_night, CmdAISleep, "undo"),
    Endpoint("POST", f"{ONE}sleep/", mind.sleep, CmdAISleep, "now", mind.Asleep),
)
PLANS = (
    Endpoint("GET", f"{ONE}goals/", plans.show_goals, CmdAIGoal),
    Endpoint("POST", f"{ONE}goals/", plans.add_goal, CmdAIGoal, "add", plans.NewGoal, status=201),
    Endpoint("GET", f"{ONE}agenda/", desk.show_agenda, CmdAIGoal, "agenda"),
    Endpoint("GET", GOAL, plans.goal, CmdAIGoal),
    Endpoint("PATCH", GOAL, plans.change_goal, CmdAIGoal, "set", plans.GoalChange),
    Endpoint("POST", f"{GOAL}decompose/", plans.decompose, CmdAIGoal, "decompose", status=202),
    Endpoint("GET", f"{ONE}projects/", plans.projects, CmdAIProj),
    Endpoint(
        *("POST", f"{ONE}projects/", plans.add_project, CmdAIProj, "create", plans.NewProject),
        status=201,
    ),
    Endpoint("PATCH", PROJECT, plans.change_project, CmdAIProj, "update", plans.ProjectChange),
    Endpoint("GET", f"{ONE}blocks/", blocks.blocks, CmdAIBlock, "show"),
    Endpoint("GET", BLOCK, blocks.show_block, CmdAIBlock, "show"),
    Endpoint("POST", f"{BLOCK}limit/", blocks.limit_block, CmdAIBlock, "limit", blocks.BlockLimit),
    Endpoint("PATCH", BLOCK, blocks.change_block, CmdAIBlock, "edit", blocks.BlockChange),
    Endpoint("GET", f"{BLOCK}versions/", blocks.list_versions, CmdAIBlock, "history"),
    Endpoint("POST", f"{BLOCK}undo/", blocks.undo_block, CmdAIBlock, "undo"),
    Endpoint(
        *("POST", f"{ONE}blocks/", blocks.make_block, CmdAIBlock, "create", blocks.NewBlock),
        status=201,
    ),
    Endpoint("DELETE", BLOCK, blocks.drop_block, CmdAIBlock, "delete"),
    Endpoint("POST", f"{BLOCK}join/", blocks.share_block, CmdAIBlock, "join"),
    Endpoint("POST", f"{BLOCK}leave/", blocks.stop_sharing, CmdAIBlock, "leave"),
)
PROMPTS = (
    Endpoint("GET", f"{ONE}templates/", prompts.show_templates, CmdAI, "template"),
    Endpoint("PATCH", TEMPLATE, prompts.write_template, CmdAI, "template", prompts.TemplateTexts),
    Endpoint("POST", f"{TEMPLATE}apply/", prompts.use_template, CmdAI, "template"),
    Endpoint("DELETE", TEMPLATE, prompts.delete_template, CmdAI, "template"),
    Endpoint("GET", f"{ONE}components/", prompts.show_components, CmdAI, "component"),
    Endpoint(
        *("POST", f"{ONE}components/", prompts.make_component, CmdAI, "component"),
        prompts.NewComponent,
        status=201,
    ),
    Endpoint(
        *("PATCH", COMPONENT, prompts.change_component, CmdAI, "component"),
        prompts.ComponentChange,
    ),
    Endpoint("DELETE", COMPONENT, prompts.delete_component, CmdAI, "component"),
    Endpoint("GET", f"{ONE}guidelines/", prompts.show_guidelines, CmdAI, "guidelines"),
    Endpoint(
        *("POST", f"{ONE}guidelines/", prompts.new_guideline, CmdAI, "guidelines"),
        prompts.NewGuideline,
        status=201,
    ),
    Endpoint("POST", f"{GUIDELINE}accept/", prompts.accept_guideline, CmdAI, "guidelines"),
    Endpoint("DELETE", GUIDELINE, prompts.reject_guideline, CmdAI, "guidelines"),
)
WORLD = (
    Endpoint("GET", "world/", records.show_world, CmdAIWorld),
    Endpoint("POST", "world/news/", records.tell_news, CmdAIWorld, "event", records.WorldNews),
    Endpoint("PATCH", "world/lore/", records.write_lore, CmdAIWorld, "lore", records.WorldLore),
    Endpoint("PATCH", PLACE, records.put_place, CmdAIWorld, "place", records.WorldPlace),
    Endpoint("DELETE", PLACE, records.drop_from_map, CmdAIWorld, "remove"),
    Endpoint("POST", "world/sync/", records.sync_map, CmdAIWorld, "sync"),
    Endpoint("GET", "lore/", shelf.show_shelf, CmdAI, "lore"),
    Endpoint(
        *("POST", "lore/", shelf.put_on_shelf, CmdAI, "import", shelf.GivenBook),
        permission="Admin",
        status=201,
    ),
    Endpoint("DELETE", BOOK, shelf.drop_from_shelf, CmdAI, "lore", permission="Admin"),
    Endpoint("GET", f"{BOOK}log/", shelf.show_shelf_log, CmdAI, "lore", permission="Admin"),
    Endpoint("POST", f"{BOOK}undo/", shelf.undo_on_shelf, CmdAI, "lore", permission="Admin"),
    Endpoint("GET", BOOK_ENTRY, shelf.show_entry, CmdAI, "lore", permission="Admin"),
    Endpoint(
        *("PATCH", BOOK_ENTRY, shelf.change_entry, CmdAI, "lore", shelf.EntryFields),
        permission="Admin",
    ),
    Endpoint("GET", CARD_ENTRY, shelf.show_card_entry, CmdAI, "lore", permission="Admin"),
    Endpoint(
        *("PATCH", CARD_ENTRY, shelf.change_card_entry, CmdAI, "lore", shelf.EntryFields),
        permission="Admin",
    ),
    Endpoint("GET", f"{ONE}lore/", shelf.show_its_lore, CmdAI, "lore", shelf.TriedWords),
)
KEPT = (
    Endpoint("GET", f"{ONE}execution/", records.show_execution, CmdAIExec),
    Endpoint(
        *("POST", f"{ONE}execution/stop/", records.stop_at_once, CmdAIExec, "trigger"),
        records.StopReason,
    ),
    Endpoint("POST", f"{ONE}execution/clear/", records.let_go_on, CmdAIExec, "clear"),
    Endpoint("GET", f"{ONE}audit/", records.list_moments, CmdAIAudit, "", records.WhichMoments),
    Endpoint("GET", f"{ONE}audit/at/", records.show_past, CmdAIAudit, "at", records.OneMoment),
    Endpoint(
        *("GET", f"{ONE}audit/compare/", records.compare_past, CmdAIAudit, "compare"),
        records.TwoMoments,
    ),
)
DESK = (
    Endpoint("GET", "money/", desk.show_money, CmdAI, "money", desk.WhichDays),
    Endpoint("GET", "health/", desk.show_health, CmdAI, "health"),
    Endpoint("GET", "settings/", desk.show_settings, CmdAI, "settings", desk.WhichSettings),
    Endpoint("GET", f"{ONE}notes/", desk.show_notes, CmdAINote),
    Endpoint("POST", f"{ONE}notes/", desk.add_note, CmdAINote, "", desk.NewNote, status=201),
    Endpoint("DELETE", f"{ONE}notes/<str:note>/", desk.drop_note, CmdAINote, "remove"),
    Endpoint(
        *("POST", f"{ONE}drafts/", desk.write_draft, CmdAIDraft, "", desk.Sentence), status=202
    ),
    Endpoint("GET", f"{TRIES}sandbox/", desk.show_sandbox, CmdAITry),
    Endpoint(
        *("POST", f"{TRIES}sandbox/", desk.speak_in_sandbox, CmdAITry, "", desk.SaidInSandbox),
        is_trial=True,
        status=202,
    ),
    Endpoint(
        *("POST", f"{TRIES}again/", desk.call_again, CmdAITry, "again", desk.CalledAgain),
        is_trial=True,
        status=202,
    ),
    Endpoint("GET", f"{TRIES}marks/", desk.show_marks, CmdAITry, "check"),
    Endpoint("POST", f"{TRIES}marks/", desk.set_mark, CmdAITry, "good", desk.GivenMark, status=201),
    Endpoint("DELETE", f"{TRIES}marks/<str:turn>/", desk.drop_mark, CmdAITry, "unmark"),
    Endpoint(
        *("POST", f"{TRIES}check/", desk.check_marks, CmdAITry, "check", desk.TriedWith),
        is_trial=True,
        status=202,
    ),
)
ENDPOINTS = (*LIFE, *HAPPENED, *KEPT, *MIND, *PLANS, *PROMPTS, *WORLD, *SCENES, *DESK)


def by_address() -> Mapping[str, list[Endpoint]]:
    """Return the endpoints of each address, in the order of the table."""
    found: dict[str, list[Endpoint]] = {}
    for endpoint in ENDPOINTS:
        found.setdefault(endpoint.address, []).append(endpoint)
    return found


urlpatterns = [
    *(path(address, address_view(endpoints)) for address, endpoints in by_address().items()),
    re_path("", Nowhere.as_view()),
]
