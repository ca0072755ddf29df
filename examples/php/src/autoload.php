<?php

declare(strict_types=1);

// Composer would write this file.
foreach (['DepositStore', 'Http', 'Booking'] as $class) {
    require_once __DIR__ . "/{$class}.php";
}
