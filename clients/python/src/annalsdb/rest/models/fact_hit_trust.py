from typing import Literal, cast

FactHitTrust = Literal[
    "believed",
    "candidate",
    "disputed",
]


def check_fact_hit_trust(value: str | None) -> FactHitTrust:
    return cast(FactHitTrust, value)
