from typing import Literal, cast

FactTrust = Literal[
    "believed",
    "candidate",
    "disputed",
]


def check_fact_trust(value: str | None) -> FactTrust:
    return cast(FactTrust, value)
