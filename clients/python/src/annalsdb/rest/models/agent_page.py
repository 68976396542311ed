from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

if TYPE_CHECKING:
    from ..models.agent import Agent


T = TypeVar("T", bound="AgentPage")


@_attrs_define
class AgentPage:
    """
    Attributes:
        agents (list[Agent]):
        next_cursor (str | None): For the next page; left out: this is the last
    """

    agents: list[Agent]
    next_cursor: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        agents = []
        for agents_item_data in self.agents:
            agents_item = agents_item_data.to_dict()
            agents.append(agents_item)

        next_cursor = self.next_cursor

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "agents": agents,
            }
        )
        if next_cursor is not UNSET:
            field_dict["next_cursor"] = next_cursor

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.agent import Agent

        d = dict(src_dict)
        agents = []
        _agents = d.pop("agents")
        for agents_item_data in _agents:
            agents_item = Agent.from_dict(agents_item_data)

            agents.append(agents_item)

        next_cursor = d.pop("next_cursor", UNSET)

        agent_page = cls(
            agents=agents,
            next_cursor=next_cursor,
        )

        return agent_page
