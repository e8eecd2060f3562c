"""The jobs of the public face, one a file: what a command, a plan or a Python program asks for."""

from .attack import AttackResult, attack
from .check import CheckResult, check
from .describe import Description, describe
from .lattice import LatticeResult, lattice
from .limits import LimitsResult, limits
from .lookup import LookupResult, lookup
from .measure import MeasureResult, measure
from .measure_several import SeveralMeasured, measure_several
from .publish import PublishResult, publish
from .read import read
from .report import ReportResult, report
from .sweep import SweepResult, sweep
from .verify import verify

__all__ = [
    "AttackResult",
    "CheckResult",
    "Description",
    "LatticeResult",
    "LimitsResult",
    "LookupResult",
    "MeasureResult",
    "PublishResult",
    "ReportResult",
    "SeveralMeasured",
    "SweepResult",
    "attack",
    "check",
    "describe",
    "lattice",
    "limits",
    "lookup",
    "measure",
    "measure_several",
    "publish",
    "read",
    "report",
    "sweep",
    "verify",
]
