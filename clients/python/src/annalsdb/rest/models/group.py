from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

T = TypeVar("T", bound="Group")


@_attrs_define
class Group:
    """
    Attributes:
        created_at (datetime.datetime):
        id (str):
        kind (str):
        updated_at (datetime.datetime):
        description (str | None):
        language (str | None):
        language_from (str | None):
        name (str | None):
        time_zone (str | None):
    """

    created_at: datetime.datetime
    id: str
    kind: str
    updated_at: datetime.datetime
    description: str | None = UNSET
    language: str | None = UNSET
    language_from: str | None = UNSET
    name: str | None = UNSET
    time_zone: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        created_at = self.created_at.isoformat()

        id = self.id

        kind = self.kind

        updated_at = self.updated_at.isoformat()

        description = self.description

        language = self.language

        language_from = self.language_from

        name = self.name

        time_zone = self.time_zone

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "created_at": created_at,
                "id": id,
                "kind": kind,
                "updated_at": updated_at,
            }
        )
        if description is not UNSET:
            field_dict["description"] = description
        if language is not UNSET:
            field_dict["language"] = language
        if language_from is not UNSET:
            field_dict["language_from"] = language_from
        if name is not UNSET:
            field_dict["name"] = name
        if time_zone is not UNSET:
            field_dict["time_zone"] = time_zone

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        id = d.pop("id")

        kind = d.pop("kind")

        updated_at = datetime.datetime.fromisoformat(d.pop("updated_at"))

        description = d.pop("description", UNSET)

        language = d.pop("language", UNSET)

        language_from = d.pop("language_from", UNSET)

        name = d.pop("name", UNSET)

        time_zone = d.pop("time_zone", UNSET)

        group = cls(
            created_at=created_at,
            id=id,
            kind=kind,
            updated_at=updated_at,
            description=description,
            language=language,
            language_from=language_from,
            name=name,
            time_zone=time_zone,
        )

        return group
