from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="NewDocument")


@_attrs_define
class NewDocument:
    """
    Attributes:
        name (str):
        text (str):
    """

    name: str
    text: str

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        text = self.text

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "name": name,
                "text": text,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        name = d.pop("name")

        text = d.pop("text")

        new_document = cls(
            name=name,
            text=text,
        )

        return new_document
