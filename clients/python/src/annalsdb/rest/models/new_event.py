from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.new_event_kind import NewEventKind, check_new_event_kind
from ..types import UNSET, Unset

T = TypeVar("T", bound="NewEvent")


@_attrs_define
class NewEvent:
    """
    Attributes:
        actor (str | None): Who says it
        content (str | None): What is said; a message and an alert have some
        external_id (str | None): Your own name for it: told twice it is heard once
        kind (NewEventKind | None): Left out: message
        occurred_at (str | None): When; left out: now
    """

    actor: str | None = UNSET
    content: str | None = UNSET
    external_id: str | None = UNSET
    kind: NewEventKind | None = UNSET
    occurred_at: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        actor = self.actor

        content = self.content

        external_id = self.external_id

        kind: str | None = UNSET
        if not isinstance(self.kind, Unset):
            kind = self.kind

        occurred_at = self.occurred_at

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if actor is not UNSET:
            field_dict["actor"] = actor
        if content is not UNSET:
            field_dict["content"] = content
        if external_id is not UNSET:
            field_dict["external_id"] = external_id
        if kind is not UNSET:
            field_dict["kind"] = kind
        if occurred_at is not UNSET:
            field_dict["occurred_at"] = occurred_at

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        actor = d.pop("actor", UNSET)

        content = d.pop("content", UNSET)

        external_id = d.pop("external_id", UNSET)

        _kind = d.pop("kind", UNSET)
        kind: NewEventKind | None
        if isinstance(_kind, Unset):
            kind = UNSET
        else:
            kind = check_new_event_kind(_kind)

        occurred_at = d.pop("occurred_at", UNSET)

        new_event = cls(
            actor=actor,
            content=content,
            external_id=external_id,
            kind=kind,
            occurred_at=occurred_at,
        )

        return new_event
