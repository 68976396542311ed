from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.group_waiting import GroupWaiting


T = TypeVar("T", bound="WaitingGroups")


@_attrs_define
class WaitingGroups:
    """
    Attributes:
        groups (list[GroupWaiting]): Of which something waits or failed, those that wait longest first, at most 200
    """

    groups: list[GroupWaiting]

    def to_dict(self) -> dict[str, Any]:
        groups = []
        for groups_item_data in self.groups:
            groups_item = groups_item_data.to_dict()
            groups.append(groups_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "groups": groups,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.group_waiting import GroupWaiting

        d = dict(src_dict)
        groups = []
        _groups = d.pop("groups")
        for groups_item_data in _groups:
            groups_item = GroupWaiting.from_dict(groups_item_data)

            groups.append(groups_item)

        waiting_groups = cls(
            groups=groups,
        )

        return waiting_groups
