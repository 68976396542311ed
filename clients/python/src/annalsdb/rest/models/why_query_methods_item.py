from typing import Literal, cast

WhyQueryMethodsItem = Literal[
    "bfs",
    "bm25",
    "cosine",
]


def check_why_query_methods_item(value: str | None) -> WhyQueryMethodsItem:
    return cast(WhyQueryMethodsItem, value)
