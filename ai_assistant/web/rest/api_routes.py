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
from ai_assistant.commands.staff.aiscene import CmdAIScene
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
from ai_assistant.web.rest import api_scenes as scenes
from ai_assistant.web.rest import api_shelf as shelf
from ai_assistant.web.rest import api_takes as takes
from ai_assistant.web.rest.api_endpoint import KEY, Endpoint
from ai_assistant.web.rest.api_gate import Nowhere, address_view

ALL, ONE = "assistants/", f"assistants/{KEY}/"
MEMORY, PERSON = f"{ONE}memories/<str:ref>/", f"{ONE}people/<str:who>/"
BLOCK, PLACE = f"{ONE}blocks/<str:block>/", "world/places/<str:place>/"
TRIES, BOOK = f"{ONE}tries/", "lore/<str:book>/"
BOOK_ENTRY, CARD_ENTRY = f"{BOOK}entries/<str:entry>/", f"{ONE}lore/<str:entry>/"
TEMPLATE, COMPONENT = f"{ONE}templates/<str:template>/", f"{ONE}components/<str:component>/"
GUIDELINE = f"{ONE}guidelines/<str:guideline>/"
SCENE = "scenes/<str:scene>/"
GOAL, PROJECT = f"{ONE}goals/<str:goal>/", f"{ONE}projects/<str:project>/"

LIFE = (
    Endpoint("GET", ALL, life.list_assistants, CmdAI),
    Endpoint("POST", ALL, life.make, CmdAI, "create", status=201),
    Endpoint("POST", f"{ALL}cards/", shelf.make_of_card, CmdAI, "import", status=201),
    Endpoint(
        *("POST", f"{ALL}whole/", shelf.import_all, CmdAI, "import"),
        permission="Admin",
        status=202,
        file=shelf.WHOLE_FILE,
    ),
    Endpoint("POST", "quiet/", life.silence_all, CmdAI, "quiet"),
    Endpoint("GET", "turns/", happened.all_turns, CmdAI, "turns"),
    Endpoint("GET", "jobs/<str:job>/", life.job, CmdAI),
    Endpoint("GET", ONE, life.show_assistant, CmdAI, "status"),
    Endpoint("DELETE", ONE, life.delete, CmdAI, "delete"),
    Endpoint("POST", f"{ONE}start/", life.start, CmdAI, "start"),
    Endpoint("POST", f"{ONE}stop/", life.stop, CmdAI, "stop"),
    Endpoint("POST", f"{ONE}quiet/", life.silence_one, CmdAI, "quiet"),
    Endpoint("GET", f"{ONE}config/", life.config, CmdAI, "config"),
    Endpoint("PATCH", f"{ONE}config/", life.set_option, CmdAI, "config", permission="Admin"),
    Endpoint("GET", f"{ONE}persona/", life.show_persona, CmdAI, "persona"),
    Endpoint("PATCH", f"{ONE}persona/", life.set_persona, CmdAI, "persona"),
    Endpoint("GET", f"{ONE}card/", life.export_card, CmdAI, "export"),
    Endpoint("POST", f"{ONE}whole/", shelf.export_all, CmdAI, "export", status=202),
    Endpoint("POST", f"{ONE}card/", shelf.take_card, CmdAI, "import"),
    Endpoint("POST", f"{ONE}reset/", life.begin_anew, CmdAI, "reset"),
    Endpoint("POST", f"{ONE}release/", life.give_back, CmdAI, "release"),
)
HAPPENED = (
    Endpoint("GET", f"{ONE}history/", happened.read_history, CmdAI, "history"),
    Endpoint("GET", f"{ONE}turns/", happened.list_turns, CmdAI, "turns"),
    Endpoint("GET", f"{ONE}turns/<str:turn>/", happened.show_turn, CmdAI, "why"),
    Endpoint("GET", f"{ONE}why/", happened.show_reasons, CmdAI, "why"),
    Endpoint("GET", f"{ONE}records/", happened.records, CmdAIAudit, "events"),
    Endpoint("GET", f"{ONE}calls/", calls.show_model_calls, CmdAI, "call"),
    Endpoint("GET", f"{ONE}calls/<str:call>/", calls.show_model_call, CmdAI, "call"),
    Endpoint("GET", f"{ONE}tasks/", calls.show_tasks, CmdAIDelegate, "history"),
    Endpoint("GET", f"{ONE}workbench/preview/", plans.preview, CmdAI, "prompt"),
    Endpoint(
        *("POST", f"{ONE}questions/", plans.ask_assistant, CmdAIDelegate),
        permission="Admin",
        status=202,
    ),
)
MIND = (
    Endpoint("GET", f"{ONE}memories/", mind.list_memories, CmdAIMem, "why"),
    Endpoint("GET", MEMORY, mind.show_memory, CmdAIMem, "search"),
    Endpoint("GET", f"{MEMORY}who/", mind.show_who_knows, CmdAIMem, "who"),
    Endpoint("PATCH", MEMORY, mind.edit_memory, CmdAIMem, "edit", status=202),
    Endpoint("DELETE", MEMORY, mind.forget_memory, CmdAIMem, "forget", status=202),
    Endpoint("DELETE", "people/<str:who>/", mind.forget_somebody, CmdAIMem, "erase", status=202),
    Endpoint("POST", f"{ONE}announcements/", mind.inform, CmdAI, "announce"),
    Endpoint("POST", f"{ONE}publications/", mind.publish, CmdAI, "publish"),
    Endpoint("GET", f"{ONE}journal/", mind.journal, CmdAIMem, "journal"),
    Endpoint("GET", f"{ONE}session/", mind.session, CmdAIMem, "session"),
    Endpoint("GET", f"{ONE}notebook/", mind.notebook, CmdAIMem, "notebook"),
    Endpoint("GET", f"{ONE}people/", mind.list_people, CmdAIRel),
    Endpoint("GET", PERSON, mind.show_person, CmdAIMem, "profile"),
    Endpoint("PATCH", PERSON, mind.set_favor, CmdAIRel, "set"),
    Endpoint("GET", f"{ONE}nights/", mind.nights, CmdAISleep),
    Endpoint("GET", f"{ONE}nights/<str:night>/", mind.night, CmdAISleep, "report"),
    Endpoint("POST", f"{ONE}nights/<str:night>/undo/", mind.take_back_night, CmdAISleep, "undo"),
    Endpoint("POST", f"{ONE}sleep/", mind.sleep, CmdAISleep, "now"),
)
PLANS = (
    Endpoint("GET", f"{ONE}goals/", plans.show_goals, CmdAIGoal),
    Endpoint("POST", f"{ONE}goals/", plans.add_goal, CmdAIGoal, "add", status=201),
    Endpoint("GET", f"{ONE}agenda/", desk.show_agenda, CmdAIGoal, "agenda"),
    Endpoint("GET", GOAL, plans.goal, CmdAIGoal),
    Endpoint("PATCH", GOAL, plans.change_goal, CmdAIGoal, "set"),
    Endpoint("POST", f"{GOAL}decompose/", plans.decompose, CmdAIGoal, "decompose", status=202),
    Endpoint("GET", f"{ONE}projects/", plans.projects, CmdAIProj),
    Endpoint("POST", f"{ONE}projects/", plans.add_project, CmdAIProj, "create", status=201),
    Endpoint("PATCH", PROJECT, plans.change_project, CmdAIProj, "update"),
    Endpoint("GET", f"{ONE}blocks/", blocks.blocks, CmdAIBlock, "show"),
    Endpoint("GET", BLOCK, blocks.show_block, CmdAIBlock, "show"),
    Endpoint("POST", f"{BLOCK}limit/", blocks.limit_block, CmdAIBlock, "limit"),
    Endpoint("PATCH", BLOCK, blocks.change_block, CmdAIBlock, "edit"),
    Endpoint("GET", f"{BLOCK}versions/", blocks.list_versions, CmdAIBlock, "history"),
    Endpoint("POST", f"{BLOCK}undo/", blocks.undo_block, CmdAIBlock, "undo"),
    Endpoint("POST", f"{ONE}blocks/", blocks.make_block, CmdAIBlock, "create", status=201),
    Endpoint("DELETE", BLOCK, blocks.drop_block, CmdAIBlock, "delete"),
    Endpoint("POST", f"{BLOCK}join/", blocks.share_block, CmdAIBlock, "join"),
    Endpoint("POST", f"{BLOCK}leave/", blocks.stop_sharing, CmdAIBlock, "leave"),
)
PROMPTS = (
    Endpoint("GET", f"{ONE}templates/", prompts.show_templates, CmdAI, "template"),
    Endpoint("PATCH", TEMPLATE, prompts.write_template, CmdAI, "template"),
    Endpoint("POST", f"{TEMPLATE}apply/", prompts.use_template, CmdAI, "template"),
    Endpoint("DELETE", TEMPLATE, prompts.delete_template, CmdAI, "template"),
    Endpoint("GET", f"{ONE}components/", prompts.show_components, CmdAI, "component"),
    Endpoint("POST", f"{ONE}components/", prompts.make_component, CmdAI, "component", status=201),
    Endpoint("PATCH", COMPONENT, prompts.change_component, CmdAI, "component"),
    Endpoint("DELETE", COMPONENT, prompts.delete_component, CmdAI, "component"),
    Endpoint("GET", f"{ONE}guidelines/", prompts.show_guidelines, CmdAI, "guidelines"),
    Endpoint("POST", f"{ONE}guidelines/", prompts.new_guideline, CmdAI, "guidelines", status=201),
    Endpoint("POST", f"{GUIDELINE}accept/", prompts.accept_guideline, CmdAI, "guidelines"),
    Endpoint("DELETE", GUIDELINE, prompts.reject_guideline, CmdAI, "guidelines"),
)
WORLD = (
    Endpoint("GET", "world/", records.show_world, CmdAIWorld),
    Endpoint("POST", "world/news/", records.tell_news, CmdAIWorld, "event"),
    Endpoint("PATCH", "world/lore/", records.write_lore, CmdAIWorld, "lore"),
    Endpoint("PATCH", PLACE, records.put_place, CmdAIWorld, "place"),
    Endpoint("DELETE", PLACE, records.drop_from_map, CmdAIWorld, "remove"),
    Endpoint("POST", "world/sync/", records.sync_map, CmdAIWorld, "sync"),
    Endpoint("GET", "lore/", shelf.show_shelf, CmdAI, "lore"),
    Endpoint("POST", "lore/", shelf.put_on_shelf, CmdAI, "import", permission="Admin", status=201),
    Endpoint("DELETE", BOOK, shelf.drop_from_shelf, CmdAI, "lore", permission="Admin"),
    Endpoint("GET", f"{BOOK}log/", shelf.show_shelf_log, CmdAI, "lore", permission="Admin"),
    Endpoint("POST", f"{BOOK}undo/", shelf.undo_on_shelf, CmdAI, "lore", permission="Admin"),
    Endpoint("GET", BOOK_ENTRY, shelf.show_entry, CmdAI, "lore", permission="Admin"),
    Endpoint("PATCH", BOOK_ENTRY, shelf.change_entry, CmdAI, "lore", permission="Admin"),
    Endpoint("GET", CARD_ENTRY, shelf.show_card_entry, CmdAI, "lore", permission="Admin"),
    Endpoint("PATCH", CARD_ENTRY, shelf.change_card_entry, CmdAI, "lore", permission="Admin"),
    Endpoint("GET", f"{ONE}lore/", shelf.show_its_lore, CmdAI, "lore"),
)
KEPT = (
    Endpoint("GET", f"{ONE}execution/", records.show_execution, CmdAIExec),
    Endpoint("POST", f"{ONE}execution/stop/", records.stop_at_once, CmdAIExec, "trigger"),
    Endpoint("POST", f"{ONE}execution/clear/", records.let_go_on, CmdAIExec, "clear"),
    Endpoint("GET", f"{ONE}audit/", records.list_moments, CmdAIAudit),
    Endpoint("GET", f"{ONE}audit/at/", records.show_past, CmdAIAudit, "at"),
    Endpoint("GET", f"{ONE}audit/compare/", records.compare_past, CmdAIAudit, "compare"),
)
SCENES = (
    Endpoint("GET", "scenes/", scenes.show_scenes, CmdAIScene),
    Endpoint("POST", "scenes/", scenes.make_scene, CmdAIScene, "create", status=201),
    Endpoint("POST", "scenes/cards/", takes.make_scene_of_card, CmdAIScene, "import", status=201),
    Endpoint("GET", SCENE, scenes.show_scene, CmdAIScene),
    Endpoint("PATCH", SCENE, scenes.set_in_scene, CmdAIScene, "set"),
    Endpoint("POST", f"{SCENE}start/", scenes.start_a_scene, CmdAIScene, "start"),
    Endpoint("POST", f"{SCENE}stop/", scenes.stop_a_scene, CmdAIScene, "stop"),
    Endpoint("POST", f"{SCENE}day/", scenes.set_its_day, CmdAIScene, "day"),
    Endpoint("GET", f"{SCENE}lines/", scenes.show_its_lines, CmdAIScene, "why"),
    Endpoint("GET", f"{SCENE}log/", scenes.show_its_log, CmdAIScene, "log"),
    Endpoint("GET", f"{SCENE}memories/", scenes.show_its_memories, CmdAIScene, "knows"),
    Endpoint("POST", f"{SCENE}members/", scenes.add_member, CmdAIScene, "add"),
    Endpoint("DELETE", f"{SCENE}members/<str:who>/", scenes.drop_member, CmdAIScene, "remove"),
    Endpoint("POST", f"{SCENE}undo/", takes.rewind_lines, CmdAIScene, "undo", status=202),
    Endpoint("POST", f"{SCENE}branch/", takes.branch_off, CmdAIScene, "branch", status=201),
    Endpoint("GET", f"{SCENE}record/", takes.show_its_record, CmdAIScene, "world"),
    Endpoint("GET", f"{SCENE}recap/", takes.show_tale, CmdAIScene, "recap"),
    Endpoint("GET", f"{SCENE}knowers/", takes.show_knowers, CmdAIScene, "who"),
    Endpoint("POST", f"{SCENE}updates/", takes.record_fate, CmdAIScene, "update", status=201),
    Endpoint("POST", f"{SCENE}told/", takes.pass_on_memory, CmdAIScene, "tell", status=201),
    Endpoint("POST", f"{SCENE}fold/", takes.fold_memories, CmdAIScene, "fold"),
    Endpoint(
        "PATCH", f"{SCENE}memories/<str:row>/", takes.correct_its_memory, CmdAIScene, "correct"
    ),
    Endpoint("PATCH", f"{SCENE}lines/<str:row>/", takes.correct_its_people, CmdAIScene, "correct"),
    Endpoint("POST", f"{SCENE}roles/", takes.cast_member, CmdAIScene, "role"),
    Endpoint("GET", f"{SCENE}card/", takes.show_card, CmdAIScene, "export"),
)
DESK = (
    Endpoint("GET", "money/", desk.show_money, CmdAI, "money"),
    Endpoint("GET", "health/", desk.show_health, CmdAI, "health"),
    Endpoint("GET", "settings/", desk.show_settings, CmdAI, "settings"),
    Endpoint("GET", f"{ONE}notes/", desk.show_notes, CmdAINote),
    Endpoint("POST", f"{ONE}notes/", desk.add_note, CmdAINote, status=201),
    Endpoint("DELETE", f"{ONE}notes/<str:note>/", desk.drop_note, CmdAINote, "remove"),
    Endpoint("POST", f"{ONE}drafts/", desk.write_draft, CmdAIDraft, status=202),
    Endpoint("GET", f"{TRIES}sandbox/", desk.show_sandbox, CmdAITry),
    Endpoint(
        "POST", f"{TRIES}sandbox/", desk.speak_in_sandbox, CmdAITry, is_trial=True, status=202
    ),
    Endpoint(
        "POST", f"{TRIES}again/", desk.call_again, CmdAITry, "again", is_trial=True, status=202
    ),
    Endpoint("GET", f"{TRIES}marks/", desk.show_marks, CmdAITry, "check"),
    Endpoint("POST", f"{TRIES}marks/", desk.set_mark, CmdAITry, "good", status=201),
    Endpoint("DELETE", f"{TRIES}marks/<str:turn>/", desk.drop_mark, CmdAITry, "unmark"),
    Endpoint(
        "POST", f"{TRIES}check/", desk.check_marks, CmdAITry, "check", is_trial=True, status=202
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
