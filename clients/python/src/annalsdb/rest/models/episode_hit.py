from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.marks import Marks


T = TypeVar("T", bound="EpisodeHit")


@_attrs_define
class EpisodeHit:
    """
    Attributes:
        actor (str):
        attempts (int):
        content (str):
        created_at (datetime.datetime):
        group_id (str):
        id (str):
        occurred_at (datetime.datetime):
        role (str):
        source (str):
        state (str):
        thread_id (str):
        authority (str | None): Whose word it is: of an assistant, a document, a user or a person
        door (str | None): The way it came in: library, cli, rest, mcp, zep, graphiti, agent, import or sql
        error (str | None):
        external_id (str | None):
        marks (Marks | None):
        metadata (Any | None):
        name (str | None):
        note (str | None): What became of what it says, in words: until May 2024, now Porto; left out: nothing that is
            known
        score (float | None):
        source_description (str | None):
        withdrawn (bool | None): What it says was withdrawn since, or taken back
        withdrawn_in_part (bool | None): Some of what it says was
        written_by (str | None): The API key or the user of the database that stored it
    """

    actor: str
    attempts: int
    content: str
    created_at: datetime.datetime
    group_id: str
    id: str
    occurred_at: datetime.datetime
    role: str
    source: str
    state: str
    thread_id: str
    authority: str | None = UNSET
    door: str | None = UNSET
    error: str | None = UNSET
    external_id: str | None = UNSET
    marks: Marks | None = UNSET
    metadata: Any | None = UNSET
    name: str | None = UNSET
    note: str | None = UNSET
    score: float | None = UNSET
    source_description: str | None = UNSET
    withdrawn: bool | None = UNSET
    withdrawn_in_part: bool | None = UNSET
    written_by: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        actor = self.actor

        attempts = self.attempts

        content = self.content

        created_at = self.created_at.isoformat()

        group_id = self.group_id

        id = self.id

        occurred_at = self.occurred_at.isoformat()

        role = self.role

        source = self.source

        state = self.state

        thread_id = self.thread_id

        authority = self.authority

        door = self.door

        error = self.error

        external_id = self.external_id

        marks: dict[str, Any] | None = UNSET
        if not isinstance(self.marks, Unset):
            marks = self.marks.to_dict()

        metadata = self.metadata

        name = self.name

        note = self.note

        score = self.score

        source_description = self.source_description

        withdrawn = self.withdrawn

        withdrawn_in_part = self.withdrawn_in_part

        written_by = self.written_by

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "actor": actor,
                "attempts": attempts,
                "content": content,
                "created_at": created_at,
                "group_id": group_id,
                "id": id,
                "occurred_at": occurred_at,
                "role": role,
                "source": source,
                "state": state,
                "thread_id": thread_id,
            }
        )
        if authority is not UNSET:
            field_dict["authority"] = authority
        if door is not UNSET:
            field_dict["door"] = door
        if error is not UNSET:
            field_dict["error"] = error
        if external_id is not UNSET:
            field_dict["external_id"] = external_id
        if marks is not UNSET:
            field_dict["marks"] = marks
        if metadata is not UNSET:
            field_dict["metadata"] = metadata
        if name is not UNSET:
            field_dict["name"] = name
        if note is not UNSET:
            field_dict["note"] = note
        if score is not UNSET:
            field_dict["score"] = score
        if source_description is not UNSET:
            field_dict["source_description"] = source_description
        if withdrawn is not UNSET:
            field_dict["withdrawn"] = withdrawn
        if withdrawn_in_part is not UNSET:
            field_dict["withdrawn_in_part"] = withdrawn_in_part
        if written_by is not UNSET:
            field_dict["written_by"] = written_by

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.marks import Marks

        d = dict(src_dict)
        actor = d.pop("actor")

        attempts = d.pop("attempts")

        content = d.pop("content")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        group_id = d.pop("group_id")

        id = d.pop("id")

        occurred_at = datetime.datetime.fromisoformat(d.pop("occurred_at"))

        role = d.pop("role")

        source = d.pop("source")

        state = d.pop("state")

        thread_id = d.pop("thread_id")

        authority = d.pop("authority", UNSET)

        door = d.pop("door", UNSET)

        error = d.pop("error", UNSET)

        external_id = d.pop("external_id", UNSET)

        _marks = d.pop("marks", UNSET)
        marks: Marks | None
        if isinstance(_marks, Unset):
            marks = UNSET
        else:
            marks = Marks.from_dict(_marks)

        metadata = d.pop("metadata", UNSET)

        name = d.pop("name", UNSET)

        note = d.pop("note", UNSET)

        score = d.pop("score", UNSET)

        source_description = d.pop("source_description", UNSET)

        withdrawn = d.pop("withdrawn", UNSET)

        withdrawn_in_part = d.pop("withdrawn_in_part", UNSET)

        written_by = d.pop("written_by", UNSET)

        episode_hit = cls(
            actor=actor,
            attempts=attempts,
            content=content,
            created_at=created_at,
            group_id=group_id,
            id=id,
            occurred_at=occurred_at,
            role=role,
            source=source,
            state=state,
            thread_id=thread_id,
            authority=authority,
            door=door,
            error=error,
            external_id=external_id,
            marks=marks,
            metadata=metadata,
            name=name,
            note=note,
            score=score,
            source_description=source_description,
            withdrawn=withdrawn,
            withdrawn_in_part=withdrawn_in_part,
            written_by=written_by,
        )

        return episode_hit
