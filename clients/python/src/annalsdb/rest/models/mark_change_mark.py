from typing import Literal, cast

MarkChangeMark = Literal[
    "expires",
    "keeps",
    "outdated",
    "pinned",
    "unjudged",
    "unpinned",
    "useful",
    "wrong",
]


def check_mark_change_mark(value: str | None) -> MarkChangeMark:
    return cast(MarkChangeMark, value)
