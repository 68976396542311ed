from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.answer import Answer


T = TypeVar("T", bound="StandingAnswer")


@_attrs_define
class StandingAnswer:
    """
    Attributes:
        answered_at (datetime.datetime | None): When it was asked last; null: never
        created_at (datetime.datetime): Since when the question is kept
        group_id (str):
        id (str):
        known_from (datetime.datetime): Since when this is what it says
        known_until (datetime.datetime | None): Until when it was; null: it still is
        question (str):
        tokens (int): The most tokens of what it is answered from
        answer (Answer | None):
        schema (Any | None): The JSON Schema of the values that are filled in as well
    """

    answered_at: datetime.datetime | None
    created_at: datetime.datetime
    group_id: str
    id: str
    known_from: datetime.datetime
    known_until: datetime.datetime | None
    question: str
    tokens: int
    answer: Answer | None = UNSET
    schema: Any | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        answered_at: None | str
        if isinstance(self.answered_at, datetime.datetime):
            answered_at = self.answered_at.isoformat()
        else:
            answered_at = self.answered_at

        created_at = self.created_at.isoformat()

        group_id = self.group_id

        id = self.id

        known_from = self.known_from.isoformat()

        known_until: None | str
        if isinstance(self.known_until, datetime.datetime):
            known_until = self.known_until.isoformat()
        else:
            known_until = self.known_until

        question = self.question

        tokens = self.tokens

        answer: dict[str, Any] | None = UNSET
        if not isinstance(self.answer, Unset):
            answer = self.answer.to_dict()

        schema = self.schema

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "answered_at": answered_at,
                "created_at": created_at,
                "group_id": group_id,
                "id": id,
                "known_from": known_from,
                "known_until": known_until,
                "question": question,
                "tokens": tokens,
            }
        )
        if answer is not UNSET:
            field_dict["answer"] = answer
        if schema is not UNSET:
            field_dict["schema"] = schema

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.answer import Answer

        d = dict(src_dict)

        def _parse_answered_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                answered_at_type_0 = datetime.datetime.fromisoformat(data)

                return answered_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        answered_at = _parse_answered_at(d.pop("answered_at"))

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        group_id = d.pop("group_id")

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

        question = d.pop("question")

        tokens = d.pop("tokens")

        _answer = d.pop("answer", UNSET)
        answer: Answer | None
        if isinstance(_answer, Unset):
            answer = UNSET
        else:
            answer = Answer.from_dict(_answer)

        schema = d.pop("schema", UNSET)

        standing_answer = cls(
            answered_at=answered_at,
            created_at=created_at,
            group_id=group_id,
            id=id,
            known_from=known_from,
            known_until=known_until,
            question=question,
            tokens=tokens,
            answer=answer,
            schema=schema,
        )

        return standing_answer
