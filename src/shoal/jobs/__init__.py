"""The jobs of the public face, one a file: what a command, a plan or a Python program asks for."""

from shoal.jobs.limits.limits import LimitsResult, limits
from shoal.jobs.sweep.sweep import SweepResult, sweep

from .attack import AttackResult, attack
from .check import CheckResult, check
from .describe import Description, describe
from .desk import RegisterResult, RequestResult, register, request
from .hierarchy import (
    CheckedHierarchy,
    DrawnHierarchy,
    SuggestedHierarchy,
    check_hierarchy,
    draw_hierarchy,
    suggest_hierarchy,
)
from .lattice import LatticeResult, lattice
from .lookup import LookupResult, lookup
from .measure import MeasureResult, SeveralMeasured, measure, measure_several
from .publish import PublishResult, publish
from .read import read
from .report import ReportResult, report
from .verify import VerifyResult, verify

__all__ = [
    "AttackResult",
    "CheckResult",
    "CheckedHierarchy",
    "Description",
    "DrawnHierarchy",
    "LatticeResult",
    "LimitsResult",
    "LookupResult",
    "MeasureResult",
    "PublishResult",
    "RegisterResult",
    "ReportResult",
    "RequestResult",
    "SeveralMeasured",
    "SuggestedHierarchy",
    "SweepResult",
    "VerifyResult",
    "attack",
    "check",
    "check_hierarchy",
    "describe",
    "draw_hierarchy",
    "lattice",
    "limits",
    "lookup",
    "measure",
    "measure_several",
    "publish",
    "read",
    "register",
    "report",
    "request",
    "suggest_hierarchy",
    "sweep",
    "verify",
]
