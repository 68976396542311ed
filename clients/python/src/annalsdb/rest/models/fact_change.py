from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.fact_change_attributes import FactChangeAttributes


T = TypeVar("T", bound="FactChange")


@_attrs_define
class FactChange:
    """
    Attributes:
        as_known_at (str | None): Alone: put back all that was believed of it at this time, as its known_from
        attributes (FactChangeAttributes | None): In place of those it has
        fact (str | None): It as one sentence
        invalid_at (str | None): Until when it held; an empty text: it still holds
        predicate (str | None): The kind of fact
        valid_at (str | None): Since when it holds; an empty text: not known
    """

    as_known_at: str | None = UNSET
    attributes: FactChangeAttributes | None = UNSET
    fact: str | None = UNSET
    invalid_at: str | None = UNSET
    predicate: str | None = UNSET
    valid_at: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        as_known_at = self.as_known_at

        attributes: dict[str, Any] | None = UNSET
        if not isinstance(self.attributes, Unset):
            attributes = self.attributes.to_dict()

        fact = self.fact

        invalid_at = self.invalid_at

        predicate = self.predicate

        valid_at = self.valid_at

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if as_known_at is not UNSET:
            field_dict["as_known_at"] = as_known_at
        if attributes is not UNSET:
            field_dict["attributes"] = attributes
        if fact is not UNSET:
            field_dict["fact"] = fact
        if invalid_at is not UNSET:
            field_dict["invalid_at"] = invalid_at
        if predicate is not UNSET:
            field_dict["predicate"] = predicate
        if valid_at is not UNSET:
            field_dict["valid_at"] = valid_at

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.fact_change_attributes import FactChangeAttributes

        d = dict(src_dict)
        as_known_at = d.pop("as_known_at", UNSET)

        _attributes = d.pop("attributes", UNSET)
        attributes: FactChangeAttributes | None
        if isinstance(_attributes, Unset):
            attributes = UNSET
        else:
            attributes = FactChangeAttributes.from_dict(_attributes)

        fact = d.pop("fact", UNSET)

        invalid_at = d.pop("invalid_at", UNSET)

        predicate = d.pop("predicate", UNSET)

        valid_at = d.pop("valid_at", UNSET)

        fact_change = cls(
            as_known_at=as_known_at,
            attributes=attributes,
            fact=fact,
            invalid_at=invalid_at,
            predicate=predicate,
            valid_at=valid_at,
        )

        return fact_change
