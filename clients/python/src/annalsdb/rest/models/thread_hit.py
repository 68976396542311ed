from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="ThreadHit")


@_attrs_define
class ThreadHit:
    """
    Attributes:
        group_id (str):
        id (str):
        score (float):
    """

    group_id: str
    id: str
    score: float

    def to_dict(self) -> dict[str, Any]:
        group_id = self.group_id

        id = self.id

        score = self.score

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "group_id": group_id,
                "id": id,
                "score": score,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        group_id = d.pop("group_id")

        id = d.pop("id")

        score = d.pop("score")

        thread_hit = cls(
            group_id=group_id,
            id=id,
            score=score,
        )

        return thread_hit
