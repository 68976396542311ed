from typing import Literal, cast

NewGroupKind = Literal[
    "graph",
    "user",
]


def check_new_group_kind(value: str | None) -> NewGroupKind:
    return cast(NewGroupKind, value)
