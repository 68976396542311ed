from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

T = TypeVar("T", bound="Step")


@_attrs_define
class Step:
    """
    Attributes:
        at (datetime.datetime):
        kind (str):
        number (int):
        prompt_tokens (int):
        arguments (str | None):
        evicted (int | None):
        failed (bool | None):
        function (str | None):
        message (str | None):
        note (str | None):
        result (str | None):
        thought (str | None):
    """

    at: datetime.datetime
    kind: str
    number: int
    prompt_tokens: int
    arguments: str | None = UNSET
    evicted: int | None = UNSET
    failed: bool | None = UNSET
    function: str | None = UNSET
    message: str | None = UNSET
    note: str | None = UNSET
    result: str | None = UNSET
    thought: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        at = self.at.isoformat()

        kind = self.kind

        number = self.number

        prompt_tokens = self.prompt_tokens

        arguments = self.arguments

        evicted = self.evicted

        failed = self.failed

        function = self.function

        message = self.message

        note = self.note

        result = self.result

        thought = self.thought

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "at": at,
                "kind": kind,
                "number": number,
                "prompt_tokens": prompt_tokens,
            }
        )
        if arguments is not UNSET:
            field_dict["arguments"] = arguments
        if evicted is not UNSET:
            field_dict["evicted"] = evicted
        if failed is not UNSET:
            field_dict["failed"] = failed
        if function is not UNSET:
            field_dict["function"] = function
        if message is not UNSET:
            field_dict["message"] = message
        if note is not UNSET:
            field_dict["note"] = note
        if result is not UNSET:
            field_dict["result"] = result
        if thought is not UNSET:
            field_dict["thought"] = thought

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        at = datetime.datetime.fromisoformat(d.pop("at"))

        kind = d.pop("kind")

        number = d.pop("number")

        prompt_tokens = d.pop("prompt_tokens")

        arguments = d.pop("arguments", UNSET)

        evicted = d.pop("evicted", UNSET)

        failed = d.pop("failed", UNSET)

        function = d.pop("function", UNSET)

        message = d.pop("message", UNSET)

        note = d.pop("note", UNSET)

        result = d.pop("result", UNSET)

        thought = d.pop("thought", UNSET)

        step = cls(
            at=at,
            kind=kind,
            number=number,
            prompt_tokens=prompt_tokens,
            arguments=arguments,
            evicted=evicted,
            failed=failed,
            function=function,
            message=message,
            note=note,
            result=result,
            thought=thought,
        )

        return step
