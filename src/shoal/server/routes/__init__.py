"""The operations of the service, a file for each kind of resource. Each says for which roles it is."""

from fastapi import APIRouter

from . import (
    catalog,
    datasets,
    desk,
    desk_following,
    desk_offers,
    desk_oversight,
    desk_requests,
    health,
    hierarchies,
    jobs,
    lookup,
    plans,
    releases,
    sessions,
    users,
)

__all__ = ["ROUTERS"]

ROUTERS: tuple[APIRouter, ...] = tuple(
    module.router
    for module in (
        health,
        sessions,
        datasets,
        hierarchies,
        jobs,
        releases,
        lookup,
        plans,
        catalog,
        desk,
        desk_offers,
        desk_requests,
        desk_following,
        desk_oversight,
        users,
    )
)
"""Every router, in the order of the reference."""
