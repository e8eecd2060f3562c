"""Populations that owners name: which policies do not fit into one, and which data sets are judged together."""

import json
from typing import Any

from sqlalchemy import Connection, select

from shoal.desk.names import folded_name
from shoal.desk.policy import Policy
from shoal.desk.store.rows import rows
from shoal.desk.store.tables import DATASETS, VERSIONS
from shoal.errors import WordingError

from .population import Population, all_populations

__all__ = ["listed_populations", "refuse_misfit_population"]


def refuse_misfit_population(connection: Connection, dataset: str, policy: Policy) -> None:
    """Refuse a policy that judges apart what one population holds, or names a population almost as another is named."""
    if not policy.population:
        return
    for row in rows(connection, select(DATASETS).where(DATASETS.c.name != dataset).order_by(DATASETS.c.name)):
        other, theirs = row["name"], Policy.of_json(json.loads(row["policy"]))
        if theirs.population != policy.population:
            if folded_name(theirs.population) == folded_name(policy.population):
                raise WordingError(
                    f"There is a population {theirs.population!r} already, and the two names would be taken for each "
                    "other.",
                    "Write it in the same way.",
                )
        elif other in policy.apart_from or dataset in theirs.apart_from:
            raise WordingError(
                f"{dataset!r} and {other!r} are both of the population {policy.population!r}: they are judged "
                "together, and not apart.",
                "Judge them together, or take one of them out of the population.",
            )


def listed_populations(connection: Connection) -> list[dict[str, Any]]:
    """Return for each data set which others it is judged together with, and how many people were noticed in both."""
    versions: dict[str, list[int]] = {}
    for name, number in connection.execute(select(VERSIONS.c.dataset, VERSIONS.c.number).order_by(VERSIONS.c.number)):
        versions.setdefault(name, []).append(number)
    return [
        _listed(name, population, versions.get(name, []))
        for population in all_populations(connection)
        for name in population.policies
    ]


def _listed(name: str, population: Population, versions: list[int]) -> dict[str, Any]:
    own = [each if each.version[0] == name else each.turned for each in population.overlaps]
    own = [each for each in own if each.version[0] == name]
    common: dict[str, int] = {}
    for each in own:
        common[each.other[0]] = max(common.get(each.other[0], 0), each.people)
    told = [
        {"version": each.version[1], "other": each.other[0], "other_version": each.other[1]}
        | {"people": each.people, "records": each.records}
        for each in own
    ]
    return {
        "population": population.policy(name).population or None,
        "dataset": name,
        "versions": versions,
        "judged_with": [other for other in population.policies if other != name],
        "people_in_common": common,
        "overlaps": told,
    }
