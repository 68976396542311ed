from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="Reason")


@_attrs_define
class Reason:
    """
    Attributes:
        code (str): no_such, gone, merged, not_read, not_embedded, no_match, scope, ended, as_of, known_at, filter,
            min_score, min_fit, reranked, limit or question
        text (str): In words, with what to change
    """

    code: str
    text: str

    def to_dict(self) -> dict[str, Any]:
        code = self.code

        text = self.text

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "code": code,
                "text": text,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        code = d.pop("code")

        text = d.pop("text")

        reason = cls(
            code=code,
            text=text,
        )

        return reason
