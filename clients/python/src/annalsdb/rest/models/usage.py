from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="Usage")


@_attrs_define
class Usage:
    """
    Attributes:
        cached (int): Answered at no cost
        calls (int): That reached the model
        cost (float): US dollars, of the calls whose price is known
        failed (int):
        input_tokens (int):
        kind (str): chat, embedding or rerank
        model (str):
        output_tokens (int):
        prompt (str):
        repairs (int):
        unpriced (int): Calls whose price is not known
    """

    cached: int
    calls: int
    cost: float
    failed: int
    input_tokens: int
    kind: str
    model: str
    output_tokens: int
    prompt: str
    repairs: int
    unpriced: int

    def to_dict(self) -> dict[str, Any]:
        cached = self.cached

        calls = self.calls

        cost = self.cost

        failed = self.failed

        input_tokens = self.input_tokens

        kind = self.kind

        model = self.model

        output_tokens = self.output_tokens

        prompt = self.prompt

        repairs = self.repairs

        unpriced = self.unpriced

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "cached": cached,
                "calls": calls,
                "cost": cost,
                "failed": failed,
                "input_tokens": input_tokens,
                "kind": kind,
                "model": model,
                "output_tokens": output_tokens,
                "prompt": prompt,
                "repairs": repairs,
                "unpriced": unpriced,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        cached = d.pop("cached")

        calls = d.pop("calls")

        cost = d.pop("cost")

        failed = d.pop("failed")

        input_tokens = d.pop("input_tokens")

        kind = d.pop("kind")

        model = d.pop("model")

        output_tokens = d.pop("output_tokens")

        prompt = d.pop("prompt")

        repairs = d.pop("repairs")

        unpriced = d.pop("unpriced")

        usage = cls(
            cached=cached,
            calls=calls,
            cost=cost,
            failed=failed,
            input_tokens=input_tokens,
            kind=kind,
            model=model,
            output_tokens=output_tokens,
            prompt=prompt,
            repairs=repairs,
            unpriced=unpriced,
        )

        return usage
