from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="PictureCommunity")


@_attrs_define
class PictureCommunity:
    """
    Attributes:
        id (str):
        members (int):
        name (str):
    """

    id: str
    members: int
    name: str

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        members = self.members

        name = self.name

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "members": members,
                "name": name,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = d.pop("id")

        members = d.pop("members")

        name = d.pop("name")

        picture_community = cls(
            id=id,
            members=members,
            name=name,
        )

        return picture_community
