<?php

declare(strict_types=1);

namespace Booking\Tests;

use Booking\Http;

/** An account of the simulator that only one test uses. Its methods call the control API. */
final class SimulatorAccount
{
    public readonly string $baseUrl;
    public readonly string $token;
    private readonly string $accountUrl;

    public function __construct(string $webhookUrl, string $webhookSecret)
    {
        $accountsUrl = (getenv('BILLING_SIM_URL') ?: 'http://127.0.0.1:4010') . '/_sim/accounts';
        $created = Http::send('POST', $accountsUrl, [
            'now' => '2026-03-01T09:00:00Z',
            'webhook_url' => $webhookUrl,
            'webhook_secret' => $webhookSecret,
        ]);
        $this->accountUrl = "{$accountsUrl}/{$created['id']}";
        $this->baseUrl = $created['base_url'];
        $this->token = $created['tokens']['full'];
    }

    /** Authorizes a deposit, as the guest would on the authorization page. */
    public function authorizeDeposit(int $depositId): void
    {
        Http::send('POST', "{$this->accountUrl}/deposits/{$depositId}/authorize", []);
    }

    /**
     * Advances the clock. Waits until everything that falls due has happened, and the receiver has responded to all
     * webhooks about it.
     */
    public function advanceClock(string $by): void
    {
        Http::send('POST', "{$this->accountUrl}/clock/advance", ['by' => $by]);
    }

    /** Waits until the receiver has responded to all webhooks so far; the clock does not move. */
    public function waitForWebhooks(): void
    {
        $this->advanceClock('0s');
    }

    public function remove(): void
    {
        Http::send('DELETE', $this->accountUrl, []);
    }
}
