from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.new_user_metadata import NewUserMetadata


T = TypeVar("T", bound="NewUser")


@_attrs_define
class NewUser:
    """
    Attributes:
        id (str): Of their group: letters, digits and _ - . : @ +
        email (str | None):
        first_name (str | None):
        force (bool | None): Make them again where they were erased: the name is free then, and what their group held
            is not refused
        last_name (str | None):
        metadata (NewUserMetadata | None): Kept as it is
        time_zone (str | None): An IANA name
    """

    id: str
    email: str | None = UNSET
    first_name: str | None = UNSET
    force: bool | None = UNSET
    last_name: str | None = UNSET
    metadata: NewUserMetadata | None = UNSET
    time_zone: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        email = self.email

        first_name = self.first_name

        force = self.force

        last_name = self.last_name

        metadata: dict[str, Any] | None = UNSET
        if not isinstance(self.metadata, Unset):
            metadata = self.metadata.to_dict()

        time_zone = self.time_zone

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
            }
        )
        if email is not UNSET:
            field_dict["email"] = email
        if first_name is not UNSET:
            field_dict["first_name"] = first_name
        if force is not UNSET:
            field_dict["force"] = force
        if last_name is not UNSET:
            field_dict["last_name"] = last_name
        if metadata is not UNSET:
            field_dict["metadata"] = metadata
        if time_zone is not UNSET:
            field_dict["time_zone"] = time_zone

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.new_user_metadata import NewUserMetadata

        d = dict(src_dict)
        id = d.pop("id")

        email = d.pop("email", UNSET)

        first_name = d.pop("first_name", UNSET)

        force = d.pop("force", UNSET)

        last_name = d.pop("last_name", UNSET)

        _metadata = d.pop("metadata", UNSET)
        metadata: NewUserMetadata | None
        if isinstance(_metadata, Unset):
            metadata = UNSET
        else:
            metadata = NewUserMetadata.from_dict(_metadata)

        time_zone = d.pop("time_zone", UNSET)

        new_user = cls(
            id=id,
            email=email,
            first_name=first_name,
            force=force,
            last_name=last_name,
            metadata=metadata,
            time_zone=time_zone,
        )

        return new_user
