from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.trace import Trace


T = TypeVar("T", bound="TraceList")


@_attrs_define
class TraceList:
    """
    Attributes:
        trace (list[Trace]):
    """

    trace: list[Trace]

    def to_dict(self) -> dict[str, Any]:
        trace = []
        for trace_item_data in self.trace:
            trace_item = trace_item_data.to_dict()
            trace.append(trace_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "trace": trace,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.trace import Trace

        d = dict(src_dict)
        trace = []
        _trace = d.pop("trace")
        for trace_item_data in _trace:
            trace_item = Trace.from_dict(trace_item_data)

            trace.append(trace_item)

        trace_list = cls(
            trace=trace,
        )

        return trace_list
