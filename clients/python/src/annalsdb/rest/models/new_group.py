from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.new_group_kind import NewGroupKind, check_new_group_kind
from ..types import UNSET, Unset

T = TypeVar("T", bound="NewGroup")


@_attrs_define
class NewGroup:
    """
    Attributes:
        id (str): Letters, digits and _ - . : @ +
        description (str | None): What it is for
        force (bool | None): Make it again where it was erased: its name is free then, and what it held is not refused
        kind (NewGroupKind | None): Whose memory it is; left out: graph
        name (str | None): A title
        time_zone (str | None): Of whom it is about, an IANA name
    """

    id: str
    description: str | None = UNSET
    force: bool | None = UNSET
    kind: NewGroupKind | None = UNSET
    name: str | None = UNSET
    time_zone: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        description = self.description

        force = self.force

        kind: str | None = UNSET
        if not isinstance(self.kind, Unset):
            kind = self.kind

        name = self.name

        time_zone = self.time_zone

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
            }
        )
        if description is not UNSET:
            field_dict["description"] = description
        if force is not UNSET:
            field_dict["force"] = force
        if kind is not UNSET:
            field_dict["kind"] = kind
        if name is not UNSET:
            field_dict["name"] = name
        if time_zone is not UNSET:
            field_dict["time_zone"] = time_zone

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = d.pop("id")

        description = d.pop("description", UNSET)

        force = d.pop("force", UNSET)

        _kind = d.pop("kind", UNSET)
        kind: NewGroupKind | None
        if isinstance(_kind, Unset):
            kind = UNSET
        else:
            kind = check_new_group_kind(_kind)

        name = d.pop("name", UNSET)

        time_zone = d.pop("time_zone", UNSET)

        new_group = cls(
            id=id,
            description=description,
            force=force,
            kind=kind,
            name=name,
            time_zone=time_zone,
        )

        return new_group
