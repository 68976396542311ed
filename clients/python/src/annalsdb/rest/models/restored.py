from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.fact import Fact


T = TypeVar("T", bound="Restored")


@_attrs_define
class Restored:
    """
    Attributes:
        fact (Fact | None):
    """

    fact: Fact | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        fact: dict[str, Any] | None = UNSET
        if not isinstance(self.fact, Unset):
            fact = self.fact.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if fact is not UNSET:
            field_dict["fact"] = fact

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.fact import Fact

        d = dict(src_dict)
        _fact = d.pop("fact", UNSET)
        fact: Fact | None
        if isinstance(_fact, Unset):
            fact = UNSET
        else:
            fact = Fact.from_dict(_fact)

        restored = cls(
            fact=fact,
        )

        return restored
