from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="Condition")


@_attrs_define
class Condition:
    """
    Attributes:
        and_ (list[Condition] | None):
        not_ (Condition | None):
        op (str | None):
        or_ (list[Condition] | None):
        path (list[str] | None):
        value (Any | None):
    """

    and_: list[Condition] | None = UNSET
    not_: Condition | None = UNSET
    op: str | None = UNSET
    or_: list[Condition] | None = UNSET
    path: list[str] | None = UNSET
    value: Any | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        and_: list[dict[str, Any]] | None = UNSET
        if not isinstance(self.and_, Unset):
            and_ = []
            for and_item_data in self.and_:
                and_item = and_item_data.to_dict()
                and_.append(and_item)

        not_: dict[str, Any] | None = UNSET
        if not isinstance(self.not_, Unset):
            not_ = self.not_.to_dict()

        op = self.op

        or_: list[dict[str, Any]] | None = UNSET
        if not isinstance(self.or_, Unset):
            or_ = []
            for or_item_data in self.or_:
                or_item = or_item_data.to_dict()
                or_.append(or_item)

        path: list[str] | None = UNSET
        if not isinstance(self.path, Unset):
            path = self.path

        value = self.value

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if and_ is not UNSET:
            field_dict["and"] = and_
        if not_ is not UNSET:
            field_dict["not"] = not_
        if op is not UNSET:
            field_dict["op"] = op
        if or_ is not UNSET:
            field_dict["or"] = or_
        if path is not UNSET:
            field_dict["path"] = path
        if value is not UNSET:
            field_dict["value"] = value

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        _and_ = d.pop("and", UNSET)
        and_: list[Condition] | None = UNSET
        if _and_ is not UNSET:
            and_ = []
            for and_item_data in _and_:
                and_item = Condition.from_dict(and_item_data)

                and_.append(and_item)

        _not_ = d.pop("not", UNSET)
        not_: Condition | None
        if isinstance(_not_, Unset):
            not_ = UNSET
        else:
            not_ = Condition.from_dict(_not_)

        op = d.pop("op", UNSET)

        _or_ = d.pop("or", UNSET)
        or_: list[Condition] | None = UNSET
        if _or_ is not UNSET:
            or_ = []
            for or_item_data in _or_:
                or_item = Condition.from_dict(or_item_data)

                or_.append(or_item)

        path = cast(list[str], d.pop("path", UNSET))

        value = d.pop("value", UNSET)

        condition = cls(
            and_=and_,
            not_=not_,
            op=op,
            or_=or_,
            path=path,
            value=value,
        )

        return condition
