from typing import Literal, cast

NotedMarkKind = Literal[
    "entity",
    "episode",
    "fact",
]


def check_noted_mark_kind(value: str | None) -> NotedMarkKind:
    return cast(NotedMarkKind, value)
