from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.community_hit import CommunityHit
    from ..models.entity_hit import EntityHit
    from ..models.episode_hit import EpisodeHit
    from ..models.explanation import Explanation
    from ..models.fact_hit import FactHit
    from ..models.observation import Observation
    from ..models.thread_hit import ThreadHit


T = TypeVar("T", bound="SearchResult")


@_attrs_define
class SearchResult:
    """
    Attributes:
        communities (list[CommunityHit]):
        entities (list[EntityHit]):
        episodes (list[EpisodeHit]):
        facts (list[FactHit]):
        observations (list[Observation]): What several facts show, where the scopes name it
        threads (list[ThreadHit]): Conversations, where the scopes name them
        explanation (Explanation | None):
        without (list[str] | None): Models that did not answer, so that it was searched without them, in words
    """

    communities: list[CommunityHit]
    entities: list[EntityHit]
    episodes: list[EpisodeHit]
    facts: list[FactHit]
    observations: list[Observation]
    threads: list[ThreadHit]
    explanation: Explanation | None = UNSET
    without: list[str] | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        communities = []
        for communities_item_data in self.communities:
            communities_item = communities_item_data.to_dict()
            communities.append(communities_item)

        entities = []
        for entities_item_data in self.entities:
            entities_item = entities_item_data.to_dict()
            entities.append(entities_item)

        episodes = []
        for episodes_item_data in self.episodes:
            episodes_item = episodes_item_data.to_dict()
            episodes.append(episodes_item)

        facts = []
        for facts_item_data in self.facts:
            facts_item = facts_item_data.to_dict()
            facts.append(facts_item)

        observations = []
        for observations_item_data in self.observations:
            observations_item = observations_item_data.to_dict()
            observations.append(observations_item)

        threads = []
        for threads_item_data in self.threads:
            threads_item = threads_item_data.to_dict()
            threads.append(threads_item)

        explanation: dict[str, Any] | None = UNSET
        if not isinstance(self.explanation, Unset):
            explanation = self.explanation.to_dict()

        without: list[str] | None = UNSET
        if not isinstance(self.without, Unset):
            without = self.without

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "communities": communities,
                "entities": entities,
                "episodes": episodes,
                "facts": facts,
                "observations": observations,
                "threads": threads,
            }
        )
        if explanation is not UNSET:
            field_dict["explanation"] = explanation
        if without is not UNSET:
            field_dict["without"] = without

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.community_hit import CommunityHit
        from ..models.entity_hit import EntityHit
        from ..models.episode_hit import EpisodeHit
        from ..models.explanation import Explanation
        from ..models.fact_hit import FactHit
        from ..models.observation import Observation
        from ..models.thread_hit import ThreadHit

        d = dict(src_dict)
        communities = []
        _communities = d.pop("communities")
        for communities_item_data in _communities:
            communities_item = CommunityHit.from_dict(communities_item_data)

            communities.append(communities_item)

        entities = []
        _entities = d.pop("entities")
        for entities_item_data in _entities:
            entities_item = EntityHit.from_dict(entities_item_data)

            entities.append(entities_item)

        episodes = []
        _episodes = d.pop("episodes")
        for episodes_item_data in _episodes:
            episodes_item = EpisodeHit.from_dict(episodes_item_data)

            episodes.append(episodes_item)

        facts = []
        _facts = d.pop("facts")
        for facts_item_data in _facts:
            facts_item = FactHit.from_dict(facts_item_data)

            facts.append(facts_item)

        observations = []
        _observations = d.pop("observations")
        for observations_item_data in _observations:
            observations_item = Observation.from_dict(observations_item_data)

            observations.append(observations_item)

        threads = []
        _threads = d.pop("threads")
        for threads_item_data in _threads:
            threads_item = ThreadHit.from_dict(threads_item_data)

            threads.append(threads_item)

        _explanation = d.pop("explanation", UNSET)
        explanation: Explanation | None
        if isinstance(_explanation, Unset):
            explanation = UNSET
        else:
            explanation = Explanation.from_dict(_explanation)

        without = cast(list[str], d.pop("without", UNSET))

        search_result = cls(
            communities=communities,
            entities=entities,
            episodes=episodes,
            facts=facts,
            observations=observations,
            threads=threads,
            explanation=explanation,
            without=without,
        )

        return search_result
