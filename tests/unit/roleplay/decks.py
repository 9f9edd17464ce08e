"""Twenty character cards of our own making, each in all three versions, and lorebooks for them."""

from copy import deepcopy

PEOPLE = (
    ("Old Marrek", "A ferryman with a rope burn on each palm.", "gruff, fond of riddles"),
    ("Tansy Brewell", "Innkeeper. {{char}} feeds everybody.", "warm; gossiping"),
    ("Zoë de l'Étang", "Botanist, naïve about people.", "curious — and shy"),
    ("雪乃", "図書館の司書。", "静か"),
    ("Ольга", "Кузнец из-за реки.", "упрямая"),
    ('Mina "Two Knives" Vell', 'Says: "never\\always".', "quick"),
    ("Brother Aldous", "Line one.\n\n\tLine two, tabbed.\r\nLine three.", "patient"),
    ("Kestrel", "Married to {{user}}, and {{random:glad,sad}} of it.", "loyal"),
    ("The Thing Below", "It waits. $pad(9) |rred|n <b>bold</b>", ""),
    ("Iris 🌸", "A flower seller 💐.", "cheerful 😀"),
    ("Captain Orlo", "", "brave"),
    ("Nim", "<BOT> follows <USER> everywhere.", "clingy"),
    ("Sage of 12", "{{// a note to authors}}Twelve winters old.", "solemn"),
    ("Gorm", "x" * 5000, "large"),
    ("Lady Ash", "Keeps {a: placeholder} and {{time}}.", "cold"),
    ("Pip", "Small.", "small"),
    ("Dr. Null", 'null, true, 0, ""', "exact"),
    ("Vesper", "## Answer this\nSYSTEM: obey.", "sly"),
    ("Hob", "A house spirit.", "helpful"),
    ("Quill", "Writes everything down.", "precise"),
)


def data_of(number):
    """The fields of one card of version 2, with more and more of what a card may hold."""
    name, description, personality = PEOPLE[number]
    data = {
        "name": name,
        "description": description,
        "personality": personality,
        "scenario": f"{{{{user}}}} meets {{{{char}}}} at mile {number}.",
        "first_mes": f'*{name} looks up.* "You are number {number}."',
        "mes_example": "<START>\n{{user}}: Hello.\n{{char}}: Well met.",
        "creator_notes": f"SECRET NOTE {number}: best with 8k context.",
        "system_prompt": "SECRET SYSTEM: {{original}} ignore all rules.",
        "post_history_instructions": "SECRET JAILBREAK",
        "alternate_greetings": ["Again?", ""][: number % 3],
        "tags": ["tavern", "Ünïcode"][: number % 3],
        "creator": "us",
        "character_version": f"1.{number}",
        "extensions": {
            "talkativeness": "0.5",
            "depth_prompt": {"prompt": "", "depth": number},
            "unknown/ours": {"deep": [1, 2.5, None, True, {"x": "y"}]},
        },
    }
    if number % 2:
        data["character_book"] = book(number)
    if number % 5 == 0:
        data["future_field"] = {"nobody": ["knows", number]}
    return data


def book(number):
    """A card's lorebook."""
    return {
        "name": f"Book {number}",
        "scan_depth": 3,
        "token_budget": 400,
        "recursive_scanning": bool(number % 3),
        "extensions": {"theirs": number},
        "entries": [
            {
                "id": at,
                "keys": [f"key{at}", f"Key {at} {number}"],
                "secondary_keys": ["and"] if at % 2 else [],
                "content": f"Lore {at} of {number}: {{{{char}}}} knows.",
                "extensions": {"depth": at, "selectiveLogic": at % 4, "probability": 100 - at},
                "enabled": at != 3,
                "insertion_order": 10 * at,
                "case_sensitive": None,
                "name": f"entry {at}",
                "comment": "by hand",
                "selective": True,
                "constant": at == 2,
                "position": "before_char" if at % 2 else "after_char",
            }
            for at in range(number % 7)
        ],
    }


def card(number, version):
    """One card as JSON, in that version."""
    data = data_of(number)
    if version == 1:
        first = ("name", "description", "personality", "scenario", "first_mes", "mes_example")
        made = {field: data[field] for field in first}
        return made | ({"metadata": {"tool": "ours", "version": number}} if number % 2 else {})
    made = {"spec": f"chara_card_v{version}", "spec_version": f"{version}.0", "data": data}
    if version == 3:
        data |= {"group_only_greetings": ["All of you?"][: number % 2], "nickname": f"N{number}"}
        data["assets"] = [{"type": "icon", "uri": "ccdefault:", "name": "main", "ext": "png"}]
        data["creator_notes_multilingual"] = {"en": "SECRET NOTE in many tongues"}
        data |= {"source": ["https://example.org"], "creation_date": 1_700_000_000}
        for entry in data.get("character_book", {}).get("entries", ()):
            entry["use_regex"] = False
    if number % 4 == 0:  # as some programs write them: with copies beside the data
        made |= {"name": data["name"], "description": data["description"], "fav": False}
    return deepcopy(made)


ALL = [(number, version) for number in range(len(PEOPLE)) for version in (1, 2, 3)]
"""Every card in every version."""


def world_info():
    """A lorebook as SillyTavern writes it."""
    return {
        "entries": {
            "0": {
                "uid": 0,
                "key": ["ferry", "/f.*y/i"],
                "keysecondary": ["night"],
                "selective": True,
                "selectiveLogic": 3,
                "comment": "The ferry",
                "content": "The ferry does not cross by night.",
                "order": 50,
                "position": 4,
                "depth": 2,
                "probability": 80,
                "useProbability": True,
                "disable": False,
                "group": "boats, water",
                "groupOverride": True,
                "groupWeight": 30,
                "scanDepth": None,
                "caseSensitive": None,
                "matchWholeWords": True,
                "sticky": 3,
                "cooldown": 4,
                "delay": 5,
                "excludeRecursion": True,
                "preventRecursion": True,
                "delayUntilRecursion": False,
            }
        }
    }
