from typing import Literal, cast

ChangeEvent = Literal[
    "began",
    "ended",
    "happened",
    "planned",
]


def check_change_event(value: str | None) -> ChangeEvent:
    return cast(ChangeEvent, value)
