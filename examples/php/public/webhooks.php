<?php

declare(strict_types=1);

// Receives webhooks under any web server.
require_once __DIR__ . '/../src/autoload.php';

$booking = new Booking\Booking('', '', getenv('WEBHOOK_SECRET'), new Booking\DepositStore(getenv('DEPOSITS')));
http_response_code(
    $booking->receive(file_get_contents('php://input'), $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? ''),
);
