from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.accepted import Accepted
from ...models.bulk_report import BulkReport
from ...models.new_episode import NewEpisode
from ...models.problem import Problem
from ...types import UNSET, File, Response, Unset


def _get_kwargs(
    group: str,
    *,
    body: NewEpisode | File | None = UNSET,
    idempotency_key: str | None = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/groups/{group}/episodes".format(
            group=quote(str(group), safe=""),
        ),
    }

    if isinstance(body, NewEpisode):
        _kwargs["json"] = body.to_dict()

        headers["Content-Type"] = "application/json"
    if isinstance(body, File):
        _kwargs["content"] = body.payload
        headers["Content-Type"] = "application/x-ndjson"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Accepted | BulkReport | Problem:
    if response.status_code == 200:
        response_200 = Accepted.from_dict(response.json())

        return response_200

    if response.status_code == 202:

        def _parse_response_202(data: object) -> Accepted | BulkReport:
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                response_202_type_0 = Accepted.from_dict(data)

                return response_202_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            if not isinstance(data, dict):
                raise TypeError()
            response_202_type_1 = BulkReport.from_dict(data)

            return response_202_type_1

        response_202 = _parse_response_202(response.json())

        return response_202

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[Accepted | BulkReport | Problem]:
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
    body: NewEpisode | File | None = UNSET,
    idempotency_key: str | None = UNSET,
) -> Response[Accepted | BulkReport | Problem]:
    """Add what was said or written

     One episode as application/json, or any number as application/x-ndjson, one on a line, which are
    stored in the order they come, some hundred at a time. What was accepted is safe; it is read into
    the graph afterwards. A line that is refused ends the request: what came before it stays, and the
    problem says how many that were. A line that was erased is left out, counted and named; only where
    all of them were is that a problem.

    Args:
        group (str): The memory
        idempotency_key (str | None): A word of your own for this request: sent again within a
            day, it is done once
        body (NewEpisode):
        body (File):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Accepted | Accepted | BulkReport | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        body=body,
        idempotency_key=idempotency_key,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    body: NewEpisode | File | None = UNSET,
    idempotency_key: str | None = UNSET,
) -> Accepted | BulkReport | Problem | None:
    """Add what was said or written

     One episode as application/json, or any number as application/x-ndjson, one on a line, which are
    stored in the order they come, some hundred at a time. What was accepted is safe; it is read into
    the graph afterwards. A line that is refused ends the request: what came before it stays, and the
    problem says how many that were. A line that was erased is left out, counted and named; only where
    all of them were is that a problem.

    Args:
        group (str): The memory
        idempotency_key (str | None): A word of your own for this request: sent again within a
            day, it is done once
        body (NewEpisode):
        body (File):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Accepted | Accepted | BulkReport | Problem
    """

    return sync_detailed(
        group=group,
        client=client,
        body=body,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    body: NewEpisode | File | None = UNSET,
    idempotency_key: str | None = UNSET,
) -> Response[Accepted | BulkReport | Problem]:
    """Add what was said or written

     One episode as application/json, or any number as application/x-ndjson, one on a line, which are
    stored in the order they come, some hundred at a time. What was accepted is safe; it is read into
    the graph afterwards. A line that is refused ends the request: what came before it stays, and the
    problem says how many that were. A line that was erased is left out, counted and named; only where
    all of them were is that a problem.

    Args:
        group (str): The memory
        idempotency_key (str | None): A word of your own for this request: sent again within a
            day, it is done once
        body (NewEpisode):
        body (File):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Accepted | Accepted | BulkReport | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        body=body,
        idempotency_key=idempotency_key,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    body: NewEpisode | File | None = UNSET,
    idempotency_key: str | None = UNSET,
) -> Accepted | BulkReport | Problem | None:
    """Add what was said or written

     One episode as application/json, or any number as application/x-ndjson, one on a line, which are
    stored in the order they come, some hundred at a time. What was accepted is safe; it is read into
    the graph afterwards. A line that is refused ends the request: what came before it stays, and the
    problem says how many that were. A line that was erased is left out, counted and named; only where
    all of them were is that a problem.

    Args:
        group (str): The memory
        idempotency_key (str | None): A word of your own for this request: sent again within a
            day, it is done once
        body (NewEpisode):
        body (File):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Accepted | Accepted | BulkReport | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
