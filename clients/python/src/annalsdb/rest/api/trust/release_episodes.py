from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.release_body import ReleaseBody
from ...models.released_body import ReleasedBody
from ...types import Response


def _get_kwargs(
    group: str,
    *,
    body: ReleaseBody,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/groups/{group}/trust/release".format(
            group=quote(str(group), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | ReleasedBody:
    if response.status_code == 200:
        response_200 = ReleasedBody.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[Problem | ReleasedBody]:
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
    body: ReleaseBody,
) -> Response[Problem | ReleasedBody]:
    """Take episodes out of quarantine, or put them back

     Name episodes, a thread, or all. Documents, and what comes by a door, from a role or from a source
    that the group withholds, are in quarantine. What was read in them is believed then.

    Args:
        group (str): The memory
        body (ReleaseBody):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | ReleasedBody]
    """

    kwargs = _get_kwargs(
        group=group,
        body=body,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    body: ReleaseBody,
) -> Problem | ReleasedBody | None:
    """Take episodes out of quarantine, or put them back

     Name episodes, a thread, or all. Documents, and what comes by a door, from a role or from a source
    that the group withholds, are in quarantine. What was read in them is believed then.

    Args:
        group (str): The memory
        body (ReleaseBody):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | ReleasedBody
    """

    return sync_detailed(
        group=group,
        client=client,
        body=body,
    ).parsed


async def asyncio_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    body: ReleaseBody,
) -> Response[Problem | ReleasedBody]:
    """Take episodes out of quarantine, or put them back

     Name episodes, a thread, or all. Documents, and what comes by a door, from a role or from a source
    that the group withholds, are in quarantine. What was read in them is believed then.

    Args:
        group (str): The memory
        body (ReleaseBody):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | ReleasedBody]
    """

    kwargs = _get_kwargs(
        group=group,
        body=body,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    body: ReleaseBody,
) -> Problem | ReleasedBody | None:
    """Take episodes out of quarantine, or put them back

     Name episodes, a thread, or all. Documents, and what comes by a door, from a role or from a source
    that the group withholds, are in quarantine. What was read in them is believed then.

    Args:
        group (str): The memory
        body (ReleaseBody):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | ReleasedBody
    """

    return (
        await asyncio_detailed(
            group=group,
            client=client,
            body=body,
        )
    ).parsed
