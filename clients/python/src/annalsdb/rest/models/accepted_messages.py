from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.accepted import Accepted
    from ..models.refused import Refused


T = TypeVar("T", bound="AcceptedMessages")


@_attrs_define
class AcceptedMessages:
    """
    Attributes:
        messages (list[Accepted]):
        context (str | None): What was known before them that is relevant to the last of them
        refused (int | None): Messages that are left out because they were erased
        refused_messages (list[Refused] | None): Those one by one; line is their place in the request, from 1
    """

    messages: list[Accepted]
    context: str | None = UNSET
    refused: int | None = UNSET
    refused_messages: list[Refused] | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        messages = []
        for messages_item_data in self.messages:
            messages_item = messages_item_data.to_dict()
            messages.append(messages_item)

        context = self.context

        refused = self.refused

        refused_messages: list[dict[str, Any]] | None = UNSET
        if not isinstance(self.refused_messages, Unset):
            refused_messages = []
            for refused_messages_item_data in self.refused_messages:
                refused_messages_item = refused_messages_item_data.to_dict()
                refused_messages.append(refused_messages_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "messages": messages,
            }
        )
        if context is not UNSET:
            field_dict["context"] = context
        if refused is not UNSET:
            field_dict["refused"] = refused
        if refused_messages is not UNSET:
            field_dict["refused_messages"] = refused_messages

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.accepted import Accepted
        from ..models.refused import Refused

        d = dict(src_dict)
        messages = []
        _messages = d.pop("messages")
        for messages_item_data in _messages:
            messages_item = Accepted.from_dict(messages_item_data)

            messages.append(messages_item)

        context = d.pop("context", UNSET)

        refused = d.pop("refused", UNSET)

        _refused_messages = d.pop("refused_messages", UNSET)
        refused_messages: list[Refused] | None = UNSET
        if _refused_messages is not UNSET:
            refused_messages = []
            for refused_messages_item_data in _refused_messages:
                refused_messages_item = Refused.from_dict(refused_messages_item_data)

                refused_messages.append(refused_messages_item)

        accepted_messages = cls(
            messages=messages,
            context=context,
            refused=refused,
            refused_messages=refused_messages,
        )

        return accepted_messages
