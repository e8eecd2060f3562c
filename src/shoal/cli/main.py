"""The command ``shoal``: its commands, and how every failure becomes one sentence and an exit status."""

import gc
import io
import json
import os
import signal
import sys
import warnings
from typing import NoReturn

import click

from shoal.errors import InternalError, ShoalError, WriteError, shortened
from shoal.interruptions import Signals, interruption_behind
from shoal.version import __version__

from .attack import attack
from .check import check
from .compare import compare
from .demo import demo
from .describe import describe
from .desk import desk
from .generate import generate
from .hierarchy import hierarchy
from .lattice import lattice
from .limits import limits
from .lookup import lookup
from .measure import measure
from .publish import publish
from .report import report
from .serve import serve, users, workbench
from .sweep import sweep
from .verify import verify
from .warm_up import warm_up

__all__ = ["main", "shoal"]


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="shoal")
def shoal() -> None:
    """Publish rating data and microdata under privacy promises, and prove that they are kept.

    Promises, methods and attacks are written name:key=value,key=value. Exit status: 0 done, or the promises hold;
    1 a promise does not hold; 2 bad input or usage; 3 the promises cannot be kept; 4 an optional dependency is
    missing; 130, 143 or 129 stopped by a signal (interrupt, terminate, hang-up), with nothing unfinished left.
    """


for _command in (
    describe,
    hierarchy,
    check,
    limits,
    lattice,
    sweep,
    publish,
    verify,
    attack,
    measure,
    compare,
    report,
    lookup,
    desk,
    serve,
    workbench,
    users,
    generate,
    demo,
    warm_up,
):
    shoal.add_command(_command)


def main() -> NoReturn:
    """Run a command; every failure ends in one sentence on standard error and an exit status."""
    warnings.formatwarning = lambda message, *_: f"Warning: {message}\n"  # a sentence, without the line of code
    try:
        _run()
    finally:
        gc.freeze()  # memory goes with the process; a search for cycles in it would take a sixth of a small command


def _run() -> NoReturn:
    with Signals.heard() as signals:
        try:
            status = shoal.main(standalone_mode=False)
            sys.stdout.flush()  # or a failure to write it would go unnoticed
            signals.over()
        except BaseException as failure:  # noqa: BLE001 - every failure is reported
            signals.over()
            if signals.received is not None or isinstance(failure, KeyboardInterrupt | click.Abort):
                _end_interrupted(failure, signals.received or signal.SIGINT)
            _end_failed(failure)
        sys.exit(status if isinstance(status, int) else 0)


def _end_interrupted(failure: BaseException, received: int) -> NoReturn:
    """Report that the command was stopped: whatever failed after that failed because of it."""
    interruption = interruption_behind(failure)
    kept = "" if interruption is None else str(interruption)  # what a job says was kept
    _fail(f"interrupted; {kept or 'nothing unfinished was left behind.'}", 128 + received)


def _end_failed(failure: BaseException) -> NoReturn:
    if isinstance(failure, ShoalError):
        _fail(str(failure), failure.exit_code)
    if isinstance(failure, click.ClickException):
        published = io.StringIO()
        failure.show(published)
        click.echo(shortened(published.getvalue()), err=True, nl=False)
        _end_in_json(shortened(failure.format_message()), 2)
    if isinstance(failure, SystemExit):
        raise failure
    if isinstance(failure, BrokenPipeError):
        _discard_output()
        sys.exit(141)
    if isinstance(failure, MemoryError):
        _fail("The data need more memory than this machine has.", 70)
    if isinstance(failure, OSError) and WriteError.is_for_lack_of_room(failure):
        _discard_output()
        _fail("A disk is full, perhaps the one that the output goes to or that of temporary files.", 2)
    if isinstance(failure, OSError) and failure.errno is not None and failure.filename is not None:
        _fail(shortened(f"{failure.filename} cannot be used: {os.strerror(failure.errno)}."), 2)
    if os.environ.get("SHOAL_DEBUG"):
        raise failure
    # the text of a foreign error may hold a value of a record
    fault = InternalError(
        f"This is a fault of Shoal ({type(failure).__name__}).", "SHOAL_DEBUG=1 shows where; please report it."
    )
    _fail(str(fault), fault.exit_code)


def _discard_output() -> None:
    """Let what is still to be printed go nowhere, because where it was to go takes nothing."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, status: int) -> NoReturn:
    click.echo(f"shoal: {message}", err=True)
    _end_in_json(message, status)


def _end_in_json(message: str, status: int) -> NoReturn:
    if "--json" in sys.argv[1:]:
        click.echo(json.dumps({"error": message, "exit": status}, ensure_ascii=False))
    sys.exit(status)
