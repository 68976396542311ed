from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.decide_review_kind import DecideReviewKind
from ...models.decided_body import DecidedBody
from ...models.problem import Problem
from ...models.review_decision import ReviewDecision
from ...types import UNSET, Response, Unset


def _get_kwargs(
    group: str,
    *,
    body: ReviewDecision,
    kind: DecideReviewKind | None = UNSET,
    relation: str | None = UNSET,
    source: str | None = UNSET,
    thread_id: str | None = UNSET,
    door: str | None = UNSET,
    key: str | None = UNSET,
    run_id: str | None = UNSET,
    since: str | None = UNSET,
    until: str | None = UNSET,
    if_match: str | None = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(if_match, Unset):
        headers["If-Match"] = if_match

    params: dict[str, Any] = {}

    json_kind: str | None = UNSET
    if not isinstance(kind, Unset):
        json_kind = kind

    params["kind"] = json_kind

    params["relation"] = relation

    params["source"] = source

    params["thread_id"] = thread_id

    params["door"] = door

    params["key"] = key

    params["run_id"] = run_id

    params["since"] = since

    params["until"] = until

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/groups/{group}/review".format(
            group=quote(str(group), safe=""),
        ),
        "params": params,
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> DecidedBody | Problem:
    if response.status_code == 200:
        response_200 = DecidedBody.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[DecidedBody | Problem]:
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
    body: ReviewDecision,
    kind: DecideReviewKind | None = UNSET,
    relation: str | None = UNSET,
    source: str | None = UNSET,
    thread_id: str | None = UNSET,
    door: str | None = UNSET,
    key: str | None = UNSET,
    run_id: str | None = UNSET,
    since: str | None = UNSET,
    until: str | None = UNSET,
    if_match: str | None = UNSET,
) -> Response[DecidedBody | Problem]:
    """Approve, reject, edit or leave facts under review

     Name facts, or all that wait and that the query chooses. It is on record, and what is rejected stays
    rejected. Their etags as If-Match keep what others decided in the meantime.

    Args:
        group (str): The memory
        kind (DecideReviewKind | None): Only candidates; what is disputed; what only assistants
            and documents say; or what is told at second hand
        relation (str | None): Only facts of this relation
        source (str | None): What came with this source description, such as the name of a file
        thread_id (str | None): What was said in this conversation
        door (str | None): What came by this door: cli, rest, mcp, import, …
        key (str | None): What this API key or user of the database wrote
        run_id (str | None): What this run of an agent wrote: run_id in the metadata
        since (str | None): What was taken in from this time on
        until (str | None): What was taken in before this time
        if_match (str | None): The ETag that was read: 412 where it was changed in the meantime
        body (ReviewDecision):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[DecidedBody | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        body=body,
        kind=kind,
        relation=relation,
        source=source,
        thread_id=thread_id,
        door=door,
        key=key,
        run_id=run_id,
        since=since,
        until=until,
        if_match=if_match,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    body: ReviewDecision,
    kind: DecideReviewKind | None = UNSET,
    relation: str | None = UNSET,
    source: str | None = UNSET,
    thread_id: str | None = UNSET,
    door: str | None = UNSET,
    key: str | None = UNSET,
    run_id: str | None = UNSET,
    since: str | None = UNSET,
    until: str | None = UNSET,
    if_match: str | None = UNSET,
) -> DecidedBody | Problem | None:
    """Approve, reject, edit or leave facts under review

     Name facts, or all that wait and that the query chooses. It is on record, and what is rejected stays
    rejected. Their etags as If-Match keep what others decided in the meantime.

    Args:
        group (str): The memory
        kind (DecideReviewKind | None): Only candidates; what is disputed; what only assistants
            and documents say; or what is told at second hand
        relation (str | None): Only facts of this relation
        source (str | None): What came with this source description, such as the name of a file
        thread_id (str | None): What was said in this conversation
        door (str | None): What came by this door: cli, rest, mcp, import, …
        key (str | None): What this API key or user of the database wrote
        run_id (str | None): What this run of an agent wrote: run_id in the metadata
        since (str | None): What was taken in from this time on
        until (str | None): What was taken in before this time
        if_match (str | None): The ETag that was read: 412 where it was changed in the meantime
        body (ReviewDecision):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        DecidedBody | Problem
    """

    return sync_detailed(
        group=group,
        client=client,
        body=body,
        kind=kind,
        relation=relation,
        source=source,
        thread_id=thread_id,
        door=door,
        key=key,
        run_id=run_id,
        since=since,
        until=until,
        if_match=if_match,
    ).parsed


async def asyncio_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    body: ReviewDecision,
    kind: DecideReviewKind | None = UNSET,
    relation: str | None = UNSET,
    source: str | None = UNSET,
    thread_id: str | None = UNSET,
    door: str | None = UNSET,
    key: str | None = UNSET,
    run_id: str | None = UNSET,
    since: str | None = UNSET,
    until: str | None = UNSET,
    if_match: str | None = UNSET,
) -> Response[DecidedBody | Problem]:
    """Approve, reject, edit or leave facts under review

     Name facts, or all that wait and that the query chooses. It is on record, and what is rejected stays
    rejected. Their etags as If-Match keep what others decided in the meantime.

    Args:
        group (str): The memory
        kind (DecideReviewKind | None): Only candidates; what is disputed; what only assistants
            and documents say; or what is told at second hand
        relation (str | None): Only facts of this relation
        source (str | None): What came with this source description, such as the name of a file
        thread_id (str | None): What was said in this conversation
        door (str | None): What came by this door: cli, rest, mcp, import, …
        key (str | None): What this API key or user of the database wrote
        run_id (str | None): What this run of an agent wrote: run_id in the metadata
        since (str | None): What was taken in from this time on
        until (str | None): What was taken in before this time
        if_match (str | None): The ETag that was read: 412 where it was changed in the meantime
        body (ReviewDecision):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[DecidedBody | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        body=body,
        kind=kind,
        relation=relation,
        source=source,
        thread_id=thread_id,
        door=door,
        key=key,
        run_id=run_id,
        since=since,
        until=until,
        if_match=if_match,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    body: ReviewDecision,
    kind: DecideReviewKind | None = UNSET,
    relation: str | None = UNSET,
    source: str | None = UNSET,
    thread_id: str | None = UNSET,
    door: str | None = UNSET,
    key: str | None = UNSET,
    run_id: str | None = UNSET,
    since: str | None = UNSET,
    until: str | None = UNSET,
    if_match: str | None = UNSET,
) -> DecidedBody | Problem | None:
    """Approve, reject, edit or leave facts under review

     Name facts, or all that wait and that the query chooses. It is on record, and what is rejected stays
    rejected. Their etags as If-Match keep what others decided in the meantime.

    Args:
        group (str): The memory
        kind (DecideReviewKind | None): Only candidates; what is disputed; what only assistants
            and documents say; or what is told at second hand
        relation (str | None): Only facts of this relation
        source (str | None): What came with this source description, such as the name of a file
        thread_id (str | None): What was said in this conversation
        door (str | None): What came by this door: cli, rest, mcp, import, …
        key (str | None): What this API key or user of the database wrote
        run_id (str | None): What this run of an agent wrote: run_id in the metadata
        since (str | None): What was taken in from this time on
        until (str | None): What was taken in before this time
        if_match (str | None): The ETag that was read: 412 where it was changed in the meantime
        body (ReviewDecision):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        DecidedBody | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            client=client,
            body=body,
            kind=kind,
            relation=relation,
            source=source,
            thread_id=thread_id,
            door=door,
            key=key,
            run_id=run_id,
            since=since,
            until=until,
            if_match=if_match,
        )
    ).parsed
