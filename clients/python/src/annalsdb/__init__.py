"""Long-term memory for AI agents: the client of Annals.

>>> from annalsdb import Annals
>>> memory = Annals("http://127.0.0.1:8080", "the key", group="alice")
>>> memory.add("I moved to Lisbon last week.", actor="Alice", wait=60)
>>> print(memory.context("Where does Alice live?"))
"""

from .async_client import AsyncAnnals
from .client import Annals
from .errors import (
    AnnalsError,
    Changed,
    Conflict,
    Fault,
    Forbidden,
    InvalidInput,
    NotFound,
    NotRead,
    RateLimited,
    ServiceFailed,
    TooLarge,
    Unauthorized,
    Unavailable,
)
from .rest.models import (
    Accepted,
    BulkReport,
    CommunityHit,
    EntityHit,
    Episode,
    EpisodeHit,
    Fact,
    FactHit,
    Removed,
    SearchResult,
)
from .settings import About, Listing, Searching, Showing, Time

__all__ = [
    "About",
    "Accepted",
    "Annals",
    "AnnalsError",
    "AsyncAnnals",
    "BulkReport",
    "Changed",
    "CommunityHit",
    "Conflict",
    "EntityHit",
    "Episode",
    "EpisodeHit",
    "Fact",
    "FactHit",
    "Fault",
    "Forbidden",
    "InvalidInput",
    "Listing",
    "NotFound",
    "NotRead",
    "RateLimited",
    "Removed",
    "SearchResult",
    "Searching",
    "ServiceFailed",
    "Showing",
    "Time",
    "TooLarge",
    "Unauthorized",
    "Unavailable",
]
