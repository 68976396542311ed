from typing import Literal, cast

FactKind = Literal[
    "event",
    "state",
]


def check_fact_kind(value: str | None) -> FactKind:
    return cast(FactKind, value)
