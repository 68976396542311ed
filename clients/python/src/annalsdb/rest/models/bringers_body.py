from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.bringer import Bringer


T = TypeVar("T", bound="BringersBody")


@_attrs_define
class BringersBody:
    """
    Attributes:
        brought (list[Bringer]):
    """

    brought: list[Bringer]

    def to_dict(self) -> dict[str, Any]:
        brought = []
        for brought_item_data in self.brought:
            brought_item = brought_item_data.to_dict()
            brought.append(brought_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "brought": brought,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.bringer import Bringer

        d = dict(src_dict)
        brought = []
        _brought = d.pop("brought")
        for brought_item_data in _brought:
            brought_item = Bringer.from_dict(brought_item_data)

            brought.append(brought_item)

        bringers_body = cls(
            brought=brought,
        )

        return bringers_body
