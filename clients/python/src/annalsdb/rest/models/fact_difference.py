from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.fact_difference_change import (
    FactDifferenceChange,
    check_fact_difference_change,
)
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.fact import Fact


T = TypeVar("T", bound="FactDifference")


@_attrs_define
class FactDifference:
    """
    Attributes:
        caused_by (list[str]): The episodes behind the last change; none: made by hand
        change (FactDifferenceChange): expired: it was kept no longer, by its mark or the retention of the group;
            reopened, that it would hold longer, is said by previews alone
        changed_at (datetime.datetime):
        after (Fact | None):
        before (Fact | None):
    """

    caused_by: list[str]
    change: FactDifferenceChange
    changed_at: datetime.datetime
    after: Fact | None = UNSET
    before: Fact | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        caused_by = self.caused_by

        change: str = self.change

        changed_at = self.changed_at.isoformat()

        after: dict[str, Any] | None = UNSET
        if not isinstance(self.after, Unset):
            after = self.after.to_dict()

        before: dict[str, Any] | None = UNSET
        if not isinstance(self.before, Unset):
            before = self.before.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "caused_by": caused_by,
                "change": change,
                "changed_at": changed_at,
            }
        )
        if after is not UNSET:
            field_dict["after"] = after
        if before is not UNSET:
            field_dict["before"] = before

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.fact import Fact

        d = dict(src_dict)
        caused_by = cast(list[str], d.pop("caused_by"))

        change = check_fact_difference_change(d.pop("change"))

        changed_at = datetime.datetime.fromisoformat(d.pop("changed_at"))

        _after = d.pop("after", UNSET)
        after: Fact | None
        if isinstance(_after, Unset):
            after = UNSET
        else:
            after = Fact.from_dict(_after)

        _before = d.pop("before", UNSET)
        before: Fact | None
        if isinstance(_before, Unset):
            before = UNSET
        else:
            before = Fact.from_dict(_before)

        fact_difference = cls(
            caused_by=caused_by,
            change=change,
            changed_at=changed_at,
            after=after,
            before=before,
        )

        return fact_difference
