from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="Saying")


@_attrs_define
class Saying:
    """
    Attributes:
        fact_id (str):
        told (str):
        when (str):
    """

    fact_id: str
    told: str
    when: str

    def to_dict(self) -> dict[str, Any]:
        fact_id = self.fact_id

        told = self.told

        when = self.when

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "fact_id": fact_id,
                "told": told,
                "when": when,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        fact_id = d.pop("fact_id")

        told = d.pop("told")

        when = d.pop("when")

        saying = cls(
            fact_id=fact_id,
            told=told,
            when=when,
        )

        return saying
