from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.new_episode_source import NewEpisodeSource, check_new_episode_source
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.new_episode_metadata import NewEpisodeMetadata


T = TypeVar("T", bound="NewEpisode")


@_attrs_define
class NewEpisode:
    """
    Attributes:
        content (str): What was said or written, at most 1 MiB
        actor (str | None): Who said or wrote it
        deferred (bool | None): Keep it from the language model until a retry asks for it
        expires_at (str | None): When it is hidden, with what only it supports, and undone soon after; left out: never
        external_id (str | None): Your own name for it, unique in the group: adding it again changes nothing
        force (bool | None): Take it in even where it was erased
        metadata (NewEpisodeMetadata | None): A JSON object, kept as it is, at most 64 KiB
        name (str | None): A title
        occurred_at (str | None): When: RFC 3339, or 2024-03-15 or 2024-03-15T09:30 in the time zone of the group; left
            out: now
        previous (int | None): How many earlier messages of the thread are shown with it; left out: as set
        role (str | None): user, assistant, system, tool …
        source (NewEpisodeSource | None): Its form; left out: message
        source_description (str | None): Where it comes from, in words
        thread_id (str | None): The conversation it belongs to
    """

    content: str
    actor: str | None = UNSET
    deferred: bool | None = UNSET
    expires_at: str | None = UNSET
    external_id: str | None = UNSET
    force: bool | None = UNSET
    metadata: NewEpisodeMetadata | None = UNSET
    name: str | None = UNSET
    occurred_at: str | None = UNSET
    previous: int | None = UNSET
    role: str | None = UNSET
    source: NewEpisodeSource | None = UNSET
    source_description: str | None = UNSET
    thread_id: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        content = self.content

        actor = self.actor

        deferred = self.deferred

        expires_at = self.expires_at

        external_id = self.external_id

        force = self.force

        metadata: dict[str, Any] | None = UNSET
        if not isinstance(self.metadata, Unset):
            metadata = self.metadata.to_dict()

        name = self.name

        occurred_at = self.occurred_at

        previous = self.previous

        role = self.role

        source: str | None = UNSET
        if not isinstance(self.source, Unset):
            source = self.source

        source_description = self.source_description

        thread_id = self.thread_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "content": content,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if deferred is not UNSET:
            field_dict["deferred"] = deferred
        if expires_at is not UNSET:
            field_dict["expires_at"] = expires_at
        if external_id is not UNSET:
            field_dict["external_id"] = external_id
        if force is not UNSET:
            field_dict["force"] = force
        if metadata is not UNSET:
            field_dict["metadata"] = metadata
        if name is not UNSET:
            field_dict["name"] = name
        if occurred_at is not UNSET:
            field_dict["occurred_at"] = occurred_at
        if previous is not UNSET:
            field_dict["previous"] = previous
        if role is not UNSET:
            field_dict["role"] = role
        if source is not UNSET:
            field_dict["source"] = source
        if source_description is not UNSET:
            field_dict["source_description"] = source_description
        if thread_id is not UNSET:
            field_dict["thread_id"] = thread_id

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.new_episode_metadata import NewEpisodeMetadata

        d = dict(src_dict)
        content = d.pop("content")

        actor = d.pop("actor", UNSET)

        deferred = d.pop("deferred", UNSET)

        expires_at = d.pop("expires_at", UNSET)

        external_id = d.pop("external_id", UNSET)

        force = d.pop("force", UNSET)

        _metadata = d.pop("metadata", UNSET)
        metadata: NewEpisodeMetadata | None
        if isinstance(_metadata, Unset):
            metadata = UNSET
        else:
            metadata = NewEpisodeMetadata.from_dict(_metadata)

        name = d.pop("name", UNSET)

        occurred_at = d.pop("occurred_at", UNSET)

        previous = d.pop("previous", UNSET)

        role = d.pop("role", UNSET)

        _source = d.pop("source", UNSET)
        source: NewEpisodeSource | None
        if isinstance(_source, Unset):
            source = UNSET
        else:
            source = check_new_episode_source(_source)

        source_description = d.pop("source_description", UNSET)

        thread_id = d.pop("thread_id", UNSET)

        new_episode = cls(
            content=content,
            actor=actor,
            deferred=deferred,
            expires_at=expires_at,
            external_id=external_id,
            force=force,
            metadata=metadata,
            name=name,
            occurred_at=occurred_at,
            previous=previous,
            role=role,
            source=source,
            source_description=source_description,
            thread_id=thread_id,
        )

        return new_episode
