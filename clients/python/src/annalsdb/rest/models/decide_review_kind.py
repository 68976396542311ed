from typing import Literal, cast

DecideReviewKind = Literal[
    "candidate",
    "disputed",
    "low_trust",
    "second_hand",
]


def check_decide_review_kind(value: str | None) -> DecideReviewKind:
    return cast(DecideReviewKind, value)
