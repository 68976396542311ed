from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

if TYPE_CHECKING:
    from ..models.fact import Fact


T = TypeVar("T", bound="FactPage")


@_attrs_define
class FactPage:
    """
    Attributes:
        facts (list[Fact]):
        next_cursor (str | None): For the next page; left out: this is the last
    """

    facts: list[Fact]
    next_cursor: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        facts = []
        for facts_item_data in self.facts:
            facts_item = facts_item_data.to_dict()
            facts.append(facts_item)

        next_cursor = self.next_cursor

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "facts": facts,
            }
        )
        if next_cursor is not UNSET:
            field_dict["next_cursor"] = next_cursor

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

        next_cursor = d.pop("next_cursor", UNSET)

        fact_page = cls(
            facts=facts,
            next_cursor=next_cursor,
        )

        return fact_page
