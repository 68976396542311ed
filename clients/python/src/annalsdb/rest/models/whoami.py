from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.whoami_authority import WhoamiAuthority, check_whoami_authority
from ..models.whoami_rights import WhoamiRights, check_whoami_rights

T = TypeVar("T", bound="Whoami")


@_attrs_define
class Whoami:
    """
    Attributes:
        all_groups (bool): It opens every group
        authority (WhoamiAuthority): The most that its word counts
        embedder (str):
        groups (list[str]): That it opens, and namespaces, as in acme:*; of one that opens all, none is listed
        key (str): Stands for the key, which is not told
        reader (str): What reads episodes, as provider:model; offline: the rules
        reads_with_model (bool):
        rights (WhoamiRights): Each has those before it
        version (str):
    """

    all_groups: bool
    authority: WhoamiAuthority
    embedder: str
    groups: list[str]
    key: str
    reader: str
    reads_with_model: bool
    rights: WhoamiRights
    version: str

    def to_dict(self) -> dict[str, Any]:
        all_groups = self.all_groups

        authority: str = self.authority

        embedder = self.embedder

        groups = self.groups

        key = self.key

        reader = self.reader

        reads_with_model = self.reads_with_model

        rights: str = self.rights

        version = self.version

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "all_groups": all_groups,
                "authority": authority,
                "embedder": embedder,
                "groups": groups,
                "key": key,
                "reader": reader,
                "reads_with_model": reads_with_model,
                "rights": rights,
                "version": version,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        all_groups = d.pop("all_groups")

        authority = check_whoami_authority(d.pop("authority"))

        embedder = d.pop("embedder")

        groups = cast(list[str], d.pop("groups"))

        key = d.pop("key")

        reader = d.pop("reader")

        reads_with_model = d.pop("reads_with_model")

        rights = check_whoami_rights(d.pop("rights"))

        version = d.pop("version")

        whoami = cls(
            all_groups=all_groups,
            authority=authority,
            embedder=embedder,
            groups=groups,
            key=key,
            reader=reader,
            reads_with_model=reads_with_model,
            rights=rights,
            version=version,
        )

        return whoami
