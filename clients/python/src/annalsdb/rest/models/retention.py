from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="Retention")


@_attrs_define
class Retention:
    """
    Attributes:
        applied_at (datetime.datetime | None): When it was last applied
        max_age_seconds (int | None): Since they were said, up to 100 years; left out: without end
        max_episodes (int | None): The latest so many; left out: any number
    """

    applied_at: datetime.datetime | None = UNSET
    max_age_seconds: int | None = UNSET
    max_episodes: int | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        applied_at: str | None = UNSET
        if not isinstance(self.applied_at, Unset):
            applied_at = self.applied_at.isoformat()

        max_age_seconds = self.max_age_seconds

        max_episodes = self.max_episodes

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if applied_at is not UNSET:
            field_dict["applied_at"] = applied_at
        if max_age_seconds is not UNSET:
            field_dict["max_age_seconds"] = max_age_seconds
        if max_episodes is not UNSET:
            field_dict["max_episodes"] = max_episodes

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        _applied_at = d.pop("applied_at", UNSET)
        applied_at: datetime.datetime | None
        if isinstance(_applied_at, Unset):
            applied_at = UNSET
        else:
            applied_at = datetime.datetime.fromisoformat(_applied_at)

        max_age_seconds = d.pop("max_age_seconds", UNSET)

        max_episodes = d.pop("max_episodes", UNSET)

        retention = cls(
            applied_at=applied_at,
            max_age_seconds=max_age_seconds,
            max_episodes=max_episodes,
        )

        return retention
