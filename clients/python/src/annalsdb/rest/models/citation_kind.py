from typing import Literal, cast

CitationKind = Literal[
    "community",
    "entity",
    "episode",
    "fact",
    "observation",
]


def check_citation_kind(value: str | None) -> CitationKind:
    return cast(CitationKind, value)
