from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

if TYPE_CHECKING:
    from ..models.member import Member


T = TypeVar("T", bound="Membership")


@_attrs_define
class Membership:
    """
    Attributes:
        created_at (datetime.datetime):
        id (str):
        members (list[Member]):
        name (str):
        summary (str):
        score (float | None):
    """

    created_at: datetime.datetime
    id: str
    members: list[Member]
    name: str
    summary: str
    score: float | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        created_at = self.created_at.isoformat()

        id = self.id

        members = []
        for members_item_data in self.members:
            members_item = members_item_data.to_dict()
            members.append(members_item)

        name = self.name

        summary = self.summary

        score = self.score

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "created_at": created_at,
                "id": id,
                "members": members,
                "name": name,
                "summary": summary,
            }
        )
        if score is not UNSET:
            field_dict["score"] = score

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.member import Member

        d = dict(src_dict)
        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        id = d.pop("id")

        members = []
        _members = d.pop("members")
        for members_item_data in _members:
            members_item = Member.from_dict(members_item_data)

            members.append(members_item)

        name = d.pop("name")

        summary = d.pop("summary")

        score = d.pop("score", UNSET)

        membership = cls(
            created_at=created_at,
            id=id,
            members=members,
            name=name,
            summary=summary,
            score=score,
        )

        return membership
