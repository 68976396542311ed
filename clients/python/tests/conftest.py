"""The tests run against a service that Go's tests start: go test ./clients."""

import os
import uuid
from collections.abc import AsyncIterator, Iterator

import pytest

from annalsdb import Annals, AsyncAnnals

URL = os.environ["ANNALS_URL"]
KEY = os.environ["ANNALS_API_KEY"]


@pytest.fixture
def group() -> str:
    return f"test-{uuid.uuid4()}"


@pytest.fixture
def memory(group: str) -> Iterator[Annals]:
    with Annals(URL, KEY, group=group) as client:
        yield client


@pytest.fixture
async def async_memory(group: str) -> AsyncIterator[AsyncAnnals]:
    async with AsyncAnnals(URL, KEY, group=group) as client:
        yield client
