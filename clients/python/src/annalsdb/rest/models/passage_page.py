from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.passage import Passage


T = TypeVar("T", bound="PassagePage")


@_attrs_define
class PassagePage:
    """
    Attributes:
        passages (list[Passage]):
        total (int): How many were found, at most 200
    """

    passages: list[Passage]
    total: int

    def to_dict(self) -> dict[str, Any]:
        passages = []
        for passages_item_data in self.passages:
            passages_item = passages_item_data.to_dict()
            passages.append(passages_item)

        total = self.total

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "passages": passages,
                "total": total,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.passage import Passage

        d = dict(src_dict)
        passages = []
        _passages = d.pop("passages")
        for passages_item_data in _passages:
            passages_item = Passage.from_dict(passages_item_data)

            passages.append(passages_item)

        total = d.pop("total")

        passage_page = cls(
            passages=passages,
            total=total,
        )

        return passage_page
