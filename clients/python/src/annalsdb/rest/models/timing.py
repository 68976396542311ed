from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="Timing")


@_attrs_define
class Timing:
    """
    Attributes:
        seconds (float):
        step (str):
    """

    seconds: float
    step: str

    def to_dict(self) -> dict[str, Any]:
        seconds = self.seconds

        step = self.step

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "seconds": seconds,
                "step": step,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        seconds = d.pop("seconds")

        step = d.pop("step")

        timing = cls(
            seconds=seconds,
            step=step,
        )

        return timing
