from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.usage import Usage


T = TypeVar("T", bound="UsageList")


@_attrs_define
class UsageList:
    """
    Attributes:
        usage (list[Usage]):
    """

    usage: list[Usage]

    def to_dict(self) -> dict[str, Any]:
        usage = []
        for usage_item_data in self.usage:
            usage_item = usage_item_data.to_dict()
            usage.append(usage_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "usage": usage,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.usage import Usage

        d = dict(src_dict)
        usage = []
        _usage = d.pop("usage")
        for usage_item_data in _usage:
            usage_item = Usage.from_dict(usage_item_data)

            usage.append(usage_item)

        usage_list = cls(
            usage=usage,
        )

        return usage_list
