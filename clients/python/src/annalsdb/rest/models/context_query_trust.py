from typing import Literal, cast

ContextQueryTrust = Literal[
    "all",
    "believed",
    "candidate",
    "disputed",
]


def check_context_query_trust(value: str | None) -> ContextQueryTrust:
    return cast(ContextQueryTrust, value)
