from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

if TYPE_CHECKING:
    from ..models.new_message import NewMessage


T = TypeVar("T", bound="NewMessages")


@_attrs_define
class NewMessages:
    """
    Attributes:
        messages (list[NewMessage]): In the order they were said
        return_context (bool | None): Answer with what is known that is relevant to them
    """

    messages: list[NewMessage]
    return_context: bool | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        messages = []
        for messages_item_data in self.messages:
            messages_item = messages_item_data.to_dict()
            messages.append(messages_item)

        return_context = self.return_context

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "messages": messages,
            }
        )
        if return_context is not UNSET:
            field_dict["return_context"] = return_context

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.new_message import NewMessage

        d = dict(src_dict)
        messages = []
        _messages = d.pop("messages")
        for messages_item_data in _messages:
            messages_item = NewMessage.from_dict(messages_item_data)

            messages.append(messages_item)

        return_context = d.pop("return_context", UNSET)

        new_messages = cls(
            messages=messages,
            return_context=return_context,
        )

        return new_messages
