from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.removed import Removed
from ...types import UNSET, Response


def _get_kwargs(
    group: str,
    *,
    dry_run: bool | None = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["dry_run"] = dry_run

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "delete",
        "url": "/v1/groups/{group}".format(
            group=quote(str(group), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | Removed:
    if response.status_code == 200:
        response_200 = Removed.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Problem | Removed]:
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
    dry_run: bool | None = UNSET,
) -> Response[Problem | Removed]:
    """Erase a group for good

     Every trace of it goes from all tables, and it is refused when it comes again. Nothing can bring it
    back.

    Args:
        group (str): The memory
        dry_run (bool | None): Do nothing, and tell what would be done

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Removed]
    """

    kwargs = _get_kwargs(
        group=group,
        dry_run=dry_run,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    dry_run: bool | None = UNSET,
) -> Problem | Removed | None:
    """Erase a group for good

     Every trace of it goes from all tables, and it is refused when it comes again. Nothing can bring it
    back.

    Args:
        group (str): The memory
        dry_run (bool | None): Do nothing, and tell what would be done

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Removed
    """

    return sync_detailed(
        group=group,
        client=client,
        dry_run=dry_run,
    ).parsed


async def asyncio_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    dry_run: bool | None = UNSET,
) -> Response[Problem | Removed]:
    """Erase a group for good

     Every trace of it goes from all tables, and it is refused when it comes again. Nothing can bring it
    back.

    Args:
        group (str): The memory
        dry_run (bool | None): Do nothing, and tell what would be done

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Removed]
    """

    kwargs = _get_kwargs(
        group=group,
        dry_run=dry_run,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    dry_run: bool | None = UNSET,
) -> Problem | Removed | None:
    """Erase a group for good

     Every trace of it goes from all tables, and it is refused when it comes again. Nothing can bring it
    back.

    Args:
        group (str): The memory
        dry_run (bool | None): Do nothing, and tell what would be done

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Removed
    """

    return (
        await asyncio_detailed(
            group=group,
            client=client,
            dry_run=dry_run,
        )
    ).parsed
