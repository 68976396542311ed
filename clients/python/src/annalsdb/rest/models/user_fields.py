from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.user_fields_metadata import UserFieldsMetadata


T = TypeVar("T", bound="UserFields")


@_attrs_define
class UserFields:
    """
    Attributes:
        email (str | None):
        first_name (str | None):
        last_name (str | None):
        metadata (UserFieldsMetadata | None): Kept as it is
        time_zone (str | None): An IANA name
    """

    email: str | None = UNSET
    first_name: str | None = UNSET
    last_name: str | None = UNSET
    metadata: UserFieldsMetadata | None = UNSET
    time_zone: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        email = self.email

        first_name = self.first_name

        last_name = self.last_name

        metadata: dict[str, Any] | None = UNSET
        if not isinstance(self.metadata, Unset):
            metadata = self.metadata.to_dict()

        time_zone = self.time_zone

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if email is not UNSET:
            field_dict["email"] = email
        if first_name is not UNSET:
            field_dict["first_name"] = first_name
        if last_name is not UNSET:
            field_dict["last_name"] = last_name
        if metadata is not UNSET:
            field_dict["metadata"] = metadata
        if time_zone is not UNSET:
            field_dict["time_zone"] = time_zone

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.user_fields_metadata import UserFieldsMetadata

        d = dict(src_dict)
        email = d.pop("email", UNSET)

        first_name = d.pop("first_name", UNSET)

        last_name = d.pop("last_name", UNSET)

        _metadata = d.pop("metadata", UNSET)
        metadata: UserFieldsMetadata | None
        if isinstance(_metadata, Unset):
            metadata = UNSET
        else:
            metadata = UserFieldsMetadata.from_dict(_metadata)

        time_zone = d.pop("time_zone", UNSET)

        user_fields = cls(
            email=email,
            first_name=first_name,
            last_name=last_name,
            metadata=metadata,
            time_zone=time_zone,
        )

        return user_fields
