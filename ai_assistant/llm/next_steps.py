"""What an owner does next where a model does not answer: one sentence for each cause."""

from __future__ import annotations

from urllib.parse import urlsplit

from ai_assistant.core.errors import BadReply, EmptyReply, ModelError, ModelTimeout
from ai_assistant.llm.model_profiles import Profile

NEXT_STEPS = {
    "dns": "Nobody knows the host of {url}: look for a slip in base_url, or in this machine's DNS.",
    "refused": "Nothing listens at {url}: start the model's server, or mend base_url.",
    "tls": "No certificate of {url} can be trusted: use the name that it is made out to, or "
    "http:// for a server without TLS.",
    "network": "{url} cannot be reached from this machine: look at its network and firewall.",
    "redirect": "{url} points elsewhere: put the final address into base_url.",
    "400": "The server does not take the request: the model may lack tools or have too small a "
    "context; ai/test says which.",
    "401": "The key is refused: put a valid one into {key}, and restart the game.",
    "402": "The account of {host} has nothing left: top it up, then ai/test.",
    "403": "The key may not use this model, or what was said is refused there: allow it in the "
    "account of {host}, or choose another model.",
    "404": "Mend the name of the model, or base_url ({url}), which mostly ends in /v1.",
    "413": "The request is too large for {url}: lower max_context_tokens.",
    "429": "Too many requests or none left of the quota of {host}: wait a minute, set "
    "requests_per_minute, or raise the quota.",
    "500": "The server of {host} fails: wait, or look at its status page or its log.",
    "timeout": "It took too long: choose a smaller or faster model, or raise timeout of the "
    "profile.",
    "answer": "What answers at {url} is no model, or breaks off: mend base_url, which mostly ends "
    "in /v1.",
    "empty": "The model says nothing: raise max_tokens of the profile, since thoughts count, or "
    "choose another model.",
    "settings": "Mend it in the game's settings, then: evennia reload.",
    "resting": "It is left alone after failures: ai/test asks at once.",
}
"""By what `cause` an error has; `{url}` and the like are of the profile, never its key."""


def next_step(error: ModelError, profile: Profile) -> str:
    """Return what to do about a failed call of a profile, in one sentence."""
    told = NEXT_STEPS[cause_of(error)]
    return told.format(
        url=profile.base_url,
        host=urlsplit(profile.base_url).hostname,
        key=profile.key_env or f"AI_ASSISTANT_KEYS['{profile.name}']",
    )


def cause_of(error: ModelError) -> str:
    """Return under which of `NEXT_STEPS` a failure stands."""
    match error:
        case ModelTimeout():
            return "timeout"
        case EmptyReply():
            return "empty"
        case BadReply():
            return "answer"
    return error.cause if error.cause in NEXT_STEPS else "network"
