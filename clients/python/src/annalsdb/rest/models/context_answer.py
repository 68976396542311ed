from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="ContextAnswer")


@_attrs_define
class ContextAnswer:
    """
    Attributes:
        context (str):
        tokens (int): How many it has
    """

    context: str
    tokens: int

    def to_dict(self) -> dict[str, Any]:
        context = self.context

        tokens = self.tokens

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "context": context,
                "tokens": tokens,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        context = d.pop("context")

        tokens = d.pop("tokens")

        context_answer = cls(
            context=context,
            tokens=tokens,
        )

        return context_answer
