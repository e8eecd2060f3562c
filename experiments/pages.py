"""The pages of the experiments: one each, and an index with their verdicts."""

import os
from collections.abc import Iterable
from pathlib import Path

import polars as pl

from experiments.catalog import experiments, module_of
from experiments.data import DATA_SETS
from experiments.experiment import FULL, PAPERS, QUICK, Experiment, Verdict
from experiments.results import RESULTS, Results

__all__ = ["DOCS", "best_results", "index_page", "page", "page_path", "write_pages"]

DOCS = Path(__file__).resolve().parents[1] / "docs" / "experiments"
_MOST_ROWS = 24
"""A longer table is linked, not printed."""
_WORDS = "Words are defined in the [glossary]({}glossary.md).\n"
_SAMPLE = (
    "**A sample.** These are the results of `--quick`, on a part of the data; those of all data are not there yet.\n"
)


def best_results(experiment: Experiment, folder: Path = RESULTS) -> Results | None:
    """Return the results on all data or, where they are not complete, those of the quick run; None without any."""
    for size in (FULL, QUICK):
        results = Results.read(experiment, size, folder)
        if results.complete:
            return results
    return None


def write_pages(chosen: Iterable[Experiment]) -> list[Path]:
    """Write the pages and plots of these experiments that have results, and the index; return the pages."""
    from experiments.figure import draw

    written = []
    for experiment in chosen:
        results = best_results(experiment)
        if results is None:
            continue
        path = page_path(experiment)
        draw(experiment, results.table(), path.with_suffix(".svg"))
        path.write_text(page(experiment, results), encoding="utf-8")
        written.append(path)
    DOCS.mkdir(parents=True, exist_ok=True)
    (DOCS / "index.md").write_text(index_page(), encoding="utf-8")
    return written


def page_path(experiment: Experiment) -> Path:
    """Return where the page of an experiment lies."""
    return DOCS / (module_of(experiment).replace("_", "-").replace(".", "/") + ".md")


def page(experiment: Experiment, results: Results) -> str:
    """Return the page of an experiment as Markdown."""
    table, path = results.table(), page_path(experiment)
    seconds = f"{results.seconds:,.0f} s of one core"
    parts = [
        f"# {experiment.asks}\n",
        f"{PAPERS[experiment.paper]}, {experiment.figures}.\n",
        f"**Verdict: {experiment.verdict(table)}.**"
        + (f" {experiment.undecidable}" if experiment.undecidable else "")
        + "\n",
        *([_SAMPLE] if results.size is QUICK else []),
        f"![{experiment.asks}]({path.stem}.svg)\n",
        "## What the paper says, and what we find\n",
        _claims(experiment, table),
        "## Why they differ\n",
        experiment.why + "\n",
        "## How it was measured\n",
        experiment.parameters + "\n",
        *(f"- *{name}*: {DATA_SETS[name].about}" for name in experiment.data),
        "",
        f"Random draws were repeated with {_seeds(table)}; lines are means, bands the lowest and the highest.\n"
        if "seed" in table.columns
        else "Nothing here is drawn at random but the data.\n",
        # no console block, which tests replay: an experiment needs its data, and minutes
        f"```bash\n{_command(experiment, results)}\n```\n",
        f"{len(table)} rows in {seconds}: [table]({_link(results, path, 'csv')}), "
        f"[how it came about]({_link(results, path, 'json')}).\n",
        *([_rows(table)] if len(table) <= _MOST_ROWS else []),
        _WORDS.format("../../reference/"),
    ]
    return "\n".join(parts)


def index_page() -> str:
    """Return the index: every experiment with its verdict."""
    lines, counts = [], dict.fromkeys(Verdict, 0)
    for experiment in experiments().values():
        results = best_results(experiment)
        if results is None:
            lines.append(f"| {experiment.id} | {experiment.figures} | {experiment.asks} | not measured yet |")
            continue
        verdict = experiment.verdict(results.table())
        counts[verdict] += 1
        link = page_path(experiment).relative_to(DOCS).as_posix()
        lines.append(f"| {experiment.id} | {experiment.figures} | [{experiment.asks}]({link}) | {verdict} |")
    summary = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
    return (
        "# The papers, run again\n\n"
        "Every table and figure with measured results in the five papers, repeated on real data. A claim of a paper\n"
        "is a sentence that a measurement can contradict; each is decided by what was measured. *Confirmed*: all\n"
        "claims hold. *Confirmed with limits*: some do. *Not confirmed*: none does. *Cannot be told from the paper*:\n"
        "it does not say enough to repeat it.\n\n"
        f"In all: {summary}.\n\n"
        "| id | figure | question | verdict |\n|---|---|---|---|\n" + "\n".join(lines) + "\n\n"
        "`make experiments` runs them all; `python -m experiments --help` says how to run some.\n\n"
        + "".join(f"- **{number}**: {title}\n" for number, title in PAPERS.items())
        + "\n"
        + _WORDS.format("../reference/")
    )


def _claims(experiment: Experiment, table: pl.DataFrame) -> str:
    lines = ["| the paper says | we find | holds |", "|---|---|---|"]
    for claim in experiment.claims:
        found = claim.test(table)
        lines.append(f"| {claim.says} | {found.numbers} | {'yes' if found.holds else '**no**'} |")
    return "\n".join(lines) + "\n"


def _seeds(table: pl.DataFrame) -> str:
    count = table["seed"].n_unique()
    return "one seed" if count == 1 else f"{count} seeds"


def _command(experiment: Experiment, results: Results) -> str:
    return f"python -m experiments --only {experiment.id}" + (" --quick" if results.size is QUICK else "")


def _link(results: Results, path: Path, form: str) -> str:
    file = RESULTS / results.size.name / f"{results.experiment.id}.{form}"
    return Path(os.path.relpath(file, path.parent)).as_posix()


def _rows(table: pl.DataFrame) -> str:
    head = "| " + " | ".join(table.columns) + " |\n|" + "---|" * len(table.columns)
    return head + "\n" + "\n".join("| " + " | ".join(map(_cell, row)) + " |" for row in table.iter_rows()) + "\n"


def _cell(value: object) -> str:
    return "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
