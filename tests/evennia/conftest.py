"""Gets Evennia ready for tests outside of its own test runner."""

import gc
import socket
from importlib import import_module

import pytest


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    """Initialise Evennia, which looks into the database while its modules are imported."""
    import evennia
    from pytest_django.plugin import blocking_manager_key

    with config.stash[blocking_manager_key].unblock():
        evennia._init()


@pytest.fixture(scope="session", autouse=True)
def done_ahead():
    """Read the words of the code and load the SDK: else threads do, and outlive their tests.

    Evennia looks for garbage after every test; what stays for good is taken out of its way.
    """
    from ai_assistant.api.forgetting.forget_passes import code_words

    import_module("ai_assistant.llm.client")
    code_words()
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def nobody_is_invalid():
    """Say at once that there is no host of that domain: a resolver may be slow, or name one."""
    resolve = socket.getaddrinfo

    def resolved(host, *rest, **how):
        if str(host).endswith(".invalid"):
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return resolve(host, *rest, **how)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", resolved)
        yield


@pytest.fixture(autouse=True)
def only_looked_at(monkeypatch):
    """What a store hands out to be looked at is what Evennia keeps: in no test it is written to."""
    from ai_assistant.memory.parts import copied
    from ai_assistant.storage import AttributeStore

    view, seen = AttributeStore.view, []

    def noted(store, part, key=""):
        found = view(store, part, key)
        seen.append((f"{part} {key}", copied(found), found))
        return found

    monkeypatch.setattr(AttributeStore, "view", noted)
    yield
    touched = [name for name, before, now in seen if before != now]
    assert not touched, f"was only to be looked at, and was changed: {touched}"
