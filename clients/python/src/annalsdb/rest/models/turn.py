from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.step import Step


T = TypeVar("T", bound="Turn")


@_attrs_define
class Turn:
    """
    Attributes:
        messages (list[str]):
        steps (list[Step]):
        stopped (bool):
    """

    messages: list[str]
    steps: list[Step]
    stopped: bool

    def to_dict(self) -> dict[str, Any]:
        messages = self.messages

        steps = []
        for steps_item_data in self.steps:
            steps_item = steps_item_data.to_dict()
            steps.append(steps_item)

        stopped = self.stopped

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "messages": messages,
                "steps": steps,
                "stopped": stopped,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.step import Step

        d = dict(src_dict)
        messages = cast(list[str], d.pop("messages"))

        steps = []
        _steps = d.pop("steps")
        for steps_item_data in _steps:
            steps_item = Step.from_dict(steps_item_data)

            steps.append(steps_item)

        stopped = d.pop("stopped")

        turn = cls(
            messages=messages,
            steps=steps,
            stopped=stopped,
        )

        return turn
