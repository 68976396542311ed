from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.fact import Fact


T = TypeVar("T", bound="ConfirmedBody")


@_attrs_define
class ConfirmedBody:
    """
    Attributes:
        facts (list[Fact]): As they are then
    """

    facts: list[Fact]

    def to_dict(self) -> dict[str, Any]:
        facts = []
        for facts_item_data in self.facts:
            facts_item = facts_item_data.to_dict()
            facts.append(facts_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "facts": facts,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.fact import Fact

        d = dict(src_dict)
        facts = []
        _facts = d.pop("facts")
        for facts_item_data in _facts:
            facts_item = Fact.from_dict(facts_item_data)

            facts.append(facts_item)

        confirmed_body = cls(
            facts=facts,
        )

        return confirmed_body
