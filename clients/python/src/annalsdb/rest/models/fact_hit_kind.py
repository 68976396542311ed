from typing import Literal, cast

FactHitKind = Literal[
    "event",
    "state",
]


def check_fact_hit_kind(value: str | None) -> FactHitKind:
    return cast(FactHitKind, value)
