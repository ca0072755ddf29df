import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from booking import Booking
from simulator import Account


@pytest.fixture
def receiver():
    """A server that passes webhooks to the booking system in its `booking` attribute."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(self.server.booking.receive(body, self.headers.get("X-Service-Signature", "")))
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_args) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def account(receiver):
    """An account of the simulator that only this test uses."""
    account = Account(f"http://127.0.0.1:{receiver.server_port}/webhooks")
    yield account
    account.remove()


@pytest.fixture
def booking(account, receiver):
    booking = Booking(account.base_url, account.token, account.webhook_secret)
    receiver.booking = booking
    return booking
