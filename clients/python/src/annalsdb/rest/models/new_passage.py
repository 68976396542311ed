from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="NewPassage")


@_attrs_define
class NewPassage:
    """
    Attributes:
        content (str):
        tags (list[str] | None): Words to find it by
    """

    content: str
    tags: list[str] | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        content = self.content

        tags: list[str] | None = UNSET
        if not isinstance(self.tags, Unset):
            tags = self.tags

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "content": content,
            }
        )
        if tags is not UNSET:
            field_dict["tags"] = tags

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        content = d.pop("content")

        tags = cast(list[str], d.pop("tags", UNSET))

        new_passage = cls(
            content=content,
            tags=tags,
        )

        return new_passage
