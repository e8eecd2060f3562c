"""Do what a refusal says: write the lines that it gives into the file that it names."""

import re
from pathlib import Path

from shoal.errors import InputError


def lines_of(error: InputError) -> str:
    """Return the lines that a refusal tells to write."""
    return "".join(f"{line[4:]}\n" for line in str(error).split("\n") if line.startswith("    "))


def follow(error: InputError) -> Path:
    """Write what a refusal tells to write, where it tells to; return where that is."""
    found = re.search(r"Save these lines as (.+?), which is read with the data:\n", str(error))
    assert found is not None, f"no lines to write: {error}"
    path = Path(found[1])
    path.write_text(lines_of(error), encoding="utf-8")
    return path
