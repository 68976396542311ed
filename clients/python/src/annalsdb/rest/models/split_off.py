from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="SplitOff")


@_attrs_define
class SplitOff:
    """
    Attributes:
        facts (list[str]): Ids of the facts that belong to it
        name (str): What the new entity is called
    """

    facts: list[str]
    name: str

    def to_dict(self) -> dict[str, Any]:
        facts = self.facts

        name = self.name

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "facts": facts,
                "name": name,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        facts = cast(list[str], d.pop("facts"))

        name = d.pop("name")

        split_off = cls(
            facts=facts,
            name=name,
        )

        return split_off
