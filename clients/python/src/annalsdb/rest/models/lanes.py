from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.edit import Edit
    from ..models.lane import Lane


T = TypeVar("T", bound="Lanes")


@_attrs_define
class Lanes:
    """
    Attributes:
        edits (list[Edit]): What was decided and changed by hand when bars changed, as at their shown_from
        lanes (list[Lane]): Those of an entity together
        partial (bool): There are more facts; the newest are shown
    """

    edits: list[Edit]
    lanes: list[Lane]
    partial: bool

    def to_dict(self) -> dict[str, Any]:
        edits = []
        for edits_item_data in self.edits:
            edits_item = edits_item_data.to_dict()
            edits.append(edits_item)

        lanes = []
        for lanes_item_data in self.lanes:
            lanes_item = lanes_item_data.to_dict()
            lanes.append(lanes_item)

        partial = self.partial

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "edits": edits,
                "lanes": lanes,
                "partial": partial,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.edit import Edit
        from ..models.lane import Lane

        d = dict(src_dict)
        edits = []
        _edits = d.pop("edits")
        for edits_item_data in _edits:
            edits_item = Edit.from_dict(edits_item_data)

            edits.append(edits_item)

        lanes = []
        _lanes = d.pop("lanes")
        for lanes_item_data in _lanes:
            lanes_item = Lane.from_dict(lanes_item_data)

            lanes.append(lanes_item)

        partial = d.pop("partial")

        lanes = cls(
            edits=edits,
            lanes=lanes,
            partial=partial,
        )

        return lanes
