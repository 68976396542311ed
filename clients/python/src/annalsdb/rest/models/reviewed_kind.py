from typing import Literal, cast

ReviewedKind = Literal[
    "added",
    "candidate",
    "changed",
    "disputed",
    "ended",
    "low_trust",
    "second_hand",
    "withdrawn",
]


def check_reviewed_kind(value: str | None) -> ReviewedKind:
    return cast(ReviewedKind, value)
