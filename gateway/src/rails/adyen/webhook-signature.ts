/**
 * Adyen's HMAC: SHA-256 in base64 with a hexadecimal key. A standard (payments) webhook signs eight fields of each item,
 * joined by colons. The platform's webhooks (transfers, payouts) sign the raw body.
 *
 * Confirmed by the test vectors of Adyen's own libraries, which are this module's tests: the fields and their order, an empty
 * string for an absent field, no escaping. Because nothing is escaped, a caller must reject an item with a colon in any field.
 * The signature does not cover `additionalData`, `reason` and `eventDate`.
 */
import { createHmac } from 'node:crypto';
import { equalInConstantTime, type Secret } from '../../foundation/secret.ts';
import { asFields, type Fields, textOf } from '../kit/provider-json.ts';

export function hmacOf(text: string, key: Secret): string {
  return createHmac('sha256', Buffer.from(key.reveal(), 'hex')).update(text, 'utf8').digest('base64');
}

/** `item` has its numbers as strings, exactly as they were written. */
export function signedTextOf(item: Fields): string {
  const amount = asFields(item['amount']);
  return [
    textOf(item, 'pspReference'),
    textOf(item, 'originalReference'),
    textOf(item, 'merchantAccountCode'),
    textOf(item, 'merchantReference'),
    textOf(amount, 'value'),
    textOf(amount, 'currency'),
    textOf(item, 'eventCode'),
    textOf(item, 'success'),
  ].join(':');
}

/** True if one of the keys signed the item. A key that is empty or not hexadecimal verifies nothing. */
export function isSignedItem(item: Fields, keys: readonly Secret[]): boolean {
  const signature = textOf(asFields(item['additionalData']), 'hmacSignature');
  const text = signedTextOf(item);
  return keys.some((key) => isHexKey(key) && equalInConstantTime(hmacOf(text, key), signature));
}

function isHexKey(key: Secret): boolean {
  return /^(?:[0-9a-fA-F]{2}){16,}$/.test(key.reveal());
}
