"""The jobs of the public face, one a file: what a command, a plan or a Python program asks for."""

from .attack import AttackResult, attack
from .check import CheckResult, check
from .check_hierarchy import CheckedHierarchy, check_hierarchy
from .describe import Description, describe
from .draw_hierarchy import DrawnHierarchy, draw_hierarchy
from .lattice import LatticeResult, lattice
from .limits import LimitsResult, limits
from .lookup import LookupResult, lookup
from .measure import MeasureResult, measure
from .measure_several import SeveralMeasured, measure_several
from .publish import PublishResult, publish
from .read import read
from .register import RegisterResult, register
from .report import ReportResult, report
from .request import RequestResult, request
from .suggest_hierarchy import SuggestedHierarchy, suggest_hierarchy
from .sweep import SweepResult, sweep
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
