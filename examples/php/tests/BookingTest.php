<?php

declare(strict_types=1);

namespace Booking\Tests;

use Booking\Booking;
use Booking\DepositStore;
use PHPUnit\Framework\TestCase;

final class BookingTest extends TestCase
{
    private string $folder;
    private DepositStore $deposits;
    private WebServer $server;
    private SimulatorAccount $account;
    private Booking $booking;

    protected function setUp(): void
    {
        $this->folder = sys_get_temp_dir() . '/booking-' . bin2hex(random_bytes(8));
        mkdir($this->folder);
        $this->deposits = new DepositStore($this->folder);
        $secret = bin2hex(random_bytes(16));
        $this->server = new WebServer(['WEBHOOK_SECRET' => $secret, 'DEPOSITS_FOLDER' => $this->folder]);
        $this->account = new SimulatorAccount("{$this->server->url}/webhooks", $secret);
        $this->booking = new Booking($this->account->baseUrl, $this->account->token, $secret, $this->deposits);
    }

    protected function tearDown(): void
    {
        // PHPUnit calls tearDown even if setUp fails; the properties that come later are unset then.
        if (isset($this->account)) {
            $this->account->remove();
        }
        if (isset($this->server)) {
            $this->server->stop();
        }
        array_map(unlink(...), glob("{$this->folder}/*"));
        rmdir($this->folder);
    }

    public function testADepositThatNobodyCapturesExpiresAfterAWeek(): void
    {
        $depositId = $this->booking->askForDeposit('BK-1', 300);
        self::assertSame('pending', $this->deposits->statusOf('BK-1'));

        $this->account->authorizeDeposit($depositId);
        $this->account->waitForWebhooks();
        self::assertSame('authorized', $this->deposits->statusOf('BK-1'));

        $this->account->advanceClock('8d');
        self::assertSame('expired', $this->deposits->statusOf('BK-1'));
    }

    public function testAWebhookWithAWrongSignatureIsRejected(): void
    {
        $this->booking->askForDeposit('BK-2', 300);
        $body = json_encode([
            'event' => 'deposit.captured',
            'data' => ['booking_reference' => 'BK-2', 'status' => 'captured'],
        ]);
        $signature = $this->booking->signatureOf(str_replace('BK-2', 'BK-3', $body));
        self::assertSame(401, $this->booking->receive($body, $signature));
        self::assertSame('pending', $this->deposits->statusOf('BK-2'));
    }
}
