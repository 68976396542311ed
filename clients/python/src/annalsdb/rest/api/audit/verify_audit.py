from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.audit_verification import AuditVerification
from ...models.problem import Problem
from ...types import UNSET, Response


def _get_kwargs(
    group: str,
    *,
    head: str | None = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["head"] = head

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/audit/verification".format(
            group=quote(str(group), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> AuditVerification | Problem:
    if response.status_code == 200:
        response_200 = AuditVerification.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[AuditVerification | Problem]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    head: str | None = UNSET,
) -> Response[AuditVerification | Problem]:
    """Check that nothing of the audit was changed or taken out

     It reads all of it.

    Args:
        group (str): The memory
        head (str | None): The hash of an entry that was the last once: also check that it is
            there

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[AuditVerification | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        head=head,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    head: str | None = UNSET,
) -> AuditVerification | Problem | None:
    """Check that nothing of the audit was changed or taken out

     It reads all of it.

    Args:
        group (str): The memory
        head (str | None): The hash of an entry that was the last once: also check that it is
            there

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        AuditVerification | Problem
    """

    return sync_detailed(
        group=group,
        client=client,
        head=head,
    ).parsed


async def asyncio_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    head: str | None = UNSET,
) -> Response[AuditVerification | Problem]:
    """Check that nothing of the audit was changed or taken out

     It reads all of it.

    Args:
        group (str): The memory
        head (str | None): The hash of an entry that was the last once: also check that it is
            there

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[AuditVerification | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        head=head,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    head: str | None = UNSET,
) -> AuditVerification | Problem | None:
    """Check that nothing of the audit was changed or taken out

     It reads all of it.

    Args:
        group (str): The memory
        head (str | None): The hash of an entry that was the last once: also check that it is
            there

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        AuditVerification | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            client=client,
            head=head,
        )
    ).parsed
