from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.reviewed_kind import ReviewedKind, check_reviewed_kind
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.ending import Ending
    from ..models.episode import Episode
    from ..models.fact import Fact


T = TypeVar("T", bound="Reviewed")


@_attrs_define
class Reviewed:
    """
    Attributes:
        against (list[Fact]): What disputes it
        ends (list[Ending]): What approving it would end, with the authority of who asks
        kind (ReviewedKind): Why it waits, or what was done to it
        said (list[Episode]): The messages that state or ended it, at most 20: their words, who said them, and how they
            came in
        before (Fact | None):
        etag (str | None): If-Match of a decision takes it, with those of the other facts: 412 where one of them was
            changed or decided in the meantime
        fact (Fact | None):
    """

    against: list[Fact]
    ends: list[Ending]
    kind: ReviewedKind
    said: list[Episode]
    before: Fact | None = UNSET
    etag: str | None = UNSET
    fact: Fact | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        against = []
        for against_item_data in self.against:
            against_item = against_item_data.to_dict()
            against.append(against_item)

        ends = []
        for ends_item_data in self.ends:
            ends_item = ends_item_data.to_dict()
            ends.append(ends_item)

        kind: str = self.kind

        said = []
        for said_item_data in self.said:
            said_item = said_item_data.to_dict()
            said.append(said_item)

        before: dict[str, Any] | None = UNSET
        if not isinstance(self.before, Unset):
            before = self.before.to_dict()

        etag = self.etag

        fact: dict[str, Any] | None = UNSET
        if not isinstance(self.fact, Unset):
            fact = self.fact.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "against": against,
                "ends": ends,
                "kind": kind,
                "said": said,
            }
        )
        if before is not UNSET:
            field_dict["before"] = before
        if etag is not UNSET:
            field_dict["etag"] = etag
        if fact is not UNSET:
            field_dict["fact"] = fact

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.ending import Ending
        from ..models.episode import Episode
        from ..models.fact import Fact

        d = dict(src_dict)
        against = []
        _against = d.pop("against")
        for against_item_data in _against:
            against_item = Fact.from_dict(against_item_data)

            against.append(against_item)

        ends = []
        _ends = d.pop("ends")
        for ends_item_data in _ends:
            ends_item = Ending.from_dict(ends_item_data)

            ends.append(ends_item)

        kind = check_reviewed_kind(d.pop("kind"))

        said = []
        _said = d.pop("said")
        for said_item_data in _said:
            said_item = Episode.from_dict(said_item_data)

            said.append(said_item)

        _before = d.pop("before", UNSET)
        before: Fact | None
        if isinstance(_before, Unset):
            before = UNSET
        else:
            before = Fact.from_dict(_before)

        etag = d.pop("etag", UNSET)

        _fact = d.pop("fact", UNSET)
        fact: Fact | None
        if isinstance(_fact, Unset):
            fact = UNSET
        else:
            fact = Fact.from_dict(_fact)

        reviewed = cls(
            against=against,
            ends=ends,
            kind=kind,
            said=said,
            before=before,
            etag=etag,
            fact=fact,
        )

        return reviewed
