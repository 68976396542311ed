from typing import Literal, cast

ReviewDecisionDecision = Literal[
    "approve",
    "edit",
    "leave",
    "reject",
]


def check_review_decision_decision(value: str | None) -> ReviewDecisionDecision:
    return cast(ReviewDecisionDecision, value)
