from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.bringer_by import BringerBy, check_bringer_by

T = TypeVar("T", bound="Bringer")


@_attrs_define
class Bringer:
    """
    Attributes:
        by (BringerBy): What it is: a source, a run of an agent, or a day of UTC
        episodes (int): How many it brought
        last_at (datetime.datetime): When the last of them came
        name (str): What it is called; of a day its date
    """

    by: BringerBy
    episodes: int
    last_at: datetime.datetime
    name: str

    def to_dict(self) -> dict[str, Any]:
        by: str = self.by

        episodes = self.episodes

        last_at = self.last_at.isoformat()

        name = self.name

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "by": by,
                "episodes": episodes,
                "last_at": last_at,
                "name": name,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        by = check_bringer_by(d.pop("by"))

        episodes = d.pop("episodes")

        last_at = datetime.datetime.fromisoformat(d.pop("last_at"))

        name = d.pop("name")

        bringer = cls(
            by=by,
            episodes=episodes,
            last_at=last_at,
            name=name,
        )

        return bringer
