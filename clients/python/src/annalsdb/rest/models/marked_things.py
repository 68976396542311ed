from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.marked import Marked


T = TypeVar("T", bound="MarkedThings")


@_attrs_define
class MarkedThings:
    """
    Attributes:
        marked (list[Marked]):
    """

    marked: list[Marked]

    def to_dict(self) -> dict[str, Any]:
        marked = []
        for marked_item_data in self.marked:
            marked_item = marked_item_data.to_dict()
            marked.append(marked_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "marked": marked,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.marked import Marked

        d = dict(src_dict)
        marked = []
        _marked = d.pop("marked")
        for marked_item_data in _marked:
            marked_item = Marked.from_dict(marked_item_data)

            marked.append(marked_item)

        marked_things = cls(
            marked=marked,
        )

        return marked_things
