from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

if TYPE_CHECKING:
    from ..models.entity import Entity


T = TypeVar("T", bound="EntityPage")


@_attrs_define
class EntityPage:
    """
    Attributes:
        entities (list[Entity]):
        next_cursor (str | None): For the next page; left out: this is the last
    """

    entities: list[Entity]
    next_cursor: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        entities = []
        for entities_item_data in self.entities:
            entities_item = entities_item_data.to_dict()
            entities.append(entities_item)

        next_cursor = self.next_cursor

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "entities": entities,
            }
        )
        if next_cursor is not UNSET:
            field_dict["next_cursor"] = next_cursor

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.entity import Entity

        d = dict(src_dict)
        entities = []
        _entities = d.pop("entities")
        for entities_item_data in _entities:
            entities_item = Entity.from_dict(entities_item_data)

            entities.append(entities_item)

        next_cursor = d.pop("next_cursor", UNSET)

        entity_page = cls(
            entities=entities,
            next_cursor=next_cursor,
        )

        return entity_page
