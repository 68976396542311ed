from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.entity_type import EntityType
    from ..models.fact_type import FactType


T = TypeVar("T", bound="Ontology")


@_attrs_define
class Ontology:
    """
    Attributes:
        entity_types (list[EntityType] | None): Kinds of entities to look for
        excluded_types (list[str] | None): Kinds of entities not to keep
        fact_types (list[FactType] | None): Kinds of facts to look for
        instructions (str | None): Anything else to heed, in words
    """

    entity_types: list[EntityType] | None = UNSET
    excluded_types: list[str] | None = UNSET
    fact_types: list[FactType] | None = UNSET
    instructions: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        entity_types: list[dict[str, Any]] | None = UNSET
        if not isinstance(self.entity_types, Unset):
            entity_types = []
            for entity_types_item_data in self.entity_types:
                entity_types_item = entity_types_item_data.to_dict()
                entity_types.append(entity_types_item)

        excluded_types: list[str] | None = UNSET
        if not isinstance(self.excluded_types, Unset):
            excluded_types = self.excluded_types

        fact_types: list[dict[str, Any]] | None = UNSET
        if not isinstance(self.fact_types, Unset):
            fact_types = []
            for fact_types_item_data in self.fact_types:
                fact_types_item = fact_types_item_data.to_dict()
                fact_types.append(fact_types_item)

        instructions = self.instructions

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if entity_types is not UNSET:
            field_dict["entity_types"] = entity_types
        if excluded_types is not UNSET:
            field_dict["excluded_types"] = excluded_types
        if fact_types is not UNSET:
            field_dict["fact_types"] = fact_types
        if instructions is not UNSET:
            field_dict["instructions"] = instructions

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.entity_type import EntityType
        from ..models.fact_type import FactType

        d = dict(src_dict)
        _entity_types = d.pop("entity_types", UNSET)
        entity_types: list[EntityType] | None = UNSET
        if _entity_types is not UNSET:
            entity_types = []
            for entity_types_item_data in _entity_types:
                entity_types_item = EntityType.from_dict(entity_types_item_data)

                entity_types.append(entity_types_item)

        excluded_types = cast(list[str], d.pop("excluded_types", UNSET))

        _fact_types = d.pop("fact_types", UNSET)
        fact_types: list[FactType] | None = UNSET
        if _fact_types is not UNSET:
            fact_types = []
            for fact_types_item_data in _fact_types:
                fact_types_item = FactType.from_dict(fact_types_item_data)

                fact_types.append(fact_types_item)

        instructions = d.pop("instructions", UNSET)

        ontology = cls(
            entity_types=entity_types,
            excluded_types=excluded_types,
            fact_types=fact_types,
            instructions=instructions,
        )

        return ontology
