"""``shoal warm-up``: compile ahead of the first run."""

import click

from . import options
from .printing import print_json
from .progress_bars import progress_bars

__all__ = ["warm_up"]


@click.command("warm-up")
@options.as_json
def warm_up(as_json: bool) -> None:  # noqa: FBT001
    """Compile everything the other commands need, so that none of them has to when it is first run.

    Worth it when Shoal is installed for many to use. Compiled code is kept beside the installed package, in the
    user's cache, or where the environment variable NUMBA_CACHE_DIR says.
    """
    from shoal.jobs.warm_up import warm_up as job

    with progress_bars(quiet=as_json):
        result = job()
    if as_json:
        print_json(result.to_json())
        return
    click.echo(f"{result.compiled:,} kernels compiled in {result.seconds:.0f} s")
    if result.kept_in is None:
        click.echo("They are not kept: no folder can be written to. NUMBA_CACHE_DIR can name one.", err=True)
    else:
        click.echo(f"kept in {result.kept_in}")
