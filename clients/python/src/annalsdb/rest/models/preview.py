from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.entity_difference import EntityDifference
    from ..models.fact_difference import FactDifference
    from ..models.removal import Removal


T = TypeVar("T", bound="Preview")


@_attrs_define
class Preview:
    """
    Attributes:
        dry_run (bool): Nothing was done
        edited (list[Removal]): Rows that would stay without what they say of it
        entities (list[EntityDifference]):
        facts (list[FactDifference]): What would be believed otherwise, at most 1000
        removed (list[Removal]): Rows that would go for good, by table; none where nothing is erased
    """

    dry_run: bool
    edited: list[Removal]
    entities: list[EntityDifference]
    facts: list[FactDifference]
    removed: list[Removal]

    def to_dict(self) -> dict[str, Any]:
        dry_run = self.dry_run

        edited = []
        for edited_item_data in self.edited:
            edited_item = edited_item_data.to_dict()
            edited.append(edited_item)

        entities = []
        for entities_item_data in self.entities:
            entities_item = entities_item_data.to_dict()
            entities.append(entities_item)

        facts = []
        for facts_item_data in self.facts:
            facts_item = facts_item_data.to_dict()
            facts.append(facts_item)

        removed = []
        for removed_item_data in self.removed:
            removed_item = removed_item_data.to_dict()
            removed.append(removed_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "dry_run": dry_run,
                "edited": edited,
                "entities": entities,
                "facts": facts,
                "removed": removed,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.entity_difference import EntityDifference
        from ..models.fact_difference import FactDifference
        from ..models.removal import Removal

        d = dict(src_dict)
        dry_run = d.pop("dry_run")

        edited = []
        _edited = d.pop("edited")
        for edited_item_data in _edited:
            edited_item = Removal.from_dict(edited_item_data)

            edited.append(edited_item)

        entities = []
        _entities = d.pop("entities")
        for entities_item_data in _entities:
            entities_item = EntityDifference.from_dict(entities_item_data)

            entities.append(entities_item)

        facts = []
        _facts = d.pop("facts")
        for facts_item_data in _facts:
            facts_item = FactDifference.from_dict(facts_item_data)

            facts.append(facts_item)

        removed = []
        _removed = d.pop("removed")
        for removed_item_data in _removed:
            removed_item = Removal.from_dict(removed_item_data)

            removed.append(removed_item)

        preview = cls(
            dry_run=dry_run,
            edited=edited,
            entities=entities,
            facts=facts,
            removed=removed,
        )

        return preview
