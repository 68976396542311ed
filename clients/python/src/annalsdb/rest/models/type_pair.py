from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

T = TypeVar("T", bound="TypePair")


@_attrs_define
class TypePair:
    """
    Attributes:
        source (str | None): Left out: any
        target (str | None): Left out: any
    """

    source: str | None = UNSET
    target: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        source = self.source

        target = self.target

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if source is not UNSET:
            field_dict["source"] = source
        if target is not UNSET:
            field_dict["target"] = target

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        source = d.pop("source", UNSET)

        target = d.pop("target", UNSET)

        type_pair = cls(
            source=source,
            target=target,
        )

        return type_pair
