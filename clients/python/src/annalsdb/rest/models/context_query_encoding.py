from typing import Literal, cast

ContextQueryEncoding = Literal[
    "cl100k_base",
    "o200k_base",
]


def check_context_query_encoding(value: str | None) -> ContextQueryEncoding:
    return cast(ContextQueryEncoding, value)
