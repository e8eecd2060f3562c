"""Documentation that cannot rot: everything with a name has a page, and every page and transcript is true."""

import re
from pathlib import Path

import generate_reference
import pytest

from shoal.anonymizers import methods
from shoal.attacks import attacks
from shoal.cli.main import shoal
from shoal.models import promises
from shoal.predictors import predictors

ROOT = Path(__file__).parents[1]
SECTIONS = ["Definition", "Guarantee", "Assumption", "When not to use it", "Where we differ from the papers"]
OF_ATTACKS = [
    "What the attacker knows",
    "What counts as success",
    "Baseline and control",
    "Figures",
    "When not to use it",
    "Where we differ from the paper",
]
NAMED = [("promises", cls.name) for cls in promises] + [("methods", cls.name) for cls in methods]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


@pytest.mark.parametrize("name", [cls.name for cls in attacks])
def test_every_attack_has_a_page_with_all_its_sections(name: str) -> None:
    page = (ROOT / "docs" / "reference" / "attacks" / f"{name}.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (.+)$", page, flags=re.MULTILINE) == OF_ATTACKS
    assert f"`{name}" in page


@pytest.mark.parametrize(("folder", "name"), NAMED)
def test_every_promise_and_method_has_a_page_with_all_its_sections(folder: str, name: str) -> None:
    page = (ROOT / "docs" / "reference" / folder / f"{name}.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (.+)$", page, flags=re.MULTILINE) == SECTIONS
    assert f"`{name}" in page


def test_every_predictor_has_a_section_in_their_page() -> None:
    page = (ROOT / "docs" / "reference" / "predictors.md").read_text(encoding="utf-8")
    for cls in predictors:
        assert f"\n## {cls.name}\n\n`{cls.name}" in page


def test_generated_pages_are_up_to_date() -> None:
    for path, text in generate_reference.pages().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} has aged: make docs"


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_every_page_leads_to_the_glossary(page: Path) -> None:
    assert page.name == "glossary.md" or re.search(r"\]\(\S*glossary\.md\)", page.read_text(encoding="utf-8"))


def test_the_glossary_defines_each_word_once() -> None:
    words = re.findall(r"^\| \*\*(.+?)\*\*", (ROOT / "docs/reference/glossary.md").read_text("utf-8"), re.MULTILINE)
    assert len(words) > 50
    assert len({word.lower() for word in words}) == len(words)


def test_every_command_is_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in shoal.commands:
        assert f"shoal {name}" in readme


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_every_wording_in_the_pages_can_be_read(page: Path) -> None:
    known = {cls.name: registry for registry in (promises, methods, predictors, attacks) for cls in registry}
    text = page.read_text(encoding="utf-8")
    for name, registry in known.items():
        for settings in re.findall(rf"(?<![\w-]){re.escape(name)}:((?:[a-z]+=[\w.%-]+(?::\d+)?,?)+)", text):
            registry.read(f"{name}:{settings.rstrip(',.')}")  # type: ignore[union-attr]
