"""Run commands as the terminal does."""

import sys
from collections.abc import Callable
from typing import NamedTuple

import pytest

from shoal.cli.main import main


class Ran(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Run a command in this process and give its exit status and what it printed."""

    def run_command(*arguments: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["shoal", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            main()
        printed = capsys.readouterr()
        code = stopped.value.code
        return Ran(code if isinstance(code, int) else 0, printed.out, printed.err)

    return run_command
