from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

T = TypeVar("T", bound="Settings")


@_attrs_define
class Settings:
    """
    Attributes:
        allow_files (bool | None):
        allow_http (bool | None):
        answer (int | None):
        context_tokens (int | None):
        evict (float | None):
        flush (float | None):
        heartbeat_seconds (int | None):
        max_steps (int | None):
        no_graph (bool | None):
        no_sleep (bool | None):
        open_files (int | None):
        protect (int | None):
        record_runs (bool | None):
        sleep_seconds (int | None):
        summary_words (int | None):
        time_zone (str | None):
        warn (float | None):
        window (int | None):
    """

    allow_files: bool | None = UNSET
    allow_http: bool | None = UNSET
    answer: int | None = UNSET
    context_tokens: int | None = UNSET
    evict: float | None = UNSET
    flush: float | None = UNSET
    heartbeat_seconds: int | None = UNSET
    max_steps: int | None = UNSET
    no_graph: bool | None = UNSET
    no_sleep: bool | None = UNSET
    open_files: int | None = UNSET
    protect: int | None = UNSET
    record_runs: bool | None = UNSET
    sleep_seconds: int | None = UNSET
    summary_words: int | None = UNSET
    time_zone: str | None = UNSET
    warn: float | None = UNSET
    window: int | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        allow_files = self.allow_files

        allow_http = self.allow_http

        answer = self.answer

        context_tokens = self.context_tokens

        evict = self.evict

        flush = self.flush

        heartbeat_seconds = self.heartbeat_seconds

        max_steps = self.max_steps

        no_graph = self.no_graph

        no_sleep = self.no_sleep

        open_files = self.open_files

        protect = self.protect

        record_runs = self.record_runs

        sleep_seconds = self.sleep_seconds

        summary_words = self.summary_words

        time_zone = self.time_zone

        warn = self.warn

        window = self.window

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if allow_files is not UNSET:
            field_dict["allow_files"] = allow_files
        if allow_http is not UNSET:
            field_dict["allow_http"] = allow_http
        if answer is not UNSET:
            field_dict["answer"] = answer
        if context_tokens is not UNSET:
            field_dict["context_tokens"] = context_tokens
        if evict is not UNSET:
            field_dict["evict"] = evict
        if flush is not UNSET:
            field_dict["flush"] = flush
        if heartbeat_seconds is not UNSET:
            field_dict["heartbeat_seconds"] = heartbeat_seconds
        if max_steps is not UNSET:
            field_dict["max_steps"] = max_steps
        if no_graph is not UNSET:
            field_dict["no_graph"] = no_graph
        if no_sleep is not UNSET:
            field_dict["no_sleep"] = no_sleep
        if open_files is not UNSET:
            field_dict["open_files"] = open_files
        if protect is not UNSET:
            field_dict["protect"] = protect
        if record_runs is not UNSET:
            field_dict["record_runs"] = record_runs
        if sleep_seconds is not UNSET:
            field_dict["sleep_seconds"] = sleep_seconds
        if summary_words is not UNSET:
            field_dict["summary_words"] = summary_words
        if time_zone is not UNSET:
            field_dict["time_zone"] = time_zone
        if warn is not UNSET:
            field_dict["warn"] = warn
        if window is not UNSET:
            field_dict["window"] = window

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        allow_files = d.pop("allow_files", UNSET)

        allow_http = d.pop("allow_http", UNSET)

        answer = d.pop("answer", UNSET)

        context_tokens = d.pop("context_tokens", UNSET)

        evict = d.pop("evict", UNSET)

        flush = d.pop("flush", UNSET)

        heartbeat_seconds = d.pop("heartbeat_seconds", UNSET)

        max_steps = d.pop("max_steps", UNSET)

        no_graph = d.pop("no_graph", UNSET)

        no_sleep = d.pop("no_sleep", UNSET)

        open_files = d.pop("open_files", UNSET)

        protect = d.pop("protect", UNSET)

        record_runs = d.pop("record_runs", UNSET)

        sleep_seconds = d.pop("sleep_seconds", UNSET)

        summary_words = d.pop("summary_words", UNSET)

        time_zone = d.pop("time_zone", UNSET)

        warn = d.pop("warn", UNSET)

        window = d.pop("window", UNSET)

        settings = cls(
            allow_files=allow_files,
            allow_http=allow_http,
            answer=answer,
            context_tokens=context_tokens,
            evict=evict,
            flush=flush,
            heartbeat_seconds=heartbeat_seconds,
            max_steps=max_steps,
            no_graph=no_graph,
            no_sleep=no_sleep,
            open_files=open_files,
            protect=protect,
            record_runs=record_runs,
            sleep_seconds=sleep_seconds,
            summary_words=summary_words,
            time_zone=time_zone,
            warn=warn,
            window=window,
        )

        return settings
