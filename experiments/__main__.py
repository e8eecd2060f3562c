"""Run the experiments of the papers, and write their pages.

python -m experiments                    all of them, on all the data: hours; what was measured is kept
python -m experiments --quick            all of them, on samples: minutes
python -m experiments --only 000-15a     one; --only may be repeated, and 000 stands for a whole paper
python -m experiments --list             what there is, and what became of it
python -m experiments --pages            nothing is measured; pages and plots are written from what was kept
"""

import argparse
import os
import shutil

from experiments.catalog import experiments, module_of
from experiments.experiment import FULL, QUICK, Experiment
from experiments.pages import best_results, write_pages
from experiments.results import RESULTS
from experiments.run import run


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m experiments", description="Run the experiments of the papers.")
    parser.add_argument("--quick", action="store_true", help="on samples: every experiment within minutes")
    parser.add_argument("--only", action="append", default=[], metavar="ID", help="only this one, or this paper")
    parser.add_argument("--again", action="store_true", help="measure anew what was kept")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="how many points at a time")
    parser.add_argument("--list", action="store_true", help="list the experiments and their verdicts")
    parser.add_argument("--pages", action="store_true", help="write pages and plots from what was kept, and end")
    arguments = parser.parse_args()
    chosen = [each for each in experiments().values() if _asked(each, arguments.only)]
    if not chosen:
        parser.error(f"there is no experiment {', '.join(arguments.only)}; see --list")
    if arguments.list:
        return _list(chosen)
    whole = True
    if not arguments.pages:
        size = QUICK if arguments.quick else FULL
        if arguments.again:
            for each in chosen:
                (RESULTS / size.name / f"{each.id}.json").unlink(missing_ok=True)
        whole = run(chosen, size, arguments.workers)
    written = write_pages(chosen)
    print(f"{len(written)} pages written")
    return 0 if whole else 1


def _asked(experiment: Experiment, only: list[str]) -> bool:
    return not only or any(experiment.id == name or experiment.paper == name for name in only)


def _list(chosen: list[Experiment]) -> int:
    width = shutil.get_terminal_size().columns
    for each in chosen:
        results = best_results(each)
        verdict = each.verdict(results.table()) if results else "not measured"
        print(f"{each.id:<10} {verdict:<24} {each.asks}"[:width])
        print(f"{'':<10} {each.figures}; experiments/{module_of(each).replace('.', '/')}.py"[:width])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
