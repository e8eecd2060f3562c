"""A room is searched when something is asked of it, and only as far as need be."""

import subprocess
import sys

import pytest

from shoal.anonymizers import methods
from shoal.attacks import attacks
from shoal.models import promises
from shoal.predictors import predictors
from shoal.utility import MEASURES, QUICK
from shoal.wording import Catalog

LOADED = "import sys\n{}\nprint(*(name for name in sys.modules if name.startswith('{}.')))"


def loaded_by(code: str, room: str) -> set[str]:
    """Return the parts of a room that code loads in a process of its own."""
    done = subprocess.run([sys.executable, "-c", LOADED.format(code, room)], capture_output=True, text=True, check=True)
    return {name.removeprefix(f"{room}.").partition(".")[0] for name in done.stdout.split()}


@pytest.mark.parametrize(
    ("room", "code", "there", "not_there"),
    [
        ("shoal.anonymizers", "import shoal.anonymizers", set(), {"mondrian", "predictive", "nothing"}),
        ("shoal.anonymizers", "from shoal.anonymizers import Mondrian", {"mondrian"}, {"predictive", "align", "graph"}),
        (
            "shoal.anonymizers",
            "from shoal.anonymizers import methods as m; m.read('top-down')",
            {"top_down"},
            {"graph"},
        ),
        (
            "shoal.attacks",
            "from shoal.attacks import attacks as a; a.read('unicity')",
            {"uniqueness"},
            {"linkability"},
        ),
        ("shoal.utility", "import shoal.utility", {"measure"}, {"ratings", "prediction", "queries"}),
    ],
)
def test_only_what_is_asked_for_is_loaded(room, code, there, not_there):
    loaded = loaded_by(code, room)
    assert there <= loaded
    assert not loaded & not_there


@pytest.mark.parametrize("registry", [promises, methods, attacks, predictors])
def test_every_class_of_a_room_is_found_by_its_name_in_python(registry):
    for cls in registry:
        assert registry.class_named(cls.__name__) is cls
    with pytest.raises(AttributeError, match="no attribute 'NoSuchThing'"):
        registry.class_named("NoSuchThing")


def test_measures_are_listed_by_place_and_those_without_one_come_last():
    places = [measure.place for measure in MEASURES.values()]
    assert places == sorted(places)
    assert len(set(places)) == len(places)
    assert tuple(measure for measure in MEASURES.values() if measure.quick) == QUICK
    assert "no such measure" not in MEASURES


def test_a_catalog_without_a_room_holds_what_was_added():
    catalog: Catalog[type] = Catalog("thing")
    thing = type("Thing", (), {"name": "thing"})
    catalog.add(thing)
    assert dict(catalog) == {"thing": thing}
    with pytest.raises(ValueError, match="a thing named 'thing' is registered twice"):
        catalog.add(thing)
