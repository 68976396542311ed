from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.said import Said


T = TypeVar("T", bound="SaidPage")


@_attrs_define
class SaidPage:
    """
    Attributes:
        results (list[Said]):
        total (int): How many were found; at most 200 with a query
    """

    results: list[Said]
    total: int

    def to_dict(self) -> dict[str, Any]:
        results = []
        for results_item_data in self.results:
            results_item = results_item_data.to_dict()
            results.append(results_item)

        total = self.total

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "results": results,
                "total": total,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.said import Said

        d = dict(src_dict)
        results = []
        _results = d.pop("results")
        for results_item_data in _results:
            results_item = Said.from_dict(results_item_data)

            results.append(results_item)

        total = d.pop("total")

        said_page = cls(
            results=results,
            total=total,
        )

        return said_page
