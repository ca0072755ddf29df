<?php

declare(strict_types=1);

namespace Booking\Tests;

use RuntimeException;

/** PHP's built-in web server with the page that receives webhooks. */
final class WebServer
{
    public readonly string $url;
    /** @var resource */
    private $process;

    /** @param array<string, string> $environment */
    public function __construct(array $environment)
    {
        $address = self::freeAddress();
        $this->url = "http://{$address}";
        $this->process = proc_open(
            [PHP_BINARY, '-S', $address, __DIR__ . '/../public/webhooks.php'],
            [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], ['file', '/dev/null', 'w']],
            $pipes,
            null,
            [...getenv(), ...$environment],
        );
        for ($tries = 0; $tries < 500; ++$tries) {
            if ($connection = @stream_socket_client("tcp://{$address}")) {
                fclose($connection);
                return;
            }
            usleep(20_000);
        }
        throw new RuntimeException("the web server is not listening on {$address}");
    }

    public function stop(): void
    {
        proc_terminate($this->process);
        proc_close($this->process);
    }

    private static function freeAddress(): string
    {
        $server = stream_socket_server('tcp://127.0.0.1:0');
        $address = stream_socket_get_name($server, false);
        fclose($server);

        return $address;
    }
}
