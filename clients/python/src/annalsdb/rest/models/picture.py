from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.picture_community import PictureCommunity
    from ..models.picture_entities import PictureEntities
    from ..models.picture_facts import PictureFacts
    from ..models.picture_span import PictureSpan


T = TypeVar("T", bound="Picture")


@_attrs_define
class Picture:
    """
    Attributes:
        communities (list[PictureCommunity]):
        entities (PictureEntities):
        entities_total (int):
        facts (PictureFacts):
        facts_total (int): Facts of the group, also those that are gone; counted to a million
        known (PictureSpan):
        partial (bool): There is more than is shown
        predicates (list[str]):
        valid (PictureSpan):
    """

    communities: list[PictureCommunity]
    entities: PictureEntities
    entities_total: int
    facts: PictureFacts
    facts_total: int
    known: PictureSpan
    partial: bool
    predicates: list[str]
    valid: PictureSpan

    def to_dict(self) -> dict[str, Any]:
        communities = []
        for communities_item_data in self.communities:
            communities_item = communities_item_data.to_dict()
            communities.append(communities_item)

        entities = self.entities.to_dict()

        entities_total = self.entities_total

        facts = self.facts.to_dict()

        facts_total = self.facts_total

        known = self.known.to_dict()

        partial = self.partial

        predicates = self.predicates

        valid = self.valid.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "communities": communities,
                "entities": entities,
                "entities_total": entities_total,
                "facts": facts,
                "facts_total": facts_total,
                "known": known,
                "partial": partial,
                "predicates": predicates,
                "valid": valid,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.picture_community import PictureCommunity
        from ..models.picture_entities import PictureEntities
        from ..models.picture_facts import PictureFacts
        from ..models.picture_span import PictureSpan

        d = dict(src_dict)
        communities = []
        _communities = d.pop("communities")
        for communities_item_data in _communities:
            communities_item = PictureCommunity.from_dict(communities_item_data)

            communities.append(communities_item)

        entities = PictureEntities.from_dict(d.pop("entities"))

        entities_total = d.pop("entities_total")

        facts = PictureFacts.from_dict(d.pop("facts"))

        facts_total = d.pop("facts_total")

        known = PictureSpan.from_dict(d.pop("known"))

        partial = d.pop("partial")

        predicates = cast(list[str], d.pop("predicates"))

        valid = PictureSpan.from_dict(d.pop("valid"))

        picture = cls(
            communities=communities,
            entities=entities,
            entities_total=entities_total,
            facts=facts,
            facts_total=facts_total,
            known=known,
            partial=partial,
            predicates=predicates,
            valid=valid,
        )

        return picture
