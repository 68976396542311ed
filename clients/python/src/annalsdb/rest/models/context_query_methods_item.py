from typing import Literal, cast

ContextQueryMethodsItem = Literal[
    "bfs",
    "bm25",
    "cosine",
]


def check_context_query_methods_item(value: str | None) -> ContextQueryMethodsItem:
    return cast(ContextQueryMethodsItem, value)
