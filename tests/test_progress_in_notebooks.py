"""Stages are shown below the cell that runs them, in place and in a kernel alone, and are gone when it is done."""

import json
import subprocess
import sys
from typing import Any

import pytest

from notebooks import run_cells
from shoal.progress.notebook_bars import NotebookBars, notebook_listener

RECORD = """
import json, os, signal, threading, time
from shoal.progress import listening, stage

shown, publisher = [], get_ipython().display_pub
publish = publisher.publish

def recorded(data, *more, **settings):
    shown.append((data, settings["transient"]["display_id"], settings["update"]))
    publish(data, *more, **settings)

publisher.publish = recorded

def told():
    print(json.dumps(shown))
    shown.clear()
"""
CELLS = {
    "setting up": RECORD,
    "quick": 'with stage("quick"):\n    pass',
    "nested": """
with stage("outer <b>", 8) as outer:
    for _ in range(8):
        with stage("inner"):
            time.sleep(0.25)
        outer.advance()
print("done")
""",
    "what nested showed": "told()",
    "failing": 'with stage("doomed"):\n    time.sleep(1.5)\n    raise ValueError("as expected")',
    "interrupted": """
threading.Timer(1.5, os.kill, (os.getpid(), signal.SIGINT)).start()
with stage("stopped"):
    time.sleep(60)
""",
    "what these showed": "told()",
    "asked not to": 'with listening(None), stage("unheard"):\n    time.sleep(1)',
    "in another thread": """
def work():
    with stage("elsewhere"):
        time.sleep(1)

thread = threading.Thread(target=work)
thread.start()
thread.join()
""",
    "after the work": """
with stage("early"):
    time.sleep(1.5)
time.sleep(1.5)
print(shown[-1][0]["text/plain"] == "")
""",
}


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """Run the cells in one kernel, and return the outputs of each."""
    return dict(zip(CELLS, run_cells([*CELLS.values()], tmp_path_factory.mktemp("notebook")), strict=True))


def shown_in(outputs: list[Any]) -> list[tuple[dict[str, str], str, bool]]:
    return json.loads(outputs[0]["text"])


def test_work_that_is_done_at_once_leaves_no_output(outputs) -> None:
    assert outputs["setting up"] == outputs["quick"] == []


def test_one_output_is_updated_in_place_and_empty_in_the_end(outputs) -> None:
    bars, printed = outputs["nested"]
    assert bars["data"] == {"text/html": "", "text/plain": ""}
    assert printed["text"] == "done\n"
    shown = shown_in(outputs["what nested showed"])
    assert [update for _, _, update in shown] == [False, *[True] * (len(shown) - 1)]
    assert len({place for _, place, _ in shown}) == 1


def test_bars_are_nested_escaped_and_grow(outputs) -> None:
    drawn = [data for data, _, _ in shown_in(outputs["what nested showed"])][:-1]
    assert all("outer &lt;b&gt;" in data["text/html"] and "<b>" not in data["text/html"] for data in drawn)
    assert any(data["text/html"].count("<progress") == 2 and "\ninner" in data["text/plain"] for data in drawn)
    shares = [int(data["text/plain"].partition("outer <b>: ")[2].partition("%")[0]) for data in drawn]
    assert shares == sorted(shares)
    assert shares[-1] > shares[0]


def test_a_few_updates_a_second_are_sent(outputs) -> None:
    shown = shown_in(outputs["what nested showed"])  # of two seconds
    assert 2 <= len(shown) <= 8
    assert sum(len(data["text/html"]) for data, _, _ in shown) < 5000


def test_what_fails_or_is_interrupted_leaves_no_bar(outputs) -> None:
    for name, fault in (("failing", "ValueError"), ("interrupted", "KeyboardInterrupt")):
        bars, error = outputs[name]
        assert bars["data"] == {"text/html": "", "text/plain": ""}, name
        assert error["ename"] == fault
    shown = shown_in(outputs["what these showed"])
    assert {data["text/plain"] for data, _, _ in shown} == {"doomed", "stopped", ""}
    assert len({place for _, place, _ in shown}) == 2, "each cell has an output of its own"


def test_nobody_listens_who_was_told_not_to_nor_to_other_threads(outputs) -> None:
    assert outputs["asked not to"] == outputs["in another thread"] == []


def test_bars_are_gone_before_the_cell_is_done_if_the_work_is(outputs) -> None:
    assert outputs["after the work"][-1]["text"] == "True\n"


def test_outside_of_a_notebook_nothing_is_loaded_and_nothing_shown() -> None:
    assert notebook_listener() is None
    program = (
        "import sys, time\nfrom shoal.progress import stage\nwith stage('work', 3) as work:\n    work.advance()\n"
        "assert not {name for name in sys.modules if name.partition('.')[0] in ('IPython', 'ipykernel')}"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


def test_a_terminal_of_ipython_is_no_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal:
        @staticmethod
        def get_ipython() -> object:
            return object()

    monkeypatch.setitem(sys.modules, "IPython", Terminal)  # type: ignore[arg-type]
    assert notebook_listener() is None


class Shell:
    """Stands for the shell of a kernel, and writes down what is published."""

    def __init__(self) -> None:
        self.kernel = self.events = self.display_pub = self
        self.callbacks: list[Any] = []
        self.published: list[str] = []

    def register(self, event: str, callback: Any) -> None:
        self.callbacks.append(callback)

    def unregister(self, event: str, callback: Any) -> None:
        self.callbacks.remove(callback)

    def publish(self, data: dict[str, str], **settings: Any) -> None:
        self.published.append(data["text/plain"])

    def end_cell(self) -> None:
        for callback in [*self.callbacks]:
            callback()


def test_every_cell_begins_anew_and_leaves_no_callback() -> None:
    shell = Shell()
    bars = NotebookBars(shell)
    for _ in range(3):
        bars.end(bars.begin("work", 2))
        assert len(shell.callbacks) == 1
        shell.end_cell()
        assert shell.callbacks == []
    assert shell.published == []


def test_in_a_kernel_the_same_bars_listen_throughout(monkeypatch: pytest.MonkeyPatch) -> None:
    class Kernel:
        get_ipython = staticmethod(Shell)

    monkeypatch.setitem(sys.modules, "IPython", Kernel)  # type: ignore[arg-type]
    monkeypatch.setattr("shoal.progress.notebook_bars._bars", None)
    assert isinstance(notebook_listener(), NotebookBars)
    assert notebook_listener() is notebook_listener()
