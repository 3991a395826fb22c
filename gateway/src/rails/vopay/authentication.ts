/**
 * Authenticates us to VoPay and VoPay to us, for payments and payouts. Pure: no network, no clock.
 *
 * Confirmed by VoPay's documents: AccountID, Key and Signature go with every request. Signature is SHA-1, in hexadecimal, of
 * key, shared secret and the current date, without separators. A webhook's ValidationKey is SHA-1 of shared secret and the
 * record's number. Confirmed by a published example: its signature is valid for 2022-01-28 (the text next to it gives a
 * different day). VoPay's documents call the ValidationKey an HMAC that proves the message. It is not an HMAC, and proves only
 * the number. **Neither covers the content**: only TLS protects a request, and a webhook is only a hint.
 *
 * Not confirmed: which time zone VoPay uses for the date (its examples use both UTC and local time). After a refused
 * signature, the caller therefore signs again for the neighbouring day. This covers midnight as well, and VoPay did not take a
 * request whose signature it refused.
 */
import { createHash } from 'node:crypto';
import { DAY_MS, HOUR_MS, type Instant, utcDayOf } from '../../foundation/clock.ts';
import { equalInConstantTime, type Secret } from '../../foundation/secret.ts';
import type { VoPayConfiguration } from './configuration.ts';

export type VoPayAccount = Pick<VoPayConfiguration, 'accountId' | 'key' | 'sharedSecret'>;

/** Returns the day that VoPay's time zone may have while UTC has another: in the morning the previous, else the next. */
export function neighbouringDayOf(instant: Instant): string {
  const isMorning = instant % DAY_MS < 12 * HOUR_MS;
  return utcDayOf(isMorning ? instant - DAY_MS : instant + DAY_MS);
}

/** Returns the first fields of every request. */
export function credentialFields(account: VoPayAccount, day: string): Readonly<Record<string, string>> {
  const { accountId, key, sharedSecret } = account;
  return {
    AccountID: accountId,
    Key: key.reveal(),
    Signature: sha1(key.reveal() + sharedSecret.reveal() + day),
  };
}

/** `record` is the number of the webhook's object, mostly a transaction. */
export function isValidationKey(validationKey: string, record: string, sharedSecret: Secret): boolean {
  return equalInConstantTime(validationKey.toLowerCase(), sha1(sharedSecret.reveal() + record));
}

function sha1(text: string): string {
  return createHash('sha1').update(text, 'utf8').digest('hex');
}
