"""The owner's report tells every figure, and never more than it may."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from shoal.attacks import Finding
from shoal.display import Picture
from shoal.pages import OwnerReport, owner_report
from shoal.pages.charts import columns_chart
from shoal.release import Certificate, CertifiedPromise

CERTIFICATE = Certificate((CertifiedPromise("k-anonymity:k=5", "Five are alike.", {"k": 5}),), "mondrian", 90, 17)
FOUND = Finding(
    "structure:items=4",
    "Knows 4 items.",
    "singling out",
    0.03,
    0.01,
    0.0,
    (0.02, 0.05),
    90,
    0.2,
    {"singled_out": 0.5, "above_0_09": 1},
    (0.0, 0.04),
)
REPORT = OwnerReport(
    release="<b>release</b>",
    certificate=CERTIFICATE,
    contradictions=(),
    people=100,
    records=100,
    withheld=10,
    findings=(FOUND,),
    not_run={"homogeneity": "Nothing is sensitive."},
    measures={"distortion": 1234.5, "cells changed": 17},
    kind="table",
    pictures=(Picture("How many", "People.", columns_chart(["a"], [("people", [1.0])], share=False)),),
)


def text_of(report: OwnerReport) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", re.sub(r"(?s)<style>.*?</style>", "", owner_report(report))))


def test_it_needs_no_network_and_no_script() -> None:
    page = owner_report(REPORT)
    assert not re.search(r"(?:src|href)\s*=|@import|url\(|<script|<link|<iframe", page)
    assert set(re.findall(r"https?://[^\"' <]+", page)) == {"http://www.w3.org/2000/svg"}


def test_names_are_told_as_text() -> None:
    page = owner_report(REPORT)
    assert "<b>release</b>" not in page
    assert "&lt;b&gt;release&lt;/b&gt;" in page


def test_every_element_is_closed() -> None:
    nested: list[str] = []

    class Nesting(HTMLParser):
        def handle_starttag(self, tag, attrs) -> None:
            if tag not in ("meta", "br"):
                nested.append(tag)

        def handle_endtag(self, tag) -> None:
            assert nested.pop() == tag

    Nesting().feed(owner_report(REPORT))
    assert nested == []


def test_it_is_marked_as_not_for_publication_and_claims_no_law() -> None:
    text = text_of(REPORT)
    assert "Not for publication" in text
    assert not re.search(r"GDPR|HIPAA|DSGVO|anonymous under|is anonymous|fully anonymous", text)
    assert "for you and your counsel to decide" in text


def test_figures_of_attacks_measures_and_promises_are_there() -> None:
    text = text_of(REPORT)
    for published in (
        "3 %",
        "1 %",
        "between 2 % and 5 %",
        "highest for one target 20 %",
        "singled out: 0.5 · above 0.09: 1",
        "1,234.5",
        "k = 5",
    ):
        assert published in text, published
    assert "10 of 100 records were withheld" in text
    assert "homogeneity : Nothing is sensitive." in text


@pytest.mark.parametrize(("k", "line"), [(11, "exceeds that threshold"), (12, "meets that threshold")])
def test_the_yardstick_takes_a_k_of_twelve(k, line) -> None:
    promise = CertifiedPromise(f"k-anonymity:k={k}", "Alike.", {"k": k})
    assert line in text_of(replace(REPORT, certificate=replace(CERTIFICATE, promises=(promise,))))


def test_the_risk_above_the_control_is_told_with_its_interval_and_whom_the_control_knows_about() -> None:
    found = replace(
        FOUND, main=0.6, interval=(0.5, 0.7), control=0.2, control_interval=(0.1, 0.3), yardstick="linkability"
    )
    text = text_of(replace(REPORT, findings=(replace(found, control_of="people outside the release"),)))
    assert f"Risk above the control: 50 % (between {_published(0.5 - 0.14)} and {_published(0.5 + 0.14)})." in text
    assert "control 20 % (knowledge about people outside the release)" in text
    assert "is 50 % (between" in text


def _published(rate: float) -> str:
    return f"{100 * rate:.3g} %"


def test_an_attack_that_goes_beyond_the_promise_is_told() -> None:
    assert "which is within 1/5" in text_of(REPORT)
    beyond = replace(REPORT, findings=(replace(FOUND, largest=0.5),))
    assert "which is more than 1/5" in text_of(beyond)


def test_inference_is_no_risk_of_finding_a_record() -> None:
    learned = replace(FOUND, yardstick="inference", largest=1.0, attack="homogeneity")
    report = replace(REPORT, findings=(FOUND, learned))
    assert report.worst_off == FOUND
    assert [len(each.findings) for each in report.asked] == [1, 0, 1]


@pytest.mark.parametrize(
    ("main", "low", "gain"), [(0.01, 0.0, "none"), (0.05, 0.02, "some"), (0.09, 0.05, "some"), (0.5, 0.4, "much")]
)
def test_gains_over_guessing_are_told_apart(main, low, gain) -> None:
    found = replace(FOUND, main=main, interval=(low, 1.0))
    asked = replace(REPORT, findings=(found,)).asked
    assert [each.gain for each in asked] == [gain, "untried", "untried"]


def test_a_release_that_does_not_keep_its_promise_is_told_so_first() -> None:
    text = text_of(replace(REPORT, contradictions=("k-anonymity:k=5 does not hold.",)))
    assert "Do not publish it." in text
    assert "Verified." not in text


def test_one_group_and_one_target_are_in_the_singular() -> None:
    one = replace(REPORT, certificate=replace(CERTIFICATE, groups=1), findings=(replace(FOUND, targets=1),))
    text = text_of(one)
    assert "in 1 equivalence class by" in text
    assert "· 1 target" in text
    assert "1 targets" not in text
