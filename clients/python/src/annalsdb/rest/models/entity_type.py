from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.entity_type_attributes import EntityTypeAttributes


T = TypeVar("T", bound="EntityType")


@_attrs_define
class EntityType:
    """
    Attributes:
        name (str):
        attributes (EntityTypeAttributes | None): A JSON schema of what to note about one
        description (str | None):
    """

    name: str
    attributes: EntityTypeAttributes | None = UNSET
    description: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        attributes: dict[str, Any] | None = UNSET
        if not isinstance(self.attributes, Unset):
            attributes = self.attributes.to_dict()

        description = self.description

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

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.entity_type_attributes import EntityTypeAttributes

        d = dict(src_dict)
        name = d.pop("name")

        _attributes = d.pop("attributes", UNSET)
        attributes: EntityTypeAttributes | None
        if isinstance(_attributes, Unset):
            attributes = UNSET
        else:
            attributes = EntityTypeAttributes.from_dict(_attributes)

        description = d.pop("description", UNSET)

        entity_type = cls(
            name=name,
            attributes=attributes,
            description=description,
        )

        return entity_type
