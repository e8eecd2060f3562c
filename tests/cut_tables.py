"""Tables that Mondrian cut, for attackers who know how it cuts."""

import numpy as np
from hypothesis import strategies as st

from shoal.anonymizers import Mondrian
from shoal.attacks import Exposure
from shoal.data import Microdata
from shoal.engines import LocalEngine
from shoal.models import promises
from shoal.randomness import Randomness
from shoal.testing import tables


def cut(table: Microdata, *asked: str, method: Mondrian | None = None) -> Exposure:
    """Cut a table as far as the promises allow, and publish it in the order in which it is."""
    promised = tuple(promises.read(each) for each in asked)
    recoded = (method or Mondrian(labels="tight")).recode(table, promised, LocalEngine(), Randomness(1))
    return Exposure(table, recoded.records, np.arange(len(table)), promised)


@st.composite
def cut_tables(draw: st.DrawFn, asked: tuple[str, ...], **sizes) -> Exposure:
    """Return a table of any columns, cut along hierarchies and at the middle."""
    method = draw(st.sampled_from([Mondrian(labels="tight"), Mondrian(labels="tight", numbers="hierarchy")]))
    sensitive = any(promises.read(each).needs_sensitive for each in asked)
    data = draw(tables(**sizes).filter(lambda table: table.has_sensitive or not sensitive))
    return cut(data, *asked, method=method)
