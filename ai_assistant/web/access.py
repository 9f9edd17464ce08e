"""Who may see and change what on the pages; and how a view asks the game, on the game's thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from threading import Lock, local
from types import SimpleNamespace
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from evennia.objects.models import ObjectDB
from twisted.internet import reactor
from twisted.internet.defer import Deferred
from twisted.internet.threads import blockingCallFromThread

from ai_assistant import conf
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean, typed_number
from ai_assistant.game.identity import is_assistant, name_of
from ai_assistant.game.reactor_steps import REACTOR_STEPS
from ai_assistant.storage.statements import refusals

Context = dict[str, Any]
UrlQuery = Mapping[str, str]
PageContext = Context | Callable[[], Context] | Deferred[Context] | Deferred[Callable[[], Context]]
"""What a page shows, what brings it later, or what reads it on the view's own thread."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
    " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'"
)
"""A page loads from this site alone, and runs no script that stands in it. The style is
cytoscape's, which sets the place of its canvas so."""


class Turnstile:
    """Lets one view at a time compute: each that does makes the game wait for Python's lock."""

    def __init__(self) -> None:
        self._lock, self._mine = Lock(), local()

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Wait until nobody else computes, and keep them out."""
        with self._lock:
            self._mine.is_inside = True
            try:
                yield
            finally:
                self._mine.is_inside = False

    @contextmanager
    def waiting(self) -> Iterator[Callable[[], None]]:
        """Yield what lets others in, from any thread, until this one has what it waits for."""
        was_inside, left = getattr(self._mine, "is_inside", False), list[bool]()

        def let_in() -> None:
            if was_inside and not left:
                left.append(True)
                self._lock.release()

        try:
            yield let_in
        finally:
            if left:
                self._lock.acquire()


class Game:
    """The way from a view's thread to the game's."""

    def __init__(self, call: Callable[..., Any] | None = None) -> None:
        """`call(function)` runs it on the game's thread, and waits for its Deferred."""
        self._call = call or partial(blockingCallFromThread, reactor, _in_a_step)

    def ask(self, look: Callable[[], Any]) -> Any:
        """Return what `look` finds on the game's thread.

        What it can leave to this one, since it is read from our tables alone, it returns as a
        function, which is called here. Raises what either does.
        """
        with TURNSTILE.waiting() as let_in:

            def on_the_games_thread() -> Any:
                found = look()
                if isinstance(found, Deferred):  # it may take long, and others need not wait for it
                    let_in()
                return found

            found = self._call(on_the_games_thread)
        with refusals():
            return found() if callable(found) else found


def _in_a_step(look: Callable[[], Any]) -> Deferred[Any]:
    """Look in a step of the reactor of its own: what several views ask of the game would add up."""
    return REACTOR_STEPS.fired(None).addCallback(lambda _: look())


GAME = Game()
TURNSTILE = Turnstile()


@dataclass(frozen=True, slots=True)
class Visitor:
    """Whoever looks at a page, as the game knows them. Belongs on the game's thread."""

    account: Any
    """Evennia's, which is logged in."""

    def holds(self, permission: str) -> bool:
        """Do they hold a permission of the game? A character that they wear does not count."""
        account = self.account
        return bool(account.is_superuser or account.check_permstring(permission))

    @property
    def characters(self) -> list[Any]:
        """The characters of the account. Evennia's own list of them is written at each look."""
        return [body for body in self.account.db._playable_characters or () if body]

    @property
    def is_editor(self) -> bool:
        """May they change assistants, where no lock keeps them out?"""
        return self.holds(conf.settings.PAGE_EDITORS)

    def must_be_editor(self) -> None:
        """Raise `PermissionDenied` where they may not change assistants at all."""
        if not self.is_editor:
            raise PermissionDenied(f"Only {conf.settings.PAGE_EDITORS}s may do that.")

    def may_edit(self, character: Any) -> bool:
        """May they change this one? Its `edit` lock counts, for them or one of their characters."""
        return self.is_editor and self.passes_lock(character)

    def must_change(self, character: Any) -> None:
        """Raise `PermissionDenied` where its `edit` lock keeps them out."""
        if not self.passes_lock(character):
            raise PermissionDenied(f"You may not change {name_of(character)}.")

    def passes_lock(self, character: Any) -> bool:
        """Does its `edit` lock let them in, or one of their characters?"""
        account = self.account
        # as its rank: the account's number may be that of a character whom the lock names
        rank = SimpleNamespace(
            permissions=account.permissions,
            attributes=account.attributes,
            locks=account.locks,
            is_superuser=account.is_superuser,
        )
        return any(character.access(who, "edit") for who in (rank, *self.characters))


def sees_pages(user: Any) -> bool:
    """May they see the owner's pages?"""
    return bool(user.is_authenticated) and Visitor(user).holds(conf.settings.PAGE_READERS)


def character_of(number: int) -> Any:
    """Return the assistant whose object has this number. Raises `Http404` where there is none."""
    with suppress(ObjectDB.DoesNotExist):
        found = ObjectDB.objects.get(pk=number)  # which asks the database only the first time
        if found.pk and is_assistant(found):
            return found
    raise Http404("There is no such assistant, or not any more.")


def asked(request: HttpRequest, look: Callable[[Visitor], Any]) -> Any:
    """Return what `look` finds on the game's thread, for somebody who may see the pages.

    It may return a Deferred, or a function as `Game.ask` takes it. Raises `PermissionDenied`,
    `Http404`, `AssistantError`.
    """
    account = request.user

    def on_the_games_thread() -> Any:
        visitor = Visitor(account)
        if not visitor.holds(conf.settings.PAGE_READERS):
            raise PermissionDenied
        with refusals():
            return look(visitor)

    return GAME.ask(on_the_games_thread)


def uploaded(
    request: HttpRequest, most: int, missing: str, *, is_sure: bool = True
) -> tuple[bytes, str]:
    """Return the file that a form holds, of so many bytes at `most`, and its name.

    Raises `AssistantError`, in the words `missing` where there is none or nobody is sure of it.
    """
    file = request.FILES.get("card")
    if file is None or not is_sure:
        raise AssistantError(missing)
    if file.size > most:
        raise AssistantError(f"The file has more than {most} bytes.")
    return file.read(), clean(file.name, 100)


def number_asked(query: UrlQuery, name: str) -> int:
    """Return a number that an address holds; 0 where it holds none."""
    return typed_number(query.get(name, ""))


def is_own_address(address: str) -> bool:
    """Is this an address of the same site?"""
    is_path = address.startswith("/")  # else Django looks for a view of that name
    return is_path and bool(url_has_allowed_host_and_scheme(address, allowed_hosts=None))


def guarded_view(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Send who is not logged in to do so, show what was refused, and keep others' scripts out."""

    def shown(request: HttpRequest, **named: Any) -> HttpResponse:
        try:
            with TURNSTILE.inside():
                if not request.user.is_authenticated:  # which is read now
                    return redirect_to_login(request.get_full_path())
                response = view(request, **named)
        except AssistantError as error:
            response = _refused(request, str(error), 400, named.get("number"))
        except TimeoutError:
            why = "That took too long, and was given up."
            response = _refused(request, why, 503, named.get("number"))
        except PermissionDenied as error:
            needed = f"These pages are for {conf.settings.PAGE_READERS}s of the game."
            response = _refused(request, str(error) or needed, 403)
        except Http404 as error:
            response = _refused(request, str(error), 404)
        response["Content-Security-Policy"] = POLICY
        response["Cache-Control"] = "no-store"
        return response

    return shown


def _refused(
    request: HttpRequest, why: str, status: int, number: int | None = None
) -> HttpResponse:
    """Show what was refused, and the way back: to the page it was sent from, else the assistant."""
    back = request.POST.get("back", "")
    told = {"why": why, "number": number, "back": back if is_own_address(back) else ""}
    return render(request, "ai_assistant/refused.html", told, status=status)
