"""What may be said about an episode, a search and a context. docs/rest.md has the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Literal, TypedDict

Time = str | date | datetime
"""A time: 2024-03-15, 2024-03-15T09:30:00Z, or a date or datetime of Python."""


class About(TypedDict, total=False):
    """What is known about an episode besides its words."""

    actor: str
    """Who says it."""
    role: str
    """user, assistant, system, tool …"""
    occurred_at: Time
    """When it was said. Left out: now."""
    thread_id: str
    """The conversation that it is part of."""
    source: Literal["message", "text", "json"]
    name: str
    source_description: str
    external_id: str
    """A name of your own, unique in the group: what has it already is not added again."""
    metadata: Mapping[str, Any]
    """Kept as it is."""
    deferred: bool
    """Store it, but do not read it into the graph."""
    expires_at: Time
    """When it is hidden, and taken out soon after. Left out: never."""
    force: bool
    """Take it in even where it was erased."""
    previous: int
    """How many messages before it are read with it."""


class Searching(TypedDict, total=False):
    """How to search. docs/search.md explains each."""

    as_of: Time
    """Only facts that held at this time."""
    known_at: Time
    """As it was believed at this time."""
    asked_at: Time
    """When the question is asked, for "last year" in it."""
    limit: int
    """The most hits of each scope."""
    scopes: Sequence[Literal["fact", "entity", "episode", "community", "thread"]]
    methods: Sequence[Literal["bm25", "cosine", "bfs"]]
    rerank: Sequence[Literal["mmr", "mentions", "salience", "node_distance", "cross_encoder"]]
    recipe: str
    lambda_: float
    seeds: Sequence[str]
    seed_recent: int
    hops: int
    center: str
    include_ended: bool
    told_by: Sequence[str]
    """Only what one of these speakers told."""
    trust: Literal["believed", "disputed", "candidate", "all"]
    """Which facts. Left out: those that are believed, and the disputed ones, marked."""
    also_in: Sequence[str]
    """Further groups to search."""
    filter: Mapping[str, Any]
    """What narrows the search, as docs/search.md writes it."""
    min_score: float
    min_fit: float
    recency: str
    mention_boost: float
    conversation: bool
    explain: bool


class Showing(Searching, total=False):
    """How to search for a context, and how to put it into words."""

    tokens: int
    """The most tokens it may have."""
    hits: int
    """The most facts, entities, communities and episodes it may show."""
    citations: bool
    """Say behind each line where it is from."""
    dates_in_words: bool
    task: bool
    """The query is a task: begin with how it was done, the skills for it."""
    encoding: Literal["o200k_base", "cl100k_base"]


class Asking(Searching, total=False):
    """How to search for an answer, and what to answer from."""

    tokens: int
    """The most tokens of what the answer is made from."""
    schema: Mapping[str, Any]
    """A JSON Schema of an object, whose values are filled in as well."""


class Listing(TypedDict, total=False):
    """Which facts to list."""

    as_of: Time
    """Only facts that held at this time."""
    known_at: Time
    """As it was believed at this time."""
    entity: str
    """Only facts of this one, by its id or name."""
