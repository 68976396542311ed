from typing import Literal, cast

TracedVersionKind = Literal[
    "event",
    "state",
]


def check_traced_version_kind(value: str | None) -> TracedVersionKind:
    return cast(TracedVersionKind, value)
