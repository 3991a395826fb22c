/**
 * How VoPay and we know each other, for whatever is asked of it: payments now, payouts as well. Pure: no network, no clock.
 *
 * Confirmed by VoPay's documents: AccountID, Key and Signature go with every request; Signature is SHA-1, in hexadecimal, of
 * key, shared secret and the current date, with nothing between them; a webhook's ValidationKey is SHA-1 of shared secret and
 * the record's number. By a published example: its signature is that of 2022-01-28 (the text beside it names another day).
 * VoPay's documents call the second an HMAC and say that it proves the message; it is none, and proves the number only.
 * **Neither binds what is sent**: TLS alone protects a request, and a webhook is no more than a hint.
 *
 * Not confirmed: by which clock VoPay reckons the date (its examples use UTC and local time alike). So a refused signature is
 * made again for the day that is nearest to now in another time zone, which covers midnight as well; a request that was
 * refused for its signature was not taken.
 */
import { createHash } from 'node:crypto';
import { DAY_MS, HOUR_MS, type Instant, utcDayOf } from '../../foundation/clock.ts';
import { equalInConstantTime, type Secret } from '../../foundation/secret.ts';
import type { VoPayConfiguration } from './configuration.ts';

export type VoPayAccount = Pick<VoPayConfiguration, 'accountId' | 'key' | 'sharedSecret'>;

/** The day that it may be at VoPay while it is another one in UTC: the one before in the morning, else the one after. */
export function neighbouringDayOf(instant: Instant): string {
  const isMorning = instant % DAY_MS < 12 * HOUR_MS;
  return utcDayOf(isMorning ? instant - DAY_MS : instant + DAY_MS);
}

/** What every request begins with. */
export function credentialFields(account: VoPayAccount, day: string): Readonly<Record<string, string>> {
  const { accountId, key, sharedSecret } = account;
  return {
    AccountID: accountId,
    Key: key.reveal(),
    Signature: sha1(key.reveal() + sharedSecret.reveal() + day),
  };
}

/** `record`: the number of what a webhook is about, a transaction's mostly. */
export function isValidationKey(validationKey: string, record: string, sharedSecret: Secret): boolean {
  return equalInConstantTime(validationKey.toLowerCase(), sha1(sharedSecret.reveal() + record));
}

function sha1(text: string): string {
  return createHash('sha1').update(text, 'utf8').digest('hex');
}
