"""The tables of chapter 4, and the methods that it compares: decomposition (Dec), Mondrian and TDS.

The thesis prints a decomposition that never looks at k, and compares it with methods that keep k. So it is measured as
it is printed, and with k kept: generalized further by as little as k needs. Claims are decided for both. Equation 4.11
generalizes the most useful attributes most; *Dec by purpose* does what the text around it means.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from experiments.data import ADULT, CENSUS, DATA_SETS, load
from experiments.data.tables import with_roles
from experiments.experiment import Size
from experiments.recoded import Recoded, recoded
from shoal.anonymizers import Decomposition
from shoal.data import Microdata
from shoal.desk import Purpose, QuadraticProjection

__all__ = [
    "AS_PRINTED",
    "DEC",
    "K_KEPT",
    "LINES",
    "MONDRIAN",
    "OURS",
    "PARAMETERS",
    "PRINTED",
    "TARGETS",
    "TDS",
    "Request",
    "table",
    "view",
]

PRINTED, DEC, OURS = "Dec as printed", "Dec, k kept", "Dec by purpose, k kept"
MONDRIAN, TDS = "Mondrian", "TDS"
LINES = (PRINTED, DEC, OURS, MONDRIAN, TDS)
TARGETS = {ADULT.name: "salary-class", CENSUS.name: "income"}
"""The column to be predicted; TDS needs one always."""
_COLUMNS = {
    ADULT.name: ("age", "workclass", "education", "native-country", "marital-status", "race", "sex"),
    CENSUS.name: ("birthplace", "age", "citizenship", "marital", "education", "sex", "weeks", "race"),
}
_RECORDS = {ADULT.name: None, CENSUS.name: 49_657}
"""As many as the thesis has; None: all 45,222."""
AS_PRINTED, K_KEPT = "Dec as printed, which does not keep k", "Dec with k kept"
"""The readings for which each claim is decided: as the thesis has it, and so that equals are compared."""
PARAMETERS = (
    "Adult with the seven quasi-identifiers of the thesis; of Census-Income 49,657 records, as many as the thesis has, "
    "with eight of its ten: birthplace stands for region and weeks worked for hours, there is no disability, and "
    "salary is what is predicted. Steps of hierarchies weigh by the utility function with β = 1, as in the thesis. "
    "The degree is 1 − t²: the thesis calls its projection of trust quadratic and does not define it. TDS is "
    "`specialization` by information about the salary, Mondrian `mondrian`, Dec `decomposition`: as printed, which "
    "never looks at k; generalized further by as little as k needs; and in the reading that keeps useful attributes. "
    "Claims are decided for the first two. "
    "Nobody is withheld."
)
_QUADRATIC = QuadraticProjection()


@dataclass(frozen=True)
class Request:
    """What somebody asks for, and how much they are trusted."""

    trust: float
    purpose: Purpose
    k: int


def table(data: str, size: Size) -> Microdata:
    """Return a table of the thesis, or a sample of it."""
    records = size.pick(_RECORDS[data], 10_000, 120)
    return with_roles(load(DATA_SETS[data], size, records), _COLUMNS[data], [TARGETS[data]])


def view(records: Microdata, line: str, request: Request, **comparison: Any) -> Recoded:
    """Return what a method makes of the records; its name is one of :data:`LINES`."""
    promise = f"k-anonymity:k={request.k}"
    if line == MONDRIAN:
        return recoded(records, [promise], "mondrian", **comparison)
    if line == TDS:
        return recoded(records, [promise], f"specialization:target={records.sensitive[0].name}", **comparison)
    method = Decomposition(
        degree=_QUADRATIC.degree(Fraction(str(request.trust))),
        reading="purpose" if line == OURS else "thesis",
        most=request.purpose.most,
        least=request.purpose.least,
        target=request.purpose.target,
        weight="utility",
    )
    return recoded(records, [] if line == PRINTED else [promise], method, k=request.k, **comparison)
