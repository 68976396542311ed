from typing import Literal, cast

QueryMethodsItem = Literal[
    "bfs",
    "bm25",
    "cosine",
]


def check_query_methods_item(value: str | None) -> QueryMethodsItem:
    return cast(QueryMethodsItem, value)
