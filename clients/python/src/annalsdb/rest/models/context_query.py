from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.context_query_encoding import (
    ContextQueryEncoding,
    check_context_query_encoding,
)
from ..models.context_query_methods_item import (
    ContextQueryMethodsItem,
    check_context_query_methods_item,
)
from ..models.context_query_rerank_item import (
    ContextQueryRerankItem,
    check_context_query_rerank_item,
)
from ..models.context_query_scopes_item import (
    ContextQueryScopesItem,
    check_context_query_scopes_item,
)
from ..models.context_query_trust import ContextQueryTrust, check_context_query_trust
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.filter_ import Filter


T = TypeVar("T", bound="ContextQuery")


@_attrs_define
class ContextQuery:
    """
    Attributes:
        query (str): Any text
        also_in (list[str] | None): Further groups to search
        as_of (str | None): Only facts that held at this time; left out: those that have not ended
        asked_at (str | None): When the question is asked, for "last year" in it; left out: now
        center (str | None): The entity that node_distance measures from, by its id or name
        citations (bool | None): Say behind each line where it is from
        conversation (bool | None): The query is the last of a conversation and not a question
        dates_in_words (bool | None): Dates of episodes in words: 8 March 2024, instead of 2024-03-08; those of facts
            always are
        encoding (ContextQueryEncoding | None): How tokens are counted; left out: o200k_base
        explain (bool | None): Tell where each method ranked each hit, and how long each step took
        filter_ (Filter | None):
        hits (int | None): The most facts, entities, communities and episodes it may show in all; left out: no limit
        hops (int | None): How far bfs goes; left out: 2
        include_ended (bool | None): Also facts that have ended
        known_at (str | None): As we believed it at this time; left out: now
        lambda_ (float | None): Weight of relevance against diversity in mmr: 1 is relevance alone; left out: 0.5
        limit (int | None): Hits of each scope at the most; left out: 10
        mention_boost (float | None): Prefer what is spoken of often, such as 0.2; left out: that does not matter
        methods (list[ContextQueryMethodsItem] | None): How to look; left out: bm25 and cosine
        min_fit (float | None): Find nothing where not even the best hit fits so well: 0.05 means that nothing is
            known. Left out: a search finds what comes nearest, a context is held to 0.05; below 0: neither is held to
            anything
        min_score (float | None): Leave out hits that score less
        recency (str | None): Prefer what is new, by this half-life: 30d, 2w or 12h; left out: age does not matter
        recipe (str | None): A named way of searching: scopes, methods and rerankers
        rerank (list[ContextQueryRerankItem] | None): How to put what was found into another order
        scopes (list[ContextQueryScopesItem] | None): What to look for; left out: all but observations and threads
        seed_recent (int | None): Start bfs also from the entities of so many of the latest episodes
        seeds (list[str] | None): Entities that bfs starts from, by their ids or names; left out: those of the first
            hits
        task (bool | None): The query is a task: begin with how it was done, the skills for it
        tokens (int | None): The most tokens it may have; left out: no limit
        told_by (list[str] | None): Only what one of these speakers told, by any name of theirs: what they believe;
            left out: what the group believes
        trust (ContextQueryTrust | None): Which facts to find: believed, with those that are disputed; candidate, which
            wait to be confirmed; disputed alone; or all; left out: believed
    """

    query: str
    also_in: list[str] | None = UNSET
    as_of: str | None = UNSET
    asked_at: str | None = UNSET
    center: str | None = UNSET
    citations: bool | None = UNSET
    conversation: bool | None = UNSET
    dates_in_words: bool | None = UNSET
    encoding: ContextQueryEncoding | None = UNSET
    explain: bool | None = UNSET
    filter_: Filter | None = UNSET
    hits: int | None = UNSET
    hops: int | None = UNSET
    include_ended: bool | None = UNSET
    known_at: str | None = UNSET
    lambda_: float | None = UNSET
    limit: int | None = UNSET
    mention_boost: float | None = UNSET
    methods: list[ContextQueryMethodsItem] | None = UNSET
    min_fit: float | None = UNSET
    min_score: float | None = UNSET
    recency: str | None = UNSET
    recipe: str | None = UNSET
    rerank: list[ContextQueryRerankItem] | None = UNSET
    scopes: list[ContextQueryScopesItem] | None = UNSET
    seed_recent: int | None = UNSET
    seeds: list[str] | None = UNSET
    task: bool | None = UNSET
    tokens: int | None = UNSET
    told_by: list[str] | None = UNSET
    trust: ContextQueryTrust | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        query = self.query

        also_in: list[str] | None = UNSET
        if not isinstance(self.also_in, Unset):
            also_in = self.also_in

        as_of = self.as_of

        asked_at = self.asked_at

        center = self.center

        citations = self.citations

        conversation = self.conversation

        dates_in_words = self.dates_in_words

        encoding: str | None = UNSET
        if not isinstance(self.encoding, Unset):
            encoding = self.encoding

        explain = self.explain

        filter_: dict[str, Any] | None = UNSET
        if not isinstance(self.filter_, Unset):
            filter_ = self.filter_.to_dict()

        hits = self.hits

        hops = self.hops

        include_ended = self.include_ended

        known_at = self.known_at

        lambda_ = self.lambda_

        limit = self.limit

        mention_boost = self.mention_boost

        methods: list[str] | None = UNSET
        if not isinstance(self.methods, Unset):
            methods = []
            for methods_item_data in self.methods:
                methods_item: str = methods_item_data
                methods.append(methods_item)

        min_fit = self.min_fit

        min_score = self.min_score

        recency = self.recency

        recipe = self.recipe

        rerank: list[str] | None = UNSET
        if not isinstance(self.rerank, Unset):
            rerank = []
            for rerank_item_data in self.rerank:
                rerank_item: str = rerank_item_data
                rerank.append(rerank_item)

        scopes: list[str] | None = UNSET
        if not isinstance(self.scopes, Unset):
            scopes = []
            for scopes_item_data in self.scopes:
                scopes_item: str = scopes_item_data
                scopes.append(scopes_item)

        seed_recent = self.seed_recent

        seeds: list[str] | None = UNSET
        if not isinstance(self.seeds, Unset):
            seeds = self.seeds

        task = self.task

        tokens = self.tokens

        told_by: list[str] | None = UNSET
        if not isinstance(self.told_by, Unset):
            told_by = self.told_by

        trust: str | None = UNSET
        if not isinstance(self.trust, Unset):
            trust = self.trust

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "query": query,
            }
        )
        if also_in is not UNSET:
            field_dict["also_in"] = also_in
        if as_of is not UNSET:
            field_dict["as_of"] = as_of
        if asked_at is not UNSET:
            field_dict["asked_at"] = asked_at
        if center is not UNSET:
            field_dict["center"] = center
        if citations is not UNSET:
            field_dict["citations"] = citations
        if conversation is not UNSET:
            field_dict["conversation"] = conversation
        if dates_in_words is not UNSET:
            field_dict["dates_in_words"] = dates_in_words
        if encoding is not UNSET:
            field_dict["encoding"] = encoding
        if explain is not UNSET:
            field_dict["explain"] = explain
        if filter_ is not UNSET:
            field_dict["filter"] = filter_
        if hits is not UNSET:
            field_dict["hits"] = hits
        if hops is not UNSET:
            field_dict["hops"] = hops
        if include_ended is not UNSET:
            field_dict["include_ended"] = include_ended
        if known_at is not UNSET:
            field_dict["known_at"] = known_at
        if lambda_ is not UNSET:
            field_dict["lambda"] = lambda_
        if limit is not UNSET:
            field_dict["limit"] = limit
        if mention_boost is not UNSET:
            field_dict["mention_boost"] = mention_boost
        if methods is not UNSET:
            field_dict["methods"] = methods
        if min_fit is not UNSET:
            field_dict["min_fit"] = min_fit
        if min_score is not UNSET:
            field_dict["min_score"] = min_score
        if recency is not UNSET:
            field_dict["recency"] = recency
        if recipe is not UNSET:
            field_dict["recipe"] = recipe
        if rerank is not UNSET:
            field_dict["rerank"] = rerank
        if scopes is not UNSET:
            field_dict["scopes"] = scopes
        if seed_recent is not UNSET:
            field_dict["seed_recent"] = seed_recent
        if seeds is not UNSET:
            field_dict["seeds"] = seeds
        if task is not UNSET:
            field_dict["task"] = task
        if tokens is not UNSET:
            field_dict["tokens"] = tokens
        if told_by is not UNSET:
            field_dict["told_by"] = told_by
        if trust is not UNSET:
            field_dict["trust"] = trust

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.filter_ import Filter

        d = dict(src_dict)
        query = d.pop("query")

        also_in = cast(list[str], d.pop("also_in", UNSET))

        as_of = d.pop("as_of", UNSET)

        asked_at = d.pop("asked_at", UNSET)

        center = d.pop("center", UNSET)

        citations = d.pop("citations", UNSET)

        conversation = d.pop("conversation", UNSET)

        dates_in_words = d.pop("dates_in_words", UNSET)

        _encoding = d.pop("encoding", UNSET)
        encoding: ContextQueryEncoding | None
        if isinstance(_encoding, Unset):
            encoding = UNSET
        else:
            encoding = check_context_query_encoding(_encoding)

        explain = d.pop("explain", UNSET)

        _filter_ = d.pop("filter", UNSET)
        filter_: Filter | None
        if isinstance(_filter_, Unset):
            filter_ = UNSET
        else:
            filter_ = Filter.from_dict(_filter_)

        hits = d.pop("hits", UNSET)

        hops = d.pop("hops", UNSET)

        include_ended = d.pop("include_ended", UNSET)

        known_at = d.pop("known_at", UNSET)

        lambda_ = d.pop("lambda", UNSET)

        limit = d.pop("limit", UNSET)

        mention_boost = d.pop("mention_boost", UNSET)

        _methods = d.pop("methods", UNSET)
        methods: list[ContextQueryMethodsItem] | None = UNSET
        if _methods is not UNSET:
            methods = []
            for methods_item_data in _methods:
                methods_item = check_context_query_methods_item(methods_item_data)

                methods.append(methods_item)

        min_fit = d.pop("min_fit", UNSET)

        min_score = d.pop("min_score", UNSET)

        recency = d.pop("recency", UNSET)

        recipe = d.pop("recipe", UNSET)

        _rerank = d.pop("rerank", UNSET)
        rerank: list[ContextQueryRerankItem] | None = UNSET
        if _rerank is not UNSET:
            rerank = []
            for rerank_item_data in _rerank:
                rerank_item = check_context_query_rerank_item(rerank_item_data)

                rerank.append(rerank_item)

        _scopes = d.pop("scopes", UNSET)
        scopes: list[ContextQueryScopesItem] | None = UNSET
        if _scopes is not UNSET:
            scopes = []
            for scopes_item_data in _scopes:
                scopes_item = check_context_query_scopes_item(scopes_item_data)

                scopes.append(scopes_item)

        seed_recent = d.pop("seed_recent", UNSET)

        seeds = cast(list[str], d.pop("seeds", UNSET))

        task = d.pop("task", UNSET)

        tokens = d.pop("tokens", UNSET)

        told_by = cast(list[str], d.pop("told_by", UNSET))

        _trust = d.pop("trust", UNSET)
        trust: ContextQueryTrust | None
        if isinstance(_trust, Unset):
            trust = UNSET
        else:
            trust = check_context_query_trust(_trust)

        context_query = cls(
            query=query,
            also_in=also_in,
            as_of=as_of,
            asked_at=asked_at,
            center=center,
            citations=citations,
            conversation=conversation,
            dates_in_words=dates_in_words,
            encoding=encoding,
            explain=explain,
            filter_=filter_,
            hits=hits,
            hops=hops,
            include_ended=include_ended,
            known_at=known_at,
            lambda_=lambda_,
            limit=limit,
            mention_boost=mention_boost,
            methods=methods,
            min_fit=min_fit,
            min_score=min_score,
            recency=recency,
            recipe=recipe,
            rerank=rerank,
            scopes=scopes,
            seed_recent=seed_recent,
            seeds=seeds,
            task=task,
            tokens=tokens,
            told_by=told_by,
            trust=trust,
        )

        return context_query
