from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="Passage")


@_attrs_define
class Passage:
    """
    Attributes:
        content (str):
        created_at (datetime.datetime):
        id (str):
        file (str | None):
        first_line (int | None):
        last_line (int | None):
        note (str | None): What became of what it says, in words; left out: nothing that is known
        tags (list[str] | None):
    """

    content: str
    created_at: datetime.datetime
    id: str
    file: str | None = UNSET
    first_line: int | None = UNSET
    last_line: int | None = UNSET
    note: str | None = UNSET
    tags: list[str] | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        content = self.content

        created_at = self.created_at.isoformat()

        id = self.id

        file = self.file

        first_line = self.first_line

        last_line = self.last_line

        note = self.note

        tags: list[str] | None = UNSET
        if not isinstance(self.tags, Unset):
            tags = self.tags

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "content": content,
                "created_at": created_at,
                "id": id,
            }
        )
        if file is not UNSET:
            field_dict["file"] = file
        if first_line is not UNSET:
            field_dict["first_line"] = first_line
        if last_line is not UNSET:
            field_dict["last_line"] = last_line
        if note is not UNSET:
            field_dict["note"] = note
        if tags is not UNSET:
            field_dict["tags"] = tags

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        content = d.pop("content")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        id = d.pop("id")

        file = d.pop("file", UNSET)

        first_line = d.pop("first_line", UNSET)

        last_line = d.pop("last_line", UNSET)

        note = d.pop("note", UNSET)

        tags = cast(list[str], d.pop("tags", UNSET))

        passage = cls(
            content=content,
            created_at=created_at,
            id=id,
            file=file,
            first_line=first_line,
            last_line=last_line,
            note=note,
            tags=tags,
        )

        return passage
