from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

if TYPE_CHECKING:
    from ..models.membership import Membership


T = TypeVar("T", bound="CommunityPage")


@_attrs_define
class CommunityPage:
    """
    Attributes:
        communities (list[Membership]):
        next_cursor (str | None): For the next page; left out: this is the last
    """

    communities: list[Membership]
    next_cursor: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        communities = []
        for communities_item_data in self.communities:
            communities_item = communities_item_data.to_dict()
            communities.append(communities_item)

        next_cursor = self.next_cursor

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "communities": communities,
            }
        )
        if next_cursor is not UNSET:
            field_dict["next_cursor"] = next_cursor

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.membership import Membership

        d = dict(src_dict)
        communities = []
        _communities = d.pop("communities")
        for communities_item_data in _communities:
            communities_item = Membership.from_dict(communities_item_data)

            communities.append(communities_item)

        next_cursor = d.pop("next_cursor", UNSET)

        community_page = cls(
            communities=communities,
            next_cursor=next_cursor,
        )

        return community_page
