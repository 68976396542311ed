from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="MergeInto")


@_attrs_define
class MergeInto:
    """
    Attributes:
        into (str): The entity that stays, by its id or a name that only one goes by
    """

    into: str

    def to_dict(self) -> dict[str, Any]:
        into = self.into

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "into": into,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        into = d.pop("into")

        merge_into = cls(
            into=into,
        )

        return merge_into
