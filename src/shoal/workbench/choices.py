"""What somebody has chosen so far for a release: it stands in the address, so that it survives everything."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import Depends, Request
from starlette.datastructures import QueryParams

from shoal.errors import WordingError
from shoal.plan import Plan
from shoal.server.work.asks import PublishAsk

__all__ = ["Choices", "Chosen"]

_PLAIN = ("method", "withhold", "format", "time", "boost", "duplicates")
_USUAL = {"withhold": "0", "duplicates": "refuse"}
"""What an order says where nothing was chosen."""


@dataclass(frozen=True)
class Choices:
    """Promises, method and what else a plan says, as the address has it."""

    models: tuple[str, ...] = ()
    accept: tuple[str, ...] = ()
    plain: tuple[tuple[str, str], ...] = ()
    """Settings of one value each, by name."""

    @classmethod
    def of(cls, query: QueryParams) -> "Choices":
        """Return the choices of a query; what it does not name is as usual."""
        plain = tuple((name, query[name].strip()) for name in _PLAIN if query.get(name, "").strip())
        return cls(_distinct(query.getlist("model")), _distinct(query.getlist("accept")), plain)

    def get(self, name: str, default: str = "") -> str:
        """Return a setting of one value."""
        return dict(self.plain).get(name, default)

    def with_models(self, *models: str) -> "Choices":
        """Return the same choices with other promises."""
        return replace(self, models=_distinct(models))

    def with_(self, **changed: str | None) -> "Choices":
        """Return the same choices with other settings; None leaves one out."""
        kept = {**dict(self.plain), **changed}
        return replace(self, plain=tuple((name, value) for name, value in kept.items() if value))

    @property
    def bare(self) -> "Choices":
        """The promises and the method alone; everything else is as usual."""
        method = tuple(pair for pair in self.plain if pair[0] == "method")
        return Choices(self.models, (), method)

    @classmethod
    def of_ask(cls, asked: Mapping[str, Any]) -> "Choices":
        """Return the choices that an order for a release was made of."""
        plain = tuple((name, str(asked[name])) for name in _PLAIN if asked.get(name) not in (None, _USUAL.get(name)))
        return cls(_distinct(asked["models"]), _distinct(asked["accept"]), plain)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The choices as the fields of a form."""
        return [*(("model", each) for each in self.models), *self.plain, *(("accept", each) for each in self.accept)]

    @property
    def query(self) -> str:
        """The choices as the end of an address, with its question mark; empty where nothing was chosen."""
        return f"?{urlencode(self.pairs)}" if self.pairs else ""

    def settings(self) -> dict[str, Any]:
        """Return the choices as the settings of a plan."""
        return {"models": self.models, "accept": self.accept, **dict(self.plain)}

    def ask(self, dataset: str) -> PublishAsk:
        """Return the order for a release, or say what is wrong with the choices."""
        plan = Plan.of(data="data", out="release", **self.settings())
        plan.refuse_unreadable()
        if not self.models:
            raise WordingError("No promise was chosen.", "Choose at least one.")
        return PublishAsk(kind="publish", dataset=dataset, **self.settings())


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text.strip() for text in texts if text.strip()))


def _chosen(request: Request) -> Choices:
    return Choices.of(request.query_params)


Chosen = Annotated[Choices, Depends(_chosen)]
"""What the address of a page says was chosen."""
