from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.built import Built


T = TypeVar("T", bound="BuildReport")


@_attrs_define
class BuildReport:
    """
    Attributes:
        built (Built):
    """

    built: Built

    def to_dict(self) -> dict[str, Any]:
        built = self.built.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "built": built,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.built import Built

        d = dict(src_dict)
        built = Built.from_dict(d.pop("built"))

        build_report = cls(
            built=built,
        )

        return build_report
