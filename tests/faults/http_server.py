"""A server on this machine that answers as a test tells it to, or misbehaves.

It waits for nothing but its own `released`, which the end of a test sets: no thread is left behind.
"""

from __future__ import annotations

import contextlib
import json
import socket
import socketserver
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

PAUSE = 0.01  # between the bytes of a body that drips


@dataclass
class Request:
    """What a client sent: header names in lower case."""

    path: str
    headers: dict[str, str]
    body: Any


Behaviour = Callable[[socket.socket, "Server", Request], None]


@dataclass
class Server:
    """The other side of a test."""

    behaviour: Behaviour
    port: int = 0
    connections: int = 0
    requests: list[Request] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}/rerank"


def answer(data: Any, *, status: str = "200 OK", headers: str = "Content-Type: application/json\r\n") -> Behaviour:
    """Answer every request with bytes, or with JSON."""
    body = data if isinstance(data, bytes) else json.dumps(data).encode()
    head = f"HTTP/1.1 {status}\r\n{headers}Content-Length: {len(body)}\r\n\r\n".encode()
    return lambda connection, server, request: connection.sendall(head + body)


def stall(connection: socket.socket, server: Server, request: Request) -> None:
    """Say nothing."""
    server.released.wait()


def drip(what: bytes) -> Behaviour:
    """Send the beginning of an answer, then zeros for ever, one by one."""

    def behave(connection: socket.socket, server: Server, request: Request) -> None:
        connection.sendall(what)
        while not server.released.wait(PAUSE):
            connection.sendall(b"0")

    return behave


def flood(connection: socket.socket, server: Server, request: Request) -> None:
    """Send a body that has no end, as fast as it is taken."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while not server.released.is_set():
        connection.sendall(b"10000\r\n" + b" " * 0x10000 + b"\r\n")


def cut(connection: socket.socket, server: Server, request: Request) -> None:
    """Close in the middle of a body."""
    connection.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"results": [')
    connection.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def serving(behaviour: Behaviour, tls: ssl.SSLContext | None = None) -> Iterator[Server]:
    """Run a server while the block runs."""
    server = Server(behaviour)

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            server.connections += 1
            with contextlib.suppress(OSError):
                connection = tls.wrap_socket(self.request, server_side=True) if tls else self.request
                while request := _read(connection):
                    server.requests.append(request)
                    server.behaviour(connection, server, request)

    class Listener(socketserver.ThreadingTCPServer):
        daemon_threads = True
        block_on_close = True

    with Listener(("127.0.0.1", 0), Handler) as listener:
        server.port = listener.server_address[1]
        thread = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server
        finally:
            server.released.set()
            listener.shutdown()
            thread.join()


def _read(connection: socket.socket) -> Request | None:
    """Return the next request of a connection; None when it is over."""
    held = b""
    while b"\r\n\r\n" not in held:
        part = connection.recv(65_536)
        if not part:
            return None
        held += part
    head, body = held.split(b"\r\n\r\n", 1)
    first, *lines = head.decode().split("\r\n")
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
    while len(body) < int(headers["content-length"]):
        body += connection.recv(65_536)
    return Request(first.split()[1], headers, json.loads(body))
