from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

T = TypeVar("T", bound="Message")


@_attrs_define
class Message:
    """
    Attributes:
        content (str):
        id (str):
        kind (str):
        occurred_at (datetime.datetime):
        role (str):
        seq (int):
        step (int):
        actor (str | None):
        arguments (str | None):
        call_id (str | None):
        failed (bool | None):
        function (str | None):
        thought (str | None):
    """

    content: str
    id: str
    kind: str
    occurred_at: datetime.datetime
    role: str
    seq: int
    step: int
    actor: str | None = UNSET
    arguments: str | None = UNSET
    call_id: str | None = UNSET
    failed: bool | None = UNSET
    function: str | None = UNSET
    thought: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        content = self.content

        id = self.id

        kind = self.kind

        occurred_at = self.occurred_at.isoformat()

        role = self.role

        seq = self.seq

        step = self.step

        actor = self.actor

        arguments = self.arguments

        call_id = self.call_id

        failed = self.failed

        function = self.function

        thought = self.thought

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "content": content,
                "id": id,
                "kind": kind,
                "occurred_at": occurred_at,
                "role": role,
                "seq": seq,
                "step": step,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if arguments is not UNSET:
            field_dict["arguments"] = arguments
        if call_id is not UNSET:
            field_dict["call_id"] = call_id
        if failed is not UNSET:
            field_dict["failed"] = failed
        if function is not UNSET:
            field_dict["function"] = function
        if thought is not UNSET:
            field_dict["thought"] = thought

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        content = d.pop("content")

        id = d.pop("id")

        kind = d.pop("kind")

        occurred_at = datetime.datetime.fromisoformat(d.pop("occurred_at"))

        role = d.pop("role")

        seq = d.pop("seq")

        step = d.pop("step")

        actor = d.pop("actor", UNSET)

        arguments = d.pop("arguments", UNSET)

        call_id = d.pop("call_id", UNSET)

        failed = d.pop("failed", UNSET)

        function = d.pop("function", UNSET)

        thought = d.pop("thought", UNSET)

        message = cls(
            content=content,
            id=id,
            kind=kind,
            occurred_at=occurred_at,
            role=role,
            seq=seq,
            step=step,
            actor=actor,
            arguments=arguments,
            call_id=call_id,
            failed=failed,
            function=function,
            thought=thought,
        )

        return message
