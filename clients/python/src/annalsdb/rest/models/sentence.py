from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.citation import Citation


T = TypeVar("T", bound="Sentence")


@_attrs_define
class Sentence:
    """
    Attributes:
        cites (list[Citation]):
        text (str):
    """

    cites: list[Citation]
    text: str

    def to_dict(self) -> dict[str, Any]:
        cites = []
        for cites_item_data in self.cites:
            cites_item = cites_item_data.to_dict()
            cites.append(cites_item)

        text = self.text

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "cites": cites,
                "text": text,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.citation import Citation

        d = dict(src_dict)
        cites = []
        _cites = d.pop("cites")
        for cites_item_data in _cites:
            cites_item = Citation.from_dict(cites_item_data)

            cites.append(cites_item)

        text = d.pop("text")

        sentence = cls(
            cites=cites,
            text=text,
        )

        return sentence
