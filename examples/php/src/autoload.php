<?php

declare(strict_types=1);

// In a real project, Composer generates this file.
foreach (['DepositStore', 'Http', 'Booking'] as $class) {
    require_once __DIR__ . "/{$class}.php";
}
