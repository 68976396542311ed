"""Annals for LangGraph: a store of its kind, and tools by which an agent remembers.

It takes ``pip install 'annalsdb[langgraph]'``. Neither needs a checkpointer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Iterator
from datetime import datetime
from typing import Any, NamedTuple, cast

from langchain_core.tools import BaseTool, StructuredTool, ToolException
from langgraph.store.base import (
    BaseStore,
    GetOp,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    get_text_at_path,
    tokenize_path,
)
from langgraph.store.base import validate_op_namespace as check_labels

from .async_client import AsyncAnnals
from .client import Annals
from .errors import AnnalsError, NotFound
from .rest.api.episodes import add_episodes, list_episodes
from .rest.api.removal import undo_episode
from .rest.api.search import search
from .rest.models import Episode, EpisodeHit, EpisodePage, Filter, NewEpisode, Query, SearchResult

MOST = 1000  # rows that the service answers with at once
MARK = "langgraph"  # the key in an episode's metadata under which an item stands
DIVIDER = ".."  # between a namespace, whose labels have no dots, and a key
COMPARISONS = {"$eq": "eq", "$ne": "ne", "$gt": "gt", "$gte": "gte", "$lt": "lt", "$lte": "lte"}


class Call(NamedTuple):
    """A request that either client can make."""

    route: Any
    arguments: dict[str, Any]


Calls = Generator[Call, Any, Any]


class AnnalsStore(BaseStore):
    """A LangGraph store in one group of Annals: give it a group of its own.

    An item is an episode that no language model reads, and so costs nothing. It is found by words and by vectors,
    with or without a filter. Putting it anew takes the former one back. Give the store both clients where graphs are
    run in both ways.

    ``fields`` are the paths of a value that are searched, as ``["text", "tags[*]"]``; all texts in it by default.
    """

    def __init__(
        self,
        memory: Annals | None = None,
        async_memory: AsyncAnnals | None = None,
        *,
        group: str | None = None,
        fields: list[str] | None = None,
    ) -> None:
        self.memory = memory
        self.async_memory = async_memory
        self.group = either(memory, async_memory).at(group)
        self.fields = fields

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Do several operations; reads see what was there before the writes among them."""
        if self.memory is None:
            raise TypeError(
                "the store has an async client only: use its async methods, or make it with memory=Annals(…)"
            )
        calls, answer = self._batch(list(ops)), None
        while True:
            try:
                route, arguments = calls.send(answer)
            except StopIteration as end:
                return cast(list[Result], end.value)
            try:
                answer = route.sync(client=self.memory.rest, **arguments)
            except NotFound:  # someone else took it back
                answer = None

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Do several operations; reads see what was there before the writes among them."""
        if self.async_memory is None:
            raise TypeError("the store has no async client: make it with async_memory=AsyncAnnals(…)")
        calls, answer = self._batch(list(ops)), None
        while True:
            try:
                route, arguments = calls.send(answer)
            except StopIteration as end:
                return cast(list[Result], end.value)
            try:
                answer = await route.asyncio(client=self.async_memory.rest, **arguments)
            except NotFound:
                answer = None

    def _batch(self, ops: list[Op]) -> Calls:
        results: list[Any] = []
        puts: dict[str, PutOp] = {}
        for op in ops:
            check_labels(op)
            found = None
            if isinstance(op, GetOp):
                episodes = yield from self._put_under(op.namespace, op.key)
                found = item(episodes[0]) if episodes else None
            elif isinstance(op, SearchOp):
                found = yield from self._find(op) if op.query else self._list(op)
            elif isinstance(op, ListNamespacesOp):
                found = yield from self._namespaces(op)
            else:
                puts[thread(op.namespace, op.key)] = op  # of several the last one counts
            results.append(found)
        for op in puts.values():
            yield from self._put(op)
        return results

    def _put_under(self, namespace: tuple[str, ...], key: str) -> Calls:
        """List the episodes of an item, the latest first: one, or more while it is put anew."""
        where = {"group": self.group, "thread_id": thread(namespace, key), "limit": MOST}
        page: EpisodePage | None = yield Call(list_episodes, where)
        return [episode for episode in page.episodes if is_item(episode)] if page else []

    def _put(self, op: PutOp) -> Calls:
        former: list[Episode] = yield from self._put_under(op.namespace, op.key)
        if op.value is not None:
            created = item(former[0]).created_at.isoformat() if former else None
            yield Call(add_episodes, {"group": self.group, "body": NewEpisode.from_dict(self._episode(op, created))})
        for episode in former:
            yield Call(undo_episode, {"group": self.group, "episode": episode.id})

    def _episode(self, op: PutOp, created: str | None) -> dict[str, Any]:
        """Write an item down as an episode. Without ``created`` it is as old as the episode."""
        value = dict(op.value or {})
        paths = self.fields if op.index is None else op.index
        text = "" if paths is False else "\n".join(texts(value, paths))
        about = {
            "key": op.key,
            "labels": {str(depth): label for depth, label in enumerate(op.namespace)},
            "value": value,
            "found": bool(text),
            "created_at": created,
        }
        return {
            "content": text or json.dumps(value, ensure_ascii=False),
            "source": "text",
            "deferred": True,
            "thread_id": thread(op.namespace, op.key),
            "metadata": {MARK: about},
        }

    def _find(self, op: SearchOp) -> Calls:
        """Search by words and vectors. What the service cannot compare is looked at here."""
        exact, conditions = conditions_of(op)
        narrowed = Filter.from_dict({"metadata": {"and": conditions}})
        limit = min(op.offset + op.limit, MOST) if exact else MOST
        body = Query(query=op.query or "", scopes=["episode"], limit=max(limit, 1), filter_=narrowed)
        found: SearchResult = yield Call(search, {"group": self.group, "body": body})
        latest: dict[str, EpisodeHit] = {}
        for hit in found.episodes:
            other = latest.setdefault(hit.thread_id, hit)
            if hit.created_at > other.created_at:
                latest[hit.thread_id] = hit
        items = [item(hit, hit.score) for hit in latest.values()]
        return [one for one in items if passes(one.value, op.filter or {})][op.offset : op.offset + op.limit]

    def _list(self, op: SearchOp) -> Calls:
        def wanted(one: SearchItem) -> bool:
            prefix = op.namespace_prefix
            return one.namespace[: len(prefix)] == prefix and passes(one.value, op.filter or {})

        found = yield from self._items(wanted, op.offset + op.limit)
        return found[op.offset : op.offset + op.limit]

    def _namespaces(self, op: ListNamespacesOp) -> Calls:
        def wanted(one: SearchItem) -> bool:
            return all(matches(one.namespace, condition) for condition in op.match_conditions or ())

        found = yield from self._items(wanted)
        return sorted({one.namespace[: op.max_depth] for one in found})[op.offset : op.offset + op.limit]

    def _items(self, wanted: Callable[[SearchItem], bool], most: int | None = None) -> Calls:
        """List items, what was put last first, and read no further than for so many."""
        found: list[SearchItem] = []
        seen: set[str] = set()
        request: dict[str, Any] = {"group": self.group, "limit": MOST}
        while True:
            page: EpisodePage | None = yield Call(list_episodes, request)
            for episode in page.episodes if page else []:
                if is_item(episode) and episode.thread_id not in seen:
                    seen.add(episode.thread_id)
                    if wanted(one := item(episode)):
                        found.append(one)
            if not page or not page.next_cursor or (most is not None and len(found) >= most):
                return found
            request["cursor"] = page.next_cursor


def either(memory: Annals | None, async_memory: AsyncAnnals | None) -> Annals | AsyncAnnals:
    if client := memory or async_memory:
        return client
    raise ValueError("give a client: memory=Annals(…), async_memory=AsyncAnnals(…), or both")


def thread(namespace: tuple[str, ...], key: str) -> str:
    """Name the conversation that holds an item and nothing else."""
    return ".".join(namespace) + DIVIDER + key


def is_item(episode: Episode) -> bool:
    return isinstance(episode.metadata, dict) and MARK in episode.metadata


def item(episode: Episode | EpisodeHit, score: float | None = None) -> SearchItem:
    about = cast(dict[str, Any], episode.metadata)[MARK]
    labels = about["labels"]
    return SearchItem(
        namespace=tuple(labels[str(depth)] for depth in range(len(labels))),
        key=about["key"],
        value=about["value"],
        created_at=datetime.fromisoformat(about["created_at"]) if about["created_at"] else episode.created_at,
        updated_at=episode.created_at,
        score=score,
    )


def texts(value: Any, paths: list[str] | None) -> Iterator[str]:
    """Give the texts of a value that are searched."""
    if paths is not None:
        for path in paths:
            yield from get_text_at_path(value, tokenize_path(path))
    elif isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from texts(part, None)


def conditions_of(op: SearchOp) -> tuple[bool, list[dict[str, Any]]]:
    """Give the conditions of a search that the service can test, and whether they are all of them."""
    conditions: list[dict[str, Any]] = [{"path": [MARK, "found"], "op": "eq", "value": True}]
    for depth, label in enumerate(op.namespace_prefix):
        conditions.append({"path": [MARK, "labels", str(depth)], "op": "eq", "value": label})
    exact = True
    for field, wanted in (op.filter or {}).items():
        tests = wanted if is_test(wanted) else {"$eq": wanted}
        for name, value in tests.items():
            if isinstance(value, str | int | float):
                conditions.append({"path": [MARK, "value", field], "op": COMPARISONS.get(name, name), "value": value})
            else:
                exact = False
    return exact, conditions


def is_test(wanted: Any) -> bool:
    return isinstance(wanted, dict) and any(name.startswith("$") for name in wanted)


def passes(value: Any, wanted: Any) -> bool:
    """Compare as LangGraph's stores do: whole values, or by operators."""
    if is_test(wanted):
        return all(compares(value, name, other) for name, other in wanted.items())
    if isinstance(wanted, dict):
        return isinstance(value, dict) and all(passes(value.get(name), other) for name, other in wanted.items())
    return bool(value == (list(wanted) if isinstance(wanted, tuple) else wanted))


def compares(value: Any, name: str, other: Any) -> bool:
    if name not in COMPARISONS:
        raise ValueError(f"{name} is no operator; there are {', '.join(COMPARISONS)}")
    if name in ("$eq", "$ne"):
        return bool(value == other) == (name == "$eq")
    try:
        difference = float(value) - float(other)
    except (TypeError, ValueError):
        return False
    holds = {"$gt": difference > 0, "$gte": difference >= 0, "$lt": difference < 0, "$lte": difference <= 0}
    return holds[name]


def matches(namespace: tuple[str, ...], condition: MatchCondition) -> bool:
    size = len(condition.path)
    part = namespace[:size] if condition.match_type == "prefix" else namespace[max(len(namespace) - size, 0) :]
    return len(part) == size and all(want in ("*", have) for want, have in zip(condition.path, part, strict=True))


def memory_tools(
    memory: Annals | None = None,
    async_memory: AsyncAnnals | None = None,
    *,
    group: str | None = None,
    actor: str | None = None,
    thread_id: str | None = None,
    tokens: int = 1000,
) -> list[BaseTool]:
    """Make two tools for an agent: ``remember`` and ``recall``.

    What is remembered is read into the graph as said by ``actor`` in ``thread_id``; ``recall`` answers with at most
    so many ``tokens``. All of it outlives the conversation and the process, without a checkpointer.
    """
    group = either(memory, async_memory).at(group)
    about: Any = {name: value for name, value in {"actor": actor, "thread_id": thread_id}.items() if value}

    def remember(text: str) -> str:
        assert memory
        try:
            memory.add(text, group=group, **about)
        except AnnalsError as error:
            raise ToolException(str(error)) from error
        return "It will be remembered."

    async def aremember(text: str) -> str:
        assert async_memory
        try:
            await async_memory.add(text, group=group, **about)
        except AnnalsError as error:
            raise ToolException(str(error)) from error
        return "It will be remembered."

    def recall(query: str, as_of: str = "") -> str:
        assert memory
        try:
            return memory.as_of(as_of or None).context(query, group=group, tokens=tokens)
        except AnnalsError as error:
            raise ToolException(str(error)) from error

    async def arecall(query: str, as_of: str = "") -> str:
        assert async_memory
        try:
            return await async_memory.as_of(as_of or None).context(query, group=group, tokens=tokens)
        except AnnalsError as error:
            raise ToolException(str(error)) from error

    return [
        StructuredTool.from_function(
            func=sync if memory else None,
            coroutine=later if async_memory else None,
            name=name,
            description=description,
            handle_tool_error=True,
        )
        for sync, later, name, description in (
            (remember, aremember, "remember", REMEMBER),
            (recall, arecall, "recall", RECALL),
        )
    ]


REMEMBER = (
    "Keep something for later conversations: what the user told about themselves, decided or wants. "
    "Say it in one or two whole sentences, with names instead of pronouns and dates instead of 'yesterday'."
)
RECALL = (
    "Look up what is known from earlier conversations, by a question or a few words. "
    "Give as_of, as in 2024-03-15, for what held at that time."
)
