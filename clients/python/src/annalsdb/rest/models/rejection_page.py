from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

if TYPE_CHECKING:
    from ..models.rejection import Rejection


T = TypeVar("T", bound="RejectionPage")


@_attrs_define
class RejectionPage:
    """
    Attributes:
        rejections (list[Rejection]):
        next_cursor (str | None): For the next page; left out: this is the last
    """

    rejections: list[Rejection]
    next_cursor: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        rejections = []
        for rejections_item_data in self.rejections:
            rejections_item = rejections_item_data.to_dict()
            rejections.append(rejections_item)

        next_cursor = self.next_cursor

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "rejections": rejections,
            }
        )
        if next_cursor is not UNSET:
            field_dict["next_cursor"] = next_cursor

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.rejection import Rejection

        d = dict(src_dict)
        rejections = []
        _rejections = d.pop("rejections")
        for rejections_item_data in _rejections:
            rejections_item = Rejection.from_dict(rejections_item_data)

            rejections.append(rejections_item)

        next_cursor = d.pop("next_cursor", UNSET)

        rejection_page = cls(
            rejections=rejections,
            next_cursor=next_cursor,
        )

        return rejection_page
