"""How the command behaves as a process: quick to start, clean when killed, quiet when piped."""

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cli.files import write_table

SHOAL = (sys.executable, "-c", "from shoal.cli.main import main; main()")


def test_help_answers_in_well_under_a_second() -> None:
    began = time.perf_counter()
    done = subprocess.run([*SHOAL, "--help"], capture_output=True, text=True, check=True)
    assert time.perf_counter() - began < 0.8
    for command in ("describe", "check", "publish", "verify", "measure", "generate", "demo"):
        assert command in done.stdout


def test_heavy_imports_wait_for_the_call() -> None:
    heavy = ("numpy", "scipy", "numba", "polars", "sklearn", "pydantic", "rich", "pyreadstat", "matplotlib", "jinja2")
    loaded = f"[name for name in {heavy!r} if name in sys.modules]"
    program = f"import sys, shoal, shoal.cli.main, shoal.cli.printing; print({loaded})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_only_a_surveys_file_needs_the_surveys_extra(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['pyreadstat'] = None\n"
        f"sys.argv = ['shoal', 'describe', {str(tmp_path / 'x.sav')!r}]\n"
        "from shoal.cli.main import main; main()"
    )
    (tmp_path / "x.sav").write_bytes(b"$FL2@(#) SPSS DATA FILE")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert "surveys" in done.stderr


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_killed_run_leaves_no_release(tmp_path: Path, how: signal.Signals) -> None:
    data, schema = write_table(tmp_path, rows=400)
    # the writer is held up half-way, with a part of the data already in the staging folder
    program = (
        "import sys, time, shoal.io.folders.release as folder\n"
        "whole = folder.schema_of\n"
        "def held_up(path):\n"
        "    (path.parent / 'half.csv').write_text('half'); print('half-way', flush=True); time.sleep(60)\n"
        "folder.write_records = lambda records, schema, path, types: held_up(path)\n"
        f"sys.argv = ['shoal', 'publish', {str(data)!r}, '--schema', {str(schema)!r}, '-m', 'k-anonymity:k=5',\n"
        f"            '--out', {str(tmp_path / 'release')!r}, '--ledger', {str(tmp_path / 'ledger')!r}]\n"
        "from shoal.cli.main import main; main()"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == b"half-way\n"
        run.send_signal(how)
        run.communicate()
        assert run.returncode != 0
    assert not (tmp_path / "release").exists()
    assert not (tmp_path / "ledger").exists()
    ask = ("publish", data, "--schema", schema, "-m", "k-anonymity:k=5", "--out", tmp_path / "release")
    subprocess.run([*SHOAL, *map(str, ask)], check=True, capture_output=True)
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"people.csv", "people.toml", "release"}, "what a killed run left is swept by the next"


def test_nothing_is_drawn_when_standard_error_is_not_a_terminal(tmp_path: Path) -> None:
    program = _slow_check(tmp_path)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stderr == ""


def test_work_over_a_second_shows_progress_on_a_terminal(tmp_path: Path) -> None:
    main, other = pty.openpty()
    with subprocess.Popen([sys.executable, "-c", _slow_check(tmp_path)], stdout=subprocess.PIPE, stderr=other) as run:
        os.close(other)
        drawn = b""
        while b"slow work" not in drawn:
            drawn += os.read(main, 4096)
        assert run.stdout is not None
        assert run.stdout.read().strip() == b"done"
    os.close(main)


def _slow_check(folder: Path) -> str:
    return (
        "import time\n"
        "from shoal.cli.progress_bars import progress_bars\n"
        "from shoal.progress import stage\n"
        "with progress_bars(quiet=False), stage('slow work', 20) as work:\n"
        "    for _ in range(20): time.sleep(0.1); work.advance()\n"
        "print('done')"
    )


def test_an_unforeseen_fault_tells_its_kind_and_not_its_text(tmp_path: Path) -> None:
    program = (
        "import sys, shoal.jobs.check\n"
        "def broken(*_, **__): raise RuntimeError('secret value of a record')\n"
        "shoal.jobs.check.check = broken\n"
        "sys.argv = ['shoal', 'check', 'x.csv', '-m', 'k-anonymity:k=2']\n"
        "from shoal.cli.main import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 70
    assert "secret" not in done.stderr + done.stdout
    assert "RuntimeError" in done.stderr
