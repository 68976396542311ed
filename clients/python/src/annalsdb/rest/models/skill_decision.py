from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.skill_decision_decision import (
    SkillDecisionDecision,
    check_skill_decision_decision,
)

T = TypeVar("T", bound="SkillDecision")


@_attrs_define
class SkillDecision:
    """
    Attributes:
        decision (SkillDecisionDecision): approve: confirm it. reject: it stays rejected. leave: take the decision back
    """

    decision: SkillDecisionDecision

    def to_dict(self) -> dict[str, Any]:
        decision: str = self.decision

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "decision": decision,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        decision = check_skill_decision_decision(d.pop("decision"))

        skill_decision = cls(
            decision=decision,
        )

        return skill_decision
