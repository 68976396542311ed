from typing import Literal, cast

ExpectedKind = Literal[
    "entity",
    "episode",
    "fact",
]


def check_expected_kind(value: str | None) -> ExpectedKind:
    return cast(ExpectedKind, value)
