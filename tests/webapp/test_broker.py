from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from kombu import Connection, Queue
from kombu.simple import SimpleQueue

from tests.support.stack import PATIENCE_SECONDS
from webapp.celery import app


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "broker folder"


def connect(folder: Path) -> Connection:
    app.set_current()  # importing it has made the scheme known
    options = {
        "data_folder_in": str(folder / "messages"),
        "data_folder_out": str(folder / "messages"),
        "control_folder": str(folder / "control"),
        "polling_interval": 0.01,
    }
    return Connection("folder://localhost//", transport_options=options)


@pytest.fixture
def queue(folder: Path) -> Iterator[SimpleQueue]:
    with connect(folder) as connection:
        queue = connection.SimpleQueue(Queue("work", routing_key="work"))
        yield queue
        queue.close()


def take(queue: SimpleQueue) -> Any:
    message = queue.get(timeout=PATIENCE_SECONDS)
    message.ack()
    return message.payload


def test_messages_arrive_once_in_the_order_in_which_they_were_sent(queue: SimpleQueue) -> None:
    for number in range(50):
        queue.put({"number": number})
    assert [take(queue)["number"] for _ in range(50)] == list(range(50))
    with pytest.raises(queue.Empty):
        queue.get(timeout=0.1)


def test_messages_wait_for_a_reader_that_comes_later(folder: Path, queue: SimpleQueue) -> None:
    queue.put("stays")
    queue.close()
    with connect(folder) as later:
        again = later.SimpleQueue(Queue("work", routing_key="work"))
        assert take(again) == "stays"
        again.close()


def test_no_message_is_read_half_or_twice_while_several_write_and_read(folder: Path) -> None:
    def write(writer: int) -> None:
        with connect(folder) as connection:
            queue = connection.SimpleQueue(Queue("work", routing_key="work"))
            for number in range(40):
                queue.put({"id": writer * 100 + number, "text": "x" * 20_000})
            queue.close()

    def read(_reader: int) -> list[int]:
        found = []
        with connect(folder) as connection:
            queue = connection.SimpleQueue(Queue("work", routing_key="work"))
            for _ in range(40):
                message = take(queue)
                assert len(message["text"]) == 20_000
                found.append(message["id"])
            queue.close()
        return found

    with ThreadPoolExecutor(6) as pool:
        reading = pool.map(read, range(3))
        list(pool.map(write, range(3)))
        found = sorted(number for numbers in reading for number in numbers)
    assert found == sorted(writer * 100 + number for writer in range(3) for number in range(40))
