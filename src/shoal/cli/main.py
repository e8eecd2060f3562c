"""The command ``shoal``: its commands, and how every failure becomes one sentence and an exit status."""

import json
import os
import signal
import sys
from types import FrameType
from typing import NoReturn

import click

from shoal.errors import InternalError, ShoalError
from shoal.version import __version__

from .attack import attack
from .check import check
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
from .sweep import sweep
from .verify import verify

__all__ = ["main", "shoal"]


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="shoal")
def shoal() -> None:
    """Publish rating data and microdata so that nobody in them can be picked out, and prove it.

    A promise and a method are written name:key=value,key=value. Exit status: 0 done, or it holds; 1 it does not
    hold; 2 bad input or usage; 3 it cannot be promised; 4 an optional part is missing.
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
    report,
    lookup,
    desk,
    generate,
    demo,
):
    shoal.add_command(_command)


def main() -> NoReturn:
    """Run a command; every failure ends in one sentence on standard error and an exit status."""
    signal.signal(signal.SIGTERM, _stop)
    try:
        status = shoal.main(standalone_mode=False)
    except ShoalError as error:
        _fail(str(error), error.exit_code)
    except click.ClickException as error:
        error.show()
        _end_in_json(error.format_message(), 2)
    except (KeyboardInterrupt, click.Abort) as interruption:
        left = str(interruption.__cause__ or interruption)  # click wraps what a job says was kept
        _fail(f"interrupted; {left or 'nothing was left behind.'}", 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except MemoryError:
        _fail("The data need more memory than this machine has.", 70)
    except Exception as error:  # the text of a foreign error may hold a value of a record
        if os.environ.get("SHOAL_DEBUG"):
            raise
        kind = type(error).__name__
        fault = InternalError(f"This is a fault of Shoal ({kind}).", "SHOAL_DEBUG=1 shows where; please report it.")
        _fail(str(fault), fault.exit_code)
    sys.exit(status if isinstance(status, int) else 0)


def _stop(_signal: int, _frame: FrameType | None) -> NoReturn:
    """Leave through the open blocks, so that nothing half-written stays."""
    raise SystemExit(143)


def _fail(message: str, status: int) -> NoReturn:
    click.echo(f"shoal: {message}", err=True)
    _end_in_json(message, status)


def _end_in_json(message: str, status: int) -> NoReturn:
    if "--json" in sys.argv[1:]:
        click.echo(json.dumps({"error": message, "exit": status}, ensure_ascii=False))
    sys.exit(status)
