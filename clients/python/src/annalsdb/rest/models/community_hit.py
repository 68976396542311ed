from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

T = TypeVar("T", bound="CommunityHit")


@_attrs_define
class CommunityHit:
    """
    Attributes:
        created_at (datetime.datetime):
        group_id (str):
        id (str):
        name (str):
        summary (str):
        score (float | None):
    """

    created_at: datetime.datetime
    group_id: str
    id: str
    name: str
    summary: str
    score: float | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        created_at = self.created_at.isoformat()

        group_id = self.group_id

        id = self.id

        name = self.name

        summary = self.summary

        score = self.score

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "created_at": created_at,
                "group_id": group_id,
                "id": id,
                "name": name,
                "summary": summary,
            }
        )
        if score is not UNSET:
            field_dict["score"] = score

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        group_id = d.pop("group_id")

        id = d.pop("id")

        name = d.pop("name")

        summary = d.pop("summary")

        score = d.pop("score", UNSET)

        community_hit = cls(
            created_at=created_at,
            group_id=group_id,
            id=id,
            name=name,
            summary=summary,
            score=score,
        )

        return community_hit
