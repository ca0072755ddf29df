<?php

declare(strict_types=1);

namespace Booking;

use RuntimeException;

/** Sends JSON requests with PHP's streams, without any library. */
final class Http
{
    /**
     * @param array<string, mixed> $body
     * @param list<string> $headers
     * @return array<string, mixed>
     */
    public static function send(string $method, string $url, array $body, array $headers = []): array
    {
        $context = stream_context_create(['http' => [
            'method' => $method,
            'header' => [...$headers, 'Content-Type: application/json', 'Accept: application/json'],
            'content' => json_encode((object) $body, JSON_THROW_ON_ERROR),
            'ignore_errors' => true,
            'timeout' => 30,
        ]]);
        $text = file_get_contents($url, false, $context);
        // PHP sets this variable. Its first line is, for example, "HTTP/1.1 201 Created".
        $status = (int) explode(' ', $http_response_header[0] ?? 'none 0')[1];
        if ($text === false || $status >= 300) {
            throw new RuntimeException("{$method} {$url}: {$status} {$text}");
        }

        return json_decode($text, true, flags: JSON_THROW_ON_ERROR);
    }
}
