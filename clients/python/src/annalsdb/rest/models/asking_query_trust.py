from typing import Literal, cast

AskingQueryTrust = Literal[
    "all",
    "believed",
    "candidate",
    "disputed",
]


def check_asking_query_trust(value: str | None) -> AskingQueryTrust:
    return cast(AskingQueryTrust, value)
