from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="Removal")


@_attrs_define
class Removal:
    """
    Attributes:
        rows (int):
        table (str):
    """

    rows: int
    table: str

    def to_dict(self) -> dict[str, Any]:
        rows = self.rows

        table = self.table

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "rows": rows,
                "table": table,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        rows = d.pop("rows")

        table = d.pop("table")

        removal = cls(
            rows=rows,
            table=table,
        )

        return removal
