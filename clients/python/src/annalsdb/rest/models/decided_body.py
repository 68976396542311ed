from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="DecidedBody")


@_attrs_define
class DecidedBody:
    """
    Attributes:
        decided (int): Of how many facts; what was decided so before is not counted again where it was rejected
    """

    decided: int

    def to_dict(self) -> dict[str, Any]:
        decided = self.decided

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "decided": decided,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        decided = d.pop("decided")

        decided_body = cls(
            decided=decided,
        )

        return decided_body
