from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="Speaker")


@_attrs_define
class Speaker:
    """
    Attributes:
        actor (str): Empty: nobody is named
        episodes (int):
        first_at (datetime.datetime):
        last_at (datetime.datetime):
        role (str):
    """

    actor: str
    episodes: int
    first_at: datetime.datetime
    last_at: datetime.datetime
    role: str

    def to_dict(self) -> dict[str, Any]:
        actor = self.actor

        episodes = self.episodes

        first_at = self.first_at.isoformat()

        last_at = self.last_at.isoformat()

        role = self.role

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "actor": actor,
                "episodes": episodes,
                "first_at": first_at,
                "last_at": last_at,
                "role": role,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        actor = d.pop("actor")

        episodes = d.pop("episodes")

        first_at = datetime.datetime.fromisoformat(d.pop("first_at"))

        last_at = datetime.datetime.fromisoformat(d.pop("last_at"))

        role = d.pop("role")

        speaker = cls(
            actor=actor,
            episodes=episodes,
            first_at=first_at,
            last_at=last_at,
            role=role,
        )

        return speaker
