from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="Decision")


@_attrs_define
class Decision:
    """
    Attributes:
        decision (str):
        entity_id (None | str):
        episode_id (str):
        fact_id (None | str):
        reason (str):
        step (str):
        subject (str):
    """

    decision: str
    entity_id: None | str
    episode_id: str
    fact_id: None | str
    reason: str
    step: str
    subject: str

    def to_dict(self) -> dict[str, Any]:
        decision = self.decision

        entity_id: None | str
        entity_id = self.entity_id

        episode_id = self.episode_id

        fact_id: None | str
        fact_id = self.fact_id

        reason = self.reason

        step = self.step

        subject = self.subject

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "decision": decision,
                "entity_id": entity_id,
                "episode_id": episode_id,
                "fact_id": fact_id,
                "reason": reason,
                "step": step,
                "subject": subject,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        decision = d.pop("decision")

        def _parse_entity_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        entity_id = _parse_entity_id(d.pop("entity_id"))

        episode_id = d.pop("episode_id")

        def _parse_fact_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        fact_id = _parse_fact_id(d.pop("fact_id"))

        reason = d.pop("reason")

        step = d.pop("step")

        subject = d.pop("subject")

        decision = cls(
            decision=decision,
            entity_id=entity_id,
            episode_id=episode_id,
            fact_id=fact_id,
            reason=reason,
            step=step,
            subject=subject,
        )

        return decision
