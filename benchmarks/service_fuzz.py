"""The service fuzzed: every operation of its document, with thousands of cases as its schemas say and against them.

It runs the test of the service with more cases; a fault, or an answer that is not as the document says, fails it.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

_CASES = 10


def main(folder: Path) -> dict[str, Any]:
    """Return how many cases were tried on how many operations, and what was answered."""
    counts = folder / "counts.json"
    environment = {**os.environ, "SHOAL_FUZZ_CASES": str(_CASES), "SHOAL_FUZZ_COUNTS": str(counts)}
    test = Path(__file__).parent.parent / "tests" / "server" / "test_fuzz.py"
    command = [sys.executable, "-m", "pytest", "-q", str(test), "-k", "test_every_operation"]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=test.parents[2], check=False)
    passed, failed = (re.search(rf"(\d+) {word}", run.stdout) for word in ("passed", "failed"))
    if failed:
        print(run.stdout[-50_000:], file=sys.stderr)  # which ones, and why
    return {
        "operations": int(passed[1]) if passed else 0,
        "operations with a fault": int(failed[1]) if failed else 0,
        **json.loads(counts.read_text(encoding="utf-8")),
    }
