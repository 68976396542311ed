from typing import Literal, cast

BarKind = Literal[
    "event",
    "state",
]


def check_bar_kind(value: str | None) -> BarKind:
    return cast(BarKind, value)
