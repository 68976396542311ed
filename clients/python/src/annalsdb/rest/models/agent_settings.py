from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.settings import Settings


T = TypeVar("T", bound="AgentSettings")


@_attrs_define
class AgentSettings:
    """
    Attributes:
        instructions (str | None): What it is told beside how its memory works; left out: nothing
        settings (Settings | None):
    """

    instructions: str | None = UNSET
    settings: Settings | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        instructions = self.instructions

        settings: dict[str, Any] | None = UNSET
        if not isinstance(self.settings, Unset):
            settings = self.settings.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if instructions is not UNSET:
            field_dict["instructions"] = instructions
        if settings is not UNSET:
            field_dict["settings"] = settings

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.settings import Settings

        d = dict(src_dict)
        instructions = d.pop("instructions", UNSET)

        _settings = d.pop("settings", UNSET)
        settings: Settings | None
        if isinstance(_settings, Unset):
            settings = UNSET
        else:
            settings = Settings.from_dict(_settings)

        agent_settings = cls(
            instructions=instructions,
            settings=settings,
        )

        return agent_settings
