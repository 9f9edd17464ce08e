"""Verbs by their forms: "sold", "sells" and "selling" are "sell"."""

from __future__ import annotations

from collections.abc import Iterator

_REGULAR = (
    "live dwell crash base obtain procure replace decide suffer consider hold reside lodge stay "
    "settle move relocate rent lease camp squat shift "
    "work serve labour toil employ hire train apprentice earn trade craft retire appoint promote "
    "elect name call nickname own keep possess acquire purchase inherit adopt receive land score "
    "pick snag grab collect gather hoard amass like love adore enjoy favour cherish treasure "
    "relish "
    "fancy prefer appreciate worship hate dislike detest despise loathe resent abhor fear dread "
    "scare frighten terrify spook petrify unnerve freak haunt delight please enchant charm thrill "
    "disgust annoy irritate sicken bother disagree agree play study practise practice master "
    "strum juggle marry wed engage betroth promise divorce owe repay settle clear loan "
    "advance borrow belong join enlist enrol enroll sign resign desert expel dismiss kick boot "
    "chuck toss walk swipe pinch nick pilfer lift filch pawn gamble trade swap part donate wreck "
    "burn sink stop cease start finish end happen manage use raise breed herd grow farm hunt fish "
    "brew bake cook paint carve forge weave sew mend tend guard sail ride climb pray believe "
    "support follow admire respect trust mistrust distrust share visit want need wish hope plan "
    "hail originate stem descend raise rear turn switch change warm crush die vanish starve "
    "collapse sneeze itch swell react ail admit accept swear initiate let pay want learn kill "
    "hum sing dance"
).split()
_IRREGULAR = tuple(
    line.split()
    for line in (
        "be am is are was were been being|have has had having|do does did done doing|"
        "get gets got gotten getting|go goes went gone going|come comes came coming|"
        "become becomes became becoming|make makes made making|take takes took taken taking|"
        "give gives gave given giving|find finds found finding|buy buys bought buying|"
        "sell sells sold selling|lose loses lost losing|win wins won winning|"
        "keep keeps kept keeping|leave leaves left leaving|quit quits quitted quitting|"
        "bear bears bore born borne bearing|stand stands stood standing|"
        "speak speaks spoke spoken speaking|teach teaches taught teaching|"
        "learn learns learnt learned learning|know knows knew known knowing|"
        "steal steals stole stolen stealing|repay repays repaid repaying|lend lends lent "
        "lending|pay pays paid paying|"
        "throw throws threw thrown throwing|break breaks broke broken breaking|"
        "fall falls fell fallen falling|feel feels felt feeling|eat eats ate eaten eating|"
        "drink drinks drank drunk drinking|sleep sleeps slept sleeping|grow grows grew grown|"
        "breed breeds bred|bring brings brought bringing|build builds built building|"
        "sink sinks sank sunk|wear wears wore worn wearing|ride rides rode ridden|"
        "put puts putting|cut cuts cutting|shut shuts shutting|let lets letting|"
        "swear swears swore sworn swearing|weave weaves wove woven|hold holds held holding|"
        "spend spends spent spending|run runs ran running|say says said saying|"
        "tell tells told telling|hear hears heard hearing|see sees saw seen seeing|"
        "begin begins began begun beginning|wed weds|choose chooses chose chosen|"
        "drive drives drove driven driving|die dies died dying|sing sings sang sung singing|"
        "write writes wrote written writing|fight fights fought fighting|"
        "abide abides|stomach|agree agrees agreed"
    ).split("|")
)


def _regular(verb: str) -> Iterator[str]:
    stem = verb.removesuffix("e")
    if verb.endswith("y") and verb[-2] not in "aeiou":
        yield from (f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing")
    else:
        yield from (f"{verb}s", f"{verb}es", f"{stem}ed", f"{stem}ing")
        yield from (f"{verb}{verb[-1]}ed", f"{verb}{verb[-1]}ing")


_FORMS = {form: verb for verb in _REGULAR for form in _regular(verb)}
_FORMS |= {form: verb for verb, *forms in _IRREGULAR for form in forms}
_BASES = {verb for verb, *_ in _IRREGULAR} | set(_REGULAR)
_NOT_PAST = ("s", "ing")
_STILL = frozenset("am is are be have do let put cut shut quit".split())


def lemma(word: str) -> str:
    """Return a verb in small letters in its plain form; any other word as it is."""
    return _FORMS.get(word, word)


def is_verb(word: str) -> bool:
    """Is a word in small letters a form of a verb that is known here?"""
    return word in _FORMS or word in _BASES


def is_past(word: str) -> bool:
    """Is a word in small letters a past form of such a verb?"""
    return word in _FORMS and not word.endswith(_NOT_PAST) and word not in _STILL
