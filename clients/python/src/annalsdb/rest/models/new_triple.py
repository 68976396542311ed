from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.new_triple_attributes import NewTripleAttributes
    from ..models.new_triple_source_attributes import NewTripleSourceAttributes
    from ..models.new_triple_target_attributes import NewTripleTargetAttributes


T = TypeVar("T", bound="NewTriple")


@_attrs_define
class NewTriple:
    """
    Attributes:
        predicate (str): The kind of fact
        source (str): Who or what it is about
        target (str): Who or what it is about as well
        attributes (NewTripleAttributes | None): Of the fact
        external_id (str | None): Your own name for it, unique in the group: adding it again changes nothing
        fact (str | None): It as one sentence; left out: made of the three words
        force (bool | None): Take it in even where it was erased
        invalid_at (str | None): Until when it held
        occurred_at (str | None): When it became known; left out: now
        source_attributes (NewTripleSourceAttributes | None): Of the source
        source_label (str | None): The source's type, such as Person
        target_attributes (NewTripleTargetAttributes | None): Of the target
        target_label (str | None): The target's type
        valid_at (str | None): Since when it holds; left out: read from the sentence
    """

    predicate: str
    source: str
    target: str
    attributes: NewTripleAttributes | None = UNSET
    external_id: str | None = UNSET
    fact: str | None = UNSET
    force: bool | None = UNSET
    invalid_at: str | None = UNSET
    occurred_at: str | None = UNSET
    source_attributes: NewTripleSourceAttributes | None = UNSET
    source_label: str | None = UNSET
    target_attributes: NewTripleTargetAttributes | None = UNSET
    target_label: str | None = UNSET
    valid_at: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        predicate = self.predicate

        source = self.source

        target = self.target

        attributes: dict[str, Any] | None = UNSET
        if not isinstance(self.attributes, Unset):
            attributes = self.attributes.to_dict()

        external_id = self.external_id

        fact = self.fact

        force = self.force

        invalid_at = self.invalid_at

        occurred_at = self.occurred_at

        source_attributes: dict[str, Any] | None = UNSET
        if not isinstance(self.source_attributes, Unset):
            source_attributes = self.source_attributes.to_dict()

        source_label = self.source_label

        target_attributes: dict[str, Any] | None = UNSET
        if not isinstance(self.target_attributes, Unset):
            target_attributes = self.target_attributes.to_dict()

        target_label = self.target_label

        valid_at = self.valid_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "predicate": predicate,
                "source": source,
                "target": target,
            }
        )
        if attributes is not UNSET:
            field_dict["attributes"] = attributes
        if external_id is not UNSET:
            field_dict["external_id"] = external_id
        if fact is not UNSET:
            field_dict["fact"] = fact
        if force is not UNSET:
            field_dict["force"] = force
        if invalid_at is not UNSET:
            field_dict["invalid_at"] = invalid_at
        if occurred_at is not UNSET:
            field_dict["occurred_at"] = occurred_at
        if source_attributes is not UNSET:
            field_dict["source_attributes"] = source_attributes
        if source_label is not UNSET:
            field_dict["source_label"] = source_label
        if target_attributes is not UNSET:
            field_dict["target_attributes"] = target_attributes
        if target_label is not UNSET:
            field_dict["target_label"] = target_label
        if valid_at is not UNSET:
            field_dict["valid_at"] = valid_at

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.new_triple_attributes import NewTripleAttributes
        from ..models.new_triple_source_attributes import NewTripleSourceAttributes
        from ..models.new_triple_target_attributes import NewTripleTargetAttributes

        d = dict(src_dict)
        predicate = d.pop("predicate")

        source = d.pop("source")

        target = d.pop("target")

        _attributes = d.pop("attributes", UNSET)
        attributes: NewTripleAttributes | None
        if isinstance(_attributes, Unset):
            attributes = UNSET
        else:
            attributes = NewTripleAttributes.from_dict(_attributes)

        external_id = d.pop("external_id", UNSET)

        fact = d.pop("fact", UNSET)

        force = d.pop("force", UNSET)

        invalid_at = d.pop("invalid_at", UNSET)

        occurred_at = d.pop("occurred_at", UNSET)

        _source_attributes = d.pop("source_attributes", UNSET)
        source_attributes: NewTripleSourceAttributes | None
        if isinstance(_source_attributes, Unset):
            source_attributes = UNSET
        else:
            source_attributes = NewTripleSourceAttributes.from_dict(_source_attributes)

        source_label = d.pop("source_label", UNSET)

        _target_attributes = d.pop("target_attributes", UNSET)
        target_attributes: NewTripleTargetAttributes | None
        if isinstance(_target_attributes, Unset):
            target_attributes = UNSET
        else:
            target_attributes = NewTripleTargetAttributes.from_dict(_target_attributes)

        target_label = d.pop("target_label", UNSET)

        valid_at = d.pop("valid_at", UNSET)

        new_triple = cls(
            predicate=predicate,
            source=source,
            target=target,
            attributes=attributes,
            external_id=external_id,
            fact=fact,
            force=force,
            invalid_at=invalid_at,
            occurred_at=occurred_at,
            source_attributes=source_attributes,
            source_label=source_label,
            target_attributes=target_attributes,
            target_label=target_label,
            valid_at=valid_at,
        )

        return new_triple
