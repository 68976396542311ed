from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.decision import Decision
    from ..models.fact import Fact
    from ..models.rejection import Rejection
    from ..models.traced_episode import TracedEpisode
    from ..models.traced_version import TracedVersion


T = TypeVar("T", bound="FactTrace")


@_attrs_define
class FactTrace:
    """
    Attributes:
        current (bool): It is believed now
        decisions (list[Decision]): What was decided about it while those were read
        disputed_by (list[Fact]): Facts of a higher authority that contradict it
        episodes (list[TracedEpisode]): That state or end it, or caused a version; at most 50, those that were said
            first
        fact (Fact):
        rejections (list[Rejection]): How it was withdrawn or taken back, also where it was readmitted since
        versions (list[TracedVersion]): Every state it was in, the oldest first
        authority (str | None): Whose word it is: of an assistant, a document, a user or a person; left out: it is not
            believed now
        bounded_by (Fact | None):
    """

    current: bool
    decisions: list[Decision]
    disputed_by: list[Fact]
    episodes: list[TracedEpisode]
    fact: Fact
    rejections: list[Rejection]
    versions: list[TracedVersion]
    authority: str | None = UNSET
    bounded_by: Fact | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        current = self.current

        decisions = []
        for decisions_item_data in self.decisions:
            decisions_item = decisions_item_data.to_dict()
            decisions.append(decisions_item)

        disputed_by = []
        for disputed_by_item_data in self.disputed_by:
            disputed_by_item = disputed_by_item_data.to_dict()
            disputed_by.append(disputed_by_item)

        episodes = []
        for episodes_item_data in self.episodes:
            episodes_item = episodes_item_data.to_dict()
            episodes.append(episodes_item)

        fact = self.fact.to_dict()

        rejections = []
        for rejections_item_data in self.rejections:
            rejections_item = rejections_item_data.to_dict()
            rejections.append(rejections_item)

        versions = []
        for versions_item_data in self.versions:
            versions_item = versions_item_data.to_dict()
            versions.append(versions_item)

        authority = self.authority

        bounded_by: dict[str, Any] | None = UNSET
        if not isinstance(self.bounded_by, Unset):
            bounded_by = self.bounded_by.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "current": current,
                "decisions": decisions,
                "disputed_by": disputed_by,
                "episodes": episodes,
                "fact": fact,
                "rejections": rejections,
                "versions": versions,
            }
        )
        if authority is not UNSET:
            field_dict["authority"] = authority
        if bounded_by is not UNSET:
            field_dict["bounded_by"] = bounded_by

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.decision import Decision
        from ..models.fact import Fact
        from ..models.rejection import Rejection
        from ..models.traced_episode import TracedEpisode
        from ..models.traced_version import TracedVersion

        d = dict(src_dict)
        current = d.pop("current")

        decisions = []
        _decisions = d.pop("decisions")
        for decisions_item_data in _decisions:
            decisions_item = Decision.from_dict(decisions_item_data)

            decisions.append(decisions_item)

        disputed_by = []
        _disputed_by = d.pop("disputed_by")
        for disputed_by_item_data in _disputed_by:
            disputed_by_item = Fact.from_dict(disputed_by_item_data)

            disputed_by.append(disputed_by_item)

        episodes = []
        _episodes = d.pop("episodes")
        for episodes_item_data in _episodes:
            episodes_item = TracedEpisode.from_dict(episodes_item_data)

            episodes.append(episodes_item)

        fact = Fact.from_dict(d.pop("fact"))

        rejections = []
        _rejections = d.pop("rejections")
        for rejections_item_data in _rejections:
            rejections_item = Rejection.from_dict(rejections_item_data)

            rejections.append(rejections_item)

        versions = []
        _versions = d.pop("versions")
        for versions_item_data in _versions:
            versions_item = TracedVersion.from_dict(versions_item_data)

            versions.append(versions_item)

        authority = d.pop("authority", UNSET)

        _bounded_by = d.pop("bounded_by", UNSET)
        bounded_by: Fact | None
        if isinstance(_bounded_by, Unset):
            bounded_by = UNSET
        else:
            bounded_by = Fact.from_dict(_bounded_by)

        fact_trace = cls(
            current=current,
            decisions=decisions,
            disputed_by=disputed_by,
            episodes=episodes,
            fact=fact,
            rejections=rejections,
            versions=versions,
            authority=authority,
            bounded_by=bounded_by,
        )

        return fact_trace
