from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET

T = TypeVar("T", bound="Observation")


@_attrs_define
class Observation:
    """
    Attributes:
        against (int):
        created_at (datetime.datetime):
        episodes (list[str]):
        facts (list[str]):
        first_seen (datetime.datetime):
        group_id (str):
        id (str):
        invalid_at (datetime.datetime | None):
        known_from (datetime.datetime):
        known_until (datetime.datetime | None):
        last_seen (datetime.datetime):
        observation (str):
        predicate (str):
        proof (int):
        reader (str):
        subject (str):
        subject_id (str):
        valid_at (datetime.datetime | None):
        score (float | None):
    """

    against: int
    created_at: datetime.datetime
    episodes: list[str]
    facts: list[str]
    first_seen: datetime.datetime
    group_id: str
    id: str
    invalid_at: datetime.datetime | None
    known_from: datetime.datetime
    known_until: datetime.datetime | None
    last_seen: datetime.datetime
    observation: str
    predicate: str
    proof: int
    reader: str
    subject: str
    subject_id: str
    valid_at: datetime.datetime | None
    score: float | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        against = self.against

        created_at = self.created_at.isoformat()

        episodes = self.episodes

        facts = self.facts

        first_seen = self.first_seen.isoformat()

        group_id = self.group_id

        id = self.id

        invalid_at: None | str
        if isinstance(self.invalid_at, datetime.datetime):
            invalid_at = self.invalid_at.isoformat()
        else:
            invalid_at = self.invalid_at

        known_from = self.known_from.isoformat()

        known_until: None | str
        if isinstance(self.known_until, datetime.datetime):
            known_until = self.known_until.isoformat()
        else:
            known_until = self.known_until

        last_seen = self.last_seen.isoformat()

        observation = self.observation

        predicate = self.predicate

        proof = self.proof

        reader = self.reader

        subject = self.subject

        subject_id = self.subject_id

        valid_at: None | str
        if isinstance(self.valid_at, datetime.datetime):
            valid_at = self.valid_at.isoformat()
        else:
            valid_at = self.valid_at

        score = self.score

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "against": against,
                "created_at": created_at,
                "episodes": episodes,
                "facts": facts,
                "first_seen": first_seen,
                "group_id": group_id,
                "id": id,
                "invalid_at": invalid_at,
                "known_from": known_from,
                "known_until": known_until,
                "last_seen": last_seen,
                "observation": observation,
                "predicate": predicate,
                "proof": proof,
                "reader": reader,
                "subject": subject,
                "subject_id": subject_id,
                "valid_at": valid_at,
            }
        )
        if score is not UNSET:
            field_dict["score"] = score

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        against = d.pop("against")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        episodes = cast(list[str], d.pop("episodes"))

        facts = cast(list[str], d.pop("facts"))

        first_seen = datetime.datetime.fromisoformat(d.pop("first_seen"))

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

        known_from = datetime.datetime.fromisoformat(d.pop("known_from"))

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

        last_seen = datetime.datetime.fromisoformat(d.pop("last_seen"))

        observation = d.pop("observation")

        predicate = d.pop("predicate")

        proof = d.pop("proof")

        reader = d.pop("reader")

        subject = d.pop("subject")

        subject_id = d.pop("subject_id")

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

        score = d.pop("score", UNSET)

        observation = cls(
            against=against,
            created_at=created_at,
            episodes=episodes,
            facts=facts,
            first_seen=first_seen,
            group_id=group_id,
            id=id,
            invalid_at=invalid_at,
            known_from=known_from,
            known_until=known_until,
            last_seen=last_seen,
            observation=observation,
            predicate=predicate,
            proof=proof,
            reader=reader,
            subject=subject,
            subject_id=subject_id,
            valid_at=valid_at,
            score=score,
        )

        return observation
