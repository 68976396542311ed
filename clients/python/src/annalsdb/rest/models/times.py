from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.axis import Axis


T = TypeVar("T", bound="Times")


@_attrs_define
class Times:
    """
    Attributes:
        known (Axis):
        valid (Axis):
    """

    known: Axis
    valid: Axis

    def to_dict(self) -> dict[str, Any]:
        known = self.known.to_dict()

        valid = self.valid.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "known": known,
                "valid": valid,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.axis import Axis

        d = dict(src_dict)
        known = Axis.from_dict(d.pop("known"))

        valid = Axis.from_dict(d.pop("valid"))

        times = cls(
            known=known,
            valid=valid,
        )

        return times
