from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

if TYPE_CHECKING:
    from ..models.noted_mark import NotedMark


T = TypeVar("T", bound="MarkPage")


@_attrs_define
class MarkPage:
    """
    Attributes:
        marks (list[NotedMark]):
        next_cursor (str | None): For the next page; left out: this is the last
    """

    marks: list[NotedMark]
    next_cursor: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        marks = []
        for marks_item_data in self.marks:
            marks_item = marks_item_data.to_dict()
            marks.append(marks_item)

        next_cursor = self.next_cursor

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "marks": marks,
            }
        )
        if next_cursor is not UNSET:
            field_dict["next_cursor"] = next_cursor

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.noted_mark import NotedMark

        d = dict(src_dict)
        marks = []
        _marks = d.pop("marks")
        for marks_item_data in _marks:
            marks_item = NotedMark.from_dict(marks_item_data)

            marks.append(marks_item)

        next_cursor = d.pop("next_cursor", UNSET)

        mark_page = cls(
            marks=marks,
            next_cursor=next_cursor,
        )

        return mark_page
