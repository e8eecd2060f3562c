"""Every measure is on the page of measures, with its unit and whether it is quick."""

import re
from pathlib import Path

import pytest

from shoal.utility import MEASURES

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "measures.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_is_defined_on_the_page(name: str) -> None:
    published = name.removesuffix(" before")
    assert f"**{published}" in PAGE
    row = next(line for line in PAGE.splitlines() if re.match(rf"\| .*{published}", line))
    assert row.split("|")[5].strip() == ("yes" if MEASURES[name].quick else "`--all`")
