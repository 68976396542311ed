from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.entity_difference import EntityDifference
    from ..models.fact_difference import FactDifference


T = TypeVar("T", bound="Diff")


@_attrs_define
class Diff:
    """
    Attributes:
        entities (list[EntityDifference]):
        facts (list[FactDifference]):
        from_ (datetime.datetime):
        to (datetime.datetime):
    """

    entities: list[EntityDifference]
    facts: list[FactDifference]
    from_: datetime.datetime
    to: datetime.datetime

    def to_dict(self) -> dict[str, Any]:
        entities = []
        for entities_item_data in self.entities:
            entities_item = entities_item_data.to_dict()
            entities.append(entities_item)

        facts = []
        for facts_item_data in self.facts:
            facts_item = facts_item_data.to_dict()
            facts.append(facts_item)

        from_ = self.from_.isoformat()

        to = self.to.isoformat()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "entities": entities,
                "facts": facts,
                "from": from_,
                "to": to,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.entity_difference import EntityDifference
        from ..models.fact_difference import FactDifference

        d = dict(src_dict)
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

        from_ = datetime.datetime.fromisoformat(d.pop("from"))

        to = datetime.datetime.fromisoformat(d.pop("to"))

        diff = cls(
            entities=entities,
            facts=facts,
            from_=from_,
            to=to,
        )

        return diff
