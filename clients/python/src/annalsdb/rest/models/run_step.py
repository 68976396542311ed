from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

T = TypeVar("T", bound="RunStep")


@_attrs_define
class RunStep:
    """
    Attributes:
        action (str | None): What was done, in words; 2,000 bytes are kept
        arguments (Any | None): What it was called with: an object, or a command as text; beyond 4,000 bytes it is left
            out
        duration_ms (int | None): Milliseconds that it took
        error (str | None): Why it failed; left out: it did not
        result (str | None): What came out; 2,000 bytes are kept
        tool (str | None): The tool that was called
    """

    action: str | None = UNSET
    arguments: Any | None = UNSET
    duration_ms: int | None = UNSET
    error: str | None = UNSET
    result: str | None = UNSET
    tool: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        action = self.action

        arguments = self.arguments

        duration_ms = self.duration_ms

        error = self.error

        result = self.result

        tool = self.tool

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if action is not UNSET:
            field_dict["action"] = action
        if arguments is not UNSET:
            field_dict["arguments"] = arguments
        if duration_ms is not UNSET:
            field_dict["duration_ms"] = duration_ms
        if error is not UNSET:
            field_dict["error"] = error
        if result is not UNSET:
            field_dict["result"] = result
        if tool is not UNSET:
            field_dict["tool"] = tool

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        action = d.pop("action", UNSET)

        arguments = d.pop("arguments", UNSET)

        duration_ms = d.pop("duration_ms", UNSET)

        error = d.pop("error", UNSET)

        result = d.pop("result", UNSET)

        tool = d.pop("tool", UNSET)

        run_step = cls(
            action=action,
            arguments=arguments,
            duration_ms=duration_ms,
            error=error,
            result=result,
            tool=tool,
        )

        return run_step
