from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="FormerName")


@_attrs_define
class FormerName:
    """
    Attributes:
        entity (int): Place in entities
        name (str):
        until (float): When another name took its place
    """

    entity: int
    name: str
    until: float

    def to_dict(self) -> dict[str, Any]:
        entity = self.entity

        name = self.name

        until = self.until

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "entity": entity,
                "name": name,
                "until": until,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        entity = d.pop("entity")

        name = d.pop("name")

        until = d.pop("until")

        former_name = cls(
            entity=entity,
            name=name,
            until=until,
        )

        return former_name
