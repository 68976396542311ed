from typing import Literal, cast

SkillState = Literal[
    "candidate",
    "confirmed",
    "rejected",
]


def check_skill_state(value: str | None) -> SkillState:
    return cast(SkillState, value)
