from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.new_message_metadata import NewMessageMetadata


T = TypeVar("T", bound="NewMessage")


@_attrs_define
class NewMessage:
    """
    Attributes:
        content (str):
        actor (str | None): Who says it
        external_id (str | None): Your own name for it, unique in the group
        force (bool | None): Take it in even where it was erased
        metadata (NewMessageMetadata | None): Kept as it is
        occurred_at (str | None): When; left out: now
        role (str | None): user, assistant, system, tool …
    """

    content: str
    actor: str | None = UNSET
    external_id: str | None = UNSET
    force: bool | None = UNSET
    metadata: NewMessageMetadata | None = UNSET
    occurred_at: str | None = UNSET
    role: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        content = self.content

        actor = self.actor

        external_id = self.external_id

        force = self.force

        metadata: dict[str, Any] | None = UNSET
        if not isinstance(self.metadata, Unset):
            metadata = self.metadata.to_dict()

        occurred_at = self.occurred_at

        role = self.role

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "content": content,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if external_id is not UNSET:
            field_dict["external_id"] = external_id
        if force is not UNSET:
            field_dict["force"] = force
        if metadata is not UNSET:
            field_dict["metadata"] = metadata
        if occurred_at is not UNSET:
            field_dict["occurred_at"] = occurred_at
        if role is not UNSET:
            field_dict["role"] = role

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.new_message_metadata import NewMessageMetadata

        d = dict(src_dict)
        content = d.pop("content")

        actor = d.pop("actor", UNSET)

        external_id = d.pop("external_id", UNSET)

        force = d.pop("force", UNSET)

        _metadata = d.pop("metadata", UNSET)
        metadata: NewMessageMetadata | None
        if isinstance(_metadata, Unset):
            metadata = UNSET
        else:
            metadata = NewMessageMetadata.from_dict(_metadata)

        occurred_at = d.pop("occurred_at", UNSET)

        role = d.pop("role", UNSET)

        new_message = cls(
            content=content,
            actor=actor,
            external_id=external_id,
            force=force,
            metadata=metadata,
            occurred_at=occurred_at,
            role=role,
        )

        return new_message
