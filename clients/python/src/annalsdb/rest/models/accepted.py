from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.accepted_state import AcceptedState, check_accepted_state
from ..types import UNSET

T = TypeVar("T", bound="Accepted")


@_attrs_define
class Accepted:
    """
    Attributes:
        id (str):
        new (bool): false: the group already had an episode with this external_id
        state (AcceptedState): How far it has come; done: it is in the graph
        external_id (str | None):
        note (str | None): How its time was read, where the clocks of the group show what was written twice or never;
            how many words of a very long text are not searched
    """

    id: str
    new: bool
    state: AcceptedState
    external_id: str | None = UNSET
    note: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        new = self.new

        state: str = self.state

        external_id = self.external_id

        note = self.note

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "new": new,
                "state": state,
            }
        )
        if external_id is not UNSET:
            field_dict["external_id"] = external_id
        if note is not UNSET:
            field_dict["note"] = note

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = d.pop("id")

        new = d.pop("new")

        state = check_accepted_state(d.pop("state"))

        external_id = d.pop("external_id", UNSET)

        note = d.pop("note", UNSET)

        accepted = cls(
            id=id,
            new=new,
            state=state,
            external_id=external_id,
            note=note,
        )

        return accepted
