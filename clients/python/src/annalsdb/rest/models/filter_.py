from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.condition import Condition
    from ..models.time_test import TimeTest


T = TypeVar("T", bound="Filter")


@_attrs_define
class Filter:
    """
    Attributes:
        actors (list[str] | None):
        agents (list[str] | None):
        attributes (Condition | None):
        created (list[list[TimeTest]] | None):
        excluded_labels (list[str] | None):
        excluded_predicates (list[str] | None):
        expired (list[list[TimeTest]] | None):
        invalid (list[list[TimeTest]] | None):
        labels (list[str] | None):
        metadata (Condition | None):
        occurred (list[list[TimeTest]] | None):
        predicates (list[str] | None):
        roles (list[str] | None):
        runs (list[str] | None):
        sources (list[str] | None):
        threads (list[str] | None):
        told_by (list[str] | None):
        users (list[str] | None):
        valid (list[list[TimeTest]] | None):
    """

    actors: list[str] | None = UNSET
    agents: list[str] | None = UNSET
    attributes: Condition | None = UNSET
    created: list[list[TimeTest]] | None = UNSET
    excluded_labels: list[str] | None = UNSET
    excluded_predicates: list[str] | None = UNSET
    expired: list[list[TimeTest]] | None = UNSET
    invalid: list[list[TimeTest]] | None = UNSET
    labels: list[str] | None = UNSET
    metadata: Condition | None = UNSET
    occurred: list[list[TimeTest]] | None = UNSET
    predicates: list[str] | None = UNSET
    roles: list[str] | None = UNSET
    runs: list[str] | None = UNSET
    sources: list[str] | None = UNSET
    threads: list[str] | None = UNSET
    told_by: list[str] | None = UNSET
    users: list[str] | None = UNSET
    valid: list[list[TimeTest]] | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        actors: list[str] | None = UNSET
        if not isinstance(self.actors, Unset):
            actors = self.actors

        agents: list[str] | None = UNSET
        if not isinstance(self.agents, Unset):
            agents = self.agents

        attributes: dict[str, Any] | None = UNSET
        if not isinstance(self.attributes, Unset):
            attributes = self.attributes.to_dict()

        created: list[list[dict[str, Any]]] | None = UNSET
        if not isinstance(self.created, Unset):
            created = []
            for created_item_data in self.created:
                created_item = []
                for created_item_item_data in created_item_data:
                    created_item_item = created_item_item_data.to_dict()
                    created_item.append(created_item_item)

                created.append(created_item)

        excluded_labels: list[str] | None = UNSET
        if not isinstance(self.excluded_labels, Unset):
            excluded_labels = self.excluded_labels

        excluded_predicates: list[str] | None = UNSET
        if not isinstance(self.excluded_predicates, Unset):
            excluded_predicates = self.excluded_predicates

        expired: list[list[dict[str, Any]]] | None = UNSET
        if not isinstance(self.expired, Unset):
            expired = []
            for expired_item_data in self.expired:
                expired_item = []
                for expired_item_item_data in expired_item_data:
                    expired_item_item = expired_item_item_data.to_dict()
                    expired_item.append(expired_item_item)

                expired.append(expired_item)

        invalid: list[list[dict[str, Any]]] | None = UNSET
        if not isinstance(self.invalid, Unset):
            invalid = []
            for invalid_item_data in self.invalid:
                invalid_item = []
                for invalid_item_item_data in invalid_item_data:
                    invalid_item_item = invalid_item_item_data.to_dict()
                    invalid_item.append(invalid_item_item)

                invalid.append(invalid_item)

        labels: list[str] | None = UNSET
        if not isinstance(self.labels, Unset):
            labels = self.labels

        metadata: dict[str, Any] | None = UNSET
        if not isinstance(self.metadata, Unset):
            metadata = self.metadata.to_dict()

        occurred: list[list[dict[str, Any]]] | None = UNSET
        if not isinstance(self.occurred, Unset):
            occurred = []
            for occurred_item_data in self.occurred:
                occurred_item = []
                for occurred_item_item_data in occurred_item_data:
                    occurred_item_item = occurred_item_item_data.to_dict()
                    occurred_item.append(occurred_item_item)

                occurred.append(occurred_item)

        predicates: list[str] | None = UNSET
        if not isinstance(self.predicates, Unset):
            predicates = self.predicates

        roles: list[str] | None = UNSET
        if not isinstance(self.roles, Unset):
            roles = self.roles

        runs: list[str] | None = UNSET
        if not isinstance(self.runs, Unset):
            runs = self.runs

        sources: list[str] | None = UNSET
        if not isinstance(self.sources, Unset):
            sources = self.sources

        threads: list[str] | None = UNSET
        if not isinstance(self.threads, Unset):
            threads = self.threads

        told_by: list[str] | None = UNSET
        if not isinstance(self.told_by, Unset):
            told_by = self.told_by

        users: list[str] | None = UNSET
        if not isinstance(self.users, Unset):
            users = self.users

        valid: list[list[dict[str, Any]]] | None = UNSET
        if not isinstance(self.valid, Unset):
            valid = []
            for valid_item_data in self.valid:
                valid_item = []
                for valid_item_item_data in valid_item_data:
                    valid_item_item = valid_item_item_data.to_dict()
                    valid_item.append(valid_item_item)

                valid.append(valid_item)

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if actors is not UNSET:
            field_dict["actors"] = actors
        if agents is not UNSET:
            field_dict["agents"] = agents
        if attributes is not UNSET:
            field_dict["attributes"] = attributes
        if created is not UNSET:
            field_dict["created"] = created
        if excluded_labels is not UNSET:
            field_dict["excluded_labels"] = excluded_labels
        if excluded_predicates is not UNSET:
            field_dict["excluded_predicates"] = excluded_predicates
        if expired is not UNSET:
            field_dict["expired"] = expired
        if invalid is not UNSET:
            field_dict["invalid"] = invalid
        if labels is not UNSET:
            field_dict["labels"] = labels
        if metadata is not UNSET:
            field_dict["metadata"] = metadata
        if occurred is not UNSET:
            field_dict["occurred"] = occurred
        if predicates is not UNSET:
            field_dict["predicates"] = predicates
        if roles is not UNSET:
            field_dict["roles"] = roles
        if runs is not UNSET:
            field_dict["runs"] = runs
        if sources is not UNSET:
            field_dict["sources"] = sources
        if threads is not UNSET:
            field_dict["threads"] = threads
        if told_by is not UNSET:
            field_dict["told_by"] = told_by
        if users is not UNSET:
            field_dict["users"] = users
        if valid is not UNSET:
            field_dict["valid"] = valid

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.condition import Condition
        from ..models.time_test import TimeTest

        d = dict(src_dict)
        actors = cast(list[str], d.pop("actors", UNSET))

        agents = cast(list[str], d.pop("agents", UNSET))

        _attributes = d.pop("attributes", UNSET)
        attributes: Condition | None
        if isinstance(_attributes, Unset):
            attributes = UNSET
        else:
            attributes = Condition.from_dict(_attributes)

        _created = d.pop("created", UNSET)
        created: list[list[TimeTest]] | None = UNSET
        if _created is not UNSET:
            created = []
            for created_item_data in _created:
                created_item = []
                _created_item = created_item_data
                for created_item_item_data in _created_item:
                    created_item_item = TimeTest.from_dict(created_item_item_data)

                    created_item.append(created_item_item)

                created.append(created_item)

        excluded_labels = cast(list[str], d.pop("excluded_labels", UNSET))

        excluded_predicates = cast(list[str], d.pop("excluded_predicates", UNSET))

        _expired = d.pop("expired", UNSET)
        expired: list[list[TimeTest]] | None = UNSET
        if _expired is not UNSET:
            expired = []
            for expired_item_data in _expired:
                expired_item = []
                _expired_item = expired_item_data
                for expired_item_item_data in _expired_item:
                    expired_item_item = TimeTest.from_dict(expired_item_item_data)

                    expired_item.append(expired_item_item)

                expired.append(expired_item)

        _invalid = d.pop("invalid", UNSET)
        invalid: list[list[TimeTest]] | None = UNSET
        if _invalid is not UNSET:
            invalid = []
            for invalid_item_data in _invalid:
                invalid_item = []
                _invalid_item = invalid_item_data
                for invalid_item_item_data in _invalid_item:
                    invalid_item_item = TimeTest.from_dict(invalid_item_item_data)

                    invalid_item.append(invalid_item_item)

                invalid.append(invalid_item)

        labels = cast(list[str], d.pop("labels", UNSET))

        _metadata = d.pop("metadata", UNSET)
        metadata: Condition | None
        if isinstance(_metadata, Unset):
            metadata = UNSET
        else:
            metadata = Condition.from_dict(_metadata)

        _occurred = d.pop("occurred", UNSET)
        occurred: list[list[TimeTest]] | None = UNSET
        if _occurred is not UNSET:
            occurred = []
            for occurred_item_data in _occurred:
                occurred_item = []
                _occurred_item = occurred_item_data
                for occurred_item_item_data in _occurred_item:
                    occurred_item_item = TimeTest.from_dict(occurred_item_item_data)

                    occurred_item.append(occurred_item_item)

                occurred.append(occurred_item)

        predicates = cast(list[str], d.pop("predicates", UNSET))

        roles = cast(list[str], d.pop("roles", UNSET))

        runs = cast(list[str], d.pop("runs", UNSET))

        sources = cast(list[str], d.pop("sources", UNSET))

        threads = cast(list[str], d.pop("threads", UNSET))

        told_by = cast(list[str], d.pop("told_by", UNSET))

        users = cast(list[str], d.pop("users", UNSET))

        _valid = d.pop("valid", UNSET)
        valid: list[list[TimeTest]] | None = UNSET
        if _valid is not UNSET:
            valid = []
            for valid_item_data in _valid:
                valid_item = []
                _valid_item = valid_item_data
                for valid_item_item_data in _valid_item:
                    valid_item_item = TimeTest.from_dict(valid_item_item_data)

                    valid_item.append(valid_item_item)

                valid.append(valid_item)

        filter_ = cls(
            actors=actors,
            agents=agents,
            attributes=attributes,
            created=created,
            excluded_labels=excluded_labels,
            excluded_predicates=excluded_predicates,
            expired=expired,
            invalid=invalid,
            labels=labels,
            metadata=metadata,
            occurred=occurred,
            predicates=predicates,
            roles=roles,
            runs=runs,
            sources=sources,
            threads=threads,
            told_by=told_by,
            users=users,
            valid=valid,
        )

        return filter_
