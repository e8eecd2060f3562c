"""The owner's report: a release verified, attacked and measured, on one page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal.attacks import Attack
from shoal.data import PARTS, Ratings, Survey
from shoal.display import Displayed, Picture, Summary, Table
from shoal.io import Data
from shoal.io.folders.release import ReleaseFolder
from shoal.io.folders.staging import staged_file
from shoal.pages import OwnerReport, owner_report
from shoal.pages.charts import columns_chart
from shoal.pages.group_sizes import group_sizes_picture
from shoal.progress import stage, whole
from shoal.utility import Comparison, WarnAt, kept_in_words, warnings_of
from shoal.utility.ratings.items import rating_histograms

from .attack import AttackResult, asked_attacks, attacked, exposure_of, refuse_unheeded
from .measure import MeasureResult, compared, instead_of_ratings, measured_as
from .phases import REPORTING
from .read import read_outside
from .release_and_truth import GivenLedger, GivenRelease, ReleaseAndTruth, given_ledger, given_release
from .verify import verified

__all__ = ["ReportResult", "report", "report_pictures"]


def report_pictures(comparison: Comparison, people: np.ndarray) -> tuple[Picture, ...]:
    """Draw how many people groups are of, and what became of ratings or of columns."""
    parts = [comparison.part(part) for part in PARTS] if isinstance(comparison.released, Survey) else [comparison]
    drawn = [_of_ratings(part) if isinstance(part.released, Ratings) else _of_table(part) for part in parts]
    return (group_sizes_picture(people), *(picture for pictures in drawn for picture in pictures))


def _of_ratings(comparison: Comparison) -> tuple[Picture, ...]:
    differences = comparison.ratings
    assert differences is not None
    assert isinstance(comparison.original, Ratings)
    given = comparison.n_given[1]
    kept = given - differences.changed - differences.dropped
    became = {
        "kept": kept,
        "changed": differences.changed,
        "dropped": differences.dropped,
        "invented": differences.invented,
    }
    fate = Picture(
        "What became of the ratings",
        f"Of {given:,} ratings that were given; invented are those that nobody gave, in the records of people who are "
        "published.",
        columns_chart(list(became), [("ratings", list(became.values()))], share=False),
        table=Table.of(
            "What became of the ratings", ("ratings", "how many"), [(k, f"{n:,}") for k, n in became.items()]
        ),
    )
    if isinstance(comparison.whole, Ratings) and comparison.whole.is_sets:
        return (fate,)
    before, after = (counts[1:] / max(counts[1:].sum(), 1) for counts in rating_histograms(comparison))
    whole = comparison.whole
    assert isinstance(whole, Ratings)
    points = [f"{float(whole.scale.lowest + code * whole.scale.step):g}" for code in range(whole.scale.points)]
    marks = Picture(
        "How high ratings are",
        "Shares of the ratings there are, before and after; published ratings are counted at the nearest point.",
        columns_chart(points, [("before", before.tolist()), ("published", after.tolist())], share=True),
        table=Table.of(
            "How high ratings are",
            ("rating", "before", "published"),
            [(point, f"{b:.1%}", f"{a:.1%}") for point, b, a in zip(points, before, after, strict=True)],
        ),
    )
    return fate, marks


def _of_table(comparison: Comparison) -> tuple[Picture, ...]:
    names, exact = [], []
    for before, after in comparison.columns:
        same = before.values.cast(pl.String).eq_missing(after.values.cast(pl.String))
        names.append(after.name)
        exact.append(float(same.mean() or 0))  # type: ignore[arg-type]
    return (
        Picture(
            "How much is published exactly",
            "For each quasi-identifier, the share of the published records that have its original value.",
            columns_chart(names, [("published exactly", exact)], share=True),
            table=Table.of(
                "How much is published exactly",
                ("column", "published exactly"),
                [(name, f"{share:.1%}") for name, share in zip(names, exact, strict=True)],
            ),
        ),
    )


_MARK = b"<title>Owner's report: "


@dataclass(frozen=True, repr=False)
class ReportResult(Displayed):
    """Where the page is, and the figures on it."""

    report: str
    holds: bool
    attacks: AttackResult
    measures: MeasureResult
    charts: tuple[Picture, ...] = ()
    """The charts of the page, beside that of the attacks."""

    def _summary(self) -> Summary:
        verdict = "the release is verified" if self.holds else "the release does not hold what it states"
        tables = (self.attacks.table, self.measures.table)
        return Summary(f"ReportResult: {verdict}", self.holds, (("page", self.report),), tables)

    def _pictures(self) -> Iterator[Picture]:
        yield from self.attacks.charts()
        yield from self.charts

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {"report": self.report, "holds": self.holds, **self.attacks.to_json(), **self.measures.to_json()}


@whole("reporting", *REPORTING)
def report(
    folder: GivenRelease,
    ledger: GivenLedger,
    out: str | Path,
    *,
    wordings: str | Attack | Sequence[str | Attack] = (),
    outside: Data | None = None,
    everything: bool = False,
    seed: int = 0,
    force: bool = False,
) -> ReportResult:
    """Verify a release, attack it, measure it, and write the page; only its owner can read the file.

    Without wordings, by every attack that fits. ``outside`` is a table of people who are not in the release, for the
    control of attacks. The same seed gives the same page.
    """
    asked = asked_attacks(wordings)
    refuse_unheeded(asked, outside=outside)
    with staged_file(Path(out), is_ours=_is_report, force=force) as file:
        release, truth = given_release(folder), given_ledger(ledger)
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
            release="a release in memory" if isinstance(folder, ReleaseFolder) else Path(folder).resolve().name,
            certificate=pair.certificate,
            contradictions=(*broken, *proved.reasons),
            people=exposure.n_people,
            records=len(pair.original),
            withheld=len(pair.original) - len(pair.origins),
            findings=found.findings,
            not_run=found.reasons,
            measures=measures.measures,
            kind=measures.kind,
            pictures=report_pictures(comparison, exposure.group_sizes),
            kept=kept_in_words(measures.measures, instead_of_ratings(pair.certificate.method)),
            warnings=warnings_of(measures.measures, WarnAt()),
        )
        file.write_text(owner_report(page), encoding="utf-8")
    return ReportResult(str(out), proved.holds, found, measures, page.pictures)


def _is_report(path: Path) -> bool:
    with path.open("rb") as file:
        return _MARK in file.read(4096)
