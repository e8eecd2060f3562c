"""What somebody may ask the desk for: names alone, nothing of policies, versions or what others were given."""

from fastapi import APIRouter, Request
from pydantic import BaseModel

from shoal.server.access import Who, rule, service_of
from shoal.server.held_versions import names_at_hand
from shoal.server.store import Role

__all__ = ["Offers", "offers", "router"]

router = APIRouter(prefix="/desk", tags=["desk"])


class Offers(BaseModel):
    """Data sets and purposes that may be named in a request. Whether it is granted is decided when it is made."""

    datasets: list[str]
    purposes: list[str]


@router.get("/offers", **rule(Role.OWNER, Role.OFFICER, Role.REQUESTER))
def offers(request: Request, who: Who) -> Offers:
    """Return the data sets of which data are at hand, and the purposes that you may ask for."""
    service = service_of(request)
    desk = service.books.desk()
    held = names_at_hand(service)
    purposes = [each["purpose"] for each in desk.book("purposes")]
    if who.role is Role.REQUESTER:
        (own,) = desk.book("requesters", requester=who.requester)
        purposes = [each for each in purposes if own["purposes"] is None or each in own["purposes"]]
    return Offers(datasets=held, purposes=purposes)
