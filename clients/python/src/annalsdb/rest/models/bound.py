from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.bound_basis import BoundBasis, check_bound_basis

T = TypeVar("T", bound="Bound")


@_attrs_define
class Bound:
    """
    Attributes:
        basis (BoundBasis): stated: the text says it; planned: the text announces it, and nobody has said that it came;
            said: it held, or was over, when it was said; inferred: another fact ended it
        precision (str): instant, day, week, month, season, year or decade; empty where unknown
    """

    basis: BoundBasis
    precision: str

    def to_dict(self) -> dict[str, Any]:
        basis: str = self.basis

        precision = self.precision

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "basis": basis,
                "precision": precision,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        basis = check_bound_basis(d.pop("basis"))

        precision = d.pop("precision")

        bound = cls(
            basis=basis,
            precision=precision,
        )

        return bound
