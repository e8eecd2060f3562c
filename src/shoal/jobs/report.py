"""The owner's report: a release proved, attacked and measured, as one page."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from shoal.attacks import Attack, attacks
from shoal.io import Source
from shoal.io.ledger_folder import read_ledger
from shoal.io.release_folder import read_release
from shoal.io.staging import staged_file
from shoal.pages import OwnerReport, owner_report
from shoal.progress import stage
from shoal.utility import WarnAt, kept_in_words, warnings_of

from .attack import AttackResult, attacked, refuse_unheeded
from .exposed import exposure_of
from .measure import MeasureResult, compared, instead_of_ratings, measured_as
from .read_population import read_outside
from .release_and_truth import ReleaseAndTruth
from .report_pictures import report_pictures
from .verify import verified

__all__ = ["ReportResult", "report"]

_MARK = b"<title>Owner's report: "


@dataclass(frozen=True)
class ReportResult:
    """Where the page is, and the figures on it."""

    report: str
    holds: bool
    attacks: AttackResult
    measures: MeasureResult

    def to_json(self) -> dict[str, Any]:
        """Give what ``--json`` prints."""
        return {"report": self.report, "holds": self.holds, **self.attacks.to_json(), **self.measures.to_json()}


def report(
    folder: str | Path,
    ledger: str | Path,
    out: str | Path,
    *,
    wordings: Sequence[str | Attack] = (),
    outside: str | Path | Source | None = None,
    everything: bool = False,
    seed: int = 0,
    force: bool = False,
) -> ReportResult:
    """Verify a release, attack it, measure it, and write the page; only its owner can read the file.

    Without wordings, by every attack that fits. ``outside`` is a table of people who are not in the release, for the
    control of attacks. The same seed gives the same page.
    """
    asked = tuple(each if isinstance(each, Attack) else attacks.read(each) for each in wordings)
    refuse_unheeded(asked, outside=outside)
    with staged_file(Path(out), is_ours=_is_report, force=force) as file:
        release, truth = read_release(folder), read_ledger(ledger)
        with stage("proof-reading the release"):
            proved = verified(folder, release, truth)
        pair = ReleaseAndTruth.of(release, truth)
        people = None if outside is None else read_outside(outside, release.schema)
        exposure = replace(exposure_of(pair), outside=people)
        found = attacked(exposure, asked, seed=seed)
        comparison = compared(pair, seed=seed)
        measures = measured_as(comparison, pair.certificate.method, everything=everything)
        broken = tuple(f"{verdict.promise} does not hold." for verdict in proved.verdicts if not verdict.holds)
        page = OwnerReport(
            release=Path(folder).resolve().name,
            certificate=pair.certificate,
            contradictions=(*broken, *proved.reasons),
            people=exposure.n_people,
            records=len(pair.original),
            withheld=len(pair.original) - len(pair.origins),
            findings=found.findings,
            not_run=found.reasons,
            measures=measures.measures,
            pictures=report_pictures(comparison, exposure.group_sizes),
            kept=kept_in_words(measures.measures, instead_of_ratings(pair.certificate.method)),
            warnings=warnings_of(measures.measures, WarnAt()),
        )
        file.write_text(owner_report(page), encoding="utf-8")
    return ReportResult(str(out), proved.holds, found, measures)


def _is_report(path: Path) -> bool:
    with path.open("rb") as file:
        return _MARK in file.read(4096)
