from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.accepted import Accepted
    from ..models.refused import Refused


T = TypeVar("T", bound="BulkReport")


@_attrs_define
class BulkReport:
    """
    Attributes:
        added (int): Episodes that are new
        episodes (list[Accepted]): One by one where there are at most 1000, else none
        existing (int): Episodes whose external_id was there already
        batch_id (str | None): What webhooks are told of as read, by batch.completed; left out: nothing was added
        refused (int | None): Episodes that are left out because they were erased
        refused_lines (list[Refused] | None): Those one by one, the first 1000
    """

    added: int
    episodes: list[Accepted]
    existing: int
    batch_id: str | None = UNSET
    refused: int | None = UNSET
    refused_lines: list[Refused] | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        added = self.added

        episodes = []
        for episodes_item_data in self.episodes:
            episodes_item = episodes_item_data.to_dict()
            episodes.append(episodes_item)

        existing = self.existing

        batch_id = self.batch_id

        refused = self.refused

        refused_lines: list[dict[str, Any]] | None = UNSET
        if not isinstance(self.refused_lines, Unset):
            refused_lines = []
            for refused_lines_item_data in self.refused_lines:
                refused_lines_item = refused_lines_item_data.to_dict()
                refused_lines.append(refused_lines_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "added": added,
                "episodes": episodes,
                "existing": existing,
            }
        )
        if batch_id is not UNSET:
            field_dict["batch_id"] = batch_id
        if refused is not UNSET:
            field_dict["refused"] = refused
        if refused_lines is not UNSET:
            field_dict["refused_lines"] = refused_lines

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.accepted import Accepted
        from ..models.refused import Refused

        d = dict(src_dict)
        added = d.pop("added")

        episodes = []
        _episodes = d.pop("episodes")
        for episodes_item_data in _episodes:
            episodes_item = Accepted.from_dict(episodes_item_data)

            episodes.append(episodes_item)

        existing = d.pop("existing")

        batch_id = d.pop("batch_id", UNSET)

        refused = d.pop("refused", UNSET)

        _refused_lines = d.pop("refused_lines", UNSET)
        refused_lines: list[Refused] | None = UNSET
        if _refused_lines is not UNSET:
            refused_lines = []
            for refused_lines_item_data in _refused_lines:
                refused_lines_item = Refused.from_dict(refused_lines_item_data)

                refused_lines.append(refused_lines_item)

        bulk_report = cls(
            added=added,
            episodes=episodes,
            existing=existing,
            batch_id=batch_id,
            refused=refused,
            refused_lines=refused_lines,
        )

        return bulk_report
