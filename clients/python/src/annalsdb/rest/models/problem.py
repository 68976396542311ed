from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.problem_detail import ProblemDetail


T = TypeVar("T", bound="Problem")


@_attrs_define
class Problem:
    """
    Attributes:
        code (str): What kind of problem it is, for programs: invalid, not_found, conflict, unavailable, internal,
            unauthorized, forbidden, rate_limited, too_large, precondition_failed, …
        status (int): The HTTP status
        title (str): The status in words
        added (int | None): Of a bulk request: how many episodes before the bad line were stored and stay
        detail (str | None): What happened and what to do
        errors (list[ProblemDetail] | None): What is wrong with which input
        existing (int | None): Of a bulk request: how many episodes before the bad line were there already
        type_ (str | None): A URI for this kind of problem; left out: about:blank, the status says it all
    """

    code: str
    status: int
    title: str
    added: int | None = UNSET
    detail: str | None = UNSET
    errors: list[ProblemDetail] | None = UNSET
    existing: int | None = UNSET
    type_: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        code = self.code

        status = self.status

        title = self.title

        added = self.added

        detail = self.detail

        errors: list[dict[str, Any]] | None = UNSET
        if not isinstance(self.errors, Unset):
            errors = []
            for errors_item_data in self.errors:
                errors_item = errors_item_data.to_dict()
                errors.append(errors_item)

        existing = self.existing

        type_ = self.type_

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "code": code,
                "status": status,
                "title": title,
            }
        )
        if added is not UNSET:
            field_dict["added"] = added
        if detail is not UNSET:
            field_dict["detail"] = detail
        if errors is not UNSET:
            field_dict["errors"] = errors
        if existing is not UNSET:
            field_dict["existing"] = existing
        if type_ is not UNSET:
            field_dict["type"] = type_

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.problem_detail import ProblemDetail

        d = dict(src_dict)
        code = d.pop("code")

        status = d.pop("status")

        title = d.pop("title")

        added = d.pop("added", UNSET)

        detail = d.pop("detail", UNSET)

        _errors = d.pop("errors", UNSET)
        errors: list[ProblemDetail] | None = UNSET
        if _errors is not UNSET:
            errors = []
            for errors_item_data in _errors:
                errors_item = ProblemDetail.from_dict(errors_item_data)

                errors.append(errors_item)

        existing = d.pop("existing", UNSET)

        type_ = d.pop("type", UNSET)

        problem = cls(
            code=code,
            status=status,
            title=title,
            added=added,
            detail=detail,
            errors=errors,
            existing=existing,
            type_=type_,
        )

        return problem
