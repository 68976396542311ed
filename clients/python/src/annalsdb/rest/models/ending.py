from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.fact import Fact


T = TypeVar("T", bound="Ending")


@_attrs_define
class Ending:
    """
    Attributes:
        before (Fact):
        after (Fact | None):
    """

    before: Fact
    after: Fact | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        before = self.before.to_dict()

        after: dict[str, Any] | None = UNSET
        if not isinstance(self.after, Unset):
            after = self.after.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "before": before,
            }
        )
        if after is not UNSET:
            field_dict["after"] = after

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.fact import Fact

        d = dict(src_dict)
        before = Fact.from_dict(d.pop("before"))

        _after = d.pop("after", UNSET)
        after: Fact | None
        if isinstance(_after, Unset):
            after = UNSET
        else:
            after = Fact.from_dict(_after)

        ending = cls(
            before=before,
            after=after,
        )

        return ending
