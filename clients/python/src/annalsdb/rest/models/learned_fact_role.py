from typing import Literal, cast

LearnedFactRole = Literal[
    "corrected",
    "ends",
    "former",
    "states",
]


def check_learned_fact_role(value: str | None) -> LearnedFactRole:
    return cast(LearnedFactRole, value)
