from typing import Literal, cast

NewRunOutcome = Literal[
    "failure",
    "success",
    "unknown",
]


def check_new_run_outcome(value: str | None) -> NewRunOutcome:
    return cast(NewRunOutcome, value)
