"""What an owner says of data, word by word."""

from pydantic import BaseModel, ConfigDict

__all__ = ["OwnersWords"]


class OwnersWords(BaseModel):
    """Something said in a schema: it does not change, and what it does not know is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)
