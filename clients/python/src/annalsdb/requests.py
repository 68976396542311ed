"""What is asked of the service, the same for both clients. Nothing is sent from here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from copy import copy
from datetime import date, datetime
from typing import Any, Self, cast

from .errors import NotRead
from .rest.models import AskingQuery, AskingQuerySchema, ContextQuery, Episode, Filter, NewEpisode, Query
from .rest.types import File
from .settings import About, Asking, Listing, Searching, Showing, Time

PAGE = 500


class Requests:
    """Fills in what was left out of a request: the group, and the time that is looked at."""

    group: str | None = None
    times: Mapping[str, Time] = {}  # replaced, never changed

    def at(self, group: str | None) -> str:
        """Name the group of a request."""
        if found := group or self.group:
            return found
        raise ValueError("say which memory is meant: Annals(…, group='alice'), or group='alice' with the request")

    def as_of(self, time: Time | None = None, *, known_at: Time | None = None) -> Self:
        """Give the same client that looks at another time: of the world, or of what was believed.

        >>> memory.as_of("2023-06-01").search("Where does Alice live?")
        """
        then = copy(self)
        then.times = {**self.times, **given({"as_of": time, "known_at": known_at})}
        return then

    def adding(self, content: str, group: str | None, idempotency_key: str | None, about: About) -> dict[str, Any]:
        body = Given(written({"content": content, **about}))
        return {"group": self.at(group), "body": body, "idempotency_key": idempotency_key}

    def adding_all(
        self, episodes: Iterable[Mapping[str, Any]], group: str | None, idempotency_key: str | None
    ) -> dict[str, Any]:
        lines = "".join(json.dumps(written(episode)) + "\n" for episode in episodes)
        payload = cast(Any, lines.encode())  # no stream: it may have to be sent again
        return {"group": self.at(group), "body": File(payload=payload), "idempotency_key": idempotency_key}

    def searching(self, query: str, group: str | None, settings: Searching) -> dict[str, Any]:
        return {"group": self.at(group), "body": Query(query=query, **self.asked(settings))}

    def showing(self, query: str, group: str | None, settings: Showing) -> dict[str, Any]:
        return {"group": self.at(group), "body": ContextQuery(query=query, **self.asked(settings))}

    def answering(self, query: str, group: str | None, settings: Asking) -> dict[str, Any]:
        fields = self.asked(settings)
        if schema := fields.pop("schema", None):
            fields["schema"] = AskingQuerySchema.from_dict(schema)
        return {"group": self.at(group), "body": AskingQuery(query=query, **fields)}

    def listing(self, group: str | None, settings: Listing) -> dict[str, Any]:
        return {"group": self.at(group), "limit": PAGE, **written({**self.times, **settings})}

    def asked(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        fields = written({**self.times, **settings})
        if narrowed := fields.pop("filter", None):
            fields["filter_"] = Narrowed(narrowed)
        return fields


class Given(NewEpisode):
    """An episode as it was given: the service refuses a name that it does not know."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self.fields = dict(fields)

    def to_dict(self) -> dict[str, Any]:
        return self.fields


class Narrowed(Filter):
    """A filter as it was given: the service refuses a name that it does not know."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self.fields = dict(fields)

    def to_dict(self) -> dict[str, Any]:
        return self.fields


def given(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what is None."""
    return {name: value for name, value in fields.items() if value is not None}


def written(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Write times and lists as JSON has them."""
    return {name: written_value(value) for name, value in given(fields).items()}


def written_value(value: Any) -> Any:
    if isinstance(value, date | datetime):
        return value.isoformat()
    return list(value) if isinstance(value, tuple | set | frozenset) else value


def settled(episode: Episode, overdue: bool) -> bool:
    """Say whether an episode was read. It raises what keeps it from being read."""
    if episode.state == "failed":
        raise NotRead(f"the episode is stored, but was not read: {episode.error}", code="failed")
    if episode.state not in ("pending", "processing"):
        return True
    if overdue:
        raise NotRead(
            "the episode is stored, but not read yet; wait longer, or look whether the service has workers",
            code="not_yet",
        )
    return False
