from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="TrustPolicy")


@_attrs_define
class TrustPolicy:
    """
    Attributes:
        assistants (bool): What assistants say stays a candidate until a user or a person says the same or confirms it
        documents (bool): Documents, and what tools and systems say, are in quarantine until they are released
        threads (list[str]): Conversations whose documents are in quarantine until they are released
    """

    assistants: bool
    documents: bool
    threads: list[str]

    def to_dict(self) -> dict[str, Any]:
        assistants = self.assistants

        documents = self.documents

        threads = self.threads

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "assistants": assistants,
                "documents": documents,
                "threads": threads,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        assistants = d.pop("assistants")

        documents = d.pop("documents")

        threads = cast(list[str], d.pop("threads"))

        trust_policy = cls(
            assistants=assistants,
            documents=documents,
            threads=threads,
        )

        return trust_policy
