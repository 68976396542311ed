from typing import Literal, cast

AnswerForm = Literal[
    "answer",
    "passages",
    "unknown",
]


def check_answer_form(value: str | None) -> AnswerForm:
    return cast(AnswerForm, value)
