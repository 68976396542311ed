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
        doors (list[str] | None): Ways in, such as mcp or import: what comes by them is in quarantine until it is
            released
        records_succeed (bool | None): A record of a later time, of a tool or in a document, ends what a user said of
            an earlier one; otherwise both stand
        relations (list[str] | None): Relations, such as ALLERGIC_TO: their facts stay candidates until they are
            confirmed, whoever states them
        roles (list[str] | None): Roles, such as user or tool: what they say is in quarantine until it is released
        skill_proof (int | None): How often in a row a procedure must have worked to be a confirmed skill without a
            review; 0: only by hand
        sources (list[str] | None): Source descriptions, such as names of files: what comes with them is in quarantine
            until it is released
        threads (list[str] | None): Conversations whose documents, and what tools and systems say there, are in
            quarantine until they are released
    """

    assistants: bool | None = UNSET
    documents: bool | None = UNSET
    doors: list[str] | None = UNSET
    records_succeed: bool | None = UNSET
    relations: list[str] | None = UNSET
    roles: list[str] | None = UNSET
    skill_proof: int | None = UNSET
    sources: list[str] | None = UNSET
    threads: list[str] | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        assistants = self.assistants

        documents = self.documents

        doors: list[str] | None = UNSET
        if not isinstance(self.doors, Unset):
            doors = self.doors

        records_succeed = self.records_succeed

        relations: list[str] | None = UNSET
        if not isinstance(self.relations, Unset):
            relations = self.relations

        roles: list[str] | None = UNSET
        if not isinstance(self.roles, Unset):
            roles = self.roles

        skill_proof = self.skill_proof

        sources: list[str] | None = UNSET
        if not isinstance(self.sources, Unset):
            sources = self.sources

        threads: list[str] | None = UNSET
        if not isinstance(self.threads, Unset):
            threads = self.threads

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if assistants is not UNSET:
            field_dict["assistants"] = assistants
        if documents is not UNSET:
            field_dict["documents"] = documents
        if doors is not UNSET:
            field_dict["doors"] = doors
        if records_succeed is not UNSET:
            field_dict["records_succeed"] = records_succeed
        if relations is not UNSET:
            field_dict["relations"] = relations
        if roles is not UNSET:
            field_dict["roles"] = roles
        if skill_proof is not UNSET:
            field_dict["skill_proof"] = skill_proof
        if sources is not UNSET:
            field_dict["sources"] = sources
        if threads is not UNSET:
            field_dict["threads"] = threads

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        assistants = d.pop("assistants", UNSET)

        documents = d.pop("documents", UNSET)

        doors = cast(list[str], d.pop("doors", UNSET))

        records_succeed = d.pop("records_succeed", UNSET)

        relations = cast(list[str], d.pop("relations", UNSET))

        roles = cast(list[str], d.pop("roles", UNSET))

        skill_proof = d.pop("skill_proof", UNSET)

        sources = cast(list[str], d.pop("sources", UNSET))

        threads = cast(list[str], d.pop("threads", UNSET))

        trust_policy = cls(
            assistants=assistants,
            documents=documents,
            doors=doors,
            records_succeed=records_succeed,
            relations=relations,
            roles=roles,
            skill_proof=skill_proof,
            sources=sources,
            threads=threads,
        )

        return trust_policy
