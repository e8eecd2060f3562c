"""The tree of a version of the data: it is fixed by the first view that is given of it.

Views of a version nest only as long as they are of one tree. Before the first one, the tree has the cuts of data with
the same people of which views were given already (:mod:`.follow`, :mod:`.follow_people`); it is grown anew where there
are none.
"""

import hashlib
import hmac
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from sqlalchemy import Connection, select

from shoal.anonymizers import Allowance, methods
from shoal.anonymizers.decomposition.purpose import Purpose
from shoal.anonymizers.generalization.cut_segments import table_attributes
from shoal.anonymizers.promises import GroupPromises
from shoal.data import Microdata, Ratings, Records
from shoal.data.fingerprint import fingerprint
from shoal.desk.people.marks import as_written
from shoal.desk.people.population import Overlap, Version
from shoal.desk.policy import Policy
from shoal.desk.store.tables import RELEASES
from shoal.desk.store.trees import kept_document, view_of
from shoal.engines import LocalEngine
from shoal.errors import RequestRefused
from shoal.randomness import Randomness

from .cut_tree import CutTree
from .cut_views import CutViews
from .follow import followed_tree
from .follow_people import followed_rating_tree
from .group_tree import read_cuts
from .grow import grown_tree
from .nested_views import NestedViews
from .rating_tree import RatingTree, grown_rating_tree
from .rating_views import RatingViews

__all__ = ["AnyViews", "fixed_tree", "kept_views", "nearest_data", "new_views", "refuse_overspent"]

AnyViews = NestedViews[Any]


def fixed_tree(connection: Connection, version: Version) -> str | None:
    """Return the name of the tree that views of a version were given of, or were to be; None where there is none."""
    asked = select(RELEASES.c.node).distinct().where(RELEASES.c.dataset == version[0], RELEASES.c.version == version[1])
    views = (view_of(node) for node in connection.execute(asked).scalars())
    return next((read_cuts(kept_document(connection, view))[0] for view in views if view is not None), None)


def nearest_data(
    version: Version, given: Collection[Version], overlaps: Iterable[Overlap], n_records: int
) -> list[Version]:
    """Return the data whose cuts are to be followed: versions of the same, then others with most of the people."""
    own = sorted((each for each in given if each[0] == version[0]), reverse=True)
    common = {
        other: overlap.people
        for overlap in overlaps
        for one, other in ((overlap.version, overlap.other), (overlap.other, overlap.version))
        if one == version and other in given and 2 * overlap.people >= n_records
    }
    return own + sorted(common, key=lambda other: (-common[other], other))


def kept_views(written: str, records: Records, table: Microdata, policy: Policy) -> AnyViews:
    """Return the views of the tree of a version, as it was kept; ``table`` has the people of the records."""
    if isinstance(records, Ratings):
        return RatingViews(RatingTree.read(written), records, table, policy.identifier)
    return _views(CutTree.read(written), table, policy)


def new_views(
    records: Records,
    table: Microdata,
    policy: Policy,
    purpose: Purpose,
    secret: bytes,
    nearest: Sequence[AnyViews] = (),
) -> AnyViews:
    """Return the views of data of which none was given yet; refuse if they cannot keep the promises at all.

    ``table`` has the people of the records. ``secret`` is that of the desk; it decides, each time alike, where nothing
    in the data does.
    """
    if isinstance(records, Ratings):
        others = [each for each in nearest if isinstance(each, RatingViews)]
        return _new_rating_views(records, table, policy, secret, others)
    return _new_cut_views(table, policy, purpose, [each for each in nearest if isinstance(each, CutViews)])


def _new_rating_views(
    ratings: Ratings, table: Microdata, policy: Policy, secret: bytes, nearest: Sequence[RatingViews]
) -> RatingViews:
    drawn = hmac.new(secret, b"groups\0" + fingerprint(ratings).encode(), hashlib.sha256).digest()
    chance = np.random.default_rng(int.from_bytes(drawn))
    promises = GroupPromises(table, policy.models, LocalEngine())
    tree = followed_rating_tree(nearest, ratings, table, policy.identifier, promises.fewest, chance)
    if tree is None:
        tree = grown_rating_tree(ratings, table.quasi_identifiers[0].codes, promises, chance)
    if tree is None:
        raise RequestRefused("No grouping of these people keeps the promises.")
    return RatingViews(tree, ratings, table, policy.identifier)


def _new_cut_views(table: Microdata, policy: Policy, purpose: Purpose, nearest: Sequence[CutViews]) -> CutViews:
    """Return the views of a table of which none was given yet.

    The records that are withheld from all of them are those that Mondrian would withhold. Where cuts are followed,
    those people are withheld who were withheld there, as far as the policy allows.
    """
    attributes = table_attributes(table, by_hierarchy=False)
    allowed = Allowance.of_share(table, policy.withheld_share)
    for other in nearest:
        tree = followed_tree(other.tree, other.attributes, attributes)
        if tree is not None:
            again = _same_people(table, policy.identifier, other)
            withheld = again if allowed.covers(_mask(again, len(table)), table.persons) else again[:0]
            return _views(replace(tree, withheld=withheld), table, policy)
    withheld = _costly_records(table, policy, allowed) if allowed.records else np.zeros(0, np.int64)
    left = table if not len(withheld) else table.take(np.flatnonzero(~_mask(withheld, len(table))))
    grown = grown_tree(left, policy.models, purpose.of(table), LocalEngine())
    if grown is None:
        raise RequestRefused("No generalization of these data keeps the promises.")
    if len(withheld):  # the values of those who are withheld are numbered, too
        grown = followed_tree(grown, table_attributes(left, by_hierarchy=False), attributes)
        assert grown is not None
    return _views(replace(grown, withheld=withheld), table, policy)


def refuse_overspent(views: AnyViews, share: Fraction) -> None:
    """Refuse views that withhold more than the policy, which may have changed, allows."""
    table = views.table
    if not Allowance.of_share(table, share).covers(~views.is_shown, table.persons):
        raise RequestRefused(
            "The views of these data that were given before withhold more records than the policy allows now.",
            "Allow as many as then: shoal desk policy NAME --withhold SHARE.",
        )


def _views(tree: CutTree, table: Microdata, policy: Policy) -> CutViews:
    return CutViews(tree, table, *policy.step_weights, policy.identifier)


def _costly_records(table: Microdata, policy: Policy, allowed: Allowance) -> np.ndarray:
    """Return the records without which the labels of the others are narrower by more than they cost."""
    made = methods.read("mondrian").recode(table, policy.models, LocalEngine(), Randomness(0), max_withheld=allowed)
    return np.flatnonzero(made.withheld) if made.withheld is not None else np.zeros(0, np.int64)


def _same_people(table: Microdata, identifier: str | None, other: CutViews) -> np.ndarray:
    """Return the records of people who are withheld from other views."""
    if identifier is None or other.identifier is None or not len(other.tree.withheld):
        return np.zeros(0, np.int64)
    theirs = as_written(other.table[other.identifier].values).gather(other.tree.withheld)
    return np.flatnonzero(as_written(table[identifier].values).is_in(theirs.implode()).to_numpy())


def _mask(rows: np.ndarray, n_records: int) -> np.ndarray:
    mask = np.zeros(n_records, bool)
    mask[rows] = True
    return mask
