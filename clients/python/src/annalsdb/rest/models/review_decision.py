from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.review_decision_decision import (
    ReviewDecisionDecision,
    check_review_decision_decision,
)
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.fact_change import FactChange


T = TypeVar("T", bound="ReviewDecision")


@_attrs_define
class ReviewDecision:
    """
    Attributes:
        decision (ReviewDecisionDecision): approve: believe it. reject: it stays rejected. edit: believe it, corrected.
            leave: take an approval back, so that it waits again
        all_ (bool | None): All that wait and that the rest chooses
        edit (FactChange | None):
        facts (list[str] | None): These facts
    """

    decision: ReviewDecisionDecision
    all_: bool | None = UNSET
    edit: FactChange | None = UNSET
    facts: list[str] | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        decision: str = self.decision

        all_ = self.all_

        edit: dict[str, Any] | None = UNSET
        if not isinstance(self.edit, Unset):
            edit = self.edit.to_dict()

        facts: list[str] | None = UNSET
        if not isinstance(self.facts, Unset):
            facts = self.facts

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "decision": decision,
            }
        )
        if all_ is not UNSET:
            field_dict["all"] = all_
        if edit is not UNSET:
            field_dict["edit"] = edit
        if facts is not UNSET:
            field_dict["facts"] = facts

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.fact_change import FactChange

        d = dict(src_dict)
        decision = check_review_decision_decision(d.pop("decision"))

        all_ = d.pop("all", UNSET)

        _edit = d.pop("edit", UNSET)
        edit: FactChange | None
        if isinstance(_edit, Unset):
            edit = UNSET
        else:
            edit = FactChange.from_dict(_edit)

        facts = cast(list[str], d.pop("facts", UNSET))

        review_decision = cls(
            decision=decision,
            all_=all_,
            edit=edit,
            facts=facts,
        )

        return review_decision
