from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.new_run_outcome import NewRunOutcome, check_new_run_outcome
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.new_run_environment import NewRunEnvironment
    from ..models.new_run_metadata import NewRunMetadata
    from ..models.run_step import RunStep


T = TypeVar("T", bound="NewRun")


@_attrs_define
class NewRun:
    """
    Attributes:
        task (str): What was to be done, in words
        agent (str | None): Who did it
        duration_ms (int | None): Milliseconds that it took
        environment (NewRunEnvironment | None): Where it was done, at most 50 entries: repository, branch, commit,
            versions of tools
        error (str | None): Why it failed; 2,000 bytes are kept
        external_id (str | None): Your own name for it, unique in the group: adding it again changes nothing
        input_tokens (int | None): Tokens that models read
        judged_by (str | None): Who says how it ended: a user, a test, the agent itself
        metadata (NewRunMetadata | None): Kept as it is
        occurred_at (str | None): When it began; left out: now
        outcome (NewRunOutcome | None): How it ended; left out: unknown, from which nothing is learned
        output_tokens (int | None): Tokens that models wrote
        score (float | None): How well it was done
        steps (list[RunStep] | None): What was done, in order
        thread_id (str | None): The conversation that it belongs to
    """

    task: str
    agent: str | None = UNSET
    duration_ms: int | None = UNSET
    environment: NewRunEnvironment | None = UNSET
    error: str | None = UNSET
    external_id: str | None = UNSET
    input_tokens: int | None = UNSET
    judged_by: str | None = UNSET
    metadata: NewRunMetadata | None = UNSET
    occurred_at: str | None = UNSET
    outcome: NewRunOutcome | None = UNSET
    output_tokens: int | None = UNSET
    score: float | None = UNSET
    steps: list[RunStep] | None = UNSET
    thread_id: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        task = self.task

        agent = self.agent

        duration_ms = self.duration_ms

        environment: dict[str, Any] | None = UNSET
        if not isinstance(self.environment, Unset):
            environment = self.environment.to_dict()

        error = self.error

        external_id = self.external_id

        input_tokens = self.input_tokens

        judged_by = self.judged_by

        metadata: dict[str, Any] | None = UNSET
        if not isinstance(self.metadata, Unset):
            metadata = self.metadata.to_dict()

        occurred_at = self.occurred_at

        outcome: str | None = UNSET
        if not isinstance(self.outcome, Unset):
            outcome = self.outcome

        output_tokens = self.output_tokens

        score = self.score

        steps: list[dict[str, Any]] | None = UNSET
        if not isinstance(self.steps, Unset):
            steps = []
            for steps_item_data in self.steps:
                steps_item = steps_item_data.to_dict()
                steps.append(steps_item)

        thread_id = self.thread_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "task": task,
            }
        )
        if agent is not UNSET:
            field_dict["agent"] = agent
        if duration_ms is not UNSET:
            field_dict["duration_ms"] = duration_ms
        if environment is not UNSET:
            field_dict["environment"] = environment
        if error is not UNSET:
            field_dict["error"] = error
        if external_id is not UNSET:
            field_dict["external_id"] = external_id
        if input_tokens is not UNSET:
            field_dict["input_tokens"] = input_tokens
        if judged_by is not UNSET:
            field_dict["judged_by"] = judged_by
        if metadata is not UNSET:
            field_dict["metadata"] = metadata
        if occurred_at is not UNSET:
            field_dict["occurred_at"] = occurred_at
        if outcome is not UNSET:
            field_dict["outcome"] = outcome
        if output_tokens is not UNSET:
            field_dict["output_tokens"] = output_tokens
        if score is not UNSET:
            field_dict["score"] = score
        if steps is not UNSET:
            field_dict["steps"] = steps
        if thread_id is not UNSET:
            field_dict["thread_id"] = thread_id

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.new_run_environment import NewRunEnvironment
        from ..models.new_run_metadata import NewRunMetadata
        from ..models.run_step import RunStep

        d = dict(src_dict)
        task = d.pop("task")

        agent = d.pop("agent", UNSET)

        duration_ms = d.pop("duration_ms", UNSET)

        _environment = d.pop("environment", UNSET)
        environment: NewRunEnvironment | None
        if isinstance(_environment, Unset):
            environment = UNSET
        else:
            environment = NewRunEnvironment.from_dict(_environment)

        error = d.pop("error", UNSET)

        external_id = d.pop("external_id", UNSET)

        input_tokens = d.pop("input_tokens", UNSET)

        judged_by = d.pop("judged_by", UNSET)

        _metadata = d.pop("metadata", UNSET)
        metadata: NewRunMetadata | None
        if isinstance(_metadata, Unset):
            metadata = UNSET
        else:
            metadata = NewRunMetadata.from_dict(_metadata)

        occurred_at = d.pop("occurred_at", UNSET)

        _outcome = d.pop("outcome", UNSET)
        outcome: NewRunOutcome | None
        if isinstance(_outcome, Unset):
            outcome = UNSET
        else:
            outcome = check_new_run_outcome(_outcome)

        output_tokens = d.pop("output_tokens", UNSET)

        score = d.pop("score", UNSET)

        _steps = d.pop("steps", UNSET)
        steps: list[RunStep] | None = UNSET
        if _steps is not UNSET:
            steps = []
            for steps_item_data in _steps:
                steps_item = RunStep.from_dict(steps_item_data)

                steps.append(steps_item)

        thread_id = d.pop("thread_id", UNSET)

        new_run = cls(
            task=task,
            agent=agent,
            duration_ms=duration_ms,
            environment=environment,
            error=error,
            external_id=external_id,
            input_tokens=input_tokens,
            judged_by=judged_by,
            metadata=metadata,
            occurred_at=occurred_at,
            outcome=outcome,
            output_tokens=output_tokens,
            score=score,
            steps=steps,
            thread_id=thread_id,
        )

        return new_run
