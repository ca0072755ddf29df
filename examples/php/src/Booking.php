<?php

declare(strict_types=1);

namespace Booking;

/** A booking system that asks guests for deposits, and learns their status from signed webhooks. */
final class Booking
{
    public function __construct(
        private readonly string $baseUrl,
        private readonly string $token,
        private readonly string $webhookSecret,
        private readonly DepositStore $deposits,
    ) {
    }

    /** Creates a deposit, and returns its id. */
    public function askForDeposit(string $reference, float $amount): int
    {
        $deposit = Http::send('POST', "{$this->baseUrl}/deposits", [
            'booking_reference' => $reference,
            'amount' => $amount,
        ], [
            "Authorization: Bearer {$this->token}",
            "Idempotency-Key: {$reference}",
        ])['data'];
        $this->deposits->save($reference, $deposit['status']);

        return $deposit['id'];
    }

    /** Processes a webhook, unless its signature is wrong. Returns the status of the response. */
    public function receive(string $body, string $signature): int
    {
        if (!hash_equals($this->signatureOf($body), $signature)) {
            return 401;
        }
        $event = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
        if (str_starts_with($event['event'], 'deposit.')) {
            $this->deposits->save($event['data']['booking_reference'], $event['data']['status']);
        }

        return 200;
    }

    public function signatureOf(string $body): string
    {
        return 'sha256=' . hash_hmac('sha256', $body, $this->webhookSecret);
    }
}
