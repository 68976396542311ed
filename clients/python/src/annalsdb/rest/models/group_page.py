from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

if TYPE_CHECKING:
    from ..models.group import Group


T = TypeVar("T", bound="GroupPage")


@_attrs_define
class GroupPage:
    """
    Attributes:
        groups (list[Group]):
        next_cursor (str | None): For the next page; left out: this is the last
    """

    groups: list[Group]
    next_cursor: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        groups = []
        for groups_item_data in self.groups:
            groups_item = groups_item_data.to_dict()
            groups.append(groups_item)

        next_cursor = self.next_cursor

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "groups": groups,
            }
        )
        if next_cursor is not UNSET:
            field_dict["next_cursor"] = next_cursor

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.group import Group

        d = dict(src_dict)
        groups = []
        _groups = d.pop("groups")
        for groups_item_data in _groups:
            groups_item = Group.from_dict(groups_item_data)

            groups.append(groups_item)

        next_cursor = d.pop("next_cursor", UNSET)

        group_page = cls(
            groups=groups,
            next_cursor=next_cursor,
        )

        return group_page
