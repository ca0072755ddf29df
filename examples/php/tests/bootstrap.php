<?php

declare(strict_types=1);

require_once __DIR__ . '/../src/autoload.php';
require_once __DIR__ . '/SimulatorAccount.php';
require_once __DIR__ . '/WebServer.php';
