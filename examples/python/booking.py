"""A booking system that asks guests for deposits, and learns their status from signed webhooks."""

import hashlib
import hmac
import json
from urllib.request import Request, urlopen


class Booking:
    def __init__(self, base_url: str, token: str, webhook_secret: str) -> None:
        self._base_url = base_url
        self._token = token
        self._secret = webhook_secret.encode()
        # Status of the deposit by booking reference.
        self.deposits: dict[str, str] = {}

    def ask_for_deposit(self, reference: str, amount: float) -> int:
        """Creates a deposit, and returns its id."""
        request = Request(
            f"{self._base_url}/deposits",
            data=json.dumps({"booking_reference": reference, "amount": amount}).encode(),
            headers={
                "Authorization": f"Bearer {self._token}",
                "Content-Type": "application/json",
                "Accept": "application/json",
                "Idempotency-Key": reference,
            },
        )
        with urlopen(request, timeout=10) as response:
            deposit = json.load(response)["data"]
        self.deposits[reference] = deposit["status"]
        return deposit["id"]

    def receive(self, body: bytes, signature: str) -> int:
        """Processes a webhook, unless its signature is wrong. Returns the status of the response."""
        if not hmac.compare_digest(self.signature_of(body).encode(), signature.encode()):
            return 401
        event = json.loads(body)
        if event["event"].startswith("deposit."):
            self.deposits[event["data"]["booking_reference"]] = event["data"]["status"]
        return 200

    def signature_of(self, body: bytes) -> str:
        return "sha256=" + hmac.new(self._secret, body, hashlib.sha256).hexdigest()
