from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.traced_episode_role import TracedEpisodeRole, check_traced_episode_role

if TYPE_CHECKING:
    from ..models.episode import Episode


T = TypeVar("T", bound="TracedEpisode")


@_attrs_define
class TracedEpisode:
    """
    Attributes:
        episode (Episode):
        role (TracedEpisodeRole): It states it, ends it, stated it before it was corrected; or has to do with a version
            that is past
        sentence (str): The part of its content that says so, word for word; empty: none can be told from the others
    """

    episode: Episode
    role: TracedEpisodeRole
    sentence: str

    def to_dict(self) -> dict[str, Any]:
        episode = self.episode.to_dict()

        role: str = self.role

        sentence = self.sentence

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "episode": episode,
                "role": role,
                "sentence": sentence,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.episode import Episode

        d = dict(src_dict)
        episode = Episode.from_dict(d.pop("episode"))

        role = check_traced_episode_role(d.pop("role"))

        sentence = d.pop("sentence")

        traced_episode = cls(
            episode=episode,
            role=role,
            sentence=sentence,
        )

        return traced_episode
