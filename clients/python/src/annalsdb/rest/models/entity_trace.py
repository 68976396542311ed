from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.decision import Decision
    from ..models.edit import Edit


T = TypeVar("T", bound="EntityTrace")


@_attrs_define
class EntityTrace:
    """
    Attributes:
        decisions (list[Decision]): In the episodes that mention it, of which the latest 200 are looked at
        edits (list[Edit]): The oldest first
    """

    decisions: list[Decision]
    edits: list[Edit]

    def to_dict(self) -> dict[str, Any]:
        decisions = []
        for decisions_item_data in self.decisions:
            decisions_item = decisions_item_data.to_dict()
            decisions.append(decisions_item)

        edits = []
        for edits_item_data in self.edits:
            edits_item = edits_item_data.to_dict()
            edits.append(edits_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "decisions": decisions,
                "edits": edits,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.decision import Decision
        from ..models.edit import Edit

        d = dict(src_dict)
        decisions = []
        _decisions = d.pop("decisions")
        for decisions_item_data in _decisions:
            decisions_item = Decision.from_dict(decisions_item_data)

            decisions.append(decisions_item)

        edits = []
        _edits = d.pop("edits")
        for edits_item_data in _edits:
            edits_item = Edit.from_dict(edits_item_data)

            edits.append(edits_item)

        entity_trace = cls(
            decisions=decisions,
            edits=edits,
        )

        return entity_trace
