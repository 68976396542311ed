from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="Fill")


@_attrs_define
class Fill:
    """
    Attributes:
        fixed (int): Of what cannot leave it: instructions, blocks, functions, open documents and the summary
        room (int): That the window leaves beside the answer. Where tokens are more, the oldest messages leave at the
            next step
        tokens (int): Of all that the model would read
    """

    fixed: int
    room: int
    tokens: int

    def to_dict(self) -> dict[str, Any]:
        fixed = self.fixed

        room = self.room

        tokens = self.tokens

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "fixed": fixed,
                "room": room,
                "tokens": tokens,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        fixed = d.pop("fixed")

        room = d.pop("room")

        tokens = d.pop("tokens")

        fill = cls(
            fixed=fixed,
            room=room,
            tokens=tokens,
        )

        return fill
