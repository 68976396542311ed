"""What goes wrong between a program and the service, or is refused by it."""

import os
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest
from conftest import KEY, URL

from annalsdb import Annals, AnnalsError, AsyncAnnals, InvalidInput, RateLimited, TooLarge, Unauthorized, Unavailable

LIMITED_URL = os.environ["ANNALS_LIMITED_URL"]  # two requests a second, four at once
BURST = 6


def test_a_refusal_names_the_field_and_what_to_do(memory: Annals) -> None:
    with pytest.raises(InvalidInput, match=r"limit: .*1000") as refused:
        memory.search("x", limit=5000)
    assert (refused.value.field, refused.value.status, refused.value.code) == ("limit", 422, "invalid")
    assert refused.value.request_id
    with pytest.raises(InvalidInput, match="write 2024-03-15") as refused:
        memory.as_of("soon").context("x")
    assert refused.value.field == "as_of"
    with pytest.raises(InvalidInput) as refused:
        memory.add_all([{"content": "Fine."}, {"content": ""}])
    assert refused.value.field == "line[2].content"
    with pytest.raises(TooLarge):
        memory.search("x", filter={"threads": ["y" * 300_000]})
    with pytest.raises(TypeError, match="limits"):
        memory.search("x", limits=3)  # type: ignore[call-arg]
    with pytest.raises(InvalidInput, match="occured_at"):
        memory.add("Fine.", occured_at="2020-01-01")  # type: ignore[call-arg]
    with pytest.raises(InvalidInput, match="nonsense"):
        memory.search("x", filter={"nonsense": 1})


async def test_a_wrong_key_is_refused(group: str) -> None:
    with pytest.raises(Unauthorized, match="annals keys create"):
        Annals(URL, "a-wrong-key-of-some-length", group=group).search("x")
    async with AsyncAnnals(URL, "", group=group) as memory:
        with pytest.raises(Unauthorized):
            await memory.search("x")


async def test_too_many_requests_wait_as_the_service_says(group: str) -> None:
    began = time.monotonic()
    with Annals(LIMITED_URL, KEY, group=group) as memory:
        for n in range(BURST):
            memory.add(f"Message {n}.")
    assert time.monotonic() - began > 0.9, "nobody had to wait"
    with (
        Annals(LIMITED_URL, KEY, group=group, retries=0) as memory,
        ThreadPoolExecutor(2 * BURST) as threads,
        pytest.raises(RateLimited) as refused,
    ):
        list(threads.map(lambda n: memory.add(f"Message {n}."), range(2 * BURST)))
    assert refused.value.retry_after and refused.value.retry_after >= 1
    async with AsyncAnnals(LIMITED_URL, KEY, group=group) as patient:
        for n in range(BURST):
            await patient.context(f"Message {n}?")


class Forgetful(BaseHTTPRequestHandler):
    """Passes requests on, and loses the first answer to each path, as a proxy that is restarted."""

    lost: set[str]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        names = ("Authorization", "Content-Type", "Idempotency-Key")
        headers = {name: self.headers[name] for name in names if name in self.headers}
        answer = httpx.post(URL + self.path, content=body, headers=headers)
        if self.path not in self.lost:
            self.lost.add(self.path)
            self.close_connection = True
            return
        self.send_response(answer.status_code)
        self.send_header("Content-Type", answer.headers["Content-Type"])
        self.send_header("Content-Length", str(len(answer.content)))
        self.end_headers()
        self.wfile.write(answer.content)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def forgetful() -> Iterator[str]:
    Forgetful.lost = set()
    proxy = ThreadingHTTPServer(("127.0.0.1", 0), Forgetful)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{proxy.server_port}"
    proxy.shutdown()
    proxy.server_close()


async def test_what_is_sent_again_is_done_once(forgetful: str, memory: Annals, group: str) -> None:
    with Annals(forgetful, KEY, group=group) as client:
        client.add("I like tea.")
    Forgetful.lost.clear()
    async with AsyncAnnals(forgetful, KEY, group=group) as patient:
        await patient.add("I like coffee.")
        await patient.add_all([{"content": "I like water."}])
    assert len(Forgetful.lost) == 1
    assert len(memory.search("I like", scopes=["episode"], min_fit=-1).episodes) == 3


def test_a_service_that_is_not_there_or_does_not_answer(group: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(Unavailable, match="takes too long"):
            Annals(url, KEY, group=group, timeout=0.2, retries=1).search("x")
    with pytest.raises(Unavailable, match="annals serve"):
        Annals(url, KEY, group=group, retries=0).search("x")


def test_what_is_no_annals_is_told_apart(forgetful: str, group: str) -> None:
    with pytest.raises(AnnalsError, match="is it the address of Annals"):
        list(Annals(forgetful, KEY, group=group, retries=0).facts())  # it knows no GET
