from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.entity_difference_change import (
    EntityDifferenceChange,
    check_entity_difference_change,
)
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.entity import Entity


T = TypeVar("T", bound="EntityDifference")


@_attrs_define
class EntityDifference:
    """
    Attributes:
        caused_by (list[str]): The episodes behind the last change; none: made by hand
        change (EntityDifferenceChange):
        changed_at (datetime.datetime):
        after (Entity | None):
        before (Entity | None):
        merged_into (str | None):
    """

    caused_by: list[str]
    change: EntityDifferenceChange
    changed_at: datetime.datetime
    after: Entity | None = UNSET
    before: Entity | None = UNSET
    merged_into: str | None = UNSET

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

        merged_into = self.merged_into

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
        if merged_into is not UNSET:
            field_dict["merged_into"] = merged_into

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.entity import Entity

        d = dict(src_dict)
        caused_by = cast(list[str], d.pop("caused_by"))

        change = check_entity_difference_change(d.pop("change"))

        changed_at = datetime.datetime.fromisoformat(d.pop("changed_at"))

        _after = d.pop("after", UNSET)
        after: Entity | None
        if isinstance(_after, Unset):
            after = UNSET
        else:
            after = Entity.from_dict(_after)

        _before = d.pop("before", UNSET)
        before: Entity | None
        if isinstance(_before, Unset):
            before = UNSET
        else:
            before = Entity.from_dict(_before)

        merged_into = d.pop("merged_into", UNSET)

        entity_difference = cls(
            caused_by=caused_by,
            change=change,
            changed_at=changed_at,
            after=after,
            before=before,
            merged_into=merged_into,
        )

        return entity_difference
