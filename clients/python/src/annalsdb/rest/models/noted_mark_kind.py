from typing import Literal, cast

NotedMarkKind = Literal[
    "entity",
    "episode",
    "fact",
    "skill",
]


def check_noted_mark_kind(value: str | None) -> NotedMarkKind:
    return cast(NotedMarkKind, value)
