from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

T = TypeVar("T", bound="User")


@_attrs_define
class User:
    """
    Attributes:
        created_at (datetime.datetime):
        id (str): Of their group
        metadata (Any): Yours
        updated_at (datetime.datetime):
        email (str | None):
        first_name (str | None):
        last_name (str | None):
        time_zone (str | None): An IANA name
    """

    created_at: datetime.datetime
    id: str
    metadata: Any
    updated_at: datetime.datetime
    email: str | None = UNSET
    first_name: str | None = UNSET
    last_name: str | None = UNSET
    time_zone: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        created_at = self.created_at.isoformat()

        id = self.id

        metadata = self.metadata

        updated_at = self.updated_at.isoformat()

        email = self.email

        first_name = self.first_name

        last_name = self.last_name

        time_zone = self.time_zone

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "created_at": created_at,
                "id": id,
                "metadata": metadata,
                "updated_at": updated_at,
            }
        )
        if email is not UNSET:
            field_dict["email"] = email
        if first_name is not UNSET:
            field_dict["first_name"] = first_name
        if last_name is not UNSET:
            field_dict["last_name"] = last_name
        if time_zone is not UNSET:
            field_dict["time_zone"] = time_zone

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        id = d.pop("id")

        metadata = d.pop("metadata")

        updated_at = datetime.datetime.fromisoformat(d.pop("updated_at"))

        email = d.pop("email", UNSET)

        first_name = d.pop("first_name", UNSET)

        last_name = d.pop("last_name", UNSET)

        time_zone = d.pop("time_zone", UNSET)

        user = cls(
            created_at=created_at,
            id=id,
            metadata=metadata,
            updated_at=updated_at,
            email=email,
            first_name=first_name,
            last_name=last_name,
            time_zone=time_zone,
        )

        return user
