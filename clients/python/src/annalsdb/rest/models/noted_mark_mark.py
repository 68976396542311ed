from typing import Literal, cast

NotedMarkMark = Literal[
    "expires",
    "outdated",
    "pinned",
    "useful",
    "wrong",
]


def check_noted_mark_mark(value: str | None) -> NotedMarkMark:
    return cast(NotedMarkMark, value)
