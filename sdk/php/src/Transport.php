<?php

declare(strict_types=1);

namespace PaymentGateway;

/**
 * Requests to the gateway: one request is repeated with the same bytes, so it never becomes a second payment.
 *
 * @internal
 */
final class Transport
{
    private const FIRST_PAUSE_S = 0.5;
    private const LONGEST_PAUSE_S = 60.0;
    private const LONGEST_ANSWER_BYTES = 16_777_216; // Far above the longest page of a list.

    /** @param \Closure(float): void $sleep */
    public function __construct(
        public readonly string $baseUrl,
        private readonly float $timeoutSeconds,
        private readonly int $attempts,
        private readonly \Closure $sleep,
    ) {
    }

    /** @param array<string, string> $headers */
    public function send(string $path, string $body, array $headers): Answer
    {
        $isAfterSilence = false;
        $reason = '';
        for ($attempt = 1; $attempt <= $this->attempts; $attempt++) {
            if ($attempt > 1) {
                ($this->sleep)(self::FIRST_PAUSE_S * 2 ** ($attempt - 2));
            }
            [$status, $answered, $received] = $this->once($path, $body, $headers);
            if ($status === 0) {
                $isAfterSilence = true;
                $reason = $answered;
                continue;
            }
            // A 5xx of the gateway or of a proxy, and a redirect, say nothing of the outcome, whatever the body says.
            $json = $status < 300 || intdiv($status, 100) === 4 ? json_decode($answered, true) : null;
            if ($status === 429 && $attempt < $this->attempts) {
                $seconds = (float) ($received['retry-after'] ?? 1);
                ($this->sleep)(max(0.0, min($seconds, self::LONGEST_PAUSE_S)));
            } elseif (is_array($json)) {
                return new Answer($answered, $json, $received['x-sign'] ?? '', $isAfterSilence);
            }
            // A proxy's page, or the empty 500 of an unknown outcome.
            if (!is_array($json)) {
                $isAfterSilence = true;
            }
            $reason = "HTTP $status";
        }
        throw new OutcomeUnknown("no usable answer after {$this->attempts} attempts ($reason)");
    }

    /**
     * Returns status 0 if the response is incomplete. The text is then the reason.
     * @param array<string, string> $headers
     * @return array{int, string, array<string, string>}
     */
    private function once(string $path, string $body, array $headers): array
    {
        $lines = ['Content-Type: application/json', 'Connection: close'];
        foreach ($headers as $name => $value) {
            $lines[] = "$name: $value";
        }
        $http = ['method' => 'POST', 'header' => $lines, 'content' => $body, 'timeout' => $this->timeoutSeconds];
        $context = stream_context_create(['http' => $http + ['ignore_errors' => true, 'follow_location' => 0]]);
        error_clear_last();
        $deadline = microtime(true) + $this->timeoutSeconds;
        $stream = @fopen($this->baseUrl . $path, 'rb', false, $context);
        $received = self::headers($http_response_header ?? []);
        $answered = '';
        // A blocking read of a chunked response waits for its last part, beyond any deadline.
        while ($stream !== false && stream_set_blocking($stream, false) && !feof($stream)) {
            $part = (string) fread($stream, 65_536);
            $answered .= $part;
            usleep($part === '' ? 2_000 : 0);
            if (strlen($answered) > self::LONGEST_ANSWER_BYTES || microtime(true) > $deadline) {
                return [0, 'the response is too long or too slow', []];
            }
        }
        if (!isset($received[':status']) || strlen($answered) < (int) ($received['content-length'] ?? 0)) {
            return [0, error_get_last()['message'] ?? 'the connection broke', []];
        }
        return [(int) $received[':status'], $answered, $received];
    }

    /**
     * @param array<int, string> $lines
     * @return array<string, string>
     */
    private static function headers(array $lines): array
    {
        $headers = [];
        foreach ($lines as $line) {
            if (preg_match('#^HTTP/\S+ (\d{3})#', $line, $match) === 1) {
                $headers = [':status' => $match[1]];
            } elseif (str_contains($line, ':')) {
                [$name, $value] = explode(':', $line, 2);
                $headers[strtolower(trim($name))] = trim($value);
            }
        }
        return $headers;
    }
}
