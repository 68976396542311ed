from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.noted_mark_kind import NotedMarkKind, check_noted_mark_kind
from ..models.noted_mark_mark import NotedMarkMark, check_noted_mark_mark
from ..types import UNSET, Unset

T = TypeVar("T", bound="NotedMark")


@_attrs_define
class NotedMark:
    """
    Attributes:
        door (str): The way it was set: cli, rest, mcp, …
        id (str): Of the fact, episode, entity or skill
        kind (NotedMarkKind):
        mark (NotedMarkMark):
        since (datetime.datetime): When it was set
        ended_by (str | None): The key or role that ended it
        expires_at (datetime.datetime | None):
        swept_at (datetime.datetime | None): When what had expired was taken out
        until (datetime.datetime | None): When it was ended; left out: it stands
        written_by (str | None): The key or role that set it
    """

    door: str
    id: str
    kind: NotedMarkKind
    mark: NotedMarkMark
    since: datetime.datetime
    ended_by: str | None = UNSET
    expires_at: datetime.datetime | None = UNSET
    swept_at: datetime.datetime | None = UNSET
    until: datetime.datetime | None = UNSET
    written_by: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        door = self.door

        id = self.id

        kind: str = self.kind

        mark: str = self.mark

        since = self.since.isoformat()

        ended_by = self.ended_by

        expires_at: str | None = UNSET
        if not isinstance(self.expires_at, Unset):
            expires_at = self.expires_at.isoformat()

        swept_at: str | None = UNSET
        if not isinstance(self.swept_at, Unset):
            swept_at = self.swept_at.isoformat()

        until: str | None = UNSET
        if not isinstance(self.until, Unset):
            until = self.until.isoformat()

        written_by = self.written_by

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "door": door,
                "id": id,
                "kind": kind,
                "mark": mark,
                "since": since,
            }
        )
        if ended_by is not UNSET:
            field_dict["ended_by"] = ended_by
        if expires_at is not UNSET:
            field_dict["expires_at"] = expires_at
        if swept_at is not UNSET:
            field_dict["swept_at"] = swept_at
        if until is not UNSET:
            field_dict["until"] = until
        if written_by is not UNSET:
            field_dict["written_by"] = written_by

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        door = d.pop("door")

        id = d.pop("id")

        kind = check_noted_mark_kind(d.pop("kind"))

        mark = check_noted_mark_mark(d.pop("mark"))

        since = datetime.datetime.fromisoformat(d.pop("since"))

        ended_by = d.pop("ended_by", UNSET)

        _expires_at = d.pop("expires_at", UNSET)
        expires_at: datetime.datetime | None
        if isinstance(_expires_at, Unset):
            expires_at = UNSET
        else:
            expires_at = datetime.datetime.fromisoformat(_expires_at)

        _swept_at = d.pop("swept_at", UNSET)
        swept_at: datetime.datetime | None
        if isinstance(_swept_at, Unset):
            swept_at = UNSET
        else:
            swept_at = datetime.datetime.fromisoformat(_swept_at)

        _until = d.pop("until", UNSET)
        until: datetime.datetime | None
        if isinstance(_until, Unset):
            until = UNSET
        else:
            until = datetime.datetime.fromisoformat(_until)

        written_by = d.pop("written_by", UNSET)

        noted_mark = cls(
            door=door,
            id=id,
            kind=kind,
            mark=mark,
            since=since,
            ended_by=ended_by,
            expires_at=expires_at,
            swept_at=swept_at,
            until=until,
            written_by=written_by,
        )

        return noted_mark
