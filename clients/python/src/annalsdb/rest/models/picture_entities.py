from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.former_name import FormerName


T = TypeVar("T", bound="PictureEntities")


@_attrs_define
class PictureEntities:
    """
    Attributes:
        community (list[int]): Place in communities; -1: none
        id (list[str]):
        known_from (list[float]):
        known_until (list[float | None]): null: it is there
        labels (list[list[str]]):
        mentions (list[int]):
        name (list[str]): As it is called now, or was last
        names (list[FormerName]): Names that entities had before
        salience (list[float]): How much it was spoken of lately, as of the last episode
    """

    community: list[int]
    id: list[str]
    known_from: list[float]
    known_until: list[float | None]
    labels: list[list[str]]
    mentions: list[int]
    name: list[str]
    names: list[FormerName]
    salience: list[float]

    def to_dict(self) -> dict[str, Any]:
        community = self.community

        id = self.id

        known_from = self.known_from

        known_until = []
        for known_until_item_data in self.known_until:
            known_until_item: float | None
            known_until_item = known_until_item_data
            known_until.append(known_until_item)

        labels = []
        for labels_item_data in self.labels:
            labels_item = labels_item_data

            labels.append(labels_item)

        mentions = self.mentions

        name = self.name

        names = []
        for names_item_data in self.names:
            names_item = names_item_data.to_dict()
            names.append(names_item)

        salience = self.salience

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "community": community,
                "id": id,
                "known_from": known_from,
                "known_until": known_until,
                "labels": labels,
                "mentions": mentions,
                "name": name,
                "names": names,
                "salience": salience,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.former_name import FormerName

        d = dict(src_dict)
        community = cast(list[int], d.pop("community"))

        id = cast(list[str], d.pop("id"))

        known_from = cast(list[float], d.pop("known_from"))

        known_until = []
        _known_until = d.pop("known_until")
        for known_until_item_data in _known_until:

            def _parse_known_until_item(data: object) -> float | None:
                if data is None:
                    return data
                return cast(float | None, data)

            known_until_item = _parse_known_until_item(known_until_item_data)

            known_until.append(known_until_item)

        labels = []
        _labels = d.pop("labels")
        for labels_item_data in _labels:
            labels_item = cast(list[str], labels_item_data)

            labels.append(labels_item)

        mentions = cast(list[int], d.pop("mentions"))

        name = cast(list[str], d.pop("name"))

        names = []
        _names = d.pop("names")
        for names_item_data in _names:
            names_item = FormerName.from_dict(names_item_data)

            names.append(names_item)

        salience = cast(list[float], d.pop("salience"))

        picture_entities = cls(
            community=community,
            id=id,
            known_from=known_from,
            known_until=known_until,
            labels=labels,
            mentions=mentions,
            name=name,
            names=names,
            salience=salience,
        )

        return picture_entities
