from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.moved_rows import MovedRows


T = TypeVar("T", bound="Moved")


@_attrs_define
class Moved:
    """
    Attributes:
        group (str):
        lines (int):
        rows (MovedRows): By table
        sha256 (str): Of all lines but the last
        erased (list[str] | None): Episodes of the file that were erased after it was exported, and are left out
        withdrawn (list[str] | None): Facts of the file that were withdrawn after it was exported, and are left out
    """

    group: str
    lines: int
    rows: MovedRows
    sha256: str
    erased: list[str] | None = UNSET
    withdrawn: list[str] | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        group = self.group

        lines = self.lines

        rows = self.rows.to_dict()

        sha256 = self.sha256

        erased: list[str] | None = UNSET
        if not isinstance(self.erased, Unset):
            erased = self.erased

        withdrawn: list[str] | None = UNSET
        if not isinstance(self.withdrawn, Unset):
            withdrawn = self.withdrawn

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "group": group,
                "lines": lines,
                "rows": rows,
                "sha256": sha256,
            }
        )
        if erased is not UNSET:
            field_dict["erased"] = erased
        if withdrawn is not UNSET:
            field_dict["withdrawn"] = withdrawn

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.moved_rows import MovedRows

        d = dict(src_dict)
        group = d.pop("group")

        lines = d.pop("lines")

        rows = MovedRows.from_dict(d.pop("rows"))

        sha256 = d.pop("sha256")

        erased = cast(list[str], d.pop("erased", UNSET))

        withdrawn = cast(list[str], d.pop("withdrawn", UNSET))

        moved = cls(
            group=group,
            lines=lines,
            rows=rows,
            sha256=sha256,
            erased=erased,
            withdrawn=withdrawn,
        )

        return moved
