from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

T = TypeVar("T", bound="BlockEdit")


@_attrs_define
class BlockEdit:
    """
    Attributes:
        value (str): All that it is to say
        by (str | None): Who edits it, for its history
        version (int | None): Edit it only while it is in this version
    """

    value: str
    by: str | None = UNSET
    version: int | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        value = self.value

        by = self.by

        version = self.version

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "value": value,
            }
        )
        if by is not UNSET:
            field_dict["by"] = by
        if version is not UNSET:
            field_dict["version"] = version

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        value = d.pop("value")

        by = d.pop("by", UNSET)

        version = d.pop("version", UNSET)

        block_edit = cls(
            value=value,
            by=by,
            version=version,
        )

        return block_edit
