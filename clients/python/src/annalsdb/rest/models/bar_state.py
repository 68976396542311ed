from typing import Literal, cast

BarState = Literal[
    "corrected",
    "ended",
    "happened",
    "holds",
    "planned",
    "taken back",
    "withheld",
]


def check_bar_state(value: str | None) -> BarState:
    return cast(BarState, value)
