<?php

declare(strict_types=1);

namespace PaymentGateway;

/**
 * A merchant's client. Each method throws RequestRejected or OutcomeUnknown.
 *
 * @phpstan-import-type Payout from PayoutMethods
 */
final class Gateway
{
    private const PAGE = 1000;

    private readonly Transport $transport;

    /**
     * @param string|null $formKey Signs links to the hosted form, and nothing else.
     * @param \Closure(float): void|null $sleep
     */
    public function __construct(
        string $baseUrl,
        private readonly string $merchant,
        #[\SensitiveParameter] private readonly string $apiKey,
        #[\SensitiveParameter] private readonly ?string $formKey = null,
        float $timeoutSeconds = 30,
        int $attempts = 4,
        ?\Closure $sleep = null,
    ) {
        if ($merchant === '' || $apiKey === '' || preg_match('#^https?://#', $baseUrl) !== 1) {
            throw new \LogicException('Gateway needs the merchant, the API key, and a URL that begins with https://');
        }
        $sleep ??= static fn (float $seconds) => usleep((int) ($seconds * 1_000_000));
        $this->transport = new Transport(rtrim($baseUrl, '/'), $timeoutSeconds, $attempts, $sleep);
    }

    /** @return array<string, string> */
    public function __debugInfo(): array
    {
        return ['merchant' => $this->merchant];
    }

    /**
     * Sends a payout. Repeating it with the same `payout_id` and content never pays twice. `Pending` becomes final by
     * a callback. After OutcomeUnknown call it again unchanged, or ask payoutStatus.
     *
     * @param Payout $payout
     * @return array{status: string, code: string, payout_id: string, description: string}
     */
    public function sendPayout(array $payout): array
    {
        $given = array_filter($payout, static fn ($value) => $value !== null);
        $body = ['merchant' => $this->merchant] + array_map('strval', $given);
        $names = PayoutMethods::COVERED[$payout['method']] ?? [];
        $covered = array_intersect_key($body, array_flip($names));
        $sign = Signatures::md5($covered, $this->apiKey);
        return $this->payoutReply($this->post('/merchant/api/payout_send', $body + ['sign' => $sign]), $payout['payout_id']);
    }

    /**
     * Returns the state of a payout, or null if the gateway does not know it. Once 30 seconds have passed since the
     * last request, null proves that the gateway never accepted the payout.
     *
     * @return array{status: string, code: string, payout_id: string, description: string}|null
     */
    public function payoutStatus(string $payoutId): ?array
    {
        $answer = $this->ask('/merchant/api/payout_status', ['payout_id' => $payoutId]);
        if ($answer->rejection() === 'Payout not found') {
            return null;
        }
        return $this->payoutReply(new Answer($answer->body, $answer->json, $answer->xSign, false), $payoutId);
    }

    /** @return array{currency: string, balance: string, reserved: string} */
    public function balance(string $currency): array
    {
        $fields = $this->signedFields($this->ask('/payment/balance', ['currency' => $currency]));
        unset($fields['status']);
        return $fields;
    }

    /**
     * All payments of the period, oldest first, page by page. Payments of the last 30 seconds are not listed yet.
     *
     * @param string $type `deposit` or `withdrawal`
     * @param string $startDate A date, or a date and a time, UTC.
     * @param string $finishDate Not included.
     * @return \Generator<array<string, mixed>>
     */
    public function payments(
        string $type,
        string $currency,
        string $startDate,
        string $finishDate,
        string $status = 'all',
        string $order = '0',
    ): \Generator {
        $query = ['type' => $type, 'currency' => $currency, 'start_date' => $startDate, 'finish_date' => $finishDate];
        $query += ['status' => $status, 'order' => $order, 'limit' => (string) self::PAGE];
        do {
            $answer = $this->ask('/api/payment-list', $query);
            $answer->refuse();
            $this->checkBytes($answer);
            foreach ($answer->json as $row) {
                yield $row;
                $query['after'] = (string) $row['id'];
            }
        } while (count($answer->json) === self::PAGE);
    }

    /**
     * A CLABE for one order, to be paid in MXN by SPEI. Show `clabe` and `beneficiary` to the payer. An order's CLABE is
     * given once: use a new `$order` after OutcomeUnknown.
     *
     * @return array<string, mixed>
     */
    public function createDeposit(string $order, string $amount, string $userId, string $firstName, string $lastName): array
    {
        $fields = ['order' => $order, 'amount' => $amount, 'currency' => 'MXN', 'user_id' => $userId];
        $answer = $this->post('/api/v2/spei/host2host/create', $fields + ['first_name' => $firstName, 'last_name' => $lastName]);
        $answer->refuse();
        $this->checkBytes($answer);
        if (($answer->json['order'] ?? null) !== $order) {
            throw new OutcomeUnknown('the reply belongs to another order');
        }
        return $answer->json;
    }

    /**
     * The link to the page on which a payer pays. Signing it keeps payers from changing the amount.
     *
     * @param array<string, string> $parameters `order`, `amount`, `currency`, `item_name`, `country`, and optional ones
     */
    public function formLink(array $parameters): string
    {
        if ($this->formKey === null) {
            throw new \LogicException('formLink needs the form key');
        }
        $signed = ['merchant' => $this->merchant];
        foreach (['order', 'amount', 'currency'] as $name) {
            $signed[$name] = $parameters[$name];
        }
        $query = $signed + $parameters + ['sign' => Signatures::md5($signed, $this->formKey)];
        return "{$this->transport->baseUrl}/payment/form?" . http_build_query($query);
    }

    /** @param array<string, string> $fields */
    private function ask(string $path, array $fields): Answer
    {
        $covered = ['merchant' => $this->merchant] + $fields;
        return $this->post($path, $covered + ['sign' => Signatures::md5($covered, $this->apiKey)]);
    }

    /** @param array<string, string> $fields */
    private function post(string $path, array $fields): Answer
    {
        $body = json_encode($fields, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
        $headers = ['X-Merchant' => $this->merchant, 'X-Sign' => Signatures::x($body, $this->apiKey)];
        return $this->transport->send($path, $body, $headers);
    }

    /** @return array<string, string> */
    private function payoutReply(Answer $answer, string $payoutId): array
    {
        $reply = $this->signedFields($answer);
        if (($reply['payout_id'] ?? null) !== $payoutId) {
            throw new OutcomeUnknown('the reply belongs to another payout');
        }
        return $reply;
    }

    /** @return array<string, string> */
    private function signedFields(Answer $answer): array
    {
        $answer->refuse();
        $fields = $answer->json;
        $isText = array_filter($fields, 'is_string') === $fields;
        $sign = $isText ? $fields['sign'] ?? '' : '';
        unset($fields['sign']);
        if (!$isText || !hash_equals(Signatures::md5($fields, $this->apiKey), $sign)) {
            throw new OutcomeUnknown('the signature of the response is invalid');
        }
        return $fields;
    }

    private function checkBytes(Answer $answer): void
    {
        if (!hash_equals(Signatures::x($answer->body, $this->apiKey), $answer->xSign)) {
            throw new OutcomeUnknown('the signature of the response is invalid');
        }
    }
}
