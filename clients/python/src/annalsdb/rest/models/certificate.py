from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.certificate_scope import CertificateScope, check_certificate_scope
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.removal import Removal


T = TypeVar("T", bound="Certificate")


@_attrs_define
class Certificate:
    """
    Attributes:
        edited (list[Removal]): Rows that stay without what they said of it, by table
        episode_ids (list[str]): Of the episodes, by which copies and backups are known
        episodes (int):
        erased_at (datetime.datetime):
        key (str): Names the key of the hashes
        model_calls_emptied (int): Entries of the ledger of which only the cost is left
        removed (list[Removal]): Rows by table
        scope (CertificateScope):
        sentences (list[str]): Likewise, of the sentences of episodes, each as hash:beginning:length
        tombstones (list[str]): Keyed hashes by which it is refused when it comes again
        copies (list[Certificate] | None): Of the groups that were cloned or imported from it
    """

    edited: list[Removal]
    episode_ids: list[str]
    episodes: int
    erased_at: datetime.datetime
    key: str
    model_calls_emptied: int
    removed: list[Removal]
    scope: CertificateScope
    sentences: list[str]
    tombstones: list[str]
    copies: list[Certificate] | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        edited = []
        for edited_item_data in self.edited:
            edited_item = edited_item_data.to_dict()
            edited.append(edited_item)

        episode_ids = self.episode_ids

        episodes = self.episodes

        erased_at = self.erased_at.isoformat()

        key = self.key

        model_calls_emptied = self.model_calls_emptied

        removed = []
        for removed_item_data in self.removed:
            removed_item = removed_item_data.to_dict()
            removed.append(removed_item)

        scope: str = self.scope

        sentences = self.sentences

        tombstones = self.tombstones

        copies: list[dict[str, Any]] | None = UNSET
        if not isinstance(self.copies, Unset):
            copies = []
            for copies_item_data in self.copies:
                copies_item = copies_item_data.to_dict()
                copies.append(copies_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "edited": edited,
                "episode_ids": episode_ids,
                "episodes": episodes,
                "erased_at": erased_at,
                "key": key,
                "model_calls_emptied": model_calls_emptied,
                "removed": removed,
                "scope": scope,
                "sentences": sentences,
                "tombstones": tombstones,
            }
        )
        if copies is not UNSET:
            field_dict["copies"] = copies

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.removal import Removal

        d = dict(src_dict)
        edited = []
        _edited = d.pop("edited")
        for edited_item_data in _edited:
            edited_item = Removal.from_dict(edited_item_data)

            edited.append(edited_item)

        episode_ids = cast(list[str], d.pop("episode_ids"))

        episodes = d.pop("episodes")

        erased_at = datetime.datetime.fromisoformat(d.pop("erased_at"))

        key = d.pop("key")

        model_calls_emptied = d.pop("model_calls_emptied")

        removed = []
        _removed = d.pop("removed")
        for removed_item_data in _removed:
            removed_item = Removal.from_dict(removed_item_data)

            removed.append(removed_item)

        scope = check_certificate_scope(d.pop("scope"))

        sentences = cast(list[str], d.pop("sentences"))

        tombstones = cast(list[str], d.pop("tombstones"))

        _copies = d.pop("copies", UNSET)
        copies: list[Certificate] | None = UNSET
        if _copies is not UNSET:
            copies = []
            for copies_item_data in _copies:
                copies_item = Certificate.from_dict(copies_item_data)

                copies.append(copies_item)

        certificate = cls(
            edited=edited,
            episode_ids=episode_ids,
            episodes=episodes,
            erased_at=erased_at,
            key=key,
            model_calls_emptied=model_calls_emptied,
            removed=removed,
            scope=scope,
            sentences=sentences,
            tombstones=tombstones,
            copies=copies,
        )

        return certificate
