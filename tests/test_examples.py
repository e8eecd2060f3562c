"""Every example runs, and says what it says it says."""

import runpy
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))

EXPECTED = {
    "does_my_survey_hide_its_respondents": ["epsilon = 0: k = 1 (nobody is hidden)", "epsilon = 7: k = 6"],
    "how_do_i_publish_a_table": ["verified without the original: True"],
    "how_do_i_add_my_own_promise": ["largest-share:share=0.85 is kept"],
}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(example), run_name="__main__")
    printed = capsys.readouterr().out
    for line in EXPECTED[example.stem]:
        assert line in printed
