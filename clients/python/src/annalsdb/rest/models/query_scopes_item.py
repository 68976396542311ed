from typing import Literal, cast

QueryScopesItem = Literal[
    "community",
    "entity",
    "episode",
    "fact",
    "observation",
    "thread",
]


def check_query_scopes_item(value: str | None) -> QueryScopesItem:
    return cast(QueryScopesItem, value)
