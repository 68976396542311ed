from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="Placed")


@_attrs_define
class Placed:
    """
    Attributes:
        rank (int):
        score (float):
    """

    rank: int
    score: float

    def to_dict(self) -> dict[str, Any]:
        rank = self.rank

        score = self.score

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "rank": rank,
                "score": score,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        rank = d.pop("rank")

        score = d.pop("score")

        placed = cls(
            rank=rank,
            score=score,
        )

        return placed
