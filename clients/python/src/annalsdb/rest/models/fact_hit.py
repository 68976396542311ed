from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.fact_hit_kind import FactHitKind, check_fact_hit_kind
from ..models.fact_hit_trust import FactHitTrust, check_fact_hit_trust
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.bound import Bound
    from ..models.marks import Marks


T = TypeVar("T", bound="FactHit")


@_attrs_define
class FactHit:
    """
    Attributes:
        created_at (datetime.datetime):
        episodes (list[str]):
        expired_at (datetime.datetime | None):
        fact (str): The sentence, as it was written
        group_id (str):
        id (str):
        invalid_at (datetime.datetime | None):
        kind (FactHitKind): state: it goes on; event: it happens, and does not end
        known_from (datetime.datetime | None):
        known_until (datetime.datetime | None):
        predicate (str):
        said_at (datetime.datetime | None): When it was said first; null: it was made by hand
        source (str):
        source_id (str):
        statement_id (str):
        target (str):
        target_id (str):
        told (str): The sentence for a reader of any later day, with dates in the place of words such as last week
        valid_at (datetime.datetime | None):
        valid_from (Bound):
        valid_until (Bound):
        when (str): When it holds or happened, in words, as exactly as that is known
        attributes (Any | None):
        disputed_by (list[str] | None): Facts of a higher authority that contradict it
        marks (Marks | None):
        score (float | None):
        trust (FactHitTrust | None): candidate: it waits to be confirmed; disputed: a higher authority contradicts it
    """

    created_at: datetime.datetime
    episodes: list[str]
    expired_at: datetime.datetime | None
    fact: str
    group_id: str
    id: str
    invalid_at: datetime.datetime | None
    kind: FactHitKind
    known_from: datetime.datetime | None
    known_until: datetime.datetime | None
    predicate: str
    said_at: datetime.datetime | None
    source: str
    source_id: str
    statement_id: str
    target: str
    target_id: str
    told: str
    valid_at: datetime.datetime | None
    valid_from: Bound
    valid_until: Bound
    when: str
    attributes: Any | None = UNSET
    disputed_by: list[str] | None = UNSET
    marks: Marks | None = UNSET
    score: float | None = UNSET
    trust: FactHitTrust | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        created_at = self.created_at.isoformat()

        episodes = self.episodes

        expired_at: None | str
        if isinstance(self.expired_at, datetime.datetime):
            expired_at = self.expired_at.isoformat()
        else:
            expired_at = self.expired_at

        fact = self.fact

        group_id = self.group_id

        id = self.id

        invalid_at: None | str
        if isinstance(self.invalid_at, datetime.datetime):
            invalid_at = self.invalid_at.isoformat()
        else:
            invalid_at = self.invalid_at

        kind: str = self.kind

        known_from: None | str
        if isinstance(self.known_from, datetime.datetime):
            known_from = self.known_from.isoformat()
        else:
            known_from = self.known_from

        known_until: None | str
        if isinstance(self.known_until, datetime.datetime):
            known_until = self.known_until.isoformat()
        else:
            known_until = self.known_until

        predicate = self.predicate

        said_at: None | str
        if isinstance(self.said_at, datetime.datetime):
            said_at = self.said_at.isoformat()
        else:
            said_at = self.said_at

        source = self.source

        source_id = self.source_id

        statement_id = self.statement_id

        target = self.target

        target_id = self.target_id

        told = self.told

        valid_at: None | str
        if isinstance(self.valid_at, datetime.datetime):
            valid_at = self.valid_at.isoformat()
        else:
            valid_at = self.valid_at

        valid_from = self.valid_from.to_dict()

        valid_until = self.valid_until.to_dict()

        when = self.when

        attributes = self.attributes

        disputed_by: list[str] | None = UNSET
        if not isinstance(self.disputed_by, Unset):
            disputed_by = self.disputed_by

        marks: dict[str, Any] | None = UNSET
        if not isinstance(self.marks, Unset):
            marks = self.marks.to_dict()

        score = self.score

        trust: str | None = UNSET
        if not isinstance(self.trust, Unset):
            trust = self.trust

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "created_at": created_at,
                "episodes": episodes,
                "expired_at": expired_at,
                "fact": fact,
                "group_id": group_id,
                "id": id,
                "invalid_at": invalid_at,
                "kind": kind,
                "known_from": known_from,
                "known_until": known_until,
                "predicate": predicate,
                "said_at": said_at,
                "source": source,
                "source_id": source_id,
                "statement_id": statement_id,
                "target": target,
                "target_id": target_id,
                "told": told,
                "valid_at": valid_at,
                "valid_from": valid_from,
                "valid_until": valid_until,
                "when": when,
            }
        )
        if attributes is not UNSET:
            field_dict["attributes"] = attributes
        if disputed_by is not UNSET:
            field_dict["disputed_by"] = disputed_by
        if marks is not UNSET:
            field_dict["marks"] = marks
        if score is not UNSET:
            field_dict["score"] = score
        if trust is not UNSET:
            field_dict["trust"] = trust

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.bound import Bound
        from ..models.marks import Marks

        d = dict(src_dict)
        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        episodes = cast(list[str], d.pop("episodes"))

        def _parse_expired_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                expired_at_type_0 = datetime.datetime.fromisoformat(data)

                return expired_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        expired_at = _parse_expired_at(d.pop("expired_at"))

        fact = d.pop("fact")

        group_id = d.pop("group_id")

        id = d.pop("id")

        def _parse_invalid_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                invalid_at_type_0 = datetime.datetime.fromisoformat(data)

                return invalid_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        invalid_at = _parse_invalid_at(d.pop("invalid_at"))

        kind = check_fact_hit_kind(d.pop("kind"))

        def _parse_known_from(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                known_from_type_0 = datetime.datetime.fromisoformat(data)

                return known_from_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        known_from = _parse_known_from(d.pop("known_from"))

        def _parse_known_until(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                known_until_type_0 = datetime.datetime.fromisoformat(data)

                return known_until_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        known_until = _parse_known_until(d.pop("known_until"))

        predicate = d.pop("predicate")

        def _parse_said_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                said_at_type_0 = datetime.datetime.fromisoformat(data)

                return said_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        said_at = _parse_said_at(d.pop("said_at"))

        source = d.pop("source")

        source_id = d.pop("source_id")

        statement_id = d.pop("statement_id")

        target = d.pop("target")

        target_id = d.pop("target_id")

        told = d.pop("told")

        def _parse_valid_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                valid_at_type_0 = datetime.datetime.fromisoformat(data)

                return valid_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        valid_at = _parse_valid_at(d.pop("valid_at"))

        valid_from = Bound.from_dict(d.pop("valid_from"))

        valid_until = Bound.from_dict(d.pop("valid_until"))

        when = d.pop("when")

        attributes = d.pop("attributes", UNSET)

        disputed_by = cast(list[str], d.pop("disputed_by", UNSET))

        _marks = d.pop("marks", UNSET)
        marks: Marks | None
        if isinstance(_marks, Unset):
            marks = UNSET
        else:
            marks = Marks.from_dict(_marks)

        score = d.pop("score", UNSET)

        _trust = d.pop("trust", UNSET)
        trust: FactHitTrust | None
        if isinstance(_trust, Unset):
            trust = UNSET
        else:
            trust = check_fact_hit_trust(_trust)

        fact_hit = cls(
            created_at=created_at,
            episodes=episodes,
            expired_at=expired_at,
            fact=fact,
            group_id=group_id,
            id=id,
            invalid_at=invalid_at,
            kind=kind,
            known_from=known_from,
            known_until=known_until,
            predicate=predicate,
            said_at=said_at,
            source=source,
            source_id=source_id,
            statement_id=statement_id,
            target=target,
            target_id=target_id,
            told=told,
            valid_at=valid_at,
            valid_from=valid_from,
            valid_until=valid_until,
            when=when,
            attributes=attributes,
            disputed_by=disputed_by,
            marks=marks,
            score=score,
            trust=trust,
        )

        return fact_hit
