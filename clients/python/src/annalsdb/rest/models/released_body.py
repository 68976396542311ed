from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="ReleasedBody")


@_attrs_define
class ReleasedBody:
    """
    Attributes:
        released (int): How many episodes it changed
    """

    released: int

    def to_dict(self) -> dict[str, Any]:
        released = self.released

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "released": released,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        released = d.pop("released")

        released_body = cls(
            released=released,
        )

        return released_body
