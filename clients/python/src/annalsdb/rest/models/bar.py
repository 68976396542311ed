from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.bar_kind import BarKind, check_bar_kind
from ..models.bar_state import BarState, check_bar_state
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.belief import Belief
    from ..models.bound import Bound
    from ..models.saying import Saying


T = TypeVar("T", bound="Bar")


@_attrs_define
class Bar:
    """
    Attributes:
        also (list[Saying]): Other facts that say the same
        begun (datetime.datetime | None): By when it had begun: the end of the day, week, month … to which valid_at is
            known
        believed (Belief):
        caused_by (list[str]): The episodes by which it stands like this; none: made by hand
        disputed (bool):
        fact_id (str):
        invalid_at (datetime.datetime | None): null: it goes on, or nobody said until when
        kind (BarKind):
        label (str): The other end of the fact; of an event what happened
        lasts (datetime.datetime | None): Until when it lasted at least: the beginning of the day, week, month … to
            which invalid_at is known
        said_at (datetime.datetime | None): null: it was made by hand
        shown_from (datetime.datetime): Since when, in our belief, it stands like this
        shown_until (datetime.datetime | None): null: it still does
        state (BarState):
        told (str):
        valid_at (datetime.datetime | None): null: nobody said since when
        valid_from (Bound):
        valid_until (Bound):
        when (str): In words, as exactly as it is known
        by (Saying | None):
    """

    also: list[Saying]
    begun: datetime.datetime | None
    believed: Belief
    caused_by: list[str]
    disputed: bool
    fact_id: str
    invalid_at: datetime.datetime | None
    kind: BarKind
    label: str
    lasts: datetime.datetime | None
    said_at: datetime.datetime | None
    shown_from: datetime.datetime
    shown_until: datetime.datetime | None
    state: BarState
    told: str
    valid_at: datetime.datetime | None
    valid_from: Bound
    valid_until: Bound
    when: str
    by: Saying | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        also = []
        for also_item_data in self.also:
            also_item = also_item_data.to_dict()
            also.append(also_item)

        begun: None | str
        if isinstance(self.begun, datetime.datetime):
            begun = self.begun.isoformat()
        else:
            begun = self.begun

        believed = self.believed.to_dict()

        caused_by = self.caused_by

        disputed = self.disputed

        fact_id = self.fact_id

        invalid_at: None | str
        if isinstance(self.invalid_at, datetime.datetime):
            invalid_at = self.invalid_at.isoformat()
        else:
            invalid_at = self.invalid_at

        kind: str = self.kind

        label = self.label

        lasts: None | str
        if isinstance(self.lasts, datetime.datetime):
            lasts = self.lasts.isoformat()
        else:
            lasts = self.lasts

        said_at: None | str
        if isinstance(self.said_at, datetime.datetime):
            said_at = self.said_at.isoformat()
        else:
            said_at = self.said_at

        shown_from = self.shown_from.isoformat()

        shown_until: None | str
        if isinstance(self.shown_until, datetime.datetime):
            shown_until = self.shown_until.isoformat()
        else:
            shown_until = self.shown_until

        state: str = self.state

        told = self.told

        valid_at: None | str
        if isinstance(self.valid_at, datetime.datetime):
            valid_at = self.valid_at.isoformat()
        else:
            valid_at = self.valid_at

        valid_from = self.valid_from.to_dict()

        valid_until = self.valid_until.to_dict()

        when = self.when

        by: dict[str, Any] | None = UNSET
        if not isinstance(self.by, Unset):
            by = self.by.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "also": also,
                "begun": begun,
                "believed": believed,
                "caused_by": caused_by,
                "disputed": disputed,
                "fact_id": fact_id,
                "invalid_at": invalid_at,
                "kind": kind,
                "label": label,
                "lasts": lasts,
                "said_at": said_at,
                "shown_from": shown_from,
                "shown_until": shown_until,
                "state": state,
                "told": told,
                "valid_at": valid_at,
                "valid_from": valid_from,
                "valid_until": valid_until,
                "when": when,
            }
        )
        if by is not UNSET:
            field_dict["by"] = by

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.belief import Belief
        from ..models.bound import Bound
        from ..models.saying import Saying

        d = dict(src_dict)
        also = []
        _also = d.pop("also")
        for also_item_data in _also:
            also_item = Saying.from_dict(also_item_data)

            also.append(also_item)

        def _parse_begun(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                begun_type_0 = datetime.datetime.fromisoformat(data)

                return begun_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        begun = _parse_begun(d.pop("begun"))

        believed = Belief.from_dict(d.pop("believed"))

        caused_by = cast(list[str], d.pop("caused_by"))

        disputed = d.pop("disputed")

        fact_id = d.pop("fact_id")

        def _parse_invalid_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                invalid_at_type_0 = datetime.datetime.fromisoformat(data)

                return invalid_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        invalid_at = _parse_invalid_at(d.pop("invalid_at"))

        kind = check_bar_kind(d.pop("kind"))

        label = d.pop("label")

        def _parse_lasts(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                lasts_type_0 = datetime.datetime.fromisoformat(data)

                return lasts_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        lasts = _parse_lasts(d.pop("lasts"))

        def _parse_said_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                said_at_type_0 = datetime.datetime.fromisoformat(data)

                return said_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        said_at = _parse_said_at(d.pop("said_at"))

        shown_from = datetime.datetime.fromisoformat(d.pop("shown_from"))

        def _parse_shown_until(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                shown_until_type_0 = datetime.datetime.fromisoformat(data)

                return shown_until_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        shown_until = _parse_shown_until(d.pop("shown_until"))

        state = check_bar_state(d.pop("state"))

        told = d.pop("told")

        def _parse_valid_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                valid_at_type_0 = datetime.datetime.fromisoformat(data)

                return valid_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        valid_at = _parse_valid_at(d.pop("valid_at"))

        valid_from = Bound.from_dict(d.pop("valid_from"))

        valid_until = Bound.from_dict(d.pop("valid_until"))

        when = d.pop("when")

        _by = d.pop("by", UNSET)
        by: Saying | None
        if isinstance(_by, Unset):
            by = UNSET
        else:
            by = Saying.from_dict(_by)

        bar = cls(
            also=also,
            begun=begun,
            believed=believed,
            caused_by=caused_by,
            disputed=disputed,
            fact_id=fact_id,
            invalid_at=invalid_at,
            kind=kind,
            label=label,
            lasts=lasts,
            said_at=said_at,
            shown_from=shown_from,
            shown_until=shown_until,
            state=state,
            told=told,
            valid_at=valid_at,
            valid_from=valid_from,
            valid_until=valid_until,
            when=when,
            by=by,
        )

        return bar
