from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.skill import Skill


T = TypeVar("T", bound="SkillVersions")


@_attrs_define
class SkillVersions:
    """
    Attributes:
        versions (list[Skill]):
    """

    versions: list[Skill]

    def to_dict(self) -> dict[str, Any]:
        versions = []
        for versions_item_data in self.versions:
            versions_item = versions_item_data.to_dict()
            versions.append(versions_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "versions": versions,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.skill import Skill

        d = dict(src_dict)
        versions = []
        _versions = d.pop("versions")
        for versions_item_data in _versions:
            versions_item = Skill.from_dict(versions_item_data)

            versions.append(versions_item)

        skill_versions = cls(
            versions=versions,
        )

        return skill_versions
