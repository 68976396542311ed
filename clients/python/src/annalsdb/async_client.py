"""The client for programs that wait for several things at once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Mapping
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


class AsyncAnnals(Requests):
    """A memory behind `annals serve`, as :class:`annalsdb.Annals` is."""

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
        self._http = httpx.AsyncClient(
            **transport.settings(base_url, api_key, timeout, retries),
            event_hooks={"request": [transport.do_once_async], "response": [transport.refuse_async]},
        )
        self.rest = Client(base_url=str(self._http.base_url)).set_async_httpx_client(self._http)

    async def add(
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
        added = cast(Accepted, await add_episodes.asyncio(client=self.rest, **request))
        if wait is not None:
            read = await self.wait(added.id, group=group, timeout=wait)
            added.state = cast(AcceptedState, read.state)
        return added

    async def add_all(
        self,
        episodes: Iterable[Mapping[str, Any]],
        *,
        group: str | None = None,
        idempotency_key: str | None = None,
    ) -> BulkReport:
        """Add many, each a mapping with ``content`` and what :meth:`add` takes besides."""
        request = self.adding_all(episodes, group, idempotency_key)
        return cast(BulkReport, await add_episodes.asyncio(client=self.rest, **request))

    async def episode(self, id: str, *, group: str | None = None) -> Episode:
        """Get an episode and how far it has come."""
        return cast(Episode, await get_episode.asyncio(self.at(group), id, client=self.rest))

    async def wait(self, episode: str, *, group: str | None = None, timeout: float = 60, pause: float = 0.1) -> Episode:
        """Wait until an episode was read, asking every ``pause`` seconds."""
        end = time.monotonic() + timeout
        while not settled(found := await self.episode(episode, group=group), overdue=time.monotonic() >= end):
            await asyncio.sleep(pause)
        return found

    async def search(self, query: str, *, group: str | None = None, **settings: Unpack[Searching]) -> SearchResult:
        """Find facts, entities, episodes and communities, the best of each first."""
        return cast(SearchResult, await search.asyncio(client=self.rest, **self.searching(query, group, settings)))

    async def context(self, query: str, *, group: str | None = None, **settings: Unpack[Showing]) -> str:
        """Put what is relevant into words for a model's prompt."""
        request = self.showing(query, group, settings)
        return cast(ContextAnswer, await get_context.asyncio(client=self.rest, **request)).context

    async def ask(self, query: str, *, group: str | None = None, **settings: Unpack[Asking]) -> Answer:
        """Answer a question from what the memory has, each sentence with what it rests on."""
        return cast(Answer, await ask.asyncio(client=self.rest, **self.answering(query, group, settings)))

    async def facts(self, *, group: str | None = None, **settings: Unpack[Listing]) -> AsyncIterator[Fact]:
        """List facts in the order in which they began to hold, page by page."""
        request = self.listing(group, settings)
        while True:
            page = cast(FactPage, await list_facts.asyncio(client=self.rest, **request))
            for fact in page.facts:
                yield fact
            if not page.next_cursor:
                return
            request["cursor"] = page.next_cursor

    async def undo(self, episode: str, *, group: str | None = None) -> Removed:
        """Take an episode back: the group believes what it would without it."""
        return cast(Removed, await undo_episode.asyncio(self.at(group), episode, client=self.rest))

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
