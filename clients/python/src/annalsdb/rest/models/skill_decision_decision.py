from typing import Literal, cast

SkillDecisionDecision = Literal[
    "approve",
    "leave",
    "reject",
]


def check_skill_decision_decision(value: str | None) -> SkillDecisionDecision:
    return cast(SkillDecisionDecision, value)
