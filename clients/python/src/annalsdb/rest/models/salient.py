from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="Salient")


@_attrs_define
class Salient:
    """
    Attributes:
        id (str):
        mentions (int):
        name (str):
        salience (float):
    """

    id: str
    mentions: int
    name: str
    salience: float

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        mentions = self.mentions

        name = self.name

        salience = self.salience

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "mentions": mentions,
                "name": name,
                "salience": salience,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = d.pop("id")

        mentions = d.pop("mentions")

        name = d.pop("name")

        salience = d.pop("salience")

        salient = cls(
            id=id,
            mentions=mentions,
            name=name,
            salience=salience,
        )

        return salient
