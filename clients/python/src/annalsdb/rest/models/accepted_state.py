from typing import Literal, cast

AcceptedState = Literal[
    "done",
    "failed",
    "pending",
    "processing",
]


def check_accepted_state(value: str | None) -> AcceptedState:
    return cast(AcceptedState, value)
