from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="AgentRest")


@_attrs_define
class AgentRest:
    """
    Attributes:
        stopped (bool): The turn had as many steps as it may have
    """

    stopped: bool

    def to_dict(self) -> dict[str, Any]:
        stopped = self.stopped

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "stopped": stopped,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        stopped = d.pop("stopped")

        agent_rest = cls(
            stopped=stopped,
        )

        return agent_rest
