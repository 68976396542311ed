from typing import Literal, cast

WhyQueryScopesItem = Literal[
    "community",
    "entity",
    "episode",
    "fact",
    "observation",
    "thread",
]


def check_why_query_scopes_item(value: str | None) -> WhyQueryScopesItem:
    return cast(WhyQueryScopesItem, value)
