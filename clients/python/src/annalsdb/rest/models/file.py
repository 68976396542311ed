from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="File")


@_attrs_define
class File:
    """
    Attributes:
        chunks (int):
        created_at (datetime.datetime):
        id (str):
        lines (int):
        name (str):
        open_ (bool):
    """

    chunks: int
    created_at: datetime.datetime
    id: str
    lines: int
    name: str
    open_: bool

    def to_dict(self) -> dict[str, Any]:
        chunks = self.chunks

        created_at = self.created_at.isoformat()

        id = self.id

        lines = self.lines

        name = self.name

        open_ = self.open_

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "chunks": chunks,
                "created_at": created_at,
                "id": id,
                "lines": lines,
                "name": name,
                "open": open_,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        chunks = d.pop("chunks")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        id = d.pop("id")

        lines = d.pop("lines")

        name = d.pop("name")

        open_ = d.pop("open")

        file = cls(
            chunks=chunks,
            created_at=created_at,
            id=id,
            lines=lines,
            name=name,
            open_=open_,
        )

        return file
