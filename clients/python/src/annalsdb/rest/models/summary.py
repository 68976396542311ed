from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="Summary")


@_attrs_define
class Summary:
    """
    Attributes:
        id (str):
        summary (str):
    """

    id: str
    summary: str

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        summary = self.summary

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "summary": summary,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = d.pop("id")

        summary = d.pop("summary")

        summary = cls(
            id=id,
            summary=summary,
        )

        return summary
