from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

T = TypeVar("T", bound="NewBlock")


@_attrs_define
class NewBlock:
    """
    Attributes:
        label (str):
        description (str | None): What it is for; the agent is told
        limit (int | None): Characters of the value; left out: 2000
        read_only (bool | None): The agent may not edit it
        value (str | None):
    """

    label: str
    description: str | None = UNSET
    limit: int | None = UNSET
    read_only: bool | None = UNSET
    value: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        label = self.label

        description = self.description

        limit = self.limit

        read_only = self.read_only

        value = self.value

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "label": label,
            }
        )
        if description is not UNSET:
            field_dict["description"] = description
        if limit is not UNSET:
            field_dict["limit"] = limit
        if read_only is not UNSET:
            field_dict["read_only"] = read_only
        if value is not UNSET:
            field_dict["value"] = value

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        label = d.pop("label")

        description = d.pop("description", UNSET)

        limit = d.pop("limit", UNSET)

        read_only = d.pop("read_only", UNSET)

        value = d.pop("value", UNSET)

        new_block = cls(
            label=label,
            description=description,
            limit=limit,
            read_only=read_only,
            value=value,
        )

        return new_block
