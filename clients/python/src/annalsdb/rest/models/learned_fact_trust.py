from typing import Literal, cast

LearnedFactTrust = Literal[
    "believed",
    "candidate",
    "disputed",
]


def check_learned_fact_trust(value: str | None) -> LearnedFactTrust:
    return cast(LearnedFactTrust, value)
