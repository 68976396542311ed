from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.rejection_authority import RejectionAuthority, check_rejection_authority
from ..types import UNSET, Unset

T = TypeVar("T", bound="Rejection")


@_attrs_define
class Rejection:
    """
    Attributes:
        authority (RejectionAuthority): With whose word
        door (str): The way it was rejected: cli, rest, mcp, …
        fact (str): The sentence, as it was written
        fact_id (str): The id that the fact had
        id (str):
        predicate (str):
        rejected_at (datetime.datetime):
        told (str): The sentence for a reader of any later day, with dates in the place of words such as last week
        episode_id (str | None): The episode that took it back; left out: it was withdrawn by hand
        lifted_at (datetime.datetime | None): When it was readmitted; left out: it stays rejected
        lifted_by (str | None):
        written_by (str | None): The key or role that rejected it
    """

    authority: RejectionAuthority
    door: str
    fact: str
    fact_id: str
    id: str
    predicate: str
    rejected_at: datetime.datetime
    told: str
    episode_id: str | None = UNSET
    lifted_at: datetime.datetime | None = UNSET
    lifted_by: str | None = UNSET
    written_by: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        authority: str = self.authority

        door = self.door

        fact = self.fact

        fact_id = self.fact_id

        id = self.id

        predicate = self.predicate

        rejected_at = self.rejected_at.isoformat()

        told = self.told

        episode_id = self.episode_id

        lifted_at: str | None = UNSET
        if not isinstance(self.lifted_at, Unset):
            lifted_at = self.lifted_at.isoformat()

        lifted_by = self.lifted_by

        written_by = self.written_by

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "authority": authority,
                "door": door,
                "fact": fact,
                "fact_id": fact_id,
                "id": id,
                "predicate": predicate,
                "rejected_at": rejected_at,
                "told": told,
            }
        )
        if episode_id is not UNSET:
            field_dict["episode_id"] = episode_id
        if lifted_at is not UNSET:
            field_dict["lifted_at"] = lifted_at
        if lifted_by is not UNSET:
            field_dict["lifted_by"] = lifted_by
        if written_by is not UNSET:
            field_dict["written_by"] = written_by

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        authority = check_rejection_authority(d.pop("authority"))

        door = d.pop("door")

        fact = d.pop("fact")

        fact_id = d.pop("fact_id")

        id = d.pop("id")

        predicate = d.pop("predicate")

        rejected_at = datetime.datetime.fromisoformat(d.pop("rejected_at"))

        told = d.pop("told")

        episode_id = d.pop("episode_id", UNSET)

        _lifted_at = d.pop("lifted_at", UNSET)
        lifted_at: datetime.datetime | None
        if isinstance(_lifted_at, Unset):
            lifted_at = UNSET
        else:
            lifted_at = datetime.datetime.fromisoformat(_lifted_at)

        lifted_by = d.pop("lifted_by", UNSET)

        written_by = d.pop("written_by", UNSET)

        rejection = cls(
            authority=authority,
            door=door,
            fact=fact,
            fact_id=fact_id,
            id=id,
            predicate=predicate,
            rejected_at=rejected_at,
            told=told,
            episode_id=episode_id,
            lifted_at=lifted_at,
            lifted_by=lifted_by,
            written_by=written_by,
        )

        return rejection
