"""Attackers as pages name them: in words, each told from the others, and none that has nothing to attack."""

import re
from typing import Any

import pytest

from shoal.pages.charts import BLUE, GRAY, NARROW, RED, WIDTH
from shoal.pages.paired_bars import PairedBar, paired_bars
from shoal.workbench.computed import Computed
from shoal.workbench.findings import attackers, attackers_of_two, attackers_picture

TWINS = (
    "label:items=4,outside_top=0,tolerance=0",
    "label:items=4,outside_top=0,tolerance=1",
    "profile-homogeneity:items=4,outside_top=0,learns=profile",
    "profile-homogeneity:items=4,outside_top=0,tolerance=1,learns=profile",
    "profile-homogeneity:items=4,outside_top=0,tolerance=1,learns=rating",
    "homogeneity:of=income",
    "homogeneity:of=a=b",
    "made-elsewhere:bold=yes",
    "made-elsewhere:bold=no",
)


class Found(Computed):
    """What a job of attacks has found."""

    def __init__(self, *wordings: str) -> None:
        told = {"yardstick": "inference", "baseline": 0.05, "main": 0.995, "targets": 100}
        object.__setattr__(self, "told", {"attacks": [{"attack": each, **told} for each in wordings]})

    is_done = True  # type: ignore[assignment]

    @property
    def result(self) -> dict[str, Any]:
        return self.told  # type: ignore[attr-defined]


def test_no_two_attackers_have_the_same_words() -> None:
    words = [each.in_words for each in attackers(Found(*TWINS), None)]
    assert len(set(words)) == len(TWINS)
    assert "Knows a few ratings of a person (exactly)" in words
    assert "Knows a few ratings of a person (to within 1)" in words
    assert not any("outside_top" in each or "items=4" in each for each in words)  # what they share sets none apart


def test_an_attacker_without_a_twin_has_no_settings() -> None:
    (alone,) = attackers(Found(TWINS[0]), None)
    assert alone.in_words == "Knows a few ratings of a person"


@pytest.mark.parametrize("name", ["downcoding", "minimality"])
def test_what_undoes_a_method_is_not_tried_on_raw_data(name: str) -> None:
    assert attackers(Found(name), None) == []
    (both,) = attackers(Found(name), Found(name))
    assert both.raw is None
    assert both.release is not None
    (two,) = attackers_of_two(Found(name), Found(name))
    assert two.raw is not None


def test_the_picture_names_attackers_in_words() -> None:
    chart = str(attackers_picture(attackers(Found(*TWINS), None)).chart)
    assert "label:" not in chart
    assert "Knows a few ratings of a person (exactly)" in re.sub(r"</text><text[^>]*>", " ", chart)


def _texts(chart: str) -> list[tuple[float, str, str]]:
    found = re.findall(r'<text x="([\d.]+)" y="[\d.]+" text-anchor="(\w+)"[^>]*>([^<]*)<', chart)
    return [(float(x), anchor, text) for x, anchor, text in found]


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("share", [0.0, 0.05, 0.5, 0.995, 1.0])
@pytest.mark.parametrize("mark", [0.0, 0.06, 0.51, 0.999])
def test_labels_stay_in_the_picture_and_no_mark_crosses_them(share: float, mark: float, narrow: bool) -> None:
    names = "Finds the records that fit a person, and takes the most frequent sensitive value among them of all"
    chart = str(paired_bars([PairedBar(names, share, share, mark)], ("a", "b"), "guessing", narrow=narrow))
    line = float(re.findall(r'<line x1="([\d.]+)"[^>]*stroke="#c0392b"', chart)[0])
    for x, anchor, text in _texts(chart):
        wide = 6.7 * len(text)
        left = {"start": x, "end": x - wide, "middle": x - wide / 2}[anchor]
        assert left >= 0, text
        assert left + wide <= (NARROW if narrow else WIDTH), text
        if anchor == "start" and text.endswith("%"):
            assert not left < line < left + wide, (text, left, line)


def test_the_style_sheet_knows_the_colors_of_charts() -> None:
    """In dark pages they follow the page; a color that was changed in charts alone would stay dim there."""
    from importlib.resources import files

    sheet = files("shoal.workbench").joinpath("static/workbench.css").read_text(encoding="utf-8")
    for selector in (f'[fill="{BLUE}"]', f'[stroke="{BLUE}"]', f'[stroke="{RED}"]', f'text[fill="{GRAY}"]'):
        assert f"svg {selector}" in sheet
