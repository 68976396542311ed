from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="ReleaseBody")


@_attrs_define
class ReleaseBody:
    """
    Attributes:
        all_ (bool | None): All that is in quarantine of the group now
        episodes (list[str] | None): These episodes
        hold (bool | None): Put them back into quarantine
        thread (str | None): All that is in quarantine of this conversation now
    """

    all_: bool | None = UNSET
    episodes: list[str] | None = UNSET
    hold: bool | None = UNSET
    thread: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        all_ = self.all_

        episodes: list[str] | None = UNSET
        if not isinstance(self.episodes, Unset):
            episodes = self.episodes

        hold = self.hold

        thread = self.thread

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if all_ is not UNSET:
            field_dict["all"] = all_
        if episodes is not UNSET:
            field_dict["episodes"] = episodes
        if hold is not UNSET:
            field_dict["hold"] = hold
        if thread is not UNSET:
            field_dict["thread"] = thread

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        all_ = d.pop("all", UNSET)

        episodes = cast(list[str], d.pop("episodes", UNSET))

        hold = d.pop("hold", UNSET)

        thread = d.pop("thread", UNSET)

        release_body = cls(
            all_=all_,
            episodes=episodes,
            hold=hold,
            thread=thread,
        )

        return release_body
