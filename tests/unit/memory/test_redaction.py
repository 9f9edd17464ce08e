"""Redaction: what is to be forgotten leaves every text, what others said stays as they said it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.memory.redaction import fingerprint, items_of, redact
from ai_assistant.memory.shared_text import FORGOTTEN, LENGTH, Runs
from ai_assistant.memory.wipe import Wipe

ALICE, BOB, SERA = "e-alice", "e-bob", "e-sera"
SECRET = "the lantern hangs behind the mill"


def a_wipe(*items, owner="", **options):
    """Return a wipe of Alice's words that has learned these items."""
    wipe = Wipe(**{"entity": ALICE, "minds": frozenset({SERA}), **options})
    wipe.learn(items, owner)
    return wipe


def said(who, text, **more):
    """Return a row of somebody saying something."""
    meta = {"event": f"event of {who}", "type": "say", "turn": "t1"}
    links = {"parents": [], "supersedes": None, "subject": "", "readers": "*"}
    row = {"id": 1, "kind": "utterance", "author": who, "content": text, "meta": meta}
    return {**row, **links, **more}


def note(text, author="", **more):
    """Return an item of a list."""
    return {"content": text, "author": author, "readers": "*", **more}


def runs_of(*texts):
    """Return the runs of some texts."""
    runs = Runs()
    runs.add(texts)
    return runs


# -- runs


def test_shared_run_is_cut_to_whole_words():
    """A stretch that two texts share goes, with the words that it begins and ends in."""
    cut = runs_of(SECRET).cut("She told me: The lantern hangs behind the mills, far away.")
    assert cut == f"She told me: {FORGOTTEN}, far away."


def test_quotes_around_what_was_cut_stay():
    """Whatever sign stood in their place where it was said first."""
    told = f'Bob said: "{SECRET}" I believe him.'
    assert runs_of(f"{SECRET}. ").cut(told) == f'Bob said: "{FORGOTTEN}" I believe him.'


def test_short_run_gives_nobody_away():
    """Eleven characters in common are chance."""
    assert runs_of("a lantern on").cut("the lantern off") == "the lantern off"
    assert runs_of("a lantern on").cut("what a lantern on") == f"what {FORGOTTEN}"


def test_spared_run_stays():
    """What others said too does not give anybody away."""
    runs = runs_of(SECRET, "I like the smell of rain")
    runs.spare(["We like the smell of rain."])
    assert runs.cut("You like the smell of rain") == "You like the smell of rain"
    assert runs.cut(f"Look: {SECRET}!") == f"Look: {FORGOTTEN}!"


def test_added_again_counts_again():
    """A run that is learned after it was spared counts."""
    runs = runs_of(SECRET)
    runs.spare([SECRET])
    runs.add([SECRET])
    assert runs.cut(SECRET) == FORGOTTEN


def test_nothing_learned_nothing_cut():
    """Without any text there is nothing to cut."""
    assert not Runs()
    assert not runs_of("short")
    assert Runs().cut(SECRET) == SECRET


@given(
    st.lists(st.text("ab İß.[forgotten]", min_size=0, max_size=40), max_size=4),
    st.text("ab İß.[forgotten]", max_size=80),
)
def test_no_shared_run_remains(texts, text):
    """Whatever was learned, no run of it is left; and cutting again changes nothing."""
    runs = runs_of(*texts)
    cut = runs.cut(text)
    assert runs.cut(cut) == cut
    shared = {one[at : at + LENGTH] for one in texts for at in range(len(one) - LENGTH + 1)}
    assert not any(run in cut for run in shared)


MOMENT = "2026-11-28T10:00"


@pytest.mark.parametrize(
    "value",
    [
        *(f"Look: {SECRET}", {"told": [{"by": SECRET}]}, {SECRET: 1}, "goal_1_2", f"at {MOMENT}"),
        *(["ha" * 3, "ha" * 4], {"goal_1_2": 1}, MOMENT, None),
    ],
)
def test_what_touches_a_value_is_what_would_be_cut(value):
    """Told of all its texts at once, or cut from one after the other: it comes to the same."""
    wipe = Wipe(lost={"goal_1_2"})
    wipe.runs.add([SECRET, f"on {MOMENT}", "ha" * 9])
    assert wipe.touches(value) == (wipe.words(value) != value)


# -- whose words


def test_own_words_go_and_testimony_stays():
    """The thief's words go; those of the witness stay, also where they are the same."""
    theft = said(BOB, f"She said '{SECRET}', I heard it!")
    wipe = a_wipe(said(ALICE, SECRET))
    assert wipe.cleansed(said(ALICE, SECRET)) is None
    assert wipe.cleansed(theft) == theft


def test_thief_cannot_put_words_into_a_note():
    """What a witness said first-hand is kept in the character's notes of it as well."""
    wipe = a_wipe(said(ALICE, "Alice took the silver purse"))
    wipe.spare([said(BOB, "I saw it: Alice took the silver purse.")])
    kept = note("Alice took the silver purse.", BOB)
    assert wipe.cleansed(kept) == kept


def test_everything_includes_what_is_about_them():
    """All about them goes, and their words go where others quote them."""
    wipe = a_wipe(said(ALICE, SECRET), everything=True)
    assert wipe.cleansed(said(BOB, "She is kind.", subject=ALICE)) is None
    assert wipe.cleansed(said(SERA, "Only for you.", readers=ALICE)) is None
    assert wipe.cleansed(said(BOB, f"Look, {SECRET}!"))["content"] == f"Look, {FORGOTTEN}!"


def test_assistants_only_repeat():
    """What another assistant said is made of what it heard: it is no testimony."""
    wipe = a_wipe(said(ALICE, SECRET))
    assert wipe.cleansed(said(SERA, f"I know {SECRET}."))["content"] == f"I know {FORGOTTEN}."


def test_gifts_are_facts():
    """That somebody gave something is the game's to tell, unless all about them goes."""
    gift = said(ALICE, "Alice gives you the crown.", meta={"type": "gift"})
    assert a_wipe(gift).cleansed(gift) == gift
    assert a_wipe(gift, everything=True).cleansed(gift) is None


def test_answers_go_with_the_question():
    """What was said in a turn that answered nobody else goes; other answers stay."""
    wipe = a_wipe(said(ALICE, SECRET))
    wipe.turns.add("t1")
    answer = said(SERA, "As you say.", kind="own_words")
    assert wipe.events == {"event of e-alice"}
    assert wipe.cleansed(answer) is None
    assert wipe.cleansed({**answer, "meta": {"turn": "t2"}}) is not None


def test_views_go_with_their_last_evidence():
    """A trait stays while any of its evidence does."""
    wipe = Wipe(gone={1, 2})
    assert wipe.cleansed(note("A sailor.", evidence=[1, 2])) is None
    assert wipe.cleansed(note("A sailor.", evidence=[1, 3])) == note("A sailor.", evidence=[3])
    assert wipe.row(said("", "A sailor.", parents=[1, 3], supersedes=2))["parents"] == [3]
    assert wipe.row(said("", "A sailor.", parents=[1, 3], supersedes=2))["supersedes"] is None


def test_disposition_stays_without_its_reasons():
    """How they get on is nobody's words; why is theirs."""
    profile = PARTS["profile"].empty()
    profile["name"], profile["created"] = "Alice", "2026-11-21T10:00:00Z"
    change = {"delta": 0.05, "reason": "told me of her cat", "timestamp": "", "readers": ALICE}
    profile["relationship"] |= {"favorability": 0.4, "history": [change]}
    profile["observations"] = [note(SECRET, ALICE), note("is tall", BOB)]
    wipe = a_wipe(*items_of(profile), owner=ALICE)
    redact(profile, **wipe.plan(profile, PARTS["profile"].empty(), ALICE))
    assert profile["relationship"]["favorability"] == 0.4
    assert profile["relationship"]["history"] == [{**change, "reason": FORGOTTEN}]
    assert profile["observations"] == [note("is tall", BOB)]


def test_the_reason_goes_with_the_line_that_it_came_from():
    """One line is forgotten, nobody as a whole: its change stays, and does not say why."""
    line = said(ALICE, SECRET)
    wipe = Wipe(chosen=frozenset({fingerprint(line)}))
    wipe.learn([line, said(ALICE, "Good evening.")])
    by = {"delta": 0.02, "reason": "a confidence", "author": ALICE, "readers": ALICE}
    gone, kept = {**by, "event": "event of e-alice"}, {**by, "event": "another"}
    assert wipe.cleansed(gone, ALICE) == {**gone, "reason": FORGOTTEN}
    assert wipe.cleansed(kept, ALICE) == kept


def test_conversation_with_them_goes_whole():
    """Of a talk nothing stays, neither its summary nor the other half of it."""
    talk = PARTS["working"].empty() | {"entity_id": ALICE, "summary": "About a lantern."}
    talk["messages"] = [{"role": "user", "content": SECRET}, {"role": "assistant", "content": "Ah"}]
    wipe = a_wipe(*items_of(talk), owner=ALICE)
    assert wipe.runs.cut(SECRET) == FORGOTTEN
    redact(talk, **wipe.plan(talk, PARTS["working"].empty(), ALICE))
    assert talk == {}


def test_talk_with_others_loses_only_the_quote():
    """What Bob said stays; the character's half and the summary lose what Alice had said."""
    talk = PARTS["working"].empty() | {"entity_id": BOB, "summary": f"Bob knows {SECRET}."}
    words = [{"role": role, "content": f"So {SECRET}?"} for role in ("user", "assistant")]
    talk["messages"] = words
    wipe = a_wipe(said(ALICE, SECRET))
    redact(talk, **wipe.plan(talk, PARTS["working"].empty(), BOB))
    assert [one["content"] for one in talk["messages"]] == [f"So {SECRET}?", f"So {FORGOTTEN}?"]
    assert talk["summary"] == f"Bob knows {FORGOTTEN}."


def test_audit_body_of_their_turn_is_blank():
    """Of a turn that answered them, the log keeps what happened and none of the words."""
    wipe = a_wipe(said(ALICE, SECRET))
    wipe.turns.add("t1")
    data = {"tool_name": "say", "parameters": {"text": "Short."}, "reasoning": "x", "success": True}
    record = {"type": "ToolExecuted", "turn_id": "t1", "data": data}
    blank = {"parameters": {"text": FORGOTTEN}, "reasoning": FORGOTTEN}
    assert wipe.record(record) == {**data, **blank}
    assert wipe.record({**record, "turn_id": "t2"}) == data
    quoted = {"type": "EventClosed", "turn_id": "", "data": {"claims": [{"result": SECRET}]}}
    assert wipe.record(quoted) == {"claims": [{"result": FORGOTTEN}]}


def test_dates_and_spared_names_are_never_cut():
    """Whatever somebody says, times stay whole, and so do names of which it is told."""
    entry = {
        "who": "Captain Seraphina",
        "timestamp": "2026-11-21T18:04:00Z",
        "interaction_count": 3,
    }
    wipe = a_wipe(said(ALICE, " ".join(map(str, [*entry, *entry.values()]))))
    wipe.runs.spare(["Captain Seraphina", "interaction_count"])
    assert wipe.cleansed(entry) == entry


@pytest.mark.parametrize("name", ["name", "project", "kind", "outcome", "status", "author_name"])
def test_words_go_whatever_their_field(name):
    """No name of a field hides them, deep in the arguments of a tool, nor do those of a field."""
    wipe = a_wipe(said(ALICE, SECRET))
    data = {"parameters": [{name: [f"Look: {SECRET}!"]}, {f"about {SECRET}": 7}]}
    cut = {"parameters": [{name: [f"Look: {FORGOTTEN}!"]}, {f"about {FORGOTTEN}": 7}]}
    assert wipe.record({"type": "ToolExecuted", "turn_id": "", "data": data}) == cut


def test_keys_made_of_words_go_and_what_refers_to_them_follows():
    """A project is called otherwise wherever it is named; two of one name stay apart."""
    keys = ["find_the_lantern_hangs_behind", "the_lantern_hangs_behind_the_mill"]
    slots = {key: {"summary": key[:4], "author": BOB, "asides": []} for key in keys}
    projects = {"active": keys[1], "slots": slots}
    journal = {"entries": [note("It rained.", related_projects=[keys[1], "tavern"])]}
    wipe = a_wipe(said(ALICE, SECRET.upper()))
    for state in (projects, journal):
        redact(state, **wipe.plan(state, {}))
    assert len(projects["slots"]) == 2
    assert projects["slots"][projects["active"]]["summary"] == "the_"
    assert journal["entries"][0]["related_projects"] == [projects["active"], "tavern"]
    assert "lantern" not in json.dumps([projects, journal])
    assert not wipe.plan(projects, {})


def test_links_to_what_goes_are_cut():
    """Neither a goal's parent and subtasks, nor the active project, point at what is gone."""
    hers = {"id": "goal_1_1", "author": ALICE, "parent_id": None, "subtask_ids": ["goal_1_2"]}
    his = {"id": "goal_1_2", "author": BOB, "parent_id": "goal_1_1", "subtask_ids": ["goal_1_1"]}
    goals = {"goals": [hers, his]}
    slots = {"mill": {"author": ALICE, "summary": "Hers."}, "inn": {"author": BOB}}
    projects = {"active": "mill", "slots": slots}
    entry = note("It rained.", BOB, related_projects=["mill", "inn"])
    journal = {"entries": [entry]}
    wipe = a_wipe(*items_of(goals), *items_of(projects))
    for state in (goals, projects, journal):
        redact(state, **wipe.plan(state, {}))
    assert goals == {"goals": [{**his, "parent_id": "", "subtask_ids": []}]}
    assert projects == {"active": "", "slots": {"inn": {"author": BOB}}}
    assert journal == {"entries": [{**entry, "related_projects": ["inn"]}]}


@pytest.mark.parametrize("his", [("active", "slots"), ("slots", "active")])
def test_what_another_made_under_the_same_name_stays_and_tells_nothing(his):
    """Of two projects of one key, in two minds, hers goes; his stays, under a key without words."""
    made = {ALICE: "Hers.", BOB: "His."}
    for key in ("mill", "the_lantern_hangs_behind_the_mill"):
        slots = {who: {key: {"author": who, "summary": told}} for who, told in made.items()}
        hers = {"active": key, "slots": slots[ALICE]}
        whole = {"active": key, "slots": slots[BOB]}
        kept = {name: whole[name] for name in his}
        wipe = a_wipe(said(ALICE, SECRET), *items_of(hers))
        for state in (hers, kept):
            redact(state, **wipe.plan(state, {}))
        assert hers == {"active": "", "slots": {}}
        assert [slot["summary"] for slot in kept["slots"].values()] == ["His."]
        assert "" not in kept["slots"]
        assert "lantern" not in json.dumps(kept)


def test_one_item_goes_alone():
    """A chosen item goes, whoever wrote it, and its words go where they were copied."""
    chosen = note(SECRET, BOB)
    wipe = a_wipe(chosen, entity="", chosen=frozenset({fingerprint(chosen)}))
    assert wipe.cleansed(chosen) is None
    assert wipe.cleansed(note("Something else.", BOB)) == note("Something else.", BOB)
    assert wipe.cleansed(note(f"Also {SECRET}"))["content"] == f"Also {FORGOTTEN}"


def test_a_summary_of_more_loses_the_words_of_one_line():
    """A single line goes: what was made of it and of others stays, in the character's words."""
    line = said(ALICE, SECRET)
    wipe = a_wipe(line, entity="", chosen=frozenset({fingerprint(line)}), gone={1})
    made = said("", f"I know that {SECRET}.", id=9, kind="summary", parents=[1, 2], meta={})
    assert wipe.row(made) == {**made, "content": f"I know that {FORGOTTEN}.", "parents": [2]}


def test_the_step_gives_no_words_away():
    """What the step is told may be logged: it names what goes by fingerprints."""
    state = {"lines": [note(SECRET, ALICE), note(f"Also {SECRET}")]}
    wipe = a_wipe(*state["lines"])
    args = wipe.plan(state, {"lines": []})
    assert SECRET not in json.dumps(args)
    assert len(args["edits"]) == 2


def test_every_part_understands_redact():
    """The step works on the empty shape of every part, and changes nothing without edits."""
    for part in PARTS.values():
        state = part.empty()
        part.apply(state, "redact", {"edits": {}})
        assert state == part.empty(), part.name


# -- what was known by what is forgotten

HOME = "lives in Oakvale"


def trait(value, *evidence, was=(), author=ALICE):
    """Return a trait that rests on these rows."""
    known = {"type": "home", "value": value, "source": "consolidation", "created": "2026-01-01"}
    known |= {"evidence": list(evidence), "author": author, "basis": "own", "quote": value}
    return {**known, "readers": "*", "was": list(was)}


def former(value, *evidence, until="2026-01-02", **more):
    """Return the past of a trait."""
    past = {**trait(value, *evidence, **more), "until": until}
    return {name: one for name, one in past.items() if name not in ("readers", "was")}


def after(wipe, *traits):
    """Return the values of what is left of these traits."""
    state = PARTS["profile"].empty() | {"attributes": list(traits)}
    plan = wipe.plan(state, PARTS["profile"].empty())
    redact(state, **(plan or {"edits": {}}))
    return [one["value"] for one in state["attributes"]]


def test_what_rests_on_a_forgotten_line_alone_goes():
    """With its quote; what rests on others stays."""
    wipe = Wipe(gone={7})
    assert after(wipe, trait("Alice moved", 7), trait("Alice keeps bees", 8)) == [
        "Alice keeps bees"
    ]
    assert wipe.again == {}


def test_what_it_had_replaced_holds_again():
    """All of what it replaced last, with their own past, and their rows bear no mark any more."""
    older = former("Alice lives in Vey", 1, until="2026-01-01")
    past = [older, former("Alice lives in Oakvale", 2), former("Alice owns a house", 3)]
    wipe = Wipe(gone={7})
    assert after(wipe, trait("Alice moved", 7, was=past)) == [
        "Alice lives in Oakvale",
        "Alice owns a house",
    ]
    assert wipe.unmarked == {2, 3}
    row = said(ALICE, "I live in Oakvale", id=2)
    row["meta"]["replaced_by"] = 7
    assert wipe.row(row)["meta"]["replaced_by"] == 0


def test_what_rests_on_other_lines_keeps_its_words():
    """Though it shares many of them with what is forgotten; its past goes where it is theirs."""
    gone = trait("Alice lives in Brambleford", 7, author="")
    past = [former("Alice lives in Vey", 7, author="")]
    other = trait("Alice lives in Oakvale", 8, was=past, author="")
    wipe = Wipe(gone={7})
    wipe.learn([gone])
    state = PARTS["profile"].empty() | {"attributes": [gone, other]}
    redact(state, **wipe.plan(state, PARTS["profile"].empty()))
    (left,) = state["attributes"]
    assert (left["value"], left["was"]) == ("Alice lives in Oakvale", [])


def test_what_is_forgotten_too_does_not_come_back():
    """What was before that holds instead."""
    past = [former("Alice lives in Vey", 1, until="2026-01-01"), former("Alice is in Oakvale", 2)]
    assert after(Wipe(gone={7, 2}), trait("Alice moved", 7, was=past)) == ["Alice lives in Vey"]
    assert after(Wipe(gone={7, 2, 1}), trait("Alice moved", 7, was=past)) == []


def test_what_is_left_of_its_evidence_is_read_anew():
    """A fact that several lines showed goes with one of them; the others speak again."""
    wipe = Wipe(gone={7})
    assert after(wipe, trait("Alice prefers tea", 5, 7, 9)) == []
    assert wipe.again == {"*": [5, 9]}


def test_whose_words_go_takes_their_facts_and_no_others():
    """Forgetting a person gives way to what others said before."""
    past = [former("Alice lives in Vey", 1, author=BOB)]
    mine = trait("Alice moved", 7, was=past)
    assert after(a_wipe(), mine, trait("Alice is tall", 8, author=BOB)) == [
        "Alice lives in Vey",
        "Alice is tall",
    ]


def test_marks_of_what_is_gone_go():
    """No row ranks behind, or before, what nobody knows any more."""
    row = said(BOB, "Alice moved to Riverton", id=5)
    row["meta"]["replaces"] = [2, 7]
    assert Wipe(gone={7}).row(row)["meta"]["replaces"] == [2]
