<?php

declare(strict_types=1);

namespace PaymentGateway;

/** A response of the gateway. @internal */
final class Answer
{
    /**
     * @param array<mixed> $json
     * @param bool $isAfterSilence An earlier attempt of this call had no response, so it may have had an effect.
     */
    public function __construct(
        public readonly string $body,
        public readonly array $json,
        public readonly string $xSign,
        public readonly bool $isAfterSilence,
    ) {
    }

    /** Returns the reason of an `Error` or a `fail`, or null for any other response. */
    public function rejection(): ?string
    {
        $isRejected = in_array($this->json['status'] ?? null, ['Error', 'fail'], true);
        return $isRejected ? (string) ($this->json['description'] ?? '') : null;
    }

    /** A rejection proves nothing about an earlier attempt without a response. */
    public function refuse(): void
    {
        $reason = $this->rejection();
        if ($reason === null) {
            return;
        }
        if ($this->isAfterSilence) {
            throw new OutcomeUnknown("an attempt had no answer, and a repeat was rejected: $reason");
        }
        throw new RequestRejected($reason);
    }
}
