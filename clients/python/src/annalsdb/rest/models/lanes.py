from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.lane import Lane


T = TypeVar("T", bound="Lanes")


@_attrs_define
class Lanes:
    """
    Attributes:
        lanes (list[Lane]): Those of an entity together
        partial (bool): There are more facts; the newest are shown
    """

    lanes: list[Lane]
    partial: bool

    def to_dict(self) -> dict[str, Any]:
        lanes = []
        for lanes_item_data in self.lanes:
            lanes_item = lanes_item_data.to_dict()
            lanes.append(lanes_item)

        partial = self.partial

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "lanes": lanes,
                "partial": partial,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.lane import Lane

        d = dict(src_dict)
        lanes = []
        _lanes = d.pop("lanes")
        for lanes_item_data in _lanes:
            lanes_item = Lane.from_dict(lanes_item_data)

            lanes.append(lanes_item)

        partial = d.pop("partial")

        lanes = cls(
            lanes=lanes,
            partial=partial,
        )

        return lanes
