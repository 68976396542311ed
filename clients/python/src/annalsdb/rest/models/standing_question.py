from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.standing_question_schema import StandingQuestionSchema


T = TypeVar("T", bound="StandingQuestion")


@_attrs_define
class StandingQuestion:
    """
    Attributes:
        query (str): The question, in plain words
        schema (StandingQuestionSchema | None): A JSON Schema of an object, whose values are filled in as well: a
            profile
        tokens (int | None): The most tokens of what it is answered from; left out: 2000
    """

    query: str
    schema: StandingQuestionSchema | None = UNSET
    tokens: int | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        query = self.query

        schema: dict[str, Any] | None = UNSET
        if not isinstance(self.schema, Unset):
            schema = self.schema.to_dict()

        tokens = self.tokens

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "query": query,
            }
        )
        if schema is not UNSET:
            field_dict["schema"] = schema
        if tokens is not UNSET:
            field_dict["tokens"] = tokens

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.standing_question_schema import StandingQuestionSchema

        d = dict(src_dict)
        query = d.pop("query")

        _schema = d.pop("schema", UNSET)
        schema: StandingQuestionSchema | None
        if isinstance(_schema, Unset):
            schema = UNSET
        else:
            schema = StandingQuestionSchema.from_dict(_schema)

        tokens = d.pop("tokens", UNSET)

        standing_question = cls(
            query=query,
            schema=schema,
            tokens=tokens,
        )

        return standing_question
