from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="Block")


@_attrs_define
class Block:
    """
    Attributes:
        description (str):
        id (str):
        label (str):
        limit (int):
        read_only (bool):
        value (str):
        version (int):
        edited_by (str | None):
        since (datetime.datetime | None):
        until (datetime.datetime | None):
    """

    description: str
    id: str
    label: str
    limit: int
    read_only: bool
    value: str
    version: int
    edited_by: str | None = UNSET
    since: datetime.datetime | None = UNSET
    until: datetime.datetime | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        description = self.description

        id = self.id

        label = self.label

        limit = self.limit

        read_only = self.read_only

        value = self.value

        version = self.version

        edited_by = self.edited_by

        since: str | None = UNSET
        if not isinstance(self.since, Unset):
            since = self.since.isoformat()

        until: str | None = UNSET
        if not isinstance(self.until, Unset):
            until = self.until.isoformat()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "description": description,
                "id": id,
                "label": label,
                "limit": limit,
                "read_only": read_only,
                "value": value,
                "version": version,
            }
        )
        if edited_by is not UNSET:
            field_dict["edited_by"] = edited_by
        if since is not UNSET:
            field_dict["since"] = since
        if until is not UNSET:
            field_dict["until"] = until

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        description = d.pop("description")

        id = d.pop("id")

        label = d.pop("label")

        limit = d.pop("limit")

        read_only = d.pop("read_only")

        value = d.pop("value")

        version = d.pop("version")

        edited_by = d.pop("edited_by", UNSET)

        _since = d.pop("since", UNSET)
        since: datetime.datetime | None
        if isinstance(_since, Unset):
            since = UNSET
        else:
            since = datetime.datetime.fromisoformat(_since)

        _until = d.pop("until", UNSET)
        until: datetime.datetime | None
        if isinstance(_until, Unset):
            until = UNSET
        else:
            until = datetime.datetime.fromisoformat(_until)

        block = cls(
            description=description,
            id=id,
            label=label,
            limit=limit,
            read_only=read_only,
            value=value,
            version=version,
            edited_by=edited_by,
            since=since,
            until=until,
        )

        return block
