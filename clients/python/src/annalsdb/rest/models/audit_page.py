from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

if TYPE_CHECKING:
    from ..models.audit_entry import AuditEntry


T = TypeVar("T", bound="AuditPage")


@_attrs_define
class AuditPage:
    """
    Attributes:
        audit (list[AuditEntry]):
        next_cursor (str | None): For the next page; left out: this is the last
    """

    audit: list[AuditEntry]
    next_cursor: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        audit = []
        for audit_item_data in self.audit:
            audit_item = audit_item_data.to_dict()
            audit.append(audit_item)

        next_cursor = self.next_cursor

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "audit": audit,
            }
        )
        if next_cursor is not UNSET:
            field_dict["next_cursor"] = next_cursor

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.audit_entry import AuditEntry

        d = dict(src_dict)
        audit = []
        _audit = d.pop("audit")
        for audit_item_data in _audit:
            audit_item = AuditEntry.from_dict(audit_item_data)

            audit.append(audit_item)

        next_cursor = d.pop("next_cursor", UNSET)

        audit_page = cls(
            audit=audit,
            next_cursor=next_cursor,
        )

        return audit_page
