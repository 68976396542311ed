from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.decision import Decision
    from ..models.edit import Edit
    from ..models.marks import Marks


T = TypeVar("T", bound="EntityTrace")


@_attrs_define
class EntityTrace:
    """
    Attributes:
        decisions (list[Decision]): In the episodes that mention it, of which the latest 200 are looked at
        edits (list[Edit]): The oldest first
        marks (Marks | None):
    """

    decisions: list[Decision]
    edits: list[Edit]
    marks: Marks | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        decisions = []
        for decisions_item_data in self.decisions:
            decisions_item = decisions_item_data.to_dict()
            decisions.append(decisions_item)

        edits = []
        for edits_item_data in self.edits:
            edits_item = edits_item_data.to_dict()
            edits.append(edits_item)

        marks: dict[str, Any] | None = UNSET
        if not isinstance(self.marks, Unset):
            marks = self.marks.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "decisions": decisions,
                "edits": edits,
            }
        )
        if marks is not UNSET:
            field_dict["marks"] = marks

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.decision import Decision
        from ..models.edit import Edit
        from ..models.marks import Marks

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

        _marks = d.pop("marks", UNSET)
        marks: Marks | None
        if isinstance(_marks, Unset):
            marks = UNSET
        else:
            marks = Marks.from_dict(_marks)

        entity_trace = cls(
            decisions=decisions,
            edits=edits,
            marks=marks,
        )

        return entity_trace
