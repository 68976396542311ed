from typing import Literal, cast

WhyQueryTrust = Literal[
    "all",
    "believed",
    "candidate",
    "disputed",
]


def check_why_query_trust(value: str | None) -> WhyQueryTrust:
    return cast(WhyQueryTrust, value)
