from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.mark import Mark


T = TypeVar("T", bound="Axis")


@_attrs_define
class Axis:
    """
    Attributes:
        complete (bool): Each mark is one time; else neighbouring times share a mark
        first (datetime.datetime | None): null: nothing has a time
        last (datetime.datetime | None):
        marks (list[Mark]): In their order
    """

    complete: bool
    first: datetime.datetime | None
    last: datetime.datetime | None
    marks: list[Mark]

    def to_dict(self) -> dict[str, Any]:
        complete = self.complete

        first: None | str
        if isinstance(self.first, datetime.datetime):
            first = self.first.isoformat()
        else:
            first = self.first

        last: None | str
        if isinstance(self.last, datetime.datetime):
            last = self.last.isoformat()
        else:
            last = self.last

        marks = []
        for marks_item_data in self.marks:
            marks_item = marks_item_data.to_dict()
            marks.append(marks_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "complete": complete,
                "first": first,
                "last": last,
                "marks": marks,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.mark import Mark

        d = dict(src_dict)
        complete = d.pop("complete")

        def _parse_first(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                first_type_0 = datetime.datetime.fromisoformat(data)

                return first_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        first = _parse_first(d.pop("first"))

        def _parse_last(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                last_type_0 = datetime.datetime.fromisoformat(data)

                return last_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        last = _parse_last(d.pop("last"))

        marks = []
        _marks = d.pop("marks")
        for marks_item_data in _marks:
            marks_item = Mark.from_dict(marks_item_data)

            marks.append(marks_item)

        axis = cls(
            complete=complete,
            first=first,
            last=last,
            marks=marks,
        )

        return axis
