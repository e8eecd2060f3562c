"""Whoever reads waits for nobody who decides, and sees what was decided before."""

import threading
from functools import partial

from sqlalchemy import func, select

from shoal.desk.store import Store
from shoal.desk.store.log import note
from shoal.desk.store.tables import LOG


def _count(store: Store, counted: list[int]) -> None:
    with store.reading() as connection:
        counted.append(connection.execute(select(func.count()).select_from(LOG)).scalar_one())


def test_a_reader_does_not_wait_for_a_decision_and_sees_none_of_it(where: str) -> None:
    store, counted = Store.create(where), []
    with store.transaction() as connection:
        note(connection, "tried", {})
        reader = threading.Thread(target=partial(_count, store, counted), daemon=True)
        reader.start()
        reader.join(20)
        assert not reader.is_alive()
    _count(store, counted)
    assert counted[1] == counted[0] + 1
