from typing import Literal, cast

MarkedKind = Literal[
    "entity",
    "episode",
    "fact",
    "skill",
]


def check_marked_kind(value: str | None) -> MarkedKind:
    return cast(MarkedKind, value)
