from typing import Literal, cast

ListSkillsState = Literal[
    "all",
    "candidate",
    "confirmed",
    "rejected",
]


def check_list_skills_state(value: str | None) -> ListSkillsState:
    return cast(ListSkillsState, value)
