from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.standing_answer import StandingAnswer


T = TypeVar("T", bound="StandingList")


@_attrs_define
class StandingList:
    """
    Attributes:
        answers (list[StandingAnswer]):
    """

    answers: list[StandingAnswer]

    def to_dict(self) -> dict[str, Any]:
        answers = []
        for answers_item_data in self.answers:
            answers_item = answers_item_data.to_dict()
            answers.append(answers_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "answers": answers,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.standing_answer import StandingAnswer

        d = dict(src_dict)
        answers = []
        _answers = d.pop("answers")
        for answers_item_data in _answers:
            answers_item = StandingAnswer.from_dict(answers_item_data)

            answers.append(answers_item)

        standing_list = cls(
            answers=answers,
        )

        return standing_list
