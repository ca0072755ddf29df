import json


def test_a_deposit_that_nobody_captures_expires_after_a_week(account, booking):
    deposit_id = booking.ask_for_deposit("BK-1", 300)
    assert booking.deposits["BK-1"] == "pending"

    account.authorize_deposit(deposit_id)
    account.wait_for_webhooks()
    assert booking.deposits["BK-1"] == "authorized"

    account.advance_clock("8d")
    assert booking.deposits["BK-1"] == "expired"


def test_a_webhook_with_a_wrong_signature_is_rejected(booking):
    booking.ask_for_deposit("BK-2", 300)
    event = {"event": "deposit.captured", "data": {"booking_reference": "BK-2", "status": "captured"}}
    body = json.dumps(event).encode()
    forged = body.replace(b"BK-2", b"BK-3")
    assert booking.receive(forged, booking.signature_of(body)) == 401
    assert booking.deposits == {"BK-2": "pending"}
