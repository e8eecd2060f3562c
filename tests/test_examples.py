"""Every example runs, and says what it says it says; notebooks are run in a kernel, and are kept without outputs."""

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

from notebooks import run_notebook

FOLDER = Path(__file__).parents[1] / "examples"
EXAMPLES, NOTEBOOKS = sorted(FOLDER.glob("*.py")), sorted(FOLDER.glob("*.ipynb"))

EXPECTED = {
    "does_my_survey_hide_its_respondents": ["epsilon = 0: k = 1 (nobody is hidden)", "epsilon = 7: k = 6"],
    "how_do_i_publish_a_table": ["verified without the original: True"],
    "how_do_i_add_my_own_promise": ["largest-share:share=0.85 is kept"],
}
SHOWN = {
    "how_do_i_publish_ratings": ["CheckResult: does not hold (400 records)", "VerifyResult: holds (400 records)"],
    "may_i_share_my_survey": ["CheckResult: does not hold (300 records)", "VerifyResult: holds (300 records)"],
    "what_does_my_table_give_away": ["CheckResult: does not hold (800 records)", "VerifyResult: holds ("],
}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(example), run_name="__main__")
    printed = capsys.readouterr().out
    for line in EXPECTED[example.stem]:
        assert line in printed


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_its_results(path: Path, tmp_path: Path) -> None:
    if "pandas" in path.read_text(encoding="utf-8"):
        pytest.importorskip("pandas")
    nbformat = pytest.importorskip("nbformat")
    notebook = run_notebook(nbformat.read(path, as_version=4), tmp_path)
    shown = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    texts = [output.get("data", {}).get("text/plain", "") for output in shown]
    for line in SHOWN[path.stem]:
        assert any(text.startswith(line) for text in texts), line
    assert not [output for output in shown if output["output_type"] == "error"]
    assert not [output["text"] for output in shown if output["output_type"] == "stream"], "nothing is printed or warned"
    assert len(json.dumps(shown)) < 300_000


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_outputs_and_for_any_machine(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    assert notebook["cells"][0]["source"][0].startswith("# ")
    assert notebook["cells"][0]["source"][0].rstrip().endswith("?"), "the title is a question"
    for cell in code_of(path):
        assert (cell["outputs"], cell["execution_count"]) == ([], None)
    assert "/home" not in path.read_text(encoding="utf-8")


def code_of(path: Path) -> list[dict[str, Any]]:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]
