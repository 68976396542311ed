from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

T = TypeVar("T", bound="Refused")


@_attrs_define
class Refused:
    """
    Attributes:
        reason (str): Why it was refused. It holds nothing of the text
        external_id (str | None):
        line (int | None): The line it stood on; left out: there are no lines
    """

    reason: str
    external_id: str | None = UNSET
    line: int | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        reason = self.reason

        external_id = self.external_id

        line = self.line

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "reason": reason,
            }
        )
        if external_id is not UNSET:
            field_dict["external_id"] = external_id
        if line is not UNSET:
            field_dict["line"] = line

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        reason = d.pop("reason")

        external_id = d.pop("external_id", UNSET)

        line = d.pop("line", UNSET)

        refused = cls(
            reason=reason,
            external_id=external_id,
            line=line,
        )

        return refused
