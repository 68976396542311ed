from typing import Literal, cast

AskingQueryMethodsItem = Literal[
    "bfs",
    "bm25",
    "cosine",
]


def check_asking_query_methods_item(value: str | None) -> AskingQueryMethodsItem:
    return cast(AskingQueryMethodsItem, value)
