/**
 * Adyen's HMAC: SHA-256 under a key that is given in hexadecimal, as base64. A standard (payments) webhook signs eight
 * fields of each item, joined by colons; the platform's webhooks (transfers, payouts) sign the raw body.
 *
 * Confirmed by the test vectors of Adyen's own libraries, which are this file's tests: the fields and their order, an
 * empty text for one that is absent, nothing escaped. Since nothing is escaped, whoever acts on an item must see to it
 * that none of its fields holds a colon. `additionalData`, `reason` and `eventDate` are not covered.
 */
import { createHmac } from 'node:crypto';
import { equalInConstantTime, type Secret } from '../../foundation/secret.ts';
import { asFields, type Fields, textOf } from '../kit/provider-json.ts';

export function hmacOf(text: string, key: Secret): string {
  return createHmac('sha256', Buffer.from(key.reveal(), 'hex')).update(text, 'utf8').digest('base64');
}

/** `item`: numbers as the texts that they were written in. */
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

/** Whether one of the keys signed the item. A key that is empty or no hexadecimal verifies nothing. */
export function isSignedItem(item: Fields, keys: readonly Secret[]): boolean {
  const signature = textOf(asFields(item['additionalData']), 'hmacSignature');
  const text = signedTextOf(item);
  return keys.some((key) => isHexKey(key) && equalInConstantTime(hmacOf(text, key), signature));
}

function isHexKey(key: Secret): boolean {
  return /^(?:[0-9a-fA-F]{2}){16,}$/.test(key.reveal());
}
