from typing import Literal, cast

EntityDifferenceChange = Literal[
    "added",
    "changed",
    "merged",
    "removed",
    "renamed",
    "summary",
]


def check_entity_difference_change(value: str | None) -> EntityDifferenceChange:
    return cast(EntityDifferenceChange, value)
