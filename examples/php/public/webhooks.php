<?php

declare(strict_types=1);

// Receives webhooks under any web server.
require_once __DIR__ . '/../src/autoload.php';

// The URL of the service and the token are empty, since only requests to the service need them.
$booking = new Booking\Booking('', '', getenv('WEBHOOK_SECRET'), new Booking\DepositStore(getenv('DEPOSITS_FOLDER')));
http_response_code(
    $booking->receive(file_get_contents('php://input'), $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? ''),
);
