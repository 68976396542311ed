from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.observed import Observed
from ...models.problem import Problem
from ...types import Response


def _get_kwargs(
    group: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/groups/{group}/observations/build".format(
            group=quote(str(group), safe=""),
        ),
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Observed | Problem:
    if response.status_code == 200:
        response_200 = Observed.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Observed | Problem]:
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
) -> Response[Observed | Problem]:
    """Find what the facts show, and keep it up to date from now on

     Asked again it adds nothing. It takes as long as the model takes.

    Args:
        group (str): The memory

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Observed | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    *,
    client: AuthenticatedClient | Client,
) -> Observed | Problem | None:
    """Find what the facts show, and keep it up to date from now on

     Asked again it adds nothing. It takes as long as the model takes.

    Args:
        group (str): The memory

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Observed | Problem
    """

    return sync_detailed(
        group=group,
        client=client,
    ).parsed


async def asyncio_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
) -> Response[Observed | Problem]:
    """Find what the facts show, and keep it up to date from now on

     Asked again it adds nothing. It takes as long as the model takes.

    Args:
        group (str): The memory

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Observed | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    *,
    client: AuthenticatedClient | Client,
) -> Observed | Problem | None:
    """Find what the facts show, and keep it up to date from now on

     Asked again it adds nothing. It takes as long as the model takes.

    Args:
        group (str): The memory

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Observed | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            client=client,
        )
    ).parsed
