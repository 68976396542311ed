from typing import Literal, cast

AskingQueryScopesItem = Literal[
    "community",
    "entity",
    "episode",
    "fact",
    "observation",
    "thread",
]


def check_asking_query_scopes_item(value: str | None) -> AskingQueryScopesItem:
    return cast(AskingQueryScopesItem, value)
