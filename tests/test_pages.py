"""Every page prints what it shows: its blocks are run from top to bottom, in one folder."""

import re
from pathlib import Path

import pytest
from replay_pages import ROOT, blocks, masked, pages, replayed

ALL = sorted([ROOT / "README.md", *ROOT.glob("docs/**/*.md")])
NOT_RUN = [
    ("README.md", "not run: sets up a machine"),
    ("README.md", "not run: opens a browser"),
    ("docs/guides/desk-for-a-team.md", "not run: needs a certificate"),
    *(("docs/guides/on-spark.md", "not run: needs a cluster") for _ in range(3)),
    *(("docs/guides/run-the-service.md", "not run: needs a service") for _ in range(3)),
    ("docs/tutorials/workbench-ratings.md", "not run: needs a service"),
    ("docs/tutorials/workbench-ratings.md", "not run: needs the plan from the browser"),
    ("docs/tutorials/workbench-ratings.md", "not run: needs a service"),
    ("docs/tutorials/workbench-survey.md", "not run: opens a browser"),
]


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_a_page_prints_what_it_shows(page: Path, tmp_path: Path) -> None:
    now = replayed(page, tmp_path)
    assert now.splitlines() == page.read_text(encoding="utf-8").splitlines(), f"{page.name} has aged: make docs"


@pytest.mark.parametrize("page", ALL, ids=name_of)
def test_no_command_hides_in_a_block_that_is_not_run(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    for block in blocks(lines):
        assert block.language, f"{page.name}, line {block.first}: say which language this is"
        if not block.is_run and not block.marker:
            assert not [line for line in lines[block.first : block.last] if re.match(r"(\$ |shoal )", line)]


def test_few_blocks_are_not_run() -> None:
    found = [(name_of(page), block.marker) for page in ALL for block in blocks(page.read_text("utf-8").splitlines())]
    assert [each for each in found if each[1].startswith("not run:")] == NOT_RUN


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_a_reader_is_asked_to_save_what_is_saved(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    for block in blocks(lines):
        if block.marker.startswith("save:"):
            above = "\n".join(lines[max(block.first - 8, 0) : block.first - 2])
            assert f"`{block.marker.removeprefix('save:').strip()}`" in above


def page_with(folder: Path, text: str) -> Path:
    page = folder / "page.md"
    page.write_text(text, encoding="utf-8")
    (folder / "empty").mkdir()
    return page


def test_a_replay_notices_another_output(tmp_path: Path) -> None:
    page = page_with(tmp_path, "```console\n$ echo one\ntwo\n\n$ echo three\nthree\n```\n")
    assert replayed(page, tmp_path / "empty") == "```console\n$ echo one\none\n\n$ echo three\nthree\n```\n"


def test_a_replay_notices_an_output_that_ends_early_or_late(tmp_path: Path) -> None:
    page = page_with(tmp_path, "```console\n$ seq 2\n1\n2\n3\n\n$ seq 3\n1\n2\n```\n")
    assert replayed(page, tmp_path / "empty") == "```console\n$ seq 2\n1\n2\n\n$ seq 3\n1\n2\n3\n```\n"


def test_a_replay_leaves_out_what_the_page_leaves_out(tmp_path: Path) -> None:
    page = page_with(tmp_path, "```console\n$ seq 9\n1\n…\n8\n10\n```\n")
    assert replayed(page, tmp_path / "empty") == "```console\n$ seq 9\n1\n…\n8\n9\n```\n"


def test_a_replay_runs_a_service_until_the_page_ends(tmp_path: Path) -> None:
    told = 'import httpx\n\nhttpx.get(f"{ADDRESS}api/v1/health").status_code  # → 404\n'
    page = page_with(tmp_path, f"<!-- service: here -->\n```sh\nshoal serve\n```\n\n```python\n{told}```\n")
    (tmp_path / "empty" / "here").mkdir(mode=0o700)
    users = "shoal users add ada --role owner --folder here --json > ada.json"
    page.write_text(f"```console\n$ {users}\n```\n\n{page.read_text('utf-8')}", encoding="utf-8")
    assert ".status_code  # → 200" in replayed(page, tmp_path / "empty")


def test_a_replay_notices_another_value(tmp_path: Path) -> None:
    page = page_with(tmp_path, "```python\na = 1\n```\n\n```python\na + 1  # → 3\n```\n")
    assert "a + 1  # → 2\n" in replayed(page, tmp_path / "empty")


def test_a_command_of_shoal_fails_on_the_page_as_in_the_terminal(tmp_path: Path) -> None:
    page = page_with(tmp_path, "```console\n$ shoal verify nowhere\n\n$ shoal verify nowhere 2>&1 | cat\n```\n")
    first, second = re.findall(r"shoal: .+", replayed(page, tmp_path / "empty"))
    assert first == second


def test_what_is_masked_is_all_that_is_masked() -> None:
    line = f"r0123456789ab took 1.5 s and 1,234 MiB at 2026-01-02T03:04:05+00:00, {64 * 'a'}"
    assert masked(line) == "PSEUDONYM took SECONDS and SIZE at TIME, HASH"
    assert masked("3,000 records, l = 0.763, k = 12") == "3,000 records, l = 0.763, k = 12"
    assert masked("123456789012") == "123456789012"
