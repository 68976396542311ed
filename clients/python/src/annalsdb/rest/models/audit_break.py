from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

T = TypeVar("T", bound="AuditBreak")


@_attrs_define
class AuditBreak:
    """
    Attributes:
        problem (str): entry changed, row changed, row gone, row never noted, or head missing
        position (int | None): The entry; left out: there is none
        row_id (str | None): The row that it tells of
    """

    problem: str
    position: int | None = UNSET
    row_id: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        problem = self.problem

        position = self.position

        row_id = self.row_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "problem": problem,
            }
        )
        if position is not UNSET:
            field_dict["position"] = position
        if row_id is not UNSET:
            field_dict["row_id"] = row_id

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        problem = d.pop("problem")

        position = d.pop("position", UNSET)

        row_id = d.pop("row_id", UNSET)

        audit_break = cls(
            problem=problem,
            position=position,
            row_id=row_id,
        )

        return audit_break
