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
            // A gateway's 5xx, or a proxy's, says nothing of the outcome, whatever its body says.
            $json = $status < 500 ? json_decode($answered, true) : null;
            if ($status === 429 && $attempt < $this->attempts) {
                $seconds = (float) ($received['retry-after'] ?? 1);
                ($this->sleep)(min($seconds, self::LONGEST_PAUSE_S));
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
     * Status 0: no whole answer; the text is the reason.
     *
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
        $answered = @file_get_contents($this->baseUrl . $path, false, $context);
        $received = self::headers($http_response_header ?? []);
        $length = $received['content-length'] ?? null;
        if ($answered === false || !isset($received['status']) || ($length !== null && strlen($answered) < (int) $length)) {
            return [0, error_get_last()['message'] ?? 'the connection broke', []];
        }
        return [(int) $received['status'], $answered, $received];
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
                $headers = ['status' => $match[1]];
            } elseif (str_contains($line, ':')) {
                [$name, $value] = explode(':', $line, 2);
                $headers[strtolower(trim($name))] = trim($value);
            }
        }
        return $headers;
    }
}
