from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.learned import Learned


T = TypeVar("T", bound="LearnedList")


@_attrs_define
class LearnedList:
    """
    Attributes:
        learned (list[Learned]):
    """

    learned: list[Learned]

    def to_dict(self) -> dict[str, Any]:
        learned = []
        for learned_item_data in self.learned:
            learned_item = learned_item_data.to_dict()
            learned.append(learned_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "learned": learned,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.learned import Learned

        d = dict(src_dict)
        learned = []
        _learned = d.pop("learned")
        for learned_item_data in _learned:
            learned_item = Learned.from_dict(learned_item_data)

            learned.append(learned_item)

        learned_list = cls(
            learned=learned,
        )

        return learned_list
