from typing import Literal, cast

QueryTrust = Literal[
    "all",
    "believed",
    "candidate",
    "disputed",
]


def check_query_trust(value: str | None) -> QueryTrust:
    return cast(QueryTrust, value)
