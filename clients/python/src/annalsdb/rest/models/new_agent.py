from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.new_block import NewBlock
    from ..models.settings import Settings


T = TypeVar("T", bound="NewAgent")


@_attrs_define
class NewAgent:
    """
    Attributes:
        name (str):
        blocks (list[NewBlock] | None): Its working context; left out: an empty persona and an empty human
        instructions (str | None): What it is told beside how its memory works
        settings (Settings | None):
    """

    name: str
    blocks: list[NewBlock] | None = UNSET
    instructions: str | None = UNSET
    settings: Settings | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        blocks: list[dict[str, Any]] | None = UNSET
        if not isinstance(self.blocks, Unset):
            blocks = []
            for blocks_item_data in self.blocks:
                blocks_item = blocks_item_data.to_dict()
                blocks.append(blocks_item)

        instructions = self.instructions

        settings: dict[str, Any] | None = UNSET
        if not isinstance(self.settings, Unset):
            settings = self.settings.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "name": name,
            }
        )
        if blocks is not UNSET:
            field_dict["blocks"] = blocks
        if instructions is not UNSET:
            field_dict["instructions"] = instructions
        if settings is not UNSET:
            field_dict["settings"] = settings

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.new_block import NewBlock
        from ..models.settings import Settings

        d = dict(src_dict)
        name = d.pop("name")

        _blocks = d.pop("blocks", UNSET)
        blocks: list[NewBlock] | None = UNSET
        if _blocks is not UNSET:
            blocks = []
            for blocks_item_data in _blocks:
                blocks_item = NewBlock.from_dict(blocks_item_data)

                blocks.append(blocks_item)

        instructions = d.pop("instructions", UNSET)

        _settings = d.pop("settings", UNSET)
        settings: Settings | None
        if isinstance(_settings, Unset):
            settings = UNSET
        else:
            settings = Settings.from_dict(_settings)

        new_agent = cls(
            name=name,
            blocks=blocks,
            instructions=instructions,
            settings=settings,
        )

        return new_agent
