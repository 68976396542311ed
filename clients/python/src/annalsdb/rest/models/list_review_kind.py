from typing import Literal, cast

ListReviewKind = Literal[
    "candidate",
    "disputed",
    "low_trust",
    "second_hand",
]


def check_list_review_kind(value: str | None) -> ListReviewKind:
    return cast(ListReviewKind, value)
