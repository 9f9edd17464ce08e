"""The doctor: a look at a game's set-up. `findings` is the way in, `endpoint_findings` the rest."""

from __future__ import annotations

from ai_assistant.api.doctor.checkup import (
    CHECKS,
    endpoint_findings,
    finding_lines,
    findings,
    servers,
)

__all__ = ["CHECKS", "endpoint_findings", "finding_lines", "findings", "servers"]
