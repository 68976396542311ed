from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.restored import Restored
from ...types import Response


def _get_kwargs(
    group: str,
    fact: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/groups/{group}/facts/{fact}/restore".format(
            group=quote(str(group), safe=""),
            fact=quote(str(fact), safe=""),
        ),
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | Restored:
    if response.status_code == 200:
        response_200 = Restored.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Problem | Restored]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    group: str,
    fact: str,
    *,
    client: AuthenticatedClient | Client,
) -> Response[Problem | Restored]:
    """Readmit a fact that was withdrawn or taken back

     The fact is named by the id that it had, or by that of its rejection. It comes back as it was. A
    lower authority cannot readmit what a higher one rejected.

    Args:
        group (str): The memory
        fact (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Restored]
    """

    kwargs = _get_kwargs(
        group=group,
        fact=fact,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    fact: str,
    *,
    client: AuthenticatedClient | Client,
) -> Problem | Restored | None:
    """Readmit a fact that was withdrawn or taken back

     The fact is named by the id that it had, or by that of its rejection. It comes back as it was. A
    lower authority cannot readmit what a higher one rejected.

    Args:
        group (str): The memory
        fact (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Restored
    """

    return sync_detailed(
        group=group,
        fact=fact,
        client=client,
    ).parsed


async def asyncio_detailed(
    group: str,
    fact: str,
    *,
    client: AuthenticatedClient | Client,
) -> Response[Problem | Restored]:
    """Readmit a fact that was withdrawn or taken back

     The fact is named by the id that it had, or by that of its rejection. It comes back as it was. A
    lower authority cannot readmit what a higher one rejected.

    Args:
        group (str): The memory
        fact (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Restored]
    """

    kwargs = _get_kwargs(
        group=group,
        fact=fact,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    fact: str,
    *,
    client: AuthenticatedClient | Client,
) -> Problem | Restored | None:
    """Readmit a fact that was withdrawn or taken back

     The fact is named by the id that it had, or by that of its rejection. It comes back as it was. A
    lower authority cannot readmit what a higher one rejected.

    Args:
        group (str): The memory
        fact (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Restored
    """

    return (
        await asyncio_detailed(
            group=group,
            fact=fact,
            client=client,
        )
    ).parsed
