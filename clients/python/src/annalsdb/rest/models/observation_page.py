from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

if TYPE_CHECKING:
    from ..models.observation import Observation


T = TypeVar("T", bound="ObservationPage")


@_attrs_define
class ObservationPage:
    """
    Attributes:
        observations (list[Observation]):
        next_cursor (str | None): For the next page; left out: this is the last
    """

    observations: list[Observation]
    next_cursor: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        observations = []
        for observations_item_data in self.observations:
            observations_item = observations_item_data.to_dict()
            observations.append(observations_item)

        next_cursor = self.next_cursor

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "observations": observations,
            }
        )
        if next_cursor is not UNSET:
            field_dict["next_cursor"] = next_cursor

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.observation import Observation

        d = dict(src_dict)
        observations = []
        _observations = d.pop("observations")
        for observations_item_data in _observations:
            observations_item = Observation.from_dict(observations_item_data)

            observations.append(observations_item)

        next_cursor = d.pop("next_cursor", UNSET)

        observation_page = cls(
            observations=observations,
            next_cursor=next_cursor,
        )

        return observation_page
