from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.fact_type_attributes import FactTypeAttributes
    from ..models.type_pair import TypePair


T = TypeVar("T", bound="FactType")


@_attrs_define
class FactType:
    """
    Attributes:
        name (str):
        attributes (FactTypeAttributes | None): A JSON schema of what to note about one
        description (str | None):
        pairs (list[TypePair] | None): Between which kinds it may hold; left out: between any
    """

    name: str
    attributes: FactTypeAttributes | None = UNSET
    description: str | None = UNSET
    pairs: list[TypePair] | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        attributes: dict[str, Any] | None = UNSET
        if not isinstance(self.attributes, Unset):
            attributes = self.attributes.to_dict()

        description = self.description

        pairs: list[dict[str, Any]] | None = UNSET
        if not isinstance(self.pairs, Unset):
            pairs = []
            for pairs_item_data in self.pairs:
                pairs_item = pairs_item_data.to_dict()
                pairs.append(pairs_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "name": name,
            }
        )
        if attributes is not UNSET:
            field_dict["attributes"] = attributes
        if description is not UNSET:
            field_dict["description"] = description
        if pairs is not UNSET:
            field_dict["pairs"] = pairs

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.fact_type_attributes import FactTypeAttributes
        from ..models.type_pair import TypePair

        d = dict(src_dict)
        name = d.pop("name")

        _attributes = d.pop("attributes", UNSET)
        attributes: FactTypeAttributes | None
        if isinstance(_attributes, Unset):
            attributes = UNSET
        else:
            attributes = FactTypeAttributes.from_dict(_attributes)

        description = d.pop("description", UNSET)

        _pairs = d.pop("pairs", UNSET)
        pairs: list[TypePair] | None = UNSET
        if _pairs is not UNSET:
            pairs = []
            for pairs_item_data in _pairs:
                pairs_item = TypePair.from_dict(pairs_item_data)

                pairs.append(pairs_item)

        fact_type = cls(
            name=name,
            attributes=attributes,
            description=description,
            pairs=pairs,
        )

        return fact_type
