"""What is left of use: every measure of a release, computed anew from its ledger."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from shoal.engines import LocalEngine
from shoal.models import KAnonymity, KEpsilon, promises
from shoal.release import Certificate
from shoal.utility import MEASURES, QUICK, Comparison, measured

from .release_and_truth import ReleaseAndTruth

__all__ = ["MeasureResult", "compared", "measure", "measured_pair"]


@dataclass(frozen=True)
class MeasureResult:
    """Every measure by name."""

    measures: Mapping[str, int | float]
    reasons: Mapping[str, str]
    """Why a measure that was asked for is not among them."""
    method: str
    k: int | None
    """The k that is promised; None where the certificate promises none."""
    epsilon: Fraction | None

    def to_json(self) -> dict[str, Any]:
        """Give what ``--json`` prints."""
        return {"measures": dict(self.measures), "not_measured": dict(self.reasons)}


def measure(folder: str | Path, ledger: str | Path, *, everything: bool = False, seed: int = 0) -> MeasureResult:
    """Compare a release with the originals in its ledger.

    With ``everything``, also by the measures that take their time; ``seed`` is where their random queries, samples and
    splits come from.
    """
    return measured_pair(ReleaseAndTruth.read(folder, ledger), everything=everything, seed=seed)


def measured_pair(pair: ReleaseAndTruth, *, everything: bool = False, seed: int = 0) -> MeasureResult:
    """Measure a release that was read with its ledger."""
    comparison = compared(pair, seed=seed)
    found = measured(comparison, MEASURES.values() if everything else QUICK)
    k, _ = _promised(pair.certificate, pair.published.kind)
    return MeasureResult(found.values, found.reasons, pair.certificate.method, k, comparison.epsilon)


def compared(pair: ReleaseAndTruth, *, seed: int = 0) -> Comparison:
    """Put originals and published records side by side."""
    engine = LocalEngine()
    sizes = engine.count(pair.published, engine.group(pair.published), sensitive=False).sizes
    _, epsilon = _promised(pair.certificate, pair.published.kind)
    return Comparison(pair.original, pair.origins, pair.published, sizes, epsilon, seed, pair.places)


def _promised(certificate: Certificate, kind: str) -> tuple[int | None, Fraction | None]:
    """Give the k and ε of the first promise k-epsilon, or else of k-anonymity, which on ratings has an ε of 0."""
    models = [promises.read(certified.promise) for certified in certificate.promises]
    for model in models:
        if isinstance(model, KEpsilon):
            return model.k, model.epsilon
    for model in models:
        if isinstance(model, KAnonymity):
            return model.k, Fraction(0) if kind == "ratings" else None
    return None, None
