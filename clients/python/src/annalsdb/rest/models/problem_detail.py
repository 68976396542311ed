from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

T = TypeVar("T", bound="ProblemDetail")


@_attrs_define
class ProblemDetail:
    """
    Attributes:
        message (str): What is wrong with it
        location (str | None): Where it is, as in body.limit, query.as_of or path.group
        value (Any | None): What was given, where it is short
    """

    message: str
    location: str | None = UNSET
    value: Any | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        message = self.message

        location = self.location

        value = self.value

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "message": message,
            }
        )
        if location is not UNSET:
            field_dict["location"] = location
        if value is not UNSET:
            field_dict["value"] = value

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        message = d.pop("message")

        location = d.pop("location", UNSET)

        value = d.pop("value", UNSET)

        problem_detail = cls(
            message=message,
            location=location,
            value=value,
        )

        return problem_detail
