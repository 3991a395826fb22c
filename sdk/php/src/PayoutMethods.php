<?php

declare(strict_types=1);

namespace PaymentGateway;

/**
 * Generated from openapi/gateway.json by sdk/write-types.ts.
 *
 * Card UAH:
 * @phpstan-type Payout1 array{method: 1, payout_id: string, account: string, amount: string, currency: 'UAH', full_name?: string}
 * Card USD:
 * @phpstan-type Payout8 array{method: 8, payout_id: string, account: string, amount: string, currency: 'USD', exp_date: string, full_name: string}
 * Card EUR:
 * @phpstan-type Payout9 array{method: 9, payout_id: string, account: string, amount: string, currency: 'EUR', full_name?: string}
 * Card AZN:
 * @phpstan-type Payout11 array{method: 11, payout_id: string, account: string, amount: string, currency: 'AZN', full_name?: string}
 * Card KZT:
 * @phpstan-type Payout12 array{method: 12, payout_id: string, account: string, amount: string, currency: 'KZT', full_name: string}
 * Card UAH (alternative):
 * @phpstan-type Payout16 array{method: 16, payout_id: string, account: string, amount: string, currency: 'UAH', full_name?: string}
 * Card AZN (with expiry date):
 * @phpstan-type Payout17 array{method: 17, payout_id: string, account: string, amount: string, currency: 'AZN', exp_date: string, full_name?: string}
 * Card EUR (Visa):
 * @phpstan-type Payout22 array{method: 22, payout_id: string, account: string, amount: string, currency: 'EUR', full_name: string}
 * Card EUR (Mastercard):
 * @phpstan-type Payout23 array{method: 23, payout_id: string, account: string, amount: string, currency: 'EUR', full_name: string}
 * Mobile KZT:
 * @phpstan-type Payout24 array{method: 24, payout_id: string, account: string, amount: string, currency: 'KZT', full_name: string}
 * Instant account payout, INR:
 * @phpstan-type Payout26 array{method: 26, payout_id: string, account: string, amount: string, currency: 'INR', full_name?: string, customs_phone: string, customs_email: string, customs_ifsc: string, customs_ip: string}
 * IBAN payout, UAH:
 * @phpstan-type Payout34 array{method: 34, payout_id: string, account: string, amount: string, currency: 'UAH', full_name: string, customs_card: string, customs_inn: string}
 * Card sandbox:
 * @phpstan-type Payout70 array{method: 70, payout_id: string, account: string, amount: string, currency: 'TST', full_name?: string}
 * E-transfer payout, CAD:
 * @phpstan-type Payout92 array{method: 92, payout_id: string, account: string, amount: string, currency: 'CAD', full_name: string, customs_phone: string, customs_email: string}
 * Card EUR (alternative):
 * @phpstan-type Payout93 array{method: 93, payout_id: string, account: string, amount: string, currency: 'EUR', full_name: string, customs_birthday: string, customs_phone: string, customs_email: string, customs_address: string, customs_city: string, customs_state: string, customs_post_code: string, customs_user_id: string, customs_country: string}
 * @phpstan-type Payout Payout1|Payout8|Payout9|Payout11|Payout12|Payout16|Payout17|Payout22|Payout23|Payout24|Payout26|Payout34|Payout70|Payout92|Payout93
 */
final class PayoutMethods
{
    /** The fields that `sign` covers, by method. */
    public const COVERED = [
        1 => ['account', 'amount', 'currency', 'merchant', 'method', 'payout_id'],
        8 => ['account', 'amount', 'currency', 'merchant', 'method', 'payout_id'],
        9 => ['account', 'amount', 'currency', 'merchant', 'method', 'payout_id'],
        11 => ['account', 'amount', 'currency', 'merchant', 'method', 'payout_id'],
        12 => ['account', 'amount', 'currency', 'merchant', 'method', 'payout_id'],
        16 => ['account', 'amount', 'currency', 'merchant', 'method', 'payout_id'],
        17 => ['account', 'amount', 'currency', 'merchant', 'method', 'payout_id'],
        22 => ['account', 'amount', 'currency', 'merchant', 'method', 'payout_id'],
        23 => ['account', 'amount', 'currency', 'merchant', 'method', 'payout_id'],
        24 => ['account', 'amount', 'currency', 'merchant', 'method', 'payout_id'],
        26 => ['account', 'amount', 'currency', 'customs_email', 'customs_ifsc', 'customs_ip', 'customs_phone', 'merchant', 'method', 'payout_id'],
        34 => ['account', 'amount', 'currency', 'customs_card', 'customs_inn', 'full_name', 'merchant', 'method', 'payout_id'],
        70 => ['account', 'amount', 'currency', 'merchant', 'method', 'payout_id'],
        92 => ['account', 'amount', 'currency', 'customs_email', 'customs_phone', 'full_name', 'merchant', 'method', 'payout_id'],
        93 => ['account', 'amount', 'currency', 'merchant', 'method', 'payout_id'],
    ];
}
