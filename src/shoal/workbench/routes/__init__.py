"""The pages, a file for each or for each group of them. Each page says for which roles it is."""

from fastapi import APIRouter

from . import (
    columns,
    compare,
    desk,
    desk_all_books,
    desk_books,
    desk_datasets,
    desk_oversight,
    desk_requests,
    explore,
    files,
    hierarchy,
    home,
    jobs,
    login,
    look,
    lookup,
    opening,
    promise,
    proof,
    publish,
    reading,
    report,
    risk,
    use,
    users,
)

__all__ = ["ROUTERS"]

_PAGES = (
    files,
    login,
    home,
    jobs,
    opening,
    look,
    columns,
    risk,
    hierarchy,
    promise,
    explore,
    publish,
    proof,
    use,
    report,
    compare,
    lookup,
    reading,
    desk,
    desk_datasets,
    desk_requests,
    desk_oversight,
    desk_books,
    desk_all_books,
    users,
)

ROUTERS: tuple[APIRouter, ...] = tuple(module.router for module in _PAGES)
"""Every router."""
