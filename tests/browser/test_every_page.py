"""Every page of the workbench in a browser, as everybody sees it who may: nobody is shut out."""

import pytest
from fastapi.routing import APIRoute

from browser_world import ROUTES, World
from page_inspection import faults_of, keyboard_faults_of


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.path)
def test_a_page_shuts_nobody_out(route: APIRoute, world: World) -> None:
    for window, address in world.pages(route):
        window.go(address)
        window.settled()
        told = [f"{address}: {each}" for each in (*keyboard_faults_of(window.page), *faults_of(window.page))]
        assert not told, "\n".join(told)
        assert not window.faults, "\n".join(window.faults)
