from typing import Literal, cast

ChangeBasis = Literal[
    "inferred",
    "said",
    "stated",
    "unknown",
]


def check_change_basis(value: str | None) -> ChangeBasis:
    return cast(ChangeBasis, value)
