from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="Observed")


@_attrs_define
class Observed:
    """
    Attributes:
        observations (int): How many the group has; 1000 stands for more too
    """

    observations: int

    def to_dict(self) -> dict[str, Any]:
        observations = self.observations

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "observations": observations,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        observations = d.pop("observations")

        observed = cls(
            observations=observations,
        )

        return observed
