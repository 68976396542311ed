from typing import Literal, cast

ContextQueryScopesItem = Literal[
    "community",
    "entity",
    "episode",
    "fact",
    "observation",
    "thread",
]


def check_context_query_scopes_item(value: str | None) -> ContextQueryScopesItem:
    return cast(ContextQueryScopesItem, value)
