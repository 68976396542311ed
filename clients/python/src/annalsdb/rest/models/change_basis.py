from typing import Literal, cast

ChangeBasis = Literal[
    "inferred",
    "planned",
    "said",
    "stated",
    "unknown",
]


def check_change_basis(value: str | None) -> ChangeBasis:
    return cast(ChangeBasis, value)
