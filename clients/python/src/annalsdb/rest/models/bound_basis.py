from typing import Literal, cast

BoundBasis = Literal[
    "inferred",
    "planned",
    "said",
    "stated",
    "unknown",
]


def check_bound_basis(value: str | None) -> BoundBasis:
    return cast(BoundBasis, value)
