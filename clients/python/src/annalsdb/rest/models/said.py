from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

T = TypeVar("T", bound="Said")


@_attrs_define
class Said:
    """
    Attributes:
        content (str):
        episode_id (str):
        occurred_at (datetime.datetime):
        role (str):
        actor (str | None):
        note (str | None): What became of what it says, in words: until May 2024, now Porto; left out: nothing that is
            known
    """

    content: str
    episode_id: str
    occurred_at: datetime.datetime
    role: str
    actor: str | None = UNSET
    note: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        content = self.content

        episode_id = self.episode_id

        occurred_at = self.occurred_at.isoformat()

        role = self.role

        actor = self.actor

        note = self.note

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "content": content,
                "episode_id": episode_id,
                "occurred_at": occurred_at,
                "role": role,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if note is not UNSET:
            field_dict["note"] = note

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        content = d.pop("content")

        episode_id = d.pop("episode_id")

        occurred_at = datetime.datetime.fromisoformat(d.pop("occurred_at"))

        role = d.pop("role")

        actor = d.pop("actor", UNSET)

        note = d.pop("note", UNSET)

        said = cls(
            content=content,
            episode_id=episode_id,
            occurred_at=occurred_at,
            role=role,
            actor=actor,
            note=note,
        )

        return said
