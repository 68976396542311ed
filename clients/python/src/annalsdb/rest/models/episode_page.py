from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

if TYPE_CHECKING:
    from ..models.episode import Episode


T = TypeVar("T", bound="EpisodePage")


@_attrs_define
class EpisodePage:
    """
    Attributes:
        episodes (list[Episode]):
        next_cursor (str | None): For the next page; left out: this is the last
    """

    episodes: list[Episode]
    next_cursor: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        episodes = []
        for episodes_item_data in self.episodes:
            episodes_item = episodes_item_data.to_dict()
            episodes.append(episodes_item)

        next_cursor = self.next_cursor

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "episodes": episodes,
            }
        )
        if next_cursor is not UNSET:
            field_dict["next_cursor"] = next_cursor

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.episode import Episode

        d = dict(src_dict)
        episodes = []
        _episodes = d.pop("episodes")
        for episodes_item_data in _episodes:
            episodes_item = Episode.from_dict(episodes_item_data)

            episodes.append(episodes_item)

        next_cursor = d.pop("next_cursor", UNSET)

        episode_page = cls(
            episodes=episodes,
            next_cursor=next_cursor,
        )

        return episode_page
