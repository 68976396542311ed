from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="PictureFacts")


@_attrs_define
class PictureFacts:
    """
    Attributes:
        disputed (list[bool]):
        from_basis (list[str]):
        from_precision (list[str]):
        id (list[str]):
        kind (list[str]): state or event
        known_from (list[float]):
        known_until (list[float | None]): null: it is believed now
        predicate (list[int]): Place in predicates
        said_at (list[float | None]): null: it was made by hand
        source (list[int]): Place in entities
        target (list[int]): Place in entities
        told (list[str]): The sentence, with dates in the place of words such as last week
        until_basis (list[str]):
        until_precision (list[str]):
        valid_from (list[float | None]): null: not known
        valid_until (list[float | None]): null: not known, or it goes on
    """

    disputed: list[bool]
    from_basis: list[str]
    from_precision: list[str]
    id: list[str]
    kind: list[str]
    known_from: list[float]
    known_until: list[float | None]
    predicate: list[int]
    said_at: list[float | None]
    source: list[int]
    target: list[int]
    told: list[str]
    until_basis: list[str]
    until_precision: list[str]
    valid_from: list[float | None]
    valid_until: list[float | None]

    def to_dict(self) -> dict[str, Any]:
        disputed = self.disputed

        from_basis = self.from_basis

        from_precision = self.from_precision

        id = self.id

        kind = self.kind

        known_from = self.known_from

        known_until = []
        for known_until_item_data in self.known_until:
            known_until_item: float | None
            known_until_item = known_until_item_data
            known_until.append(known_until_item)

        predicate = self.predicate

        said_at = []
        for said_at_item_data in self.said_at:
            said_at_item: float | None
            said_at_item = said_at_item_data
            said_at.append(said_at_item)

        source = self.source

        target = self.target

        told = self.told

        until_basis = self.until_basis

        until_precision = self.until_precision

        valid_from = []
        for valid_from_item_data in self.valid_from:
            valid_from_item: float | None
            valid_from_item = valid_from_item_data
            valid_from.append(valid_from_item)

        valid_until = []
        for valid_until_item_data in self.valid_until:
            valid_until_item: float | None
            valid_until_item = valid_until_item_data
            valid_until.append(valid_until_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "disputed": disputed,
                "from_basis": from_basis,
                "from_precision": from_precision,
                "id": id,
                "kind": kind,
                "known_from": known_from,
                "known_until": known_until,
                "predicate": predicate,
                "said_at": said_at,
                "source": source,
                "target": target,
                "told": told,
                "until_basis": until_basis,
                "until_precision": until_precision,
                "valid_from": valid_from,
                "valid_until": valid_until,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        disputed = cast(list[bool], d.pop("disputed"))

        from_basis = cast(list[str], d.pop("from_basis"))

        from_precision = cast(list[str], d.pop("from_precision"))

        id = cast(list[str], d.pop("id"))

        kind = cast(list[str], d.pop("kind"))

        known_from = cast(list[float], d.pop("known_from"))

        known_until = []
        _known_until = d.pop("known_until")
        for known_until_item_data in _known_until:

            def _parse_known_until_item(data: object) -> float | None:
                if data is None:
                    return data
                return cast(float | None, data)

            known_until_item = _parse_known_until_item(known_until_item_data)

            known_until.append(known_until_item)

        predicate = cast(list[int], d.pop("predicate"))

        said_at = []
        _said_at = d.pop("said_at")
        for said_at_item_data in _said_at:

            def _parse_said_at_item(data: object) -> float | None:
                if data is None:
                    return data
                return cast(float | None, data)

            said_at_item = _parse_said_at_item(said_at_item_data)

            said_at.append(said_at_item)

        source = cast(list[int], d.pop("source"))

        target = cast(list[int], d.pop("target"))

        told = cast(list[str], d.pop("told"))

        until_basis = cast(list[str], d.pop("until_basis"))

        until_precision = cast(list[str], d.pop("until_precision"))

        valid_from = []
        _valid_from = d.pop("valid_from")
        for valid_from_item_data in _valid_from:

            def _parse_valid_from_item(data: object) -> float | None:
                if data is None:
                    return data
                return cast(float | None, data)

            valid_from_item = _parse_valid_from_item(valid_from_item_data)

            valid_from.append(valid_from_item)

        valid_until = []
        _valid_until = d.pop("valid_until")
        for valid_until_item_data in _valid_until:

            def _parse_valid_until_item(data: object) -> float | None:
                if data is None:
                    return data
                return cast(float | None, data)

            valid_until_item = _parse_valid_until_item(valid_until_item_data)

            valid_until.append(valid_until_item)

        picture_facts = cls(
            disputed=disputed,
            from_basis=from_basis,
            from_precision=from_precision,
            id=id,
            kind=kind,
            known_from=known_from,
            known_until=known_until,
            predicate=predicate,
            said_at=said_at,
            source=source,
            target=target,
            told=told,
            until_basis=until_basis,
            until_precision=until_precision,
            valid_from=valid_from,
            valid_until=valid_until,
        )

        return picture_facts
