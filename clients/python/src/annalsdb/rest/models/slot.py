from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.citation import Citation


T = TypeVar("T", bound="Slot")


@_attrs_define
class Slot:
    """
    Attributes:
        because (str): The sentence, or the fact, that gives it
        cites (list[Citation]):
        name (str):
        value (Any):
    """

    because: str
    cites: list[Citation]
    name: str
    value: Any

    def to_dict(self) -> dict[str, Any]:
        because = self.because

        cites = []
        for cites_item_data in self.cites:
            cites_item = cites_item_data.to_dict()
            cites.append(cites_item)

        name = self.name

        value = self.value

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "because": because,
                "cites": cites,
                "name": name,
                "value": value,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.citation import Citation

        d = dict(src_dict)
        because = d.pop("because")

        cites = []
        _cites = d.pop("cites")
        for cites_item_data in _cites:
            cites_item = Citation.from_dict(cites_item_data)

            cites.append(cites_item)

        name = d.pop("name")

        value = d.pop("value")

        slot = cls(
            because=because,
            cites=cites,
            name=name,
            value=value,
        )

        return slot
