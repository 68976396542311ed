from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="Retried")


@_attrs_define
class Retried:
    """
    Attributes:
        retried (int): How many episodes wait again
    """

    retried: int

    def to_dict(self) -> dict[str, Any]:
        retried = self.retried

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "retried": retried,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        retried = d.pop("retried")

        retried = cls(
            retried=retried,
        )

        return retried
