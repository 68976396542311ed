from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.skill_state import SkillState, check_skill_state
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.marks import Marks


T = TypeVar("T", bound="Skill")


@_attrs_define
class Skill:
    """
    Attributes:
        alike (float): How like its tasks are to the one asked for, 0 to 1; 0 where none was
        created_at (datetime.datetime):
        failed (list[str]): The runs in which it failed, the first first
        failures (int):
        group_id (str):
        id (str):
        invalid_at (datetime.datetime | None): The first of the failures that ended it; null: it holds
        known_from (datetime.datetime):
        known_until (datetime.datetime | None):
        name (str): What it does: the words of a model, else those in which the task was given most often
        pitfalls (list[str]): What went wrong on the way, and when, the latest first
        preconditions (list[str]): What was the same of the environment whenever it worked
        procedure (str): The procedure, by the tools and commands of its steps. It may hold, break, and hold again
        rate_high (float):
        rate_low (float): The rate of success is not lower, at 95 % (Wilson's interval)
        reader (str): Who worded it: offline, from the runs, or a model
        skill_id (str): All procedures of like tasks have the same
        state (SkillState): Whether it was confirmed or rejected, by hand or by the group's policy
        steps (list[str]): What to do, in order
        successes (int):
        tasks (list[str]): The tasks that it is for, as they were given, at most five; with a model the first says in
            its words what it is for
        valid_at (datetime.datetime): When it worked first
        why (str): Why it is trusted less, or ended; empty: nothing speaks against it
        worked (list[str]): The runs in which it worked, the first first
        marks (Marks | None):
    """

    alike: float
    created_at: datetime.datetime
    failed: list[str]
    failures: int
    group_id: str
    id: str
    invalid_at: datetime.datetime | None
    known_from: datetime.datetime
    known_until: datetime.datetime | None
    name: str
    pitfalls: list[str]
    preconditions: list[str]
    procedure: str
    rate_high: float
    rate_low: float
    reader: str
    skill_id: str
    state: SkillState
    steps: list[str]
    successes: int
    tasks: list[str]
    valid_at: datetime.datetime
    why: str
    worked: list[str]
    marks: Marks | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        alike = self.alike

        created_at = self.created_at.isoformat()

        failed = self.failed

        failures = self.failures

        group_id = self.group_id

        id = self.id

        invalid_at: None | str
        if isinstance(self.invalid_at, datetime.datetime):
            invalid_at = self.invalid_at.isoformat()
        else:
            invalid_at = self.invalid_at

        known_from = self.known_from.isoformat()

        known_until: None | str
        if isinstance(self.known_until, datetime.datetime):
            known_until = self.known_until.isoformat()
        else:
            known_until = self.known_until

        name = self.name

        pitfalls = self.pitfalls

        preconditions = self.preconditions

        procedure = self.procedure

        rate_high = self.rate_high

        rate_low = self.rate_low

        reader = self.reader

        skill_id = self.skill_id

        state: str = self.state

        steps = self.steps

        successes = self.successes

        tasks = self.tasks

        valid_at = self.valid_at.isoformat()

        why = self.why

        worked = self.worked

        marks: dict[str, Any] | None = UNSET
        if not isinstance(self.marks, Unset):
            marks = self.marks.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "alike": alike,
                "created_at": created_at,
                "failed": failed,
                "failures": failures,
                "group_id": group_id,
                "id": id,
                "invalid_at": invalid_at,
                "known_from": known_from,
                "known_until": known_until,
                "name": name,
                "pitfalls": pitfalls,
                "preconditions": preconditions,
                "procedure": procedure,
                "rate_high": rate_high,
                "rate_low": rate_low,
                "reader": reader,
                "skill_id": skill_id,
                "state": state,
                "steps": steps,
                "successes": successes,
                "tasks": tasks,
                "valid_at": valid_at,
                "why": why,
                "worked": worked,
            }
        )
        if marks is not UNSET:
            field_dict["marks"] = marks

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.marks import Marks

        d = dict(src_dict)
        alike = d.pop("alike")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        failed = cast(list[str], d.pop("failed"))

        failures = d.pop("failures")

        group_id = d.pop("group_id")

        id = d.pop("id")

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

        known_from = datetime.datetime.fromisoformat(d.pop("known_from"))

        def _parse_known_until(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                known_until_type_0 = datetime.datetime.fromisoformat(data)

                return known_until_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        known_until = _parse_known_until(d.pop("known_until"))

        name = d.pop("name")

        pitfalls = cast(list[str], d.pop("pitfalls"))

        preconditions = cast(list[str], d.pop("preconditions"))

        procedure = d.pop("procedure")

        rate_high = d.pop("rate_high")

        rate_low = d.pop("rate_low")

        reader = d.pop("reader")

        skill_id = d.pop("skill_id")

        state = check_skill_state(d.pop("state"))

        steps = cast(list[str], d.pop("steps"))

        successes = d.pop("successes")

        tasks = cast(list[str], d.pop("tasks"))

        valid_at = datetime.datetime.fromisoformat(d.pop("valid_at"))

        why = d.pop("why")

        worked = cast(list[str], d.pop("worked"))

        _marks = d.pop("marks", UNSET)
        marks: Marks | None
        if isinstance(_marks, Unset):
            marks = UNSET
        else:
            marks = Marks.from_dict(_marks)

        skill = cls(
            alike=alike,
            created_at=created_at,
            failed=failed,
            failures=failures,
            group_id=group_id,
            id=id,
            invalid_at=invalid_at,
            known_from=known_from,
            known_until=known_until,
            name=name,
            pitfalls=pitfalls,
            preconditions=preconditions,
            procedure=procedure,
            rate_high=rate_high,
            rate_low=rate_low,
            reader=reader,
            skill_id=skill_id,
            state=state,
            steps=steps,
            successes=successes,
            tasks=tasks,
            valid_at=valid_at,
            why=why,
            worked=worked,
            marks=marks,
        )

        return skill
