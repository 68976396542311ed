from typing import Literal, cast

FactDifferenceChange = Literal[
    "added",
    "changed",
    "ended",
    "expired",
    "reopened",
    "withdrawn",
]


def check_fact_difference_change(value: str | None) -> FactDifferenceChange:
    return cast(FactDifferenceChange, value)
