from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.marks import Marks


T = TypeVar("T", bound="Entity")


@_attrs_define
class Entity:
    """
    Attributes:
        aliases (list[str]):
        created_at (datetime.datetime):
        id (str):
        labels (list[str]):
        name (str):
        summary (str):
        attributes (Any | None):
        marks (Marks | None):
        mentions (int | None): How many episodes mention it; only lists say so
        score (float | None):
    """

    aliases: list[str]
    created_at: datetime.datetime
    id: str
    labels: list[str]
    name: str
    summary: str
    attributes: Any | None = UNSET
    marks: Marks | None = UNSET
    mentions: int | None = UNSET
    score: float | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        aliases = self.aliases

        created_at = self.created_at.isoformat()

        id = self.id

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
                "created_at": created_at,
                "id": id,
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

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        id = d.pop("id")

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

        entity = cls(
            aliases=aliases,
            created_at=created_at,
            id=id,
            labels=labels,
            name=name,
            summary=summary,
            attributes=attributes,
            marks=marks,
            mentions=mentions,
            score=score,
        )

        return entity
