from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.bar import Bar


T = TypeVar("T", bound="Lane")


@_attrs_define
class Lane:
    """
    Attributes:
        bars (list[Bar]): Of all times of belief, the first learned first
        entity (str):
        entity_id (str):
        events (bool): It has what happened, of whatever relation
        inverse (bool): Its facts lead to the entity, and are those of others
        name (str): home, employer, role; else the relation in words
        relations (list[str]): The predicates of its facts
    """

    bars: list[Bar]
    entity: str
    entity_id: str
    events: bool
    inverse: bool
    name: str
    relations: list[str]

    def to_dict(self) -> dict[str, Any]:
        bars = []
        for bars_item_data in self.bars:
            bars_item = bars_item_data.to_dict()
            bars.append(bars_item)

        entity = self.entity

        entity_id = self.entity_id

        events = self.events

        inverse = self.inverse

        name = self.name

        relations = self.relations

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "bars": bars,
                "entity": entity,
                "entity_id": entity_id,
                "events": events,
                "inverse": inverse,
                "name": name,
                "relations": relations,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.bar import Bar

        d = dict(src_dict)
        bars = []
        _bars = d.pop("bars")
        for bars_item_data in _bars:
            bars_item = Bar.from_dict(bars_item_data)

            bars.append(bars_item)

        entity = d.pop("entity")

        entity_id = d.pop("entity_id")

        events = d.pop("events")

        inverse = d.pop("inverse")

        name = d.pop("name")

        relations = cast(list[str], d.pop("relations"))

        lane = cls(
            bars=bars,
            entity=entity,
            entity_id=entity_id,
            events=events,
            inverse=inverse,
            name=name,
            relations=relations,
        )

        return lane
