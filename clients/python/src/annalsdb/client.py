"""The client for programs that wait."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Self, Unpack, cast

import httpx

from . import transport
from .requests import Requests, settled
from .rest import Client
from .rest.api.episodes import add_episodes, get_episode
from .rest.api.facts import list_facts
from .rest.api.removal import undo_episode
from .rest.api.search import ask, get_context, search
from .rest.models import (
    Accepted,
    AcceptedState,
    Answer,
    BulkReport,
    ContextAnswer,
    Episode,
    Fact,
    FactPage,
    Removed,
    SearchResult,
)
from .settings import About, Asking, Listing, Searching, Showing


class Annals(Requests):
    """A memory behind `annals serve`.

    ``base_url`` and ``api_key`` are those of the environment, in ``ANNALS_URL`` and ``ANNALS_API_KEY``, unless they
    are given; without any it is ``http://127.0.0.1:8080``. ``group`` is the memory that is meant where a call names no other. A request that is refused for the moment, or
    gets no answer, is sent again up to ``retries`` times, as the service says in ``Retry-After``; nothing is done
    twice by that. ``timeout`` is in seconds and of each sending.

    Errors are :class:`annalsdb.AnnalsError` and its kinds. ``rest`` is for the routes that have no method here:
    ``annalsdb.rest.api`` has a module for each.
    """

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        group: str | None = None,
        timeout: float = 60,
        retries: int = 3,
    ) -> None:
        self.group = group
        self._http = httpx.Client(
            **transport.settings(base_url, api_key, timeout, retries),
            event_hooks={"request": [transport.do_once], "response": [transport.refuse]},
        )
        self.rest = Client(base_url=str(self._http.base_url)).set_httpx_client(self._http)

    def add(
        self,
        content: str,
        *,
        group: str | None = None,
        idempotency_key: str | None = None,
        wait: float | None = None,
        **about: Unpack[About],
    ) -> Accepted:
        """Add what was said or written. It is stored when this returns, and read into the graph soon after.

        With ``wait``, return once it was read, or raise :class:`NotRead` after so many seconds. The same
        ``idempotency_key`` within a day adds nothing again; without one the client makes one for its own retries.
        """
        request = self.adding(content, group, idempotency_key, about)
        added = cast(Accepted, add_episodes.sync(client=self.rest, **request))
        if wait is not None:
            read = self.wait(added.id, group=group, timeout=wait)
            added.state = cast(AcceptedState, read.state)
        return added

    def add_all(
        self,
        episodes: Iterable[Mapping[str, Any]],
        *,
        group: str | None = None,
        idempotency_key: str | None = None,
    ) -> BulkReport:
        """Add many, each a mapping with ``content`` and what :meth:`add` takes besides."""
        request = self.adding_all(episodes, group, idempotency_key)
        return cast(BulkReport, add_episodes.sync(client=self.rest, **request))

    def episode(self, id: str, *, group: str | None = None) -> Episode:
        """Get an episode and how far it has come."""
        return cast(Episode, get_episode.sync(self.at(group), id, client=self.rest))

    def wait(self, episode: str, *, group: str | None = None, timeout: float = 60, pause: float = 0.1) -> Episode:
        """Wait until an episode was read, asking every ``pause`` seconds."""
        end = time.monotonic() + timeout
        while not settled(found := self.episode(episode, group=group), overdue=time.monotonic() >= end):
            time.sleep(pause)
        return found

    def search(self, query: str, *, group: str | None = None, **settings: Unpack[Searching]) -> SearchResult:
        """Find facts, entities, episodes and communities, the best of each first."""
        return cast(SearchResult, search.sync(client=self.rest, **self.searching(query, group, settings)))

    def context(self, query: str, *, group: str | None = None, **settings: Unpack[Showing]) -> str:
        """Put what is relevant into words for a model's prompt."""
        request = self.showing(query, group, settings)
        return cast(ContextAnswer, get_context.sync(client=self.rest, **request)).context

    def ask(self, query: str, *, group: str | None = None, **settings: Unpack[Asking]) -> Answer:
        """Answer a question from what the memory has, each sentence with what it rests on."""
        return cast(Answer, ask.sync(client=self.rest, **self.answering(query, group, settings)))

    def facts(self, *, group: str | None = None, **settings: Unpack[Listing]) -> Iterator[Fact]:
        """List facts in the order in which they began to hold, page by page."""
        request = self.listing(group, settings)
        while True:
            page = cast(FactPage, list_facts.sync(client=self.rest, **request))
            yield from page.facts
            if not page.next_cursor:
                return
            request["cursor"] = page.next_cursor

    def undo(self, episode: str, *, group: str | None = None) -> Removed:
        """Take an episode back: the group believes what it would without it."""
        return cast(Removed, undo_episode.sync(self.at(group), episode, client=self.rest))

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
