from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.answer_form import AnswerForm, check_answer_form
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.sentence import Sentence
    from ..models.slot import Slot


T = TypeVar("T", bound="Answer")


@_attrs_define
class Answer:
    """
    Attributes:
        by (str): The model that answered; offline: none
        cut (int): How many sentences and values of the model were cut
        form (AnswerForm): answer: a model's sentences, each held against what it cites, or without a model the facts
            that answer; passages: the best passages as they stand; unknown: nothing bears on the question
        sentences (list[Sentence]):
        shown (int): How many passages the answer was made from
        text (str): All sentences, or 'Not known.'
        data (Any | None): An object with the values that could be filled in, where a schema was given
        missing (list[str] | None): What the schema requires and nothing fills
        slots (list[Slot] | None): What each value rests on
        why (list[str] | None): Why they were cut, each reason once: no passage says so; what says so is over, was
            taken back, is disputed or only planned; or that the answer of the model cannot be read
        without (list[str] | None): Models that did not answer when memory was searched, so that it was searched
            without them, in words
    """

    by: str
    cut: int
    form: AnswerForm
    sentences: list[Sentence]
    shown: int
    text: str
    data: Any | None = UNSET
    missing: list[str] | None = UNSET
    slots: list[Slot] | None = UNSET
    why: list[str] | None = UNSET
    without: list[str] | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        by = self.by

        cut = self.cut

        form: str = self.form

        sentences = []
        for sentences_item_data in self.sentences:
            sentences_item = sentences_item_data.to_dict()
            sentences.append(sentences_item)

        shown = self.shown

        text = self.text

        data = self.data

        missing: list[str] | None = UNSET
        if not isinstance(self.missing, Unset):
            missing = self.missing

        slots: list[dict[str, Any]] | None = UNSET
        if not isinstance(self.slots, Unset):
            slots = []
            for slots_item_data in self.slots:
                slots_item = slots_item_data.to_dict()
                slots.append(slots_item)

        why: list[str] | None = UNSET
        if not isinstance(self.why, Unset):
            why = self.why

        without: list[str] | None = UNSET
        if not isinstance(self.without, Unset):
            without = self.without

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "by": by,
                "cut": cut,
                "form": form,
                "sentences": sentences,
                "shown": shown,
                "text": text,
            }
        )
        if data is not UNSET:
            field_dict["data"] = data
        if missing is not UNSET:
            field_dict["missing"] = missing
        if slots is not UNSET:
            field_dict["slots"] = slots
        if why is not UNSET:
            field_dict["why"] = why
        if without is not UNSET:
            field_dict["without"] = without

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.sentence import Sentence
        from ..models.slot import Slot

        d = dict(src_dict)
        by = d.pop("by")

        cut = d.pop("cut")

        form = check_answer_form(d.pop("form"))

        sentences = []
        _sentences = d.pop("sentences")
        for sentences_item_data in _sentences:
            sentences_item = Sentence.from_dict(sentences_item_data)

            sentences.append(sentences_item)

        shown = d.pop("shown")

        text = d.pop("text")

        data = d.pop("data", UNSET)

        missing = cast(list[str], d.pop("missing", UNSET))

        _slots = d.pop("slots", UNSET)
        slots: list[Slot] | None = UNSET
        if _slots is not UNSET:
            slots = []
            for slots_item_data in _slots:
                slots_item = Slot.from_dict(slots_item_data)

                slots.append(slots_item)

        why = cast(list[str], d.pop("why", UNSET))

        without = cast(list[str], d.pop("without", UNSET))

        answer = cls(
            by=by,
            cut=cut,
            form=form,
            sentences=sentences,
            shown=shown,
            text=text,
            data=data,
            missing=missing,
            slots=slots,
            why=why,
            without=without,
        )

        return answer
