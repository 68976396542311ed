from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="PictureSpan")


@_attrs_define
class PictureSpan:
    """
    Attributes:
        from_ (float | None): null: nothing has a time
        until (float | None):
    """

    from_: float | None
    until: float | None

    def to_dict(self) -> dict[str, Any]:
        from_: float | None
        from_ = self.from_

        until: float | None
        until = self.until

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "from": from_,
                "until": until,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)

        def _parse_from_(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        from_ = _parse_from_(d.pop("from"))

        def _parse_until(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        until = _parse_until(d.pop("until"))

        picture_span = cls(
            from_=from_,
            until=until,
        )

        return picture_span
