import json
import os
from urllib.request import Request, urlopen


class Account:
    """An account of the simulator that only one test uses. Its methods call the control API."""

    def __init__(self, webhook_url: str) -> None:
        self._url = os.environ.get("BILLING_SIM_URL", "http://127.0.0.1:4010")
        created = self._call("POST", "/accounts", {"now": "2026-03-01T09:00:00Z", "webhook_url": webhook_url})
        self.id: str = created["id"]
        self.base_url: str = created["base_url"]
        self.token: str = created["tokens"]["full"]
        self.webhook_secret: str = created["webhook_secret"]

    def authorize_deposit(self, deposit_id: int) -> None:
        """Authorizes a deposit, as the guest would on the authorization page."""
        self._call("POST", f"/accounts/{self.id}/deposits/{deposit_id}/authorize")

    def advance_clock(self, by: str) -> None:
        """Advances the clock.

        Waits until everything that falls due has happened, and the receiver has responded to all webhooks about it.
        """
        self._call("POST", f"/accounts/{self.id}/clock/advance", {"by": by})

    def wait_for_webhooks(self) -> None:
        """Waits until the receiver has responded to all webhooks so far; the clock does not move."""
        self.advance_clock("0s")

    def remove(self) -> None:
        self._call("DELETE", f"/accounts/{self.id}")

    def _call(self, method: str, path: str, body: dict | None = None):
        data = json.dumps(body or {}).encode()
        request = Request(
            f"{self._url}/_sim{path}", data=data, method=method, headers={"Content-Type": "application/json"}
        )
        with urlopen(request, timeout=30) as response:
            return json.load(response)
