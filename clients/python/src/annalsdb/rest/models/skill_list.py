from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.skill import Skill


T = TypeVar("T", bound="SkillList")


@_attrs_define
class SkillList:
    """
    Attributes:
        skills (list[Skill]):
    """

    skills: list[Skill]

    def to_dict(self) -> dict[str, Any]:
        skills = []
        for skills_item_data in self.skills:
            skills_item = skills_item_data.to_dict()
            skills.append(skills_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "skills": skills,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.skill import Skill

        d = dict(src_dict)
        skills = []
        _skills = d.pop("skills")
        for skills_item_data in _skills:
            skills_item = Skill.from_dict(skills_item_data)

            skills.append(skills_item)

        skill_list = cls(
            skills=skills,
        )

        return skill_list
