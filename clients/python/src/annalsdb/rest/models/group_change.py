from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

T = TypeVar("T", bound="GroupChange")


@_attrs_define
class GroupChange:
    """
    Attributes:
        description (str | None): What it is for
        name (str | None): A title
        time_zone (str | None): Of whom it is about, an IANA name
    """

    description: str | None = UNSET
    name: str | None = UNSET
    time_zone: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        description = self.description

        name = self.name

        time_zone = self.time_zone

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if description is not UNSET:
            field_dict["description"] = description
        if name is not UNSET:
            field_dict["name"] = name
        if time_zone is not UNSET:
            field_dict["time_zone"] = time_zone

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        description = d.pop("description", UNSET)

        name = d.pop("name", UNSET)

        time_zone = d.pop("time_zone", UNSET)

        group_change = cls(
            description=description,
            name=name,
            time_zone=time_zone,
        )

        return group_change
