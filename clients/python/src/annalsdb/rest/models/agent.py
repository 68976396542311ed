from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.settings import Settings


T = TypeVar("T", bound="Agent")


@_attrs_define
class Agent:
    """
    Attributes:
        awaiting (bool):
        created_at (datetime.datetime):
        group (str):
        id (str):
        in_context (int):
        instructions (str):
        messages (int):
        name (str):
        passages (int):
        settings (Settings):
        steps (int):
        summary (str):
    """

    awaiting: bool
    created_at: datetime.datetime
    group: str
    id: str
    in_context: int
    instructions: str
    messages: int
    name: str
    passages: int
    settings: Settings
    steps: int
    summary: str

    def to_dict(self) -> dict[str, Any]:
        awaiting = self.awaiting

        created_at = self.created_at.isoformat()

        group = self.group

        id = self.id

        in_context = self.in_context

        instructions = self.instructions

        messages = self.messages

        name = self.name

        passages = self.passages

        settings = self.settings.to_dict()

        steps = self.steps

        summary = self.summary

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "awaiting": awaiting,
                "created_at": created_at,
                "group": group,
                "id": id,
                "in_context": in_context,
                "instructions": instructions,
                "messages": messages,
                "name": name,
                "passages": passages,
                "settings": settings,
                "steps": steps,
                "summary": summary,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.settings import Settings

        d = dict(src_dict)
        awaiting = d.pop("awaiting")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        group = d.pop("group")

        id = d.pop("id")

        in_context = d.pop("in_context")

        instructions = d.pop("instructions")

        messages = d.pop("messages")

        name = d.pop("name")

        passages = d.pop("passages")

        settings = Settings.from_dict(d.pop("settings"))

        steps = d.pop("steps")

        summary = d.pop("summary")

        agent = cls(
            awaiting=awaiting,
            created_at=created_at,
            group=group,
            id=id,
            in_context=in_context,
            instructions=instructions,
            messages=messages,
            name=name,
            passages=passages,
            settings=settings,
            steps=steps,
            summary=summary,
        )

        return agent
