from typing import Literal, cast

LearnedFactKind = Literal[
    "event",
    "state",
]


def check_learned_fact_kind(value: str | None) -> LearnedFactKind:
    return cast(LearnedFactKind, value)
