from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.certificate import Certificate
    from ..models.preview import Preview
    from ..models.undone import Undone


T = TypeVar("T", bound="Removed")


@_attrs_define
class Removed:
    """
    Attributes:
        certificate (Certificate | None):
        preview (Preview | None):
        undone (Undone | None):
    """

    certificate: Certificate | None = UNSET
    preview: Preview | None = UNSET
    undone: Undone | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        certificate: dict[str, Any] | None = UNSET
        if not isinstance(self.certificate, Unset):
            certificate = self.certificate.to_dict()

        preview: dict[str, Any] | None = UNSET
        if not isinstance(self.preview, Unset):
            preview = self.preview.to_dict()

        undone: dict[str, Any] | None = UNSET
        if not isinstance(self.undone, Unset):
            undone = self.undone.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if certificate is not UNSET:
            field_dict["certificate"] = certificate
        if preview is not UNSET:
            field_dict["preview"] = preview
        if undone is not UNSET:
            field_dict["undone"] = undone

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.certificate import Certificate
        from ..models.preview import Preview
        from ..models.undone import Undone

        d = dict(src_dict)
        _certificate = d.pop("certificate", UNSET)
        certificate: Certificate | None
        if isinstance(_certificate, Unset):
            certificate = UNSET
        else:
            certificate = Certificate.from_dict(_certificate)

        _preview = d.pop("preview", UNSET)
        preview: Preview | None
        if isinstance(_preview, Unset):
            preview = UNSET
        else:
            preview = Preview.from_dict(_preview)

        _undone = d.pop("undone", UNSET)
        undone: Undone | None
        if isinstance(_undone, Unset):
            undone = UNSET
        else:
            undone = Undone.from_dict(_undone)

        removed = cls(
            certificate=certificate,
            preview=preview,
            undone=undone,
        )

        return removed
