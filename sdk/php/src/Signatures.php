<?php

declare(strict_types=1);

namespace PaymentGateway;

/** The two signatures of the gateway. `sign` is base64 of raw bytes; `X-Sign` is base64 of hexadecimal text. */
final class Signatures
{
    /**
     * Covers exactly `$fields`: leave `sign` itself out.
     *
     * @param array<string, string> $fields
     */
    public static function md5(array $fields, #[\SensitiveParameter] string $key): string
    {
        ksort($fields, SORT_STRING);
        return base64_encode(md5(implode(':', [...array_values($fields), $key]), true));
    }

    /** Covers the bytes of a body as they are sent. */
    public static function x(string $body, #[\SensitiveParameter] string $key): string
    {
        return base64_encode(hash_hmac('sha256', $body, $key));
    }
}
