from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.marks import Marks


T = TypeVar("T", bound="EntityVersion")


@_attrs_define
class EntityVersion:
    """
    Attributes:
        aliases (list[str]):
        caused_by (list[str]): The episodes behind it; none: made by hand
        created_at (datetime.datetime):
        ended_by (list[str]): The episodes that ended it
        id (str):
        known_from (datetime.datetime): Since when it was known so
        known_until (datetime.datetime | None): null: it still is
        labels (list[str]):
        name (str):
        summary (str):
        attributes (Any | None):
        marks (Marks | None):
        mentions (int | None): How many episodes mention it; only lists say so
        score (float | None):
    """

    aliases: list[str]
    caused_by: list[str]
    created_at: datetime.datetime
    ended_by: list[str]
    id: str
    known_from: datetime.datetime
    known_until: datetime.datetime | None
    labels: list[str]
    name: str
    summary: str
    attributes: Any | None = UNSET
    marks: Marks | None = UNSET
    mentions: int | None = UNSET
    score: float | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        aliases = self.aliases

        caused_by = self.caused_by

        created_at = self.created_at.isoformat()

        ended_by = self.ended_by

        id = self.id

        known_from = self.known_from.isoformat()

        known_until: None | str
        if isinstance(self.known_until, datetime.datetime):
            known_until = self.known_until.isoformat()
        else:
            known_until = self.known_until

        labels = self.labels

        name = self.name

        summary = self.summary

        attributes = self.attributes

        marks: dict[str, Any] | None = UNSET
        if not isinstance(self.marks, Unset):
            marks = self.marks.to_dict()

        mentions = self.mentions

        score = self.score

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "aliases": aliases,
                "caused_by": caused_by,
                "created_at": created_at,
                "ended_by": ended_by,
                "id": id,
                "known_from": known_from,
                "known_until": known_until,
                "labels": labels,
                "name": name,
                "summary": summary,
            }
        )
        if attributes is not UNSET:
            field_dict["attributes"] = attributes
        if marks is not UNSET:
            field_dict["marks"] = marks
        if mentions is not UNSET:
            field_dict["mentions"] = mentions
        if score is not UNSET:
            field_dict["score"] = score

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.marks import Marks

        d = dict(src_dict)
        aliases = cast(list[str], d.pop("aliases"))

        caused_by = cast(list[str], d.pop("caused_by"))

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        ended_by = cast(list[str], d.pop("ended_by"))

        id = d.pop("id")

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

        labels = cast(list[str], d.pop("labels"))

        name = d.pop("name")

        summary = d.pop("summary")

        attributes = d.pop("attributes", UNSET)

        _marks = d.pop("marks", UNSET)
        marks: Marks | None
        if isinstance(_marks, Unset):
            marks = UNSET
        else:
            marks = Marks.from_dict(_marks)

        mentions = d.pop("mentions", UNSET)

        score = d.pop("score", UNSET)

        entity_version = cls(
            aliases=aliases,
            caused_by=caused_by,
            created_at=created_at,
            ended_by=ended_by,
            id=id,
            known_from=known_from,
            known_until=known_until,
            labels=labels,
            name=name,
            summary=summary,
            attributes=attributes,
            marks=marks,
            mentions=mentions,
            score=score,
        )

        return entity_version
