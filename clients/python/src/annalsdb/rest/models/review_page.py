from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

if TYPE_CHECKING:
    from ..models.reviewed import Reviewed


T = TypeVar("T", bound="ReviewPage")


@_attrs_define
class ReviewPage:
    """
    Attributes:
        review (list[Reviewed]):
        next_cursor (str | None): For the next page; left out: this is the last
    """

    review: list[Reviewed]
    next_cursor: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        review = []
        for review_item_data in self.review:
            review_item = review_item_data.to_dict()
            review.append(review_item)

        next_cursor = self.next_cursor

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "review": review,
            }
        )
        if next_cursor is not UNSET:
            field_dict["next_cursor"] = next_cursor

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.reviewed import Reviewed

        d = dict(src_dict)
        review = []
        _review = d.pop("review")
        for review_item_data in _review:
            review_item = Reviewed.from_dict(review_item_data)

            review.append(review_item)

        next_cursor = d.pop("next_cursor", UNSET)

        review_page = cls(
            review=review,
            next_cursor=next_cursor,
        )

        return review_page
