<?php

declare(strict_types=1);

namespace Booking;

/** Stores the status of the deposit of each booking, in a file that is named after the booking reference. */
final class DepositStore
{
    public function __construct(private readonly string $folder)
    {
    }

    public function save(string $reference, string $status): void
    {
        file_put_contents($this->fileOf($reference), $status, LOCK_EX);
    }

    public function statusOf(string $reference): ?string
    {
        $file = $this->fileOf($reference);

        return is_file($file) ? file_get_contents($file) : null;
    }

    private function fileOf(string $reference): string
    {
        return $this->folder . '/' . rawurlencode($reference);
    }
}
