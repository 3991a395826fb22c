<?php

declare(strict_types=1);

namespace PaymentGateway;

/** A verified callback or event. */
final class Callback
{
    private const TOLERANCE_S = 300;

    /**
     * @param string $kind `payout`, `deposit` or `event`. Ignore unknown events, and return `OK`.
     * @param string $id The same at each delivery: a known id is a duplicate.
     * @param array<string, string> $fields Compare amount and currency with your books.
     */
    private function __construct(
        public readonly string $kind,
        public readonly string $id,
        public readonly array $fields,
    ) {
    }

    /**
     * Verifies the bytes as received, before anything parses them. Return HTTP 200 and the body `OK` once the
     * result is in your books; return 400 if this throws InvalidSignature.
     *
     * @param string $body The raw body (`php://input`); for a GET the query without its question mark.
     * @param array<string, string|list<string>> $headers By name in any case, such as from getallheaders().
     * @param int|null $now Unix time, for tests.
     */
    public static function verify(
        string $body,
        array $headers,
        #[\SensitiveParameter] string $apiKey,
        int $toleranceSeconds = self::TOLERANCE_S,
        ?int $now = null,
    ): self {
        if ($apiKey === '') { // Anybody can sign with an empty key.
            throw new \LogicException('verify needs the API key');
        }
        $headers = array_map(static fn ($value) => is_array($value) ? ($value[0] ?? '') : $value, array_change_key_case($headers));
        [$id, $timestamp, $signatures] = array_map(
            static fn (string $name) => $headers[$name] ?? '',
            ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
        );
        if ($id === '' || $timestamp === '' || $signatures === '') {
            throw new InvalidSignature('a webhook header is missing');
        }
        if (preg_match('/^\d{1,12}$/D', $timestamp) !== 1 || abs(($now ?? time()) - (int) $timestamp) > $toleranceSeconds) {
            throw new InvalidSignature('the delivery is too old, or your clock is inaccurate');
        }
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $apiKey, true));
        foreach (explode(' ', $signatures) as $signature) {
            if (hash_equals($expected, $signature)) {
                return self::read($id, $body);
            }
        }
        throw new InvalidSignature('the signature is invalid: another key, or the bytes were changed after they arrived');
    }

    private static function read(string $id, string $body): self
    {
        if (str_starts_with($body, '{')) {
            $fields = json_decode($body, true, 8, JSON_THROW_ON_ERROR);
        } else {
            parse_str($body, $fields);
        }
        unset($fields['sign'], $fields['co_sign']);
        $kind = isset($fields['type']) ? 'event' : (isset($fields['co_inv_id']) ? 'deposit' : 'payout');
        return new self($kind, $id, $fields);
    }
}
