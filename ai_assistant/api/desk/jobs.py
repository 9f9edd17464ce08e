"""What pages and API answer later: work that waits for a model or takes long, asked for again.

Jobs live in the server's memory: a reload ends them, and whatever they were to write is written as
it would be if a command had begun it.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, field
from typing import Any

from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.log import report

KEPT = 3600.0
"""Seconds for which the outcome of a job can be asked for."""
MOST_RUNNING = 5
"""Jobs that one account may have under way."""
RUNNING, DONE, FAILED = "running", "done", "failed"


@dataclass(slots=True)
class JobProgress:
    """How far some work is; called with what is done, and of how many."""

    done: int = 0
    """So many of its parts."""
    of: int = 0
    """All of them; 0 where it does not say."""

    def __call__(self, done: int, of: int) -> None:
        """Note it."""
        self.done, self.of = done, of


@dataclass(slots=True)
class Job:
    """Something that was asked for and is not there yet, or is."""

    id: str
    """Random: whoever knows it and is its owner may read it."""
    owner: int
    """The number of the account that asked."""
    about: str = ""
    """What it belongs to, for a page that shows it there."""
    state: str = RUNNING
    """running, done or failed."""
    outcome: Any = None
    """What came of it; what went wrong, in a sentence, if it failed."""
    began: float = field(default_factory=time.time)
    """When it was asked for, in seconds since the epoch."""
    how_far: JobProgress = field(default_factory=JobProgress)
    """How much of it is done, where it says so."""

    @property
    def is_running(self) -> bool:
        """Is it under way still?"""
        return self.state == RUNNING

    @property
    def problem(self) -> str:
        """What went wrong; empty where nothing did, or is not known to."""
        return self.outcome if self.state == FAILED else ""

    def told(self) -> Json:
        """Return it as the API shows it."""
        shown: Json = {"job": self.id, "state": self.state}
        if self.state == RUNNING:
            far = {"done": self.how_far.done, "of": self.how_far.of}
            return shown | ({"progress": far} if self.how_far.of else {})
        return shown | {"error" if self.state == FAILED else "result": self.outcome}


class JobBook:
    """All jobs of late. Belongs on the game's thread."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}

    def check_room(self, account: Any) -> None:
        """Raise `AssistantError` where an account has enough under way. To be called before it
        begins.
        """
        self._drop_old()
        mine = [job for job in self._jobs.values() if job.owner == account.pk]
        if sum(job.is_running for job in mine) >= MOST_RUNNING:
            raise AssistantError(f"You have {MOST_RUNNING} jobs under way; wait for one of them.")

    def begin(
        self,
        account: Any,
        work: Deferred[Any],
        about: str = "",
        how_far: JobProgress | None = None,
    ) -> Job:
        """Return a job that ends as some work does, which may be noting `how_far` it is."""
        job = Job(secrets.token_hex(12), account.pk, about, how_far=how_far or JobProgress())
        self._jobs[job.id] = job
        work.addBoth(self._ended, job)
        return job

    def job_of(self, account: Any, id: str) -> Job | None:
        """Return a job of late that an account asked for; None for any other."""
        self._drop_old()
        job = self._jobs.get(id)
        return job if job is not None and job.owner == account.pk else None

    def jobs_about(self, account: Any, about: str) -> list[Job]:
        """Return an account's jobs that belong to something, the newest first."""
        found = (job for job in self._jobs.values() if job.owner == account.pk)
        return [job for job in found if job.about == about][::-1]

    def _drop_old(self) -> None:
        now = time.time()
        self._jobs = {
            id: job for id, job in self._jobs.items() if job.is_running or now - job.began < KEPT
        }

    def let_go(self) -> None:
        """Let go of what is over, and show nowhere what is under way: some is to be forgotten."""
        self._jobs = {id: job for id, job in self._jobs.items() if job.is_running}
        for job in self._jobs.values():
            job.about = ""

    @staticmethod
    def _ended(outcome: Any, job: Job) -> None:
        if not isinstance(outcome, Failure):
            job.state, job.outcome = DONE, outcome
            return
        job.state, job.outcome = FAILED, "That failed; the server's log says why."
        if outcome.check(AssistantError):
            job.outcome = str(outcome.value)
        elif outcome.check(TimeoutError):
            job.outcome = "That took too long, and was given up."
        else:
            report("a job", outcome.value)


JOBS = JobBook()
"""Those of the API, and what staff try out on pages and by command."""
