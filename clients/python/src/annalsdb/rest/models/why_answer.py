from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.expected import Expected


T = TypeVar("T", bound="WhyAnswer")


@_attrs_define
class WhyAnswer:
    """
    Attributes:
        expected (list[Expected]): In the order of the ids
    """

    expected: list[Expected]

    def to_dict(self) -> dict[str, Any]:
        expected = []
        for expected_item_data in self.expected:
            expected_item = expected_item_data.to_dict()
            expected.append(expected_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "expected": expected,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.expected import Expected

        d = dict(src_dict)
        expected = []
        _expected = d.pop("expected")
        for expected_item_data in _expected:
            expected_item = Expected.from_dict(expected_item_data)

            expected.append(expected_item)

        why_answer = cls(
            expected=expected,
        )

        return why_answer
