from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="TrustPolicy")


@_attrs_define
class TrustPolicy:
    """
    Attributes:
        assistants (bool | None): What assistants say stays a candidate until a user or a person says the same or
            confirms it
        documents (bool | None): Documents, and what tools and systems say, are in quarantine until they are released
        records_succeed (bool | None): A record of a later time, of a tool or in a document, ends what a user said of
            an earlier one; otherwise both stand
        threads (list[str] | None): Conversations whose documents are in quarantine until they are released
    """

    assistants: bool | None = UNSET
    documents: bool | None = UNSET
    records_succeed: bool | None = UNSET
    threads: list[str] | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        assistants = self.assistants

        documents = self.documents

        records_succeed = self.records_succeed

        threads: list[str] | None = UNSET
        if not isinstance(self.threads, Unset):
            threads = self.threads

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if assistants is not UNSET:
            field_dict["assistants"] = assistants
        if documents is not UNSET:
            field_dict["documents"] = documents
        if records_succeed is not UNSET:
            field_dict["records_succeed"] = records_succeed
        if threads is not UNSET:
            field_dict["threads"] = threads

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        assistants = d.pop("assistants", UNSET)

        documents = d.pop("documents", UNSET)

        records_succeed = d.pop("records_succeed", UNSET)

        threads = cast(list[str], d.pop("threads", UNSET))

        trust_policy = cls(
            assistants=assistants,
            documents=documents,
            records_succeed=records_succeed,
            threads=threads,
        )

        return trust_policy
